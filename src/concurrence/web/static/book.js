// What a coder decided, under the rules of the questions; the same rules as the server's.
// An answer that changes takes the answers to its follow-ups with it. An item is done when every question
// that applies has an answer.

export class Book {
  #given; // item id -> Map(question id -> {answer, unsure, note})
  #order = new Map(); // "item/question" -> [item, question], oldest first: what undo takes back from its end

  constructor(questions, items) {
    this.questions = questions;
    this.items = items;
    this.finished = new Set();
    this.places = new Map(items.map((item, place) => [item.id, place]));
    this.#given = new Map(items.map((item) => [item.id, new Map()]));
  }

  // What stands on the server, and what waits here, in the order of their moments.
  load(decisions, events) {
    const standing = decisions.map((decision) => ({ ...decision, at: decision.moment, stands: true }));
    const waiting = events.map((event) => ({ ...event, at: event.client_time }));
    const all = [...standing, ...waiting].sort((one, other) => one.at - other.at);
    for (const entry of all) entry.stands ? this.#set(entry) : this.take(entry);
    for (const { id } of this.items) this.#note(id);
  }

  of(item) {
    return this.#given.get(item);
  }

  applies(name, given) {
    const question = this.questions.find((entry) => entry.id === name);
    if (!question) return false;
    return question.parent === null || question.parent_answers.includes(given.get(question.parent)?.answer);
  }

  // The questions that an item has to answer, as far as its answers tell.
  asked(item) {
    const given = this.of(item);
    return this.questions.filter((question) => this.applies(question.id, given));
  }

  openQuestion(item) {
    const given = this.of(item);
    return this.asked(item).find((question) => !given.has(question.id)) ?? null;
  }

  take(event) {
    const given = this.of(event.item);
    if (!given || !this.applies(event.question, given)) return;
    const before = given.get(event.question)?.answer ?? null;
    this.#drop(event.item, event.question);
    if (before !== event.answer) this.#dropFollowers(event.item, event.question);
    if (event.answer !== null) this.#set(event);
    this.#note(event.item);
  }

  // The newest decision on an item that is not closed, as [item, question].
  newest() {
    return [...this.#order.values()].findLast(([item]) => !this.items[this.places.get(item)].closed) ?? null;
  }

  // The place of the next item to judge after a place, around the end; -1 where nothing is left.
  next(place) {
    const open = (item) => !item.closed && !this.finished.has(item.id);
    const later = this.items.findIndex((item, at) => at > place && open(item));
    return later >= 0 ? later : this.items.findIndex(open);
  }

  #set({ item, question, answer, unsure = false, note = null }) {
    const given = this.of(item);
    if (!given) return;
    given.set(question, { answer, unsure, note });
    this.#order.delete(`${item}/${question}`);
    this.#order.set(`${item}/${question}`, [item, question]);
  }

  #drop(item, question) {
    this.of(item).delete(question);
    this.#order.delete(`${item}/${question}`);
  }

  #dropFollowers(item, parent) {
    for (const question of this.questions) {
      if (question.parent !== parent) continue;
      this.#drop(item, question.id);
      this.#dropFollowers(item, question.id);
    }
  }

  #note(item) {
    if (this.openQuestion(item)) this.finished.delete(item);
    else this.finished.add(item);
  }
}
