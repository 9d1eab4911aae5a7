// An answer in the coder's own words: typed at once, Enter confirms, Shift and Enter begin a new line.
import { doneButton, element } from "../controls.js";

/**
 * @import { QuestionType, Said } from "../view.js"
 * @import { Judged } from "../api.js"
 */

/** @type {QuestionType["meets"]} */
export const meets = (_question, answer, wanted) => wanted.includes(answer.trim());

/** @type {Said} */
export const said = (_question, answer) => answer.trim();

/** @type {QuestionType["widget"]} */
export function widget(question, page) {
  const { longest, lines } = question.settings;
  /** @type {Map<Judged["id"], string>} */
  const drafts = new Map(); // by task, what is typed and not confirmed yet
  /** @type {Judged | null} */
  let task = null;
  const box = element("textarea", "", "words");
  Object.assign(box, { rows: lines, dir: "auto", autocomplete: "off" });
  box.setAttribute("aria-label", question.text);
  box.addEventListener("input", () => {
    if (task) drafts.set(task.id, box.value);
  });
  box.addEventListener("keydown", press);

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.code === "Enter") event.stopPropagation(); // the page would leave the box
    if (event.code === "Enter" && !event.shiftKey) {
      event.preventDefault();
      confirm(false);
    } else if (event.code === "Backspace" && box.value === "" && !event.repeat) {
      event.preventDefault();
      page.undo();
    }
  }

  /** @param {boolean} shifted */
  function confirm(shifted) {
    const answer = box.value.trim();
    const length = [...answer].length;
    if (!task || task.closed) return;
    if (!length || length > longest) {
      page.notice(length ? `At most ${longest} characters; there are ${length}.` : "Type an answer first.");
      return;
    }
    drafts.delete(task.id);
    page.decide(answer, shifted);
  }

  return {
    elements: [box, doneButton(confirm)],
    confirms: true,
    show(scene) {
      task = scene.task;
      box.value = drafts.get(task.id) ?? scene.answer ?? "";
      box.disabled = task.closed;
      if (!matchMedia("(pointer: coarse)").matches) box.focus({ preventScroll: true }); // no keyboard over the item
    },
    press(event) {
      if (event.code !== "Enter") return false;
      if (box.value.trim()) confirm(event.shiftKey);
      else box.focus();
      return true;
    },
    recall({ id }, answer) {
      drafts.set(id, answer);
    },
  };
}
