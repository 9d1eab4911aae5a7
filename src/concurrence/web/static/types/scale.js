// A number from one named end to the other, with one key.
import { element, keyButton, setPressed } from "../controls.js";

export { meets, said } from "./choice.js";

export function widget(question, page) {
  const { low, high } = question.settings;
  const points = question.choices.map((choice) => {
    const key = page.keys.label(choice, question);
    const button = keyButton(key === choice.text ? "" : key, choice.text, (shifted) => page.decide(choice.id, shifted));
    button.dataset.choice = choice.id;
    return button;
  });
  if (low) points[0].setAttribute("aria-label", `${points[0].dataset.choice}: ${low}`);
  if (high) points.at(-1).setAttribute("aria-label", `${points.at(-1).dataset.choice}: ${high}`);
  const row = element("div", "", "scale");
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
