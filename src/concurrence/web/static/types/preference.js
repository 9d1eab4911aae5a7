// Which of two texts is better: they stand side by side, in the order that was drawn for this coder and item.
import { element, keyButton, setPressed } from "../controls.js";
import { faceOf, setFace } from "../view.js";

/**
 * @import { QuestionType, Said } from "../view.js"
 * @import { Judged } from "../api.js"
 */

const TIE = "tie";

// What a key means on the page is a place; what is stored is a column of the item.
/** @type {NonNullable<QuestionType["prepare"]>} */
export function prepare({ choices: [left, right] }) {
  left.text = "First";
  right.text = "Second";
}

/** @type {QuestionType["meets"]} */
export const meets = (_question, answer, wanted) => wanted.includes(answer);

/** @type {Said} */
export function said(question, answer, task) {
  if (answer === TIE) return question.choices.find((choice) => choice.id === TIE)?.text ?? TIE;
  return task.shown[question.id].order[0] === answer ? question.choices[0].text : question.choices[1].text;
}

/** @type {QuestionType["widget"]} */
export function widget(question, page) {
  let order = ["a", "b"];
  const [left, right, tie] = question.choices;
  const sides = [left, right].map((choice, side) =>
    keyButton(page.keys.label(choice, question), choice.text, (shifted) => page.decide(order[side], shifted)),
  );
  const neither = tie
    ? [keyButton(page.keys.label(tie, question), tie.text, (shifted) => page.decide(TIE, shifted), "tie")]
    : [];
  const cards = [left, right].map(({ text }) => {
    const card = element("section", "", "side");
    const words = element("p");
    words.dir = "auto";
    card.append(element("h2", text), words);
    return { card, words };
  });
  /** @param {Judged} task @returns {{ order: string[], texts: string[], prompt: string }} */
  const shownOf = (task) => task.shown[question.id];

  return {
    elements: [...sides, ...neither],
    item(node, task) {
      const { texts, prompt } = shownOf(task);
      if (node.childElementCount || node.textContent !== prompt) node.textContent = prompt;
      setFace(node, prompt ? faceOf(prompt) : "");
      node.hidden = !prompt;
      if (page.beside.firstChild !== cards[0].card) page.beside.replaceChildren(...cards.map(({ card }) => card));
      page.beside.hidden = false;
      cards.forEach(({ words }, side) => {
        if (words.textContent !== texts[side]) words.textContent = texts[side];
        setFace(words, "long");
      });
    },
    words(task) {
      const { texts, prompt } = shownOf(task);
      return [prompt, `First: ${texts[0]}`, `Second: ${texts[1]}`].filter(Boolean).join(". ");
    },
    show({ task, answer }) {
      order = shownOf(task).order;
      for (const [side, button] of sides.entries()) setPressed(button, answer === null ? null : order[side] === answer);
      for (const button of neither) setPressed(button, answer === null ? null : answer === TIE);
    },
    press(event) {
      const choice = page.keys.choice(event, question);
      if (choice) page.decide(choice === left ? order[0] : choice === right ? order[1] : TIE, event.shiftKey);
      return choice !== null;
    },
  };
}
