// Exactly one of the choices, with one key.
import { keyButton, setPressed } from "../controls.js";

/** @import { QuestionType, Said } from "../view.js" */

/** @type {QuestionType["meets"]} */
export const meets = (_question, answer, wanted) => wanted.includes(answer);

/** @type {Said} */
export const said = (question, answer) => question.choices.find((choice) => choice.id === answer)?.text ?? answer;

/** @type {QuestionType["widget"]} */
export function widget(question, page) {
  const buttons = question.choices.map((choice) => {
    const button = keyButton(page.keys.label(choice, question), choice.text, (shifted) =>
      page.decide(choice.id, shifted),
    );
    button.dataset.choice = choice.id;
    return button;
  });
  return {
    elements: buttons,
    show({ answer }) {
      for (const button of buttons) setPressed(button, answer === null ? null : button.dataset.choice === answer);
    },
    press(event) {
      const choice = page.keys.choice(event, question);
      if (choice) page.decide(choice.id, event.shiftKey);
      return choice !== null;
    },
  };
}
