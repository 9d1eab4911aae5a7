// A new campaign: the table is uploaded once, the form is checked and seen as a coder sees it, and then made as a
// whole.
import { acting, following, number, post, say, upload, wordsOf } from "./desk_acts.js";
import { addQuestion, listen, questions, useColumns } from "./desk_questions.js";
import { allInside, byId, targetOf, valueIn } from "./elements.js";

/**
 * @typedef {object} Suggested uses of columns, by their names
 * @property {string | null} key
 * @property {string[]} text
 * @property {string[]} contexts
 * @property {string | null} part
 * @property {string | null} round
 *
 * @typedef {{ name: string, filled: number, different: number }} Column
 *
 * @typedef {object} Table
 * @property {string} draft
 * @property {string} name
 * @property {number} rows
 * @property {Column[]} columns
 * @property {(string | null)[][]} first the first rows
 * @property {Suggested} suggested
 */

/** @param {string} id */
const value = (id) => valueIn(document, `#${id}`) ?? "";
/** @param {string} id */
const button = (id) => byId(id, HTMLButtonElement);
/** @param {number} count @param {string} word */
const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const USES = {
  "": "not shown",
  key: "name of the item",
  text: "text, shown large",
  both: "name and text",
  contexts: "context, shown below",
  facts: "shown beside the item",
  part: "part",
  round: "round",
};
const ONCE = ["key", "both", "part", "round"]; // of these there is one column at most
const ROWS = 3;
/** @type {string | null} */
let draft = null;

// The table

/** @param {File} file */
async function takeTable(file) {
  draft = null;
  byId("columns").hidden = true;
  byId("table-problem").textContent = "";
  offer();
  say("Uploading …");
  /** @type {Table} */
  let table;
  try {
    table = await upload("/api/desk/tables", file, { encoding: value("encoding") });
  } catch (wrong) {
    say("");
    byId("table-problem").textContent = wordsOf(wrong);
    return;
  }
  draft = table.draft;
  const names = table.columns.map((column) => column.name);
  byId("column-rows").replaceChildren(...table.columns.map((column, place) => columnRow(column, place, table)));
  byId("table-told").textContent = `${table.name}: ${many(table.rows, "row")}, ${many(names.length, "column")}.`;
  byId("columns").hidden = false;
  useColumns(names);
  say("");
  offer();
}

/** @param {string} name @param {Suggested} suggested */
function suggestedUse(name, { key, text, contexts, part, round }) {
  if (name === key) return text.includes(name) ? "both" : "key";
  if (text.includes(name)) return "text";
  if (contexts.includes(name)) return "contexts";
  return name === part ? "part" : name === round ? "round" : "";
}

/** @param {Column} column @param {number} place @param {Table} table */
function columnRow({ name, filled, different }, place, { first, rows, suggested }) {
  const row = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  head.append(Object.assign(document.createElement("bdi"), { textContent: name }));
  const select = document.createElement("select");
  select.setAttribute("aria-label", `Use of the column ${name}`);
  select.dataset.column = name;
  for (const [use, words] of Object.entries(USES)) select.add(new Option(words, use));
  select.value = suggestedUse(name, suggested);
  const cells = document.createElement("td");
  cells.className = "cells";
  cells.dir = "auto";
  const texts = first.slice(0, ROWS).map((line) => shortened(line[place] ?? "–"));
  const count = filled < rows ? `${filled} of ${rows} filled` : `${different} different`;
  cells.textContent = `${texts.join(" · ")} (${count})`;
  const use = document.createElement("td");
  use.append(select);
  row.append(head, use, cells);
  return row;
}

/** @param {string} text */
const shortened = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

const selects = () => allInside(byId("column-rows"), "select", HTMLSelectElement);

// A use that only one column can have is taken from the one that had it.
/** @param {HTMLSelectElement} changed */
function keepOnce(changed) {
  const rivals = changed.value === "key" || changed.value === "both" ? ["key", "both"] : [changed.value];
  if (!ONCE.includes(changed.value)) return;
  for (const select of selects()) {
    if (select !== changed && rivals.includes(select.value)) select.value = select.value === "both" ? "text" : "";
  }
}

function columns() {
  /** @param {...string} uses */
  const used = (...uses) =>
    selects()
      .filter((select) => uses.includes(select.value))
      .map((select) => select.dataset.column ?? "");
  return {
    key: used("key", "both")[0] ?? null,
    text: used("text", "both"),
    contexts: used("contexts"),
    facts: used("facts"),
    part: used("part")[0] ?? null,
    round: used("round")[0] ?? null,
  };
}

// The whole

function filled() {
  const byFile = valueIn(document, "[name=source]:checked") === "file";
  return {
    name: value("name").trim(),
    columns: columns(),
    ...(byFile ? { questions_file: value("toml") } : written()),
    manual: value("manual"),
    coders: value("coders")
      .split("\n")
      .map((name) => name.trim())
      .filter(Boolean),
    expert: value("expert").trim() || null,
    each_item: number("each"),
    repeats: number("repeats") ?? 0,
  };
}

function written() {
  const share = number("pass");
  const comments = byId("comments", HTMLInputElement).checked;
  return { questions: questions(), comments, training: share === null ? null : share / 100 };
}

function complete() {
  const body = filled();
  if (!draft) throw new Error("Upload the table with the items first.");
  if (!body.name) throw new Error("Name the campaign.");
  if (!body.coders.length) throw new Error("Name at least one coder.");
  return body;
}

async function preview() {
  const made = await post(`/api/desk/drafts/${draft}/preview`, complete());
  const link = Object.assign(document.createElement("a"), {
    href: made.page,
    target: "_blank",
    textContent: "Open the preview",
  });
  const rounds = made.rounds.length > 1 ? ` in ${made.rounds.length} rounds` : "";
  say(`Everything fits: ${many(made.items, "item")}${rounds}. `);
  byId("told").append(
    link,
    " as the first coder will see it, in a new tab. Nothing is recorded there.",
    ...made.warnings.map(warning),
  );
  link.focus();
}

/** @param {string} sentence */
function warning(sentence) {
  return Object.assign(document.createElement("span"), { className: "warning", textContent: ` ${sentence}` });
}

async function create() {
  const made = await post(`/api/desk/drafts/${draft}/campaign`, complete());
  removeEventListener("beforeunload", warn);
  location.assign(made.page);
}

function offer() {
  for (const id of ["add-question", "preview", "create"]) button(id).disabled = false;
}

/** @param {BeforeUnloadEvent} event */
function warn(event) {
  if (draft) event.preventDefault();
}

/** @param {HTMLInputElement} source */
function showSource({ value, checked }) {
  if (checked) for (const one of ["form", "file"]) byId(`by-${one}`).hidden = value !== one;
}

byId("column-rows").addEventListener("change", (event) => {
  const select = targetOf(event);
  if (select instanceof HTMLSelectElement) keepOnce(select);
});
byId("new", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  acting(button("preview"), preview);
});
button("create").addEventListener("click", () => acting(button("create"), create));
addEventListener("beforeunload", warn);
listen();
addQuestion();
offer();
following(byId("table", HTMLInputElement), ({ files }) => {
  if (files?.[0]) takeTable(files[0]);
});
byId("encoding").addEventListener("change", () => {
  const [file] = byId("table", HTMLInputElement).files ?? [];
  if (file) takeTable(file);
});
following(byId("toml-file", HTMLInputElement), async ({ files }) => {
  if (files?.[0]) byId("toml", HTMLTextAreaElement).value = await files[0].text();
});
for (const radio of allInside(document, "[name=source]", HTMLInputElement)) following(radio, showSource);
