// The page: which view, the keys, and drawing anew whenever the address changes.

import { byId, el, problemLine } from "./dom.js";
import { lists } from "./lists.js";
import { go, link, onChange, state } from "./state.js";
import { ask } from "./wire.js";
import { words } from "./words.js";

/** @import { About } from "./wire.js" */

const main = byId("main");
const dialog = /** @type {HTMLDialogElement} */ (byId("keys"));

async function start() {
  try {
    const about = await ask("about");
    onChange(() => show(about));
    await show(about);
  } catch (error) {
    main.replaceChildren(problemLine(error));
  }
}

/** @param {About} about */
async function show(about) {
  const wanted = state().view;
  const view = (wanted === "list" && about.lists.length) || !about.corpora.length ? "list" : "words";
  const views = [
    { name: "words", text: "Words", there: about.corpora.length },
    { name: "list", text: "Lists", there: about.lists.length },
  ].filter(({ there }) => there);
  byId("views").replaceChildren(
    ...views.map(({ name, text }) =>
      el("a", { ...link({ view: name }), "aria-current": name === view ? "page" : null }, text),
    ),
  );
  main.setAttribute("aria-busy", "true");
  await (view === "list" ? lists : words)(about, main);
  main.removeAttribute("aria-busy");
}

/** @type {Record<string, (() => void) | undefined>} */
const ACTS = {
  "/": () => all("#q, #find")[0]?.focus(),
  "?": () => dialog.showModal(),
  j: () => step("button.row", 1),
  k: () => step("button.row", -1),
  "[": () => turn(-1),
  "]": () => turn(1),
};

/** @param {string} selector */
const all = (selector) => /** @type {HTMLElement[]} */ ([...main.querySelectorAll(selector)]);

// Letters are keys only where nothing is being written.
addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : document.body;
  const writing = target.closest("input, select, textarea, dialog");
  if (event.key === "Escape" && target instanceof HTMLInputElement) {
    event.preventDefault(); // the browser would empty the search
    target.blur();
    return;
  }
  if (event.key === "Escape" && !dialog.open && !writing && state().word) go({ word: "" });
  if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = ACTS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

/** @param {string} selector @param {number} by */
function step(selector, by) {
  const rows = all(selector);
  const at = rows.findIndex((row) => row.matches(":focus"));
  rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + by))]?.focus();
}

/** @param {number} by */
function turn(by) {
  const tabs = all(".tabs a");
  const at = tabs.findIndex((tab) => tab.hasAttribute("aria-current"));
  const next = tabs[at + by];
  if (!next) return;
  next.focus();
  next.click();
}

const opener = /** @type {HTMLButtonElement} */ (byId("keys--open"));
opener.addEventListener("click", () => dialog.showModal());
opener.disabled = false;
start();
