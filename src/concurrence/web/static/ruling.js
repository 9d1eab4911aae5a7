// The form of a ruling: one block for each question of the item that applies, each answered as on the coder's page.
import { element, keyButton } from "./controls.js";
import { targetOf } from "./elements.js";
import { typeOf } from "./view.js";
import { markWords } from "./votes.js";

/**
 * @import { Rulings } from "./undoing.js"
 * @import { KeyPress, Page, QuestionTypes, Widget } from "./view.js"
 * @import { Vote, Votes } from "./votes.js"
 * @import { Judged, Question } from "./api.js"
 *
 * @typedef {object} Block
 * @property {Question} question
 * @property {HTMLElement} node
 * @property {HTMLElement} list of votes
 * @property {HTMLElement} mark
 * @property {HTMLElement} choices
 * @property {Widget | null} widget
 *
 * @typedef {object} Around
 * @property {(task: Judged) => void} plain shows an item as its text
 * @property {(question: Question) => void} arrived a question is asked
 *
 * @typedef {Omit<Page, "decide" | "undo"> & Around} Bench
 */

const CONFIRM = { code: "Enter", key: "Enter", shiftKey: false, repeat: false };

// The questions that apply under some answers: those without a parent, and those whose parent applies and has one of
// the answers they wait for.
/** @param {Question[]} questions @param {QuestionTypes} types @param {Map<string, string>} answers */
export function questionsAsked(questions, types, answers) {
  /** @param {Question} question @returns {boolean} */
  const applies = ({ parent, parent_answers: wanted }) => {
    if (parent === null) return true;
    const [above, answer] = [questions.find(({ id }) => id === parent), answers.get(parent)];
    if (!above || answer === undefined || !applies(above)) return false;
    return typeOf(types, above).meets(above, answer, wanted);
  };
  return questions.filter(applies);
}

export class Ruling {
  /** @type {Map<string, Block>} */ #blocks = new Map(); // by question
  /** @type {Map<string, string>} */ #chosen = new Map(); // answers by question
  /** @type {Set<string>} */ #touched = new Set(); // questions whose answer is being changed in several steps
  /** @type {Block | null} */ #active = null;
  /** @type {Map<string, Votes>} */ #given = new Map(); // by question
  /** @type {Rulings} */ #ruled = {};
  #quiet = false;
  #visit = 0;
  /** @type {Judged} */ #task = { id: 0, text: "", closed: true, shown: {} };

  // done(): every question that applies has an answer, and Enter was pressed.
  /**
   * @param {Question[]} questions
   * @param {QuestionTypes} types
   * @param {Bench} page
   * @param {{ done: () => void, undo: () => void }} acts
   */
  constructor(questions, types, page, { done, undo }) {
    this.questions = questions;
    this.types = types;
    this.page = page;
    this.done = done;
    this.undo = undo;
    for (const question of questions) this.#blocks.set(question.id, this.#block(question));
  }

