// Questions written in a form: a card each, with the fields of its type, as a questions file has them.

const list = document.getElementById("questions");
const copyOf = (id) => document.getElementById(id).content.cloneNode(true);
const NUMBERS = ["least", "most", "from", "to", "lines", "longest"];
const FLAGS = ["overlap", "ties"];
const LINES = ["low", "high", "level"];
let known = []; // columns of the table

export function useColumns(names) {
  known = names;
  for (const select of list.querySelectorAll("select[data-pair]")) fillPair(select);
}

function fillPair(select) {
  const before = select.value;
  const usual = { columns: ["a", "b"], names: ["a_by", "b_by"] }[select.name][Number(select.dataset.pair)];
  select.replaceChildren();
  if (select.name === "names") select.add(new Option("– the columns themselves –", ""));
  for (const name of known) select.add(new Option(name, name));
  const wanted = known.includes(before) ? before : usual;
  if (known.includes(wanted)) select.value = wanted;
}

export function addQuestion() {
  list.append(copyOf("question-card"));
  const card = list.lastElementChild;
  card.querySelector("[name=id]").value = `question${list.children.length}`;
  showType(card);
  offerParents();
  return card;
}

function showType(card) {
  const type = card.querySelector("[name=type]").value;
  const own = card.querySelector(".own");
  own.replaceChildren(copyOf(`own-${type}`));
  for (const rows of own.querySelectorAll("ul")) for (const _ of [1, 2]) addChoice(rows);
  for (const select of own.querySelectorAll("select[data-pair]")) fillPair(select);
}

// What can be chosen is called an answer where it is one, and a label where several are given.
function addChoice(rows) {
  rows.append(copyOf("choice-row"));
  const row = rows.lastElementChild;
  if (rows.closest("li.question").querySelector("[name=type]").value !== "choice") {
    row.querySelector("label").firstChild.data = "Label ";
    row.querySelector("button").setAttribute("aria-label", "Remove this label");
  }
  return row;
}

// A follow-up can wait for any question above it.
function offerParents() {
  const ids = [];
  for (const card of list.children) {
    const select = card.querySelector("[name=parent]");
    const before = select.value;
    select.replaceChildren(new Option("– always –", ""), ...ids.map((id) => new Option(id, id)));
    if (ids.includes(before)) select.value = before;
    ids.push(card.querySelector("[name=id]").value.trim());
  }
}

export function questions() {
  return [...list.children].map(question);
}

function question(card) {
  const given = (name) => card.querySelector(`[name=${name}]`)?.value.trim() ?? "";
  const made = { id: given("id"), type: given("type") };
  if (given("text")) made.text = given("text");
  if (given("parent")) made.when = `${given("parent")}=${given("answers")}`;
  if (given("rule")) made.rule = given("rule");
  if (card.querySelector("[name=note]").checked) made.note = true;
  for (const name of NUMBERS) if (given(name)) made[name] = Number(given(name));
  for (const name of LINES) if (given(name)) made[name] = given(name);
  return { ...made, ...ownFields(card) };
}

// What only some types have.
function ownFields(card) {
  const made = {};
  for (const name of FLAGS) {
    const box = card.querySelector(`[name=${name}]`);
    if (box) made[name] = box.checked;
  }
  const choices = card.querySelector("[data-field]");
  if (choices) made[choices.dataset.field] = [...choices.querySelectorAll("li")].map(choice).filter(Boolean);
  for (const name of ["columns", "names"]) {
    const pair = [...card.querySelectorAll(`select[name=${name}]`)].map((select) => select.value).filter(Boolean);
    if (pair.length) made[name] = pair;
  }
  return made;
}

function choice(row) {
  const [answer, key] = ["answer", "key"].map((name) => row.querySelector(`[name=${name}]`).value.trim());
  if (!answer) return null;
  return key ? { id: answer, key } : answer;
}

export function listen() {
  document
    .getElementById("add-question")
    .addEventListener("click", () => addQuestion().querySelector("[name=text]").focus());
  list.addEventListener("change", ({ target }) => {
    if (target.name === "type") showType(target.closest("li.question"));
    if (target.name === "id") offerParents();
  });
  list.addEventListener("click", ({ target }) => {
    const { act } = target.dataset;
    if (act === "add-choice") {
      addChoice(target.closest(".list").querySelector("ul")).querySelector("input").focus();
    }
    if (act === "remove-choice") {
      const rows = target.closest("ul");
      target.closest("li").remove();
      rows.querySelector("li:last-child input")?.focus();
    }
    if (act === "remove-question") {
      target.closest("li.question").remove();
      offerParents();
      document.getElementById("add-question").focus();
    }
  });
}
