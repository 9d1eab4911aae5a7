// The leader's acts without leaving the page, and a page that tells what came in and shows it in place.
import { allInside, byId, inside, isControl, targetOf, valueIn } from "./elements.js";
import { newUuid } from "./outbox.js";

const LOOK = 10_000;
const main = inside(document, "main[data-campaign]");
const api = `/api/campaigns/${main.dataset.campaign}`;
/** @type {WeakMap<HTMLFormElement, string>} */
const uuids = new WeakMap(); // of forms: sending one twice counts once

// Acting

/** @param {string} path @param {object} body @param {ParentNode} place where a problem is shown */
async function post(path, body, place) {
  const problem = inside(place, "[role=status]");
  try {
    const answer = await fetch(`${api}/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) return true;
    problem.textContent = (await answer.json()).error;
  } catch {
    problem.textContent = "The server cannot be reached; try again.";
  }
  return false;
}

/** @param {HTMLFormElement} form */
function uuidOf(form) {
  const uuid = uuids.get(form) ?? newUuid();
  uuids.set(form, uuid);
  return uuid;
}

// A form may offer a single choice, of which the value is there before it is chosen.
/** @param {HTMLFormElement} form */
const answerIn = (form) => valueIn(form, "[name=answer][type=text], [name=answer]:checked");
/** @param {HTMLFormElement} form */
const reasonIn = (form) => inside(form, "[name=reason]", HTMLInputElement);

addEventListener("submit", async (event) => {
  const form = targetOf(event);
  if (!(form instanceof HTMLFormElement) || !form.matches("form.adjudicate")) return;
  event.preventDefault();
  const { item, question } = form.dataset;
  const [uuid, answer, reason] = [uuidOf(form), answerIn(form) || null, reasonIn(form).value];
  if (await post("adjudications", { uuid, item: Number(item), question, answer, reason }, form)) await show(form);
});

addEventListener("submit", async (event) => {
  const form = targetOf(event);
  if (!(form instanceof HTMLFormElement) || !form.matches("form.comment")) return;
  event.preventDefault();
  const body = { uuid: uuidOf(form), text: valueIn(form, "[name=text]") };
  if (await post(`items/${form.dataset.item}/comments`, body, form)) await show(form);
});

// What a table names is folded below it.
addEventListener("click", ({ target }) => {
  const link = target instanceof Element ? target.closest("a[href^='#']") : null;
  const named = link && document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
  const details = named?.closest("details");
  if (details) details.open = true;
});

addEventListener("click", async (event) => {
  const target = targetOf(event);
  if (target?.id === "show-new") await show();
  if (!target?.matches("button.closing") || !target.parentElement) return;
  const body = { closed: target.dataset.closed === "true", round: target.dataset.round };
  if (await post("closings", body, target.parentElement)) await show();
});

// Showing in place

// The page as it is now. Parsed by the browser without running anything, which the content policy allows.
/** @returns {Promise<Document>} */
function pageNow() {
  return new Promise((found, failed) => {
    const request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.responseType = "document";
    request.onload = () => (request.status === 200 && request.response ? found(request.response) : failed());
    request.onerror = failed;
    request.send();
  });
}

/** @typedef {{ question: string, uuid: string, chosen: string | null, reason: string }} Draft */

// What is typed or chosen in forms other than the one that was just sent stays.
/** @param {HTMLFormElement | null} sent @returns {Draft[]} */
function typed(sent) {
  const forms = allInside(main, "form.adjudicate", HTMLFormElement).filter((form) => form !== sent && isChanged(form));
  return forms.map((form) => ({
    question: form.dataset.question ?? "",
    uuid: uuidOf(form),
    chosen: answerIn(form),
    reason: reasonIn(form).value,
  }));
}

/** @param {HTMLFormElement} form */
function isChanged(form) {
  return allInside(form, "input", HTMLInputElement).some(
    (field) => field.checked !== field.defaultChecked || (field.type === "text" && field.value !== field.defaultValue),
  );
}

/** @param {Draft[]} kept */
function fillIn(kept) {
  for (const { question, uuid, chosen, reason } of kept) {
    const form = main.querySelector(`form.adjudicate[data-question="${CSS.escape(question)}"]`);
    if (!(form instanceof HTMLFormElement)) continue;
    for (const field of form.querySelectorAll("[name=answer]")) {
      if (field instanceof HTMLInputElement && field.type !== "text") field.checked = field.value === chosen;
      else if (isControl(field)) field.value = chosen ?? "";
    }
    reasonIn(form).value = reason;
    uuids.set(form, uuid);
  }
}

/** @param {HTMLFormElement | null} [sent] */
async function show(sent = null) {
  let page;
  try {
    page = await pageNow();
  } catch {
    location.reload();
    return;
  }
  const fresh = inside(page, "main[data-campaign]");
  const kept = typed(sent);
  main.replaceChildren(...document.adoptNode(fresh).childNodes);
  main.dataset.newest = fresh.dataset.newest;
  fillIn(kept);
  offer();
  if (sent) document.getElementById("next-open")?.focus();
}

// Before this, a click would have done nothing, and a form would have sent its reason as an address.
// A page with a script of its own offers its buttons when that is there.
function offer() {
  if ("ownScript" in main.dataset) return;
  for (const button of allInside(main, "button:disabled", HTMLButtonElement)) button.disabled = false;
}

// Following

async function look() {
  if (document.visibilityState === "hidden") return;
  const answer = await fetch(`${api}/changes?since=${main.dataset.newest}`);
  if (!answer.ok) return;
  const { decisions } = await answer.json();
  if (!decisions) return;
  const button = document.createElement("button");
  button.type = "button";
  button.id = "show-new";
  button.textContent = "show";
  const words = `${decisions} new decision${decisions === 1 ? "" : "s"}: `;
  const live = byId("live");
  if (live.firstChild?.textContent !== words) live.replaceChildren(words, button);
}

offer();
if ("live" in main.dataset) setInterval(() => look().catch(() => {}), LOOK);
