// The form of a ruling: one block for each question of the item that applies, each answered as on the coder's page.
import { element, keyButton } from "./controls.js";

const CONFIRM = { code: "Enter", shiftKey: false, repeat: false };

// How many answered a question, how many in one way, and whether those are more than half of them.
export const voters = (votes) => (votes?.votes ?? []).reduce((sum, { coders }) => sum + coders.length, 0);
export const votersFor = (votes, answer) => votes?.votes.find((vote) => vote.answer === answer)?.coders.length ?? 0;
export const isMajority = (votes, answer) => 2 * votersFor(votes, answer) > voters(votes);

// What stands beside an answer that was selected for the leader.
function preselected(votes) {
  if (voters(votes) === 1) return "the only answer selected";
  if (!votes.differ) return "all the same";
  return isMajority(votes, votes.majority) ? "majority selected" : "most votes selected";
}

export class Ruling {
  #blocks = new Map(); // question id -> { question, widget, node, list, mark }
  #chosen = new Map(); // question id -> answer
  #touched = new Set(); // questions whose answer is being changed in several steps
  #active = null;
  #given = new Map(); // question id -> votes
  #quiet = false;
  #visit = 0;

  // done(): every question that applies has an answer, and Enter was pressed.
  constructor(questions, types, page, { done, undo }) {
    Object.assign(this, { questions, types, page, done, undo });
    this.task = null;
    for (const question of questions) this.#blocks.set(question.id, this.#block(question));
  }

