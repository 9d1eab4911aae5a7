// The training round: what is right is told after each item, and a bar has to be passed before the other rounds open.
// The known answers are in the page, so that this works without a connection too.
import { element, keyButton } from "./controls.js";
import { part } from "./elements.js";
import { typeOf } from "./view.js";

/**
 * @import { Book } from "./book.js"
 * @import { QuestionTypes } from "./view.js"
 * @import { Known, Question, Task } from "./api.js"
 */

/** @param {string} answer */
const normal = (answer) => answer.trim().split("|").sort().join("|"); // the order of several choices means nothing

export class Training {
  /** @param {Known} known @param {QuestionTypes} types */
  constructor({ pass, expected, explanations }, types) {
    this.pass = pass;
    this.expected = expected;
    this.explanations = explanations;
    this.types = types;
    /** @type {(() => void) | undefined} */
    this.next = undefined; // what Enter does at the end of an attempt
  }

  // By question with a known answer: what was said, what is right, and whether they are the same.
  /** @param {Book} book @param {Task} task */
  check(book, task) {
    const given = book.of(task.id);
    const asked = book.questions.filter(({ id }) => this.expected[task.id]?.[id] !== undefined);
    return asked.map((question) => {
      const [answer, known] = [given.get(question.id)?.answer ?? null, this.expected[task.id][question.id]];
      return { question, answer, known, right: answer !== null && normal(answer) === normal(known) };
    });
  }

  /** @param {Book} book */
  right(book) {
    return book.tasks.filter((task) => book.finished.has(task.id) && this.check(book, task).every(({ right }) => right))
      .length;
  }

  // What was right, where an item is done; next(): go on, where this was the answer just given.
  /** @param {Book} book @param {Task | null} task @param {(() => void) | null} next */
  draw(book, task, next) {
    if (task && book.finished.has(task.id)) this.#tell(book, task, next);
    else part("feedback").hidden = true;
  }

  /** @param {Book} book @param {Task} task @param {(() => void) | null} next */
  #tell(book, task, next) {
    const checked = this.check(book, task);
    const good = checked.every(({ right }) => right);
    /** @param {Question} question @param {string} known */
    const words = (question, known) => {
      const { told, said } = typeOf(this.types, question);
      return (told ?? said)(question, known, task);
    };
    const lines = checked
      .filter(({ right }) => !right)
      .map(({ question, known }) => {
        const line = element("p");
        line.append(
          "Expected: ",
          element("strong", words(question, known)),
          checked.length > 1 ? ` (${question.text})` : "",
        );
        return line;
      });
    const why = this.explanations[task.id];
    this.#fill(
      good,
      good ? "Right." : "Not right.",
      [...lines, ...(why ? [element("p", why)] : [])],
      next && keyButton("Enter", "Next", next, "done"),
    );
  }

  // The end of an attempt: whether the bar is passed, and what comes next.
  /** @param {Book} book @param {{ goOn: () => void, startOver: () => void }} acts */
  conclude(book, { goOn, startOver }) {
    const [right, all] = [this.right(book), book.tasks.length];
    const passed = right >= this.pass * all - 1e-9;
    const words = `${right} of ${all} right; ${Math.round(100 * this.pass)}% are needed.`;
    const button = passed
      ? keyButton("Enter", "Go on to the items", goOn, "done")
      : keyButton("Enter", "Start over", startOver, "done");
    this.#fill(passed, words, [], button);
    this.next = passed ? goOn : startOver;
    return { message: passed ? "Training passed" : "Not passed yet", detail: "" };
  }

  /** @param {boolean} good @param {string} words @param {HTMLElement[]} lines @param {HTMLElement | null} button */
  #fill(good, words, lines, button) {
    const panel = part("feedback");
    panel.dataset.right = String(good);
    panel.replaceChildren(element("p", words, "verdict"), ...lines, ...(button ? [button] : []));
    for (const line of panel.querySelectorAll("p")) line.dir = "auto";
    panel.hidden = false;
  }
}
