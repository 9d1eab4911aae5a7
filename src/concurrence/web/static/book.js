// What a coder decided, under the rules of the questions; the same rules as the server's.
// An answer that changes takes the answers to its follow-ups with it. An item is done when every question
// that applies has an answer. Decisions may be heard of late, from another tab or device: each item is read anew
// from its decisions in the order of their moments, so that all tabs come to the same.

export class Book {
  #logs; // item id -> decisions in the order of their moments
  #given; // item id -> Map(question id -> the decision that stands)

  constructor(questions, items) {
    this.questions = questions;
    this.items = items;
    this.finished = new Set();
    this.places = new Map(items.map((item, place) => [item.id, place]));
    this.#logs = new Map(items.map((item) => [item.id, []]));
    this.#given = new Map(items.map((item) => [item.id, new Map()]));
  }

  // What stands on the server, and what waits here on top of it.
  load(decisions, events) {
    for (const decision of decisions) this.#logs.get(decision.item)?.push({ ...decision, at: decision.moment, stands: true });
    for (const event of events) this.#logs.get(event.item)?.push({ ...event, at: event.client_time });
    for (const { id } of this.items) this.#read(id);
  }

  take(event) {
    const log = this.#logs.get(event.item);
    if (!log) return; // of another round
    log.push({ ...event, at: event.client_time });
    this.#read(event.item);
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

  // The newest decision on an item that is not closed: what undo takes back.
  newest() {
    let last = null;
    for (const { id, closed } of this.items) {
      if (closed) continue;
      for (const decision of this.of(id).values()) if (!last || decision.at >= last.at) last = decision;
    }
    return last;
  }

  // The place of the next item to judge after a place, around the end; -1 where nothing is left.
  next(place) {
    const open = (item) => !item.closed && !this.finished.has(item.id);
    const later = this.items.findIndex((item, at) => at > place && open(item));
    return later >= 0 ? later : this.items.findIndex(open);
  }

  #read(item) {
    const log = this.#logs.get(item).sort((one, other) => one.at - other.at);
    const given = new Map();
    for (const decision of log) this.#follow(given, decision);
    this.#given.set(item, given);
    if (this.openQuestion(item)) this.finished.delete(item);
    else this.finished.add(item);
  }

  #follow(given, decision) {
    const { question, answer, stands } = decision;
    if (!stands && !this.applies(question, given)) return;
    const before = given.get(question)?.answer ?? null;
    given.delete(question);
    if (!stands && before !== answer) this.#dropFollowers(given, question);
    if (answer !== null) given.set(question, decision);
  }

  #dropFollowers(given, parent) {
    for (const question of this.questions) {
      if (question.parent !== parent) continue;
      given.delete(question.id);
      this.#dropFollowers(given, question.id);
    }
  }
}