  get nodes() {
    return [...this.#blocks.values()].map(({ node }) => node);
  }

  open(task, votes, ruled) {
    this.#visit += 1;
    this.task = { ...task, id: `${task.id}/${this.#visit}` }; // what was half done on an earlier visit is gone
    this.#touched.clear();
    this.#given = new Map(votes.map((entry) => [entry.question, entry]));
    this.#chosen = new Map();
    for (const { id } of this.questions) {
      const answer = ruled[id]?.answer ?? this.#given.get(id)?.majority ?? null;
      if (answer !== null) this.#chosen.set(id, answer);
    }
    this.ruled = ruled;
    this.#drawItem(null);
    for (const block of this.#blocks.values()) this.#drawVotes(block);
    this.#draw();
    // The first question that draws the item itself has the last word.
    for (const block of this.#applying().reverse()) if (block.widget.item) this.#drawItem(block);
    const first = this.#applying().find(({ question: { id } }) => !this.#chosen.has(id) || this.#given.get(id)?.differ);
    this.#activate(first ?? this.#applying()[0], false);
  }

  // What the form says, as far as it applies: question id -> answer.
  get answers() {
    return new Map(this.#applying().map(({ question: { id } }) => [id, this.#chosen.get(id) ?? null]));
  }

  get rule() {
    return this.#active?.question.rule ?? null;
  }

  // The first question that still needs an answer, if any; what is half done is confirmed first.
  missing() {
    for (const id of [...this.#touched]) this.#confirm(this.#blocks.get(id));
    const open = this.#applying().find(({ question: { id } }) => !this.#chosen.has(id));
    if (open) this.#activate(open);
    return open?.question ?? null;
  }

  press(event) {
    const { widget } = this.#active ?? {};
    if (event.altKey) return this.#takeOver(event);
    if (widget?.move?.(event)) return true;
    if (event.code === "ArrowUp" || event.code === "ArrowDown") return this.#step(event.code === "ArrowDown" ? 1 : -1);
    if (event.repeat || event.code === "Enter") return false;
    const blocks = this.#applying();
    const order = [this.#active, ...blocks.filter((block) => block !== this.#active)];
    for (const block of order) {
      if (!block || !this.page.keys.choice(event, block.question)) continue;
      this.#activate(block, false);
      if (block.widget.confirms) this.#touch(block);
      block.widget.press(event);
      return true;
    }
    return false;
  }

  stepBack() {
    return this.#active?.widget?.undo?.() ?? false;
  }

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
        if (event.target.closest("button") && block.widget?.confirms) this.#touch(block);
      },
      true,
    );
    choices.addEventListener("input", () => this.#touch(block));
    return block;
  }

  // Made when it is needed, since a widget may draw the item.
  #widgetOf(block) {
    if (block.widget) return block.widget;
    const { question } = block;
    const page = { ...this.page, decide: (answer) => this.#decide(block, answer), undo: this.undo };
    block.widget = this.types.get(question.type).widget(question, page);
    block.choices.replaceChildren(...block.widget.elements);
    return block.widget;
  }

  #applying() {
    const given = this.#chosen;
    const applies = ({ parent, parent_answers: wanted }) => {
      if (parent === null) return true;
      const above = this.#blocks.get(parent).question;
      return applies(above) && given.has(parent) && this.types.get(above.type).meets(above, given.get(parent), wanted);
    };
    return [...this.#blocks.values()].filter(({ question }) => applies(question));
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
        if (answer !== null) widget.recall?.(this.task, answer);
        widget.show({ task: this.task, answer });
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
    else if (document.activeElement?.matches("textarea")) document.activeElement.blur();
  }

  #drawMark({ question, mark }, answer) {
    const [ruling, votes] = [this.ruled[question.id], this.#given.get(question.id)];
    const words = {
      ruled: ruling && ruling.answer === answer,
      majority: votes && votes.majority === answer && answer !== null,
      none: answer === null,
    };
    if (words.ruled) mark.textContent = "your ruling";
    else if (words.majority) mark.textContent = preselected(votes);
    else mark.textContent = words.none ? (votes ? "no majority: choose" : "nobody was asked: choose") : "your choice";
    mark.dataset.kind = words.none ? "open" : "";
  }

  #drawVotes(block) {
    const { question, list } = block;
    const votes = this.#given.get(question.id)?.votes ?? [];
    const most = Math.max(1, ...votes.map(({ coders }) => coders.length));
    list.replaceChildren(...votes.map((vote, place) => this.#vote(block, vote, place, most)));
    list.hidden = !votes.length;
  }

  #vote(block, { answer, coders, unsure, notes }, place, most) {
    const { told, said } = this.types.get(block.question.type);
    const row = element("li");
    const button = keyButton(
      "",
      (told ?? said)(block.question, answer, this.task),
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

  #takeOver({ code, repeat }) {
    const place = Number(/^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1]) - 1;
    const vote = this.#given.get(this.#active?.question.id)?.votes[place];
    if (!vote || repeat) return false;
    this.#adopt(this.#active, vote.answer);
    return true;
  }

  #adopt(block, answer) {
    this.#touched.delete(block.question.id);
    this.#chosen.set(block.question.id, answer);
    this.page.notice("");
    this.#draw();
    this.#activate(block, false);
  }

  #touch({ question }) {
    if (this.#quiet) return;
    this.#touched.add(question.id);
    this.#chosen.delete(question.id);
    this.#drawMark(this.#blocks.get(question.id), null);
  }

  #confirm(block) {
    this.#quiet = true;
    block.widget.press(CONFIRM);
    this.#quiet = false;
  }

  #decide(block, answer) {
    const confirmed = block.widget.confirms && !this.#quiet;
    this.#touched.delete(block.question.id);
    this.#chosen.set(block.question.id, answer);
    this.page.notice("");
    this.#draw();
    const next = this.#applying().find(({ question: { id } }) => !this.#chosen.has(id) && !this.#touched.has(id));
    if (this.#quiet) return;
    if (next) this.#activate(next);
    else if (confirmed) this.done();
  }

  #step(by) {
    const blocks = this.#applying();
    const next = blocks[blocks.indexOf(this.#active) + by];
    if (next) this.#activate(next);
    return true;
  }

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
  #drawItem(block) {
    if (block) {
      delete this.page.item.dataset.task;
      block.widget.item(this.page.item, this.task);
      block.widget.show({ task: this.task, answer: this.#chosen.get(block.question.id) ?? null });
      this.page.item.hidden = !this.page.item.textContent;
      return;
    }
    this.page.plain(this.task);
  }
}
