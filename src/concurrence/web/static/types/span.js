// Stretches of the item, each with a label: chosen by mouse, touch or arrow keys, marked with the key of a label,
// confirmed with Enter. The page counts UTF-16 units, as browsers do; an answer counts code points, as the server does.
import { doneButton, element, keyButton } from "../controls.js";
import { marksOf, Reading, rowsOf, toAnswer, withMark } from "../stretches.js";

/**
 * @import { Mark } from "../stretches.js"
 * @import { QuestionType, Said } from "../view.js"
 * @import { Judged } from "../api.js"
 */

/** @type {QuestionType["meets"]} */
export function meets(_question, answer, wanted) {
  return rowsOf(answer).some(([, , label]) => wanted.includes(label));
}

/** @type {Said} */
export function said(question, answer) {
  const names = rowsOf(answer).map(
    ([, , label]) => question.choices.find((choice) => choice.id === label)?.text ?? label,
  );
  return names.join(", ") || "nothing marked";
}

// An answer with the words that are marked.
/** @type {Said} */
export function told(question, answer, { text }) {
  const names = new Map(question.choices.map((choice) => [choice.id, choice.text]));
  return (
    marksOf(text, answer)
      .map(({ start, end, label }) => `${names.get(label) ?? label}: ${text.slice(start, end)}`)
      .join("; ") || "nothing marked"
  );
}

/** @type {QuestionType["widget"]} */
export function widget(question, page) {
  /** @type {Map<Judged["id"], Mark[]>} */
  const drafts = new Map(); // by task, what is not confirmed yet
  const names = new Map(question.choices.map((choice) => [choice.id, choice.text]));
  const place = new Map(question.choices.map((choice, number) => [choice.id, number]));
  const isActive = () => task !== null && list.isConnected;
  const reading = new Reading(page.item, { names, place, chosen: (text) => page.say(text), isActive });
  /** @type {Judged | null} */
  let task = null;
  /** @type {Mark[]} */
  let marks = [];
  /** @type {Mark[][]} */
  let steps = []; // the marks before each change since the item was shown
  const buttons = question.choices.map((choice) =>
    keyButton(page.keys.label(choice, question), choice.text, () => mark(choice.id)),
  );
  for (const [number, button] of buttons.entries()) button.classList.add(`label-${number % 8}`);
  // A press on a button must not take the selection away before it is used.
  for (const button of buttons) button.addEventListener("pointerdown", (event) => event.preventDefault());
  const list = element("ul", "", "marks");
  list.setAttribute("aria-label", "Marked so far");
  const hint = element("p", "", "hint");
  hint.append(
    "Select words with the mouse or by touch, or with ",
    element("kbd", "←"),
    " ",
    element("kbd", "→"),
    " and Shift; ",
    element("kbd", "↑"),
    " ",
    element("kbd", "↓"),
    " move the end by a character.",
  );

  /** @param {Mark[]} next */
  function change(next) {
    if (!task) return;
    steps.push(marks);
    marks = next;
    drafts.set(task.id, marks);
    paint();
  }

  /** @param {string} label */
  function mark(label) {
    if (!task || task.closed) return;
    const chosen = reading.chosen();
    if (!chosen) {
      page.notice("Select a stretch of the text first.");
      return;
    }
    const [start, end] = chosen;
    const result = withMark(marks, { start, end, label }, question.settings.overlap);
    if (result.crossed) {
      const { crossed } = result;
      const why = crossed.label === label ? "with the same label" : "that is marked already";
      page.notice(`This overlaps a stretch ${why}: ${task.text.slice(crossed.start, crossed.end)}.`);
      return;
    }
    page.notice("");
    change(result.marks);
    page.say(`${result.removed ? "Removed" : "Marked"} ${names.get(label)}: ${task.text.slice(start, end)}`);
  }

  function paint() {
    reading.paint(marks);
    const text = task?.text ?? "";
    list.replaceChildren(...marks.map((one) => chip(one, text.slice(one.start, one.end))));
  }

  /** @param {Mark} one @param {string} words */
  function chip(one, words) {
    const entry = document.createElement("li");
    const button = keyButton(
      "",
      `${names.get(one.label)}: ${words.length > 40 ? `${words.slice(0, 39)}…` : words} ×`,
      () => change(marks.filter((other) => other !== one)),
      `chip label-${(place.get(one.label) ?? 0) % 8}`,
    );
    button.setAttribute("aria-label", `Remove ${names.get(one.label)}: ${words}`);
    entry.append(button);
    return entry;
  }

  /** @param {boolean} shifted */
  function confirm(shifted) {
    if (!task || task.closed) return;
    drafts.delete(task.id);
    page.decide(toAnswer(task.text, marks), shifted);
  }

  return {
    elements: [...buttons, doneButton(confirm), list, hint],
    confirms: true,
    item(node, shownTask) {
      task = shownTask;
      if (node.dataset.task !== String(task.id)) reading.open(task);
    },
    show(scene) {
      task = scene.task;
      marks = drafts.get(task.id) ?? (scene.answer === null ? [] : marksOf(task.text, scene.answer));
      steps = [];
      reading.open(task);
      paint();
    },
    move: (event) => reading.move(event),
    press(event) {
      if (event.code === "Enter") {
        confirm(event.shiftKey);
        return true;
      }
      const choice = page.keys.choice(event, question);
      if (choice) mark(choice.id);
      return choice !== null;
    },
    undo() {
      const before = steps.pop();
      if (!task || !before) return false;
      marks = before;
      drafts.set(task.id, marks);
      paint();
      return true;
    },
    recall({ id, text }, answer) {
      drafts.set(id, marksOf(text, answer));
    },
  };
}
