// The leader's acts without leaving the page, and pages that follow what comes in.
import { newUuid } from "./outbox.js";

const LOOK = 10_000;
const main = document.querySelector("main[data-campaign]");
const api = `/api/campaigns/${main.dataset.campaign}`;

async function post(path, body, problem) {
  try {
    const answer = await fetch(`${api}/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) location.reload();
    else problem.textContent = (await answer.json()).error;
  } catch {
    problem.textContent = "The server cannot be reached; try again.";
  }
}

for (const form of document.querySelectorAll("form.adjudicate")) {
  const uuid = newUuid(); // sending the form twice counts once
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { answer, reason } = form.elements;
    const { item, question } = form.dataset;
    const body = { uuid, item: Number(item), question, answer: answer.value || null, reason: reason.value };
    post("adjudications", body, form.querySelector("[role=status]"));
  });
}

for (const button of document.querySelectorAll("button.closing")) {
  button.addEventListener("click", () => {
    const body = { closed: button.dataset.closed === "true", round: button.dataset.round };
    post("closings", body, button.parentElement.querySelector("[role=status]"));
  });
}

// Before this, a click would have done nothing, and a form would have sent its reason as an address.
for (const button of document.querySelectorAll("main button:disabled")) button.disabled = false;

// A page without a form shows new decisions by itself, while somebody can see it.
async function progress() {
  const answer = await fetch(`${api}/progress`);
  return answer.ok ? JSON.stringify((await answer.json()).data) : null;
}

async function follow() {
  let before = null;
  setInterval(async () => {
    if (document.visibilityState === "hidden") return;
    const now = await progress().catch(() => null);
    if (now !== null && before !== null && now !== before) location.reload();
    before = now ?? before;
  }, LOOK);
  before = await progress().catch(() => null);
}

if ("live" in main.dataset) {
  document.getElementById("live").textContent = "This page updates as new decisions come in.";
  follow();
}
