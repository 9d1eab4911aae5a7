// The desk of a campaign: people and links, items and rounds, and the end.
import { acting, copy, enable, following, number, pageOf, post, say, upload } from "./desk_acts.js";

const main = document.querySelector("main[data-campaign]");
const api = `/api/campaigns/${main.dataset.campaign}`;
const field = (id) => document.getElementById(id);
const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// What an act may have changed is taken from the page as it is now; the rest, and what was typed, stays.
async function refresh() {
  const page = await pageOf(location.href);
  for (const id of ["desk--people", "desk--rounds"]) {
    field(id).replaceChildren(...document.adoptNode(page.getElementById(id)).childNodes);
    enable(field(id));
  }
}

// Links

function showLinks(links) {
  const rows = Object.entries(links).map(([who, path]) => linkRow(who, new URL(path, location.origin).href));
  field("link-rows").replaceChildren(...rows);
  field("new-links").hidden = false;
  rows[0].querySelector("button").focus();
}

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

async function makeLinks(coders) {
  const { links } = await post(`${api}/desk/links`, { coders, days: number("days"), once: field("once").checked });
  await refresh();
  say(`${many(coders.length, "new link")}: copy ${coders.length === 1 ? "it" : "them"} now.`);
  showLinks(links);
}

const codersHere = () =>
  [...main.querySelectorAll("tr[data-person]")]
    .filter((row) => row.querySelector("[data-act=replace]"))
    .map((row) => row.dataset.person);

// People

function ask(dialog, who) {
  dialog.querySelector(".who").textContent = who;
  dialog.returnValue = "no";
  for (const input of dialog.querySelectorAll("input")) input.value = "";
  dialog.showModal();
  return new Promise((closed) => {
    dialog.addEventListener("close", () => closed(dialog.returnValue === "yes"), { once: true });
  });
}

async function replace(coder) {
  if (!(await ask(field("replace"), coder))) return;
  const made = await post(`${api}/desk/replacements`, { coder, successor: field("successor").value.trim() });
  await refresh();
  say(
    `${made.coder} goes on with ${many(made.items, "item")}; the decisions of ${coder} on ${many(made.kept, "item")} stay. Now make a link for ${made.coder}.`,
  );
}

async function remove(coder) {
  if (!(await ask(field("remove"), coder))) return;
  const made = await post(`${api}/desk/removals`, { coder });
  await refresh();
  say(`${coder} was removed; the decisions on ${many(made.kept, "item")} stay.`);
}

async function revoke(coder) {
  const { revoked } = await post(`${api}/desk/revocations`, { coder });
  await refresh();
  say(`${many(revoked, "link")} of ${coder} ended, and all sessions.`);
}

async function addCoder() {
  const name = field("new-coder").value.trim();
  const body = {
    name,
    part: field("new-part")?.value ?? null,
    round: field("new-round-of")?.value ?? null,
    expert: field("new-expert").checked,
  };
  const made = await post(`${api}/desk/coders`, body);
  field("add-coder").reset();
  await refresh();
  say(`${made.coder} has ${many(made.items, "item")} to judge. Now make a link for ${made.coder}.`);
}

// Items and rounds

async function addItems() {
  const existing = field("to-round").value;
  const target = existing ? { round: existing } : { new_round: field("new-round").value.trim() };
  if (!existing && !target.new_round) throw new Error("Name the new round.");
  const made = await upload(`${api}/desk/items`, field("more").files[0], {
    ...target,
    each_item: field("more-each").value,
  });
  await refresh();
  if (!existing) field("to-round").add(new Option(`round ${made.round}`, made.round), 0);
  field("add-items").reset();
  nameRound(field("to-round"));
  const shares = Object.entries(made.tasks)
    .map(([who, count]) => `${who} ${count}`)
    .join(", ");
  say(`Round ${made.round}: ${many(made.items, "item")} added (${shares}).`);
}

// Only a new round is named.
function nameRound({ value }) {
  field("new-round-field").hidden = Boolean(value);
}

async function close({ round = null, closed }) {
  await post(`${api}/closings`, { closed: closed === "true", round });
  await refresh();
  say(`${round ? `Round ${round}` : "The campaign"} is ${closed === "true" ? "closed" : "open"}.`);
}

async function end() {
  await post(`${api}/desk/deletion`, { name: field("delete-name").value });
  location.replace(document.querySelector("a[href='/desk']") ? "/desk" : "/");
}

// Listening

const rowOf = (button) => button.closest("tr[data-person]")?.dataset.person;

const ACTS = {
  link: (button) => makeLinks([rowOf(button)]),
  revoke: (button) => revoke(rowOf(button)),
  replace: (button) => replace(rowOf(button)),
  remove: (button) => remove(rowOf(button)),
  close: (button) => close(button.dataset),
  copy: async (button) => {
    const { who } = button.closest("li").dataset;
    await copy(button.previousElementSibling.value);
    say(`The link of ${who} was copied.`);
  },
  "copy-all": async () => {
    const rows = [...field("link-rows").children];
    await copy(rows.map((row) => `${row.dataset.who}\t${row.querySelector("input").value}`).join("\n"));
    say(`${many(rows.length, "link")} copied.`);
  },
};

const FORMS = { links: () => makeLinks(codersHere()), "add-coder": addCoder, "add-items": addItems, delete: end };

main.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-act]");
  if (button) acting(button, () => ACTS[button.dataset.act](button));
});

main.addEventListener("submit", (event) => {
  const work = FORMS[event.target.id];
  if (!work) return;
  event.preventDefault();
  acting(event.submitter, work);
});

following(field("to-round"), nameRound);

enable(main);
