// The page: which view, the keys, and drawing anew whenever the address changes.

import { el } from "./dom.js";
import { lists } from "./lists.js";
import { go, link, onChange, state } from "./state.js";
import { ask } from "./wire.js";
import { words } from "./words.js";

const main = document.getElementById("main");
const dialog = document.getElementById("keys");

async function start() {
  try {
    const about = await ask("about");
    onChange(() => show(about));
    await show(about);
  } catch (error) {
    main.replaceChildren(el("p", { class: "problem", role: "alert" }, error.message));
  }
}

async function show(about) {
  const wanted = state().view;
  const view = (wanted === "list" && about.lists.length) || !about.corpora.length ? "list" : "words";
  const views = [
    ["words", "Words", about.corpora.length],
    ["list", "Lists", about.lists.length],
  ].filter(([, , there]) => there);
  document
    .getElementById("views")
    .replaceChildren(
      ...views.map(([name, text]) =>
        el("a", { ...link({ view: name }), "aria-current": name === view ? "page" : null }, text),
      ),
    );
  main.setAttribute("aria-busy", "true");
  await (view === "list" ? lists : words)(about, main);
  main.removeAttribute("aria-busy");
}

// Letters are keys only where nothing is being written.
addEventListener("keydown", (event) => {
  const writing = event.target.closest("input, select, textarea, dialog");
  if (event.key === "Escape" && event.target.matches("input")) {
    event.preventDefault(); // the browser would empty the search
    event.target.blur();
    return;
  }
  if (event.key === "Escape" && !dialog.open && !writing && state().word) go({ word: "" });
  if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = {
    "/": () => main.querySelector("#q, #find")?.focus(),
    "?": () => dialog.showModal(),
    j: () => step("button.row", 1),
    k: () => step("button.row", -1),
    "[": () => turn(-1),
    "]": () => turn(1),
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

function step(selector, by) {
  const rows = [...main.querySelectorAll(selector)];
  const at = rows.indexOf(document.activeElement);
  rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + by))]?.focus();
}

function turn(by) {
  const tabs = [...main.querySelectorAll(".tabs a")];
  const at = tabs.findIndex((tab) => tab.hasAttribute("aria-current"));
  const next = tabs[at + by];
  if (!next) return;
  next.focus();
  next.click();
}

const opener = document.getElementById("keys--open");
opener.addEventListener("click", () => dialog.showModal());
opener.disabled = false;
start();
