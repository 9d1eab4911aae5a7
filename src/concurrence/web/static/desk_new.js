// A new campaign: the table is uploaded once, the form is checked and seen as a coder sees it, and then made as a whole.
import { acting, following, number, post, say, upload } from "./desk_acts.js";
import { addQuestion, listen, questions, useColumns } from "./desk_questions.js";

const field = (id) => document.getElementById(id);
const value = (id) => field(id).value.trim();
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
let draft = null;

// The table

async function takeTable(file) {
  draft = null;
  field("columns").hidden = true;
  field("table-problem").textContent = "";
  offer();
  say("Uploading …");
  let table;
  try {
    table = await upload("/api/desk/tables", file);
  } catch (wrong) {
    say("");
    field("table-problem").textContent = wrong.message;
    return;
  }
  draft = table.draft;
  const names = table.columns.map((column) => column.name);
  field("column-rows").replaceChildren(...table.columns.map((column, place) => columnRow(column, place, table)));
  field("table-told").textContent =
    `${table.name}: ${table.rows} row${table.rows === 1 ? "" : "s"}, ${names.length} column${names.length === 1 ? "" : "s"}.`;
  field("columns").hidden = false;
  useColumns(names);
  say("");
  offer();
}

function suggestedUse(name, { key, text, contexts, part, round }) {
  if (name === key) return text.includes(name) ? "both" : "key";
  if (text.includes(name)) return "text";
  if (contexts.includes(name)) return "contexts";
  return name === part ? "part" : name === round ? "round" : "";
}

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

const shortened = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

const selects = () => [...field("column-rows").querySelectorAll("select")];

// A use that only one column can have is taken from the one that had it.
function keepOnce(changed) {
  const rivals = changed.value === "key" || changed.value === "both" ? ["key", "both"] : [changed.value];
  if (!ONCE.includes(changed.value)) return;
  for (const select of selects()) {
    if (select !== changed && rivals.includes(select.value)) select.value = select.value === "both" ? "text" : "";
  }
}

function columns() {
  const used = (...uses) =>
    selects()
      .filter((select) => uses.includes(select.value))
      .map((select) => select.dataset.column);
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
  const byFile = document.querySelector("[name=source]:checked").value === "file";
  return {
    name: value("name"),
    columns: columns(),
    ...(byFile ? { questions_file: field("toml").value } : written()),
    manual: field("manual").value,
    coders: value("coders")
      .split("\n")
      .map((name) => name.trim())
      .filter(Boolean),
    expert: value("expert") || null,
    each_item: number("each"),
    repeats: number("repeats") ?? 0,
  };
}

function written() {
  const share = number("pass");
  return { questions: questions(), comments: field("comments").checked, training: share === null ? null : share / 100 };
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
  const items = `${made.items} item${made.items === 1 ? "" : "s"}`;
  const rounds = made.rounds.length > 1 ? ` in ${made.rounds.length} rounds` : "";
  say(`Everything fits: ${items}${rounds}. `);
  document
    .getElementById("told")
    .append(link, " as the first coder will see it, in a new tab. Nothing is recorded there.");
  link.focus();
}

async function create() {
  const made = await post(`/api/desk/drafts/${draft}/campaign`, complete());
  removeEventListener("beforeunload", warn);
  location.assign(made.page);
}

function offer() {
  for (const id of ["add-question", "preview", "create"]) field(id).disabled = false;
}

function warn(event) {
  if (draft) event.preventDefault();
}

function showSource({ value, checked }) {
  if (checked) for (const one of ["form", "file"]) field(`by-${one}`).hidden = value !== one;
}

field("column-rows").addEventListener("change", ({ target }) => keepOnce(target));
field("new").addEventListener("submit", (event) => {
  event.preventDefault();
  acting(field("preview"), preview);
});
field("create").addEventListener("click", () => acting(field("create"), create));
addEventListener("beforeunload", warn);
listen();
addQuestion();
offer();
following(field("table"), ({ files: [file] }) => {
  if (file) takeTable(file);
});
following(field("toml-file"), async ({ files: [file] }) => {
  if (file) field("toml").value = await file.text();
});
for (const radio of document.querySelectorAll("[name=source]")) following(radio, showSource);
