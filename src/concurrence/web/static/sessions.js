// Signing out, and ending one's own sessions elsewhere.
import { allInside, byId, inside } from "./elements.js";

const main = inside(document, "main[data-api]");
const { api } = main.dataset;
const problem = byId("problem");

/** @param {string} path @param {() => void} done */
async function end(path, done) {
  problem.textContent = "";
  try {
    const answer = await fetch(`${api}/${path}`, { method: "DELETE" });
    if (answer.ok || answer.status === 401) done();
    else problem.textContent = (await answer.json()).error;
  } catch {
    problem.textContent = "The server cannot be reached; try again.";
  }
}

const reload = () => location.reload();
byId("sign-out").addEventListener("click", () => end("session", () => location.replace("/")));
document.getElementById("end-others")?.addEventListener("click", () => end("sessions", reload));
for (const button of allInside(main, "button[data-session]")) {
  button.addEventListener("click", () => end(`sessions/${button.dataset.session}`, reload));
}

// Before this, a click would have done nothing.
for (const button of allInside(main, "button:disabled", HTMLButtonElement)) button.disabled = false;
