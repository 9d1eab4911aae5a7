// A number from one named end to the other, with one key.
import { element, keyButton, setPressed } from "../controls.js";

/** @import { QuestionType } from "../view.js" */

export { meets, said } from "./choice.js";

/** @type {QuestionType["widget"]} */
export function widget(question, page) {
  const { low, high } = question.settings;
  const points = question.choices.map((choice) => {
    const key = page.keys.label(choice, question);
    const button = keyButton(key === choice.text ? "" : key, choice.text, (shifted) => page.decide(choice.id, shifted));
    button.dataset.choice = choice.id;
    return button;
  });
  const [first, last] = [points[0], points[points.length - 1]];
  if (low) first.setAttribute("aria-label", `${first.dataset.choice}: ${low}`);
  if (high) last.setAttribute("aria-label", `${last.dataset.choice}: ${high}`);
  const row = element("div", "", "scale");
  row.style.setProperty("--points", String(points.length)); // equal widths: a wider point would be chosen more often
  const line = element("div", "", "points");
  line.append(...points);
  const ends = element("div", "", "ends");
  ends.setAttribute("aria-hidden", "true");
  ends.append(element("bdi", low ?? ""), element("bdi", high ?? ""));
  row.append(line, ends);
  return {
    elements: [row],
    show({ answer }) {
      for (const button of points) setPressed(button, answer === null ? null : button.dataset.choice === answer);
    },
    press(event) {
      const choice = page.keys.choice(event, question);
      if (choice) page.decide(choice.id, event.shiftKey);
      return choice !== null;
    },
  };
}
