// The leader's acts without leaving the page, and a page that tells what came in and shows it in place.
import { newUuid } from "./outbox.js";

const LOOK = 10_000;
const main = document.querySelector("main[data-campaign]");
const api = `/api/campaigns/${main.dataset.campaign}`;
const uuids = new WeakMap(); // of forms: sending one twice counts once

// Acting

async function post(path, body, problem) {
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

function uuidOf(form) {
  if (!uuids.has(form)) uuids.set(form, newUuid());
  return uuids.get(form);
}

// A form may offer a single choice, of which the value is there before it is chosen.
const answerIn = (form) => form.querySelector("[name=answer][type=text], [name=answer]:checked")?.value;

addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form.adjudicate")) return;
  event.preventDefault();
  const { item, question } = form.dataset;
  const body = {
    uuid: uuidOf(form),
    item: Number(item),
    question,
    answer: answerIn(form) || null,
    reason: form.elements.reason.value,
  };
  if (await post("adjudications", body, form.querySelector("[role=status]"))) await show(form);
});

addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form.comment")) return;
  event.preventDefault();
  const body = { uuid: uuidOf(form), text: form.elements.text.value };
  if (await post(`items/${form.dataset.item}/comments`, body, form.querySelector("[role=status]"))) await show(form);
});

// What a table names is folded below it.
addEventListener("click", ({ target }) => {
  const named = target.closest?.("a[href^='#']");
  const details = named && document.querySelector(named.getAttribute("href"))?.closest("details");
  if (details) details.open = true;
});

addEventListener("click", async ({ target }) => {
  if (target.id === "show-new") await show();
  if (!target.matches("button.closing")) return;
  const body = { closed: target.dataset.closed === "true", round: target.dataset.round };
  if (await post("closings", body, target.parentElement.querySelector("[role=status]"))) await show();
});

// Showing in place

// The page as it is now. Parsed by the browser without running anything, which the content policy allows.
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

// What is typed or chosen in forms other than the one that was just sent stays.
function typed(sent) {
  const forms = [...main.querySelectorAll("form.adjudicate")].filter((form) => form !== sent && isChanged(form));
  return forms.map((form) => ({
    question: form.dataset.question,
    uuid: uuidOf(form),
    chosen: answerIn(form),
    reason: form.elements.reason.value,
  }));
}

function isChanged(form) {
  return [...form.elements].some(
    (field) => field.checked !== field.defaultChecked || (field.type === "text" && field.value !== field.defaultValue),
  );
}

function fillIn(kept) {
  for (const { question, uuid, chosen, reason } of kept) {
    const form = main.querySelector(`form.adjudicate[data-question="${CSS.escape(question)}"]`);
    if (!form) continue;
    for (const field of form.querySelectorAll("[name=answer]")) {
      if (field.type === "text") field.value = chosen ?? "";
      else field.checked = field.value === chosen;
    }
    form.elements.reason.value = reason;
    uuids.set(form, uuid);
  }
}

async function show(sent = null) {
  let page;
  try {
    page = await pageNow();
  } catch {
    location.reload();
    return;
  }
  const fresh = page.querySelector("main[data-campaign]");
  const kept = typed(sent);
  main.replaceChildren(...document.adoptNode(fresh).childNodes);
  main.dataset.newest = fresh.dataset.newest;
  fillIn(kept);
  offer();
  if (sent) document.getElementById("next-open")?.focus();
}

// Before this, a click would have done nothing, and a form would have sent its reason as an address.
function offer() {
  for (const button of main.querySelectorAll("button:disabled")) button.disabled = false;
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
  const live = document.getElementById("live");
  if (live.firstChild?.textContent !== words) live.replaceChildren(words, button);
}

offer();
if ("live" in main.dataset) setInterval(() => look().catch(() => {}), LOOK);
