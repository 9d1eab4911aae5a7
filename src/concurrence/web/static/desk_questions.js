// Questions written in a form: a card each, with the fields of its type, as a questions file has them.

import { allInside, byId, inside, targetOf, valueIn } from "./elements.js";

const list = byId("questions");
/** @param {string} id */
const copyOf = (id) => byId(id, HTMLTemplateElement).content.cloneNode(true);
/** @param {ParentNode} card @param {string} name */
const given = (card, name) => valueIn(card, `[name=${name}]`)?.trim() ?? "";
const NUMBERS = ["least", "most", "from", "to", "lines", "longest"];
const FLAGS = ["overlap", "ties"];
const LINES = ["low", "high", "level"];
/** @type {string[]} */
let known = []; // columns of the table

/** @param {string[]} names */
export function useColumns(names) {
  known = names;
  fillPairs(list);
}

/** @param {ParentNode} root */
function fillPairs(root) {
  for (const select of allInside(root, "select[data-pair]", HTMLSelectElement)) fillPair(select);
}

/** @param {HTMLSelectElement} select */
function fillPair(select) {
  const before = select.value;
  const usual = (select.name === "names" ? ["a_by", "b_by"] : ["a", "b"])[Number(select.dataset.pair)];
  select.replaceChildren();
  if (select.name === "names") select.add(new Option("– the columns themselves –", ""));
  for (const name of known) select.add(new Option(name, name));
  const wanted = known.includes(before) ? before : usual;
  if (known.includes(wanted)) select.value = wanted;
}

export function addQuestion() {
  list.append(copyOf("question-card"));
  const card = inside(list, ":scope > :last-child");
  inside(card, "[name=id]", HTMLInputElement).value = `question${list.children.length}`;
  showType(card);
  offerParents();
  return card;
}

/** @param {HTMLElement} card */
function showType(card) {
  const type = given(card, "type");
  const own = inside(card, ".own");
  own.replaceChildren(copyOf(`own-${type}`));
  for (const rows of allInside(own, "ul")) for (const _ of [1, 2]) addChoice(rows, type);
  fillPairs(own);
}

// What can be chosen is called an answer where it is one, and a label where several are given.
/** @param {HTMLElement} rows @param {string} type of the question */
function addChoice(rows, type) {
  rows.append(copyOf("choice-row"));
  const row = inside(rows, ":scope > :last-child");
  if (type !== "choice") {
    inside(row, "label").firstChild?.replaceWith("Label ");
    inside(row, "button").setAttribute("aria-label", "Remove this label");
  }
  return row;
}

// A follow-up can wait for any question above it.
function offerParents() {
  /** @type {string[]} */
  const ids = [];
  for (const card of cards()) {
    const select = inside(card, "[name=parent]", HTMLSelectElement);
    const before = select.value;
    select.replaceChildren(new Option("– always –", ""), ...ids.map((id) => new Option(id, id)));
    if (ids.includes(before)) select.value = before;
    ids.push(given(card, "id"));
  }
}

const cards = () => allInside(list, ":scope > *");

export function questions() {
  return cards().map(question);
}

/** @param {HTMLElement} card */
function question(card) {
  const [text, parent, rule] = ["text", "parent", "rule"].map((name) => given(card, name));
  /** @type {Record<string, unknown>} */
  const made = { id: given(card, "id"), type: given(card, "type") };
  if (text) made.text = text;
  if (parent) made.when = `${parent}=${given(card, "answers")}`;
  if (rule) made.rule = rule;
  if (inside(card, "[name=note]", HTMLInputElement).checked) made.note = true;
  for (const name of NUMBERS) if (given(card, name)) made[name] = Number(given(card, name));
  for (const name of LINES) if (given(card, name)) made[name] = given(card, name);
  return { ...made, ...ownFields(card) };
}

// What only some types have.
/** @param {HTMLElement} card */
function ownFields(card) {
  /** @type {Record<string, unknown>} */
  const made = {};
  for (const name of FLAGS) {
    const [box] = allInside(card, `[name=${name}]`, HTMLInputElement);
    if (box) made[name] = box.checked;
  }
  const [choices] = allInside(card, "[data-field]");
  if (choices?.dataset.field) made[choices.dataset.field] = allInside(choices, "li").map(choice).filter(Boolean);
  for (const name of ["columns", "names"]) {
    const selects = allInside(card, `select[name=${name}]`, HTMLSelectElement);
    const pair = selects.map((select) => select.value).filter(Boolean);
    if (pair.length) made[name] = pair;
  }
  return made;
}

/** @param {HTMLElement} row */
function choice(row) {
  const [answer, key] = ["answer", "key"].map((name) => given(row, name));
  if (!answer) return null;
  return key ? { id: answer, key } : answer;
}

/** @param {HTMLElement} node */
const cardOf = (node) => /** @type {HTMLElement} */ (node.closest("li.question"));

/** @type {Record<string, (button: HTMLElement) => void>} */
const ACTS = {
  "add-choice": (button) => {
    const rows = inside(/** @type {HTMLElement} */ (button.closest(".list")), "ul");
    inside(addChoice(rows, given(cardOf(button), "type")), "input").focus();
  },
  "remove-choice": (button) => {
    const rows = button.closest("ul");
    button.closest("li")?.remove();
    if (rows) allInside(rows, "li:last-child input")[0]?.focus();
  },
  "remove-question": (button) => {
    cardOf(button).remove();
    offerParents();
    byId("add-question").focus();
  },
};

export function listen() {
  byId("add-question").addEventListener("click", () => inside(addQuestion(), "[name=text]").focus());
  list.addEventListener("change", (event) => {
    const target = targetOf(event);
    if (target?.matches("[name=type]")) showType(cardOf(target));
    if (target?.matches("[name=id]")) offerParents();
  });
  list.addEventListener("click", (event) => {
    const button = targetOf(event);
    if (button?.dataset.act) ACTS[button.dataset.act]?.(button);
  });
}
