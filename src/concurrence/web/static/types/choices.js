// Several of a set: keys put choices in and out, Enter confirms.
import { doneButton, keyButton, setPressed } from "../controls.js";

/**
 * @import { QuestionType, Said } from "../view.js"
 * @import { Judged } from "../api.js"
 */

const MARK = "|";

/** @type {QuestionType["meets"]} */
export const meets = (_question, answer, wanted) => answer.split(MARK).some((member) => wanted.includes(member));

/** @type {Said} */
export function said(question, answer) {
  const members = answer.split(MARK);
  return question.choices
    .filter((choice) => members.includes(choice.id))
    .map((choice) => choice.text)
    .join(", ");
}

/** @type {QuestionType["widget"]} */
export function widget(question, page) {
  const { least, most } = question.settings;
  /** @type {Map<Judged["id"], Set<string>>} */
  const drafts = new Map(); // by task, what is chosen and not confirmed yet
  /** @type {Judged | null} */
  let task = null;
  /** @type {Set<string>} */
  let chosen = new Set();
  /** @type {string[]} */
  let steps = []; // what was put in or out since the item was shown
  const buttons = question.choices.map((choice) => {
    const button = keyButton(page.keys.label(choice, question), choice.text, () => toggle(choice.id));
    button.dataset.choice = choice.id;
    return button;
  });

  function paint() {
    for (const [place, button] of buttons.entries()) setPressed(button, chosen.has(question.choices[place].id));
  }

  /** @param {string} id */
  function change(id) {
    if (!task) return;
    if (!chosen.delete(id)) chosen.add(id);
    drafts.set(task.id, new Set(chosen));
    paint();
  }

  /** @param {string} id */
  function toggle(id) {
    if (!task || task.closed) return;
    page.notice("");
    steps.push(id);
    change(id);
  }

  /** @param {boolean} shifted */
  function confirm(shifted) {
    if (!task) return;
    if (chosen.size < least || chosen.size > most) {
      page.notice(
        `Choose ${least === most ? least : most < buttons.length ? `${least} to ${most}` : `at least ${least}`}.`,
      );
      return;
    }
    drafts.delete(task.id);
    page.decide(
      question.choices
        .filter((choice) => chosen.has(choice.id))
        .map((choice) => choice.id)
        .join(MARK),
      shifted,
    );
  }

  return {
    elements: [...buttons, doneButton(confirm)],
    confirms: true,
    show(scene) {
      task = scene.task;
      chosen = new Set(drafts.get(task.id) ?? scene.answer?.split(MARK));
      steps = [];
      paint();
    },
    press(event) {
      if (event.code === "Enter") {
        confirm(event.shiftKey);
        return true;
      }
      const choice = page.keys.choice(event, question);
      if (choice) toggle(choice.id);
      return choice !== null;
    },
    undo() {
      const last = steps.pop();
      if (last === undefined) return false;
      change(last);
      return true;
    },
    recall({ id }, answer) {
      drafts.set(id, new Set(answer.split(MARK)));
    },
  };
}