  get nodes() {
    return [...this.#blocks.values()].map(({ node }) => node);
  }

  /** @param {Judged} task @param {Votes[]} votes @param {Rulings} ruled */
  open(task, votes, ruled) {
    this.#visit += 1;
    this.#task = { ...task, id: `${task.id}/${this.#visit}` }; // what was half done on an earlier visit is gone
    this.#touched.clear();
    this.#given = new Map(votes.map((entry) => [entry.question, entry]));
    this.#chosen = new Map();
    for (const { id } of this.questions) {
      const answer = ruled[id]?.answer ?? this.#given.get(id)?.majority ?? null;
      if (answer !== null) this.#chosen.set(id, answer);
    }
    this.#ruled = ruled;
    this.#drawItem(null);
    for (const block of this.#blocks.values()) this.#drawVotes(block);
    this.#draw();
    // The first question that draws the item itself has the last word.
    for (const block of this.#applying().reverse()) if (block.widget?.item) this.#drawItem(block);
    const first = this.#applying().find(({ question: { id } }) => !this.#chosen.has(id) || this.#given.get(id)?.differ);
    this.#activate(first ?? this.#applying()[0], false);
  }

  // What the form says, as far as it applies: question id -> answer.
  get answers() {
    return new Map(this.#applying().map(({ question: { id } }) => [id, this.#chosen.get(id) ?? null]));
  }

  // The first question that still needs an answer, if any; what is half done is confirmed first.
  missing() {
    for (const id of [...this.#touched]) this.#confirm(id);
    const open = this.#applying().find(({ question: { id } }) => !this.#chosen.has(id));
    if (open) this.#activate(open);
    return open?.question ?? null;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.altKey) return this.#takeOver(event);
    if (this.#active?.widget?.move?.(event)) return true;
    if (event.code === "ArrowUp" || event.code === "ArrowDown") return this.#step(event.code === "ArrowDown" ? 1 : -1);
    if (event.repeat || event.code === "Enter") return false;
    const blocks = this.#applying();
    const order = [this.#active, ...blocks.filter((block) => block !== this.#active)];
    for (const block of order) {
      if (!block || !this.page.keys.choice(event, block.question)) continue;
      this.#activate(block, false);
      const widget = this.#widgetOf(block);
      if (widget.confirms) this.#touch(block);
      widget.press(event);
      return true;
    }
    return false;
  }

  stepBack() {
    return this.#active?.widget?.undo?.() ?? false;
  }

  /** @param {Question} question */
  #block(question) {
    const [node, head, title] = [
      element("section", "", "step"),
      element("p", "", "head"),
      element("bdi", question.text),
    ];
    const [list, mark, choices] = [
      element("ol", "", "votes"),
      element("span", "", "ruled"),
      element("div", "", "choices"),
    ];
    for (const group of [node, choices]) group.setAttribute("role", "group");
    node.setAttribute("aria-label", question.text);
    choices.setAttribute("aria-label", `Ruling: ${question.text}`);
    head.append(title, mark);
    node.append(head, list, choices);
    /** @type {Block} */
    const block = { question, node, list, mark, choices, widget: null };
    node.addEventListener(
      "click",
      () => {
        if (this.#active !== block) this.#activate(block, false);
      },
      true,
    );
    choices.addEventListener(
      "click",
      (event) => {
        if (targetOf(event)?.closest("button") && block.widget?.confirms) this.#touch(block);
      },
      true,
    );
    choices.addEventListener("input", () => this.#touch(block));
    return block;
  }

  // Made when it is needed, since a widget may draw the item.
  /** @param {Block} block */
  #widgetOf(block) {
    if (block.widget) return block.widget;
    const { question } = block;
    /** @type {Page} */
    const page = { ...this.page, decide: (answer) => this.#decide(block, answer), undo: this.undo };
    const widget = typeOf(this.types, question).widget(question, page);
    block.choices.replaceChildren(...widget.elements);
    block.widget = widget;
    return widget;
  }

  #applying() {
    const applying = new Set(questionsAsked(this.questions, this.types, this.#chosen));
    return [...this.#blocks.values()].filter(({ question }) => applying.has(question));
  }

  #draw() {
    const shown = new Set(this.#applying());
    for (const block of this.#blocks.values()) {
      block.node.hidden = !shown.has(block);
      if (!shown.has(block)) continue;
      const widget = this.#widgetOf(block);
      const answer = this.#chosen.get(block.question.id) ?? null;
      this.#quiet = true;
      if (!this.#touched.has(block.question.id)) {
        if (answer !== null) widget.recall?.(this.#task, answer);
        widget.show({ task: this.#task, answer });
      }
      this.#quiet = false;
      this.#drawMark(block, answer);
    }
    this.#focus();
  }

  // Words are typed at once where they are asked for, and nowhere else.
  #focus() {
    const box = this.#active?.choices.querySelector("textarea");
    if (box && !box.closest("[hidden]")) box.focus({ preventScroll: true });
    else if (document.activeElement instanceof HTMLTextAreaElement) document.activeElement.blur();
  }

  /** @param {Block} block @param {string | null} answer */
  #drawMark({ question, mark }, answer) {
    mark.textContent = markWords(answer, this.#ruled[question.id]?.answer, this.#given.get(question.id));
    mark.dataset.kind = answer === null ? "open" : "";
  }

  /** @param {Block} block */
  #drawVotes(block) {
    const { question, list } = block;
    const votes = this.#given.get(question.id)?.votes ?? [];
    const most = Math.max(1, ...votes.map(({ coders }) => coders.length));
    list.replaceChildren(...votes.map((vote, place) => this.#vote(block, vote, place, most)));
    list.hidden = !votes.length;
  }

  /** @param {Block} block @param {Vote} vote @param {number} place @param {number} most */
  #vote(block, { answer, coders, unsure, notes }, place, most) {
    const { told, said } = typeOf(this.types, block.question);
    const row = element("li");
    const button = keyButton(
      "",
      (told ?? said)(block.question, answer, this.#task),
      () => this.#adopt(block, answer),
      "vote",
    );
    button.title = `Alt ${place + 1}`;
    const meter = element("progress");
    Object.assign(meter, { max: most, value: coders.length });
    meter.setAttribute("aria-hidden", "true");
    const who = element("span", "", "who");
    coders.forEach((coder, number) => {
      const name = element("bdi", coder);
      who.append(number ? ", " : "", name, unsure.includes(coder) ? " (unsure)" : "");
    });
    row.append(meter, element("strong", String(coders.length)), " ", button, " ", who);
    for (const [coder, note] of Object.entries(notes)) {
      const line = element("span", "", "note");
      line.append(element("bdi", coder), ": ", element("q", note));
      row.append(line);
    }
    return row;
  }

  /** @param {KeyPress} event */
  #takeOver({ code, repeat }) {
    const block = this.#active;
    const place = Number(/^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1]) - 1;
    const vote = block && this.#given.get(block.question.id)?.votes[place];
    if (!vote || repeat) return false;
    this.#adopt(block, vote.answer);
    return true;
  }

  /** @param {Block} block @param {string} answer */
  #adopt(block, answer) {
    this.#touched.delete(block.question.id);
    this.#chosen.set(block.question.id, answer);
    this.page.notice("");
    this.#draw();
    this.#activate(block, false);
  }

  /** @param {Block} block */
  #touch(block) {
    if (this.#quiet) return;
    this.#touched.add(block.question.id);
    this.#chosen.delete(block.question.id);
    this.#drawMark(block, null);
  }

  /** @param {string} question */
  #confirm(question) {
    this.#quiet = true;
    this.#blocks.get(question)?.widget?.press(CONFIRM);
    this.#quiet = false;
  }

  /** @param {Block} block @param {string} answer */
  #decide(block, answer) {
    const confirmed = block.widget?.confirms && !this.#quiet;
    this.#touched.delete(block.question.id);
    this.#chosen.set(block.question.id, answer);
    this.page.notice("");
    this.#draw();
    const next = this.#applying().find(({ question: { id } }) => !this.#chosen.has(id) && !this.#touched.has(id));
    if (this.#quiet) return;
    if (next) this.#activate(next);
    else if (confirmed) this.done();
  }

  /** @param {number} by */
  #step(by) {
    const blocks = this.#applying();
    const place = this.#active ? blocks.indexOf(this.#active) : -1;
    const next = blocks[place + by];
    if (next) this.#activate(next);
    return true;
  }

  /** @param {Block | undefined} block @param {boolean} [focus] */
  #activate(block, focus = true) {
    if (!block) return;
    const changed = this.#active !== block;
    this.#active = block;
    for (const other of this.#blocks.values()) other.node.classList.toggle("active", other === block);
    if (changed && this.#widgetOf(block).item) this.#drawItem(block);
    this.#focus();
    if (changed && focus) block.node.scrollIntoView({ block: "nearest" });
    this.page.arrived(block.question);
  }

  // The item as its text, or as the widget of a question draws it.
  /** @param {Block | null} block */
  #drawItem(block) {
    if (block?.widget?.item) {
      delete this.page.item.dataset.task;
      block.widget.item(this.page.item, this.#task);
      block.widget.show({ task: this.#task, answer: this.#chosen.get(block.question.id) ?? null });
      this.page.item.hidden = !this.page.item.textContent;
      return;
    }
    this.page.plain(this.#task);
  }
}
