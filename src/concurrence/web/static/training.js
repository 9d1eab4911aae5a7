// The training round: what is right is told after each item, and a bar has to be passed before the other rounds open.
// The known answers are in the page, so that this works without a connection too.
import { element, keyButton } from "./controls.js";

const part = (name) => document.getElementById(`page--${name}`);
const normal = (answer) => answer.trim().split("|").sort().join("|"); // the order of several choices means nothing

export class Training {
  constructor({ pass, expected, explanations }, types) {
    Object.assign(this, { pass, expected, explanations, types });
  }

  // By question with a known answer: what was said, what is right, and whether they are the same.
  check(book, task) {
    const given = book.of(task.id);
    const asked = book.questions.filter(({ id }) => this.expected[task.id]?.[id] !== undefined);
    return asked.map((question) => {
      const [answer, known] = [given.get(question.id)?.answer ?? null, this.expected[task.id][question.id]];
      return { question, answer, known, right: answer !== null && normal(answer) === normal(known) };
    });
  }

  right(book) {
    return book.tasks.filter((task) => book.finished.has(task.id) && this.check(book, task).every(({ right }) => right))
      .length;
  }

  // What was right, where an item is done; next(): go on, where this was the answer just given.
  draw(book, task, next) {
    if (task && book.finished.has(task.id)) this.#tell(book, task, next);
    else part("feedback").hidden = true;
  }

  #tell(book, task, next) {
    const checked = this.check(book, task);
    const good = checked.every(({ right }) => right);
    const said = ({ type }, ...rest) => {
      const { told, said: few } = this.types.get(type);
      return (told ?? few)(...rest);
    };
    const lines = checked
      .filter(({ right }) => !right)
      .map(({ question, known }) => {
        const line = element("p");
        line.append(
          "Expected: ",
          element("strong", said(question, question, known, task)),
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

  #fill(good, words, lines, button) {
    const panel = part("feedback");
    panel.dataset.right = String(good);
    panel.replaceChildren(element("p", words, "verdict"), ...lines, ...(button ? [button] : []));
    for (const line of panel.querySelectorAll("p")) line.dir = "auto";
    panel.hidden = false;
  }
}
