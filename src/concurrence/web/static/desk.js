// The desk of a campaign: people and links, items and rounds, and the end.
import { acting, copy, enable, following, number, pageOf, post, say, upload } from "./desk_acts.js";
import { allInside, byId, inside, targetOf, valueIn } from "./elements.js";

const main = inside(document, "main[data-campaign]");
const api = `/api/campaigns/${main.dataset.campaign}`;
/** @param {string} id */
const input = (id) => byId(id, HTMLInputElement);
/** @param {number} count @param {string} word */
const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// What an act may have changed is taken from the page as it is now; the rest, and what was typed, stays.
async function refresh() {
  const page = await pageOf(location.href);
  for (const id of ["desk--people", "desk--rounds"]) {
    byId(id).replaceChildren(...document.adoptNode(inside(page, `#${id}`)).childNodes);
    enable(byId(id));
  }
}

// Links

/** @param {Record<string, string>} links */
function showLinks(links) {
  const rows = Object.entries(links).map(([who, path]) => linkRow(who, new URL(path, location.origin).href));
  byId("link-rows").replaceChildren(...rows);
  byId("new-links").hidden = false;
  rows[0].querySelector("button")?.focus();
}

/** @param {string} who @param {string} link */
function linkRow(who, link) {
  const row = document.createElement("li");
  const name = document.createElement("bdi");
  name.textContent = who;
  const shown = document.createElement("input");
  Object.assign(shown, { type: "text", readOnly: true, value: link });
  shown.setAttribute("aria-label", `Link of ${who}`);
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: "Copy" });
  button.dataset.act = "copy";
  button.setAttribute("aria-label", `Copy the link of ${who}`);
  row.dataset.who = who;
  row.append(name, shown, button);
  return row;
}

/** @param {string[]} coders */
async function makeLinks(coders) {
  const { links } = await post(`${api}/desk/links`, { coders, days: number("days"), once: input("once").checked });
  await refresh();
  say(`${many(coders.length, "new link")}: copy ${coders.length === 1 ? "it" : "them"} now.`);
  showLinks(links);
}

const codersHere = () =>
  allInside(main, "tr[data-person]")
    .filter((row) => row.querySelector("[data-act=replace]"))
    .map((row) => row.dataset.person ?? "");

// People

/** @param {string} id @param {string} who @returns {Promise<boolean>} */
function ask(id, who) {
  const dialog = byId(id, HTMLDialogElement);
  inside(dialog, ".who").textContent = who;
  dialog.returnValue = "no";
  for (const input of dialog.querySelectorAll("input")) input.value = "";
  dialog.showModal();
  return new Promise((closed) => {
    dialog.addEventListener("close", () => closed(dialog.returnValue === "yes"), { once: true });
  });
}

/** @param {string} coder */
async function replace(coder) {
  if (!(await ask("replace", coder))) return;
  const made = await post(`${api}/desk/replacements`, { coder, successor: input("successor").value.trim() });
  await refresh();
  const stay = `the decisions of ${coder} on ${many(made.kept, "item")} stay`;
  say(`${made.coder} goes on with ${many(made.items, "item")}; ${stay}. Now make a link for ${made.coder}.`);
}

/** @param {string} coder */
async function remove(coder) {
  if (!(await ask("remove", coder))) return;
  const made = await post(`${api}/desk/removals`, { coder });
  await refresh();
  say(`${coder} was removed; the decisions on ${many(made.kept, "item")} stay.`);
}

/** @param {string} coder */
async function revoke(coder) {
  const { revoked } = await post(`${api}/desk/revocations`, { coder });
  await refresh();
  say(`${many(revoked, "link")} of ${coder} ended, and all sessions.`);
}

async function addCoder() {
  const body = {
    name: input("new-coder").value.trim(),
    part: valueIn(document, "#new-part"),
    round: valueIn(document, "#new-round-of"),
    expert: input("new-expert").checked,
  };
  const made = await post(`${api}/desk/coders`, body);
  byId("add-coder", HTMLFormElement).reset();
  await refresh();
  say(`${made.coder} has ${many(made.items, "item")} to judge. Now make a link for ${made.coder}.`);
}

// Items and rounds

async function addItems() {
  const rounds = byId("to-round", HTMLSelectElement);
  const existing = rounds.value;
  const name = input("new-round").value.trim();
  if (!existing && !name) throw new Error("Name the new round.");
  const [file] = input("more").files ?? [];
  /** @type {Record<string, string>} */
  const target = existing ? { round: existing } : { new_round: name };
  const made = await upload(`${api}/desk/items`, file, {
    ...target,
    each_item: input("more-each").value,
    encoding: valueIn(document, "#encoding") ?? "",
  });
  await refresh();
  if (!existing) rounds.add(new Option(`round ${made.round}`, made.round), 0);
  byId("add-items", HTMLFormElement).reset();
  nameRound(rounds);
  const shares = Object.entries(made.tasks)
    .map(([who, count]) => `${who} ${count}`)
    .join(", ");
  say(`Round ${made.round}: ${many(made.items, "item")} added (${shares}).`);
}

// Only a new round is named.
/** @param {HTMLSelectElement} rounds */
function nameRound({ value }) {
  byId("new-round-field").hidden = Boolean(value);
}

/** @param {DOMStringMap} wanted */
async function close({ round, closed }) {
  await post(`${api}/closings`, { closed: closed === "true", round: round ?? null });
  await refresh();
  say(`${round ? `Round ${round}` : "The campaign"} is ${closed === "true" ? "closed" : "open"}.`);
}

async function end() {
  await post(`${api}/desk/deletion`, { name: input("delete-name").value });
  location.replace(document.querySelector("a[href='/desk']") ? "/desk" : "/");
}

// Listening

/** @param {HTMLElement} node @param {string} selector */
const dataOf = (node, selector) => /** @type {HTMLElement | null} */ (node.closest(selector))?.dataset ?? {};
/** @param {HTMLElement} button */
const personOf = (button) => dataOf(button, "tr[data-person]").person ?? "";

/** @type {Record<string, (button: HTMLElement) => Promise<void>>} */
const ACTS = {
  link: (button) => makeLinks([personOf(button)]),
  revoke: (button) => revoke(personOf(button)),
  replace: (button) => replace(personOf(button)),
  remove: (button) => remove(personOf(button)),
  close: (button) => close(button.dataset),
  copy: async (button) => {
    const { who } = dataOf(button, "li");
    await copy(linkIn(button.parentElement));
    say(`The link of ${who} was copied.`);
  },
  "copy-all": async () => {
    const rows = allInside(byId("link-rows"), "li");
    await copy(rows.map((row) => `${row.dataset.who}\t${linkIn(row)}`).join("\n"));
    say(`${many(rows.length, "link")} copied.`);
  },
};

/** @param {HTMLElement | null} row */
const linkIn = (row) => (row && valueIn(row, "input")) ?? "";

/** @type {Record<string, (() => Promise<void>) | undefined>} */
const FORMS = { links: () => makeLinks(codersHere()), "add-coder": addCoder, "add-items": addItems, delete: end };

main.addEventListener("click", (event) => {
  const button = targetOf(event)?.closest("button[data-act]");
  if (button instanceof HTMLButtonElement) acting(button, () => ACTS[button.dataset.act ?? ""](button));
});

main.addEventListener("submit", (event) => {
  const work = FORMS[targetOf(event)?.id ?? ""];
  if (!work) return;
  event.preventDefault();
  acting(event.submitter, work);
});

following(byId("to-round", HTMLSelectElement), nameRound);

enable(main);
