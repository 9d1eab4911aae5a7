// What a coder decided, under the rules of the questions; the same rules as the server's.
// An answer that changes takes the answers to its follow-ups with it. A task is done when every question
// that applies has an answer. Decisions may be heard of late, from another tab or device: each task is read anew
// from its decisions in the order of their moments, which are the counters their pages gave them, so that all
// tabs come to the same.

/**
 * @import { DecisionEvent, Question, Stored, Task } from "./api.js"
 * @typedef {object} Entry a decision in its place; what stands was checked by the server
 * @property {number} task
 * @property {string} question
 * @property {string | null} answer
 * @property {boolean} unsure
 * @property {string | null} note
 * @property {number} at
 * @property {boolean} [stands]
 * @typedef {Entry & { answer: string }} Answered
 * @typedef {Map<string, Answered>} Given by question
 * @typedef {(question: Question, answer: string, wanted: string[]) => boolean} Meets
 */

// A tab that still runs an older page gives no counter; the server will put what it sends behind everything it has.
/** @param {DecisionEvent} event */
const moment = ({ counter }) => counter ?? Number.MAX_SAFE_INTEGER;

export class Book {
  /** @type {Map<number, Entry[]>} */ #logs; // by task, in the order of their moments
  /** @type {Map<number, Given>} */ #given; // by task

  // meets(question, answer, wanted): whether an answer is one that a follow-up waits for.
  /** @param {Question[]} questions @param {Task[]} tasks @param {Meets} meets */
  constructor(questions, tasks, meets) {
    this.questions = questions;
    this.meets = meets;
    this.tasks = tasks;
    /** @type {Set<number>} */
    this.finished = new Set();
    this.places = new Map(tasks.map((task, place) => [task.id, place]));
    this.#logs = new Map(tasks.map((task) => [task.id, []]));
    this.#given = new Map(tasks.map((task) => [task.id, new Map()]));
  }

  // What stands on the server, and what waits here on top of it.
  /** @param {Stored[]} decisions @param {DecisionEvent[]} events */
  load(decisions, events) {
    for (const decision of decisions)
      this.#logs.get(decision.task)?.push({ ...decision, at: decision.moment, stands: true });
    for (const event of events) this.#logs.get(event.task)?.push({ ...event, at: moment(event) });
    for (const { id } of this.tasks) this.#read(id);
  }

  /** @param {DecisionEvent} event */
  take(event) {
    const log = this.#logs.get(event.task);
    if (!log) return; // of another round
    log.push({ ...event, at: moment(event) });
    this.#read(event.task);
  }

  /** @param {number} task @returns {Given} */
  of(task) {
    return this.#given.get(task) ?? new Map();
  }

  /** @param {string} name @param {Given} given */
  applies(name, given) {
    const question = this.questions.find((entry) => entry.id === name);
    if (!question) return false;
    if (question.parent === null) return true;
    const parent = this.questions.find((entry) => entry.id === question.parent);
    const decision = given.get(question.parent);
    return !!parent && !!decision && this.meets(parent, decision.answer, question.parent_answers);
  }

  // The questions that a task has to answer, as far as its answers tell.
  /** @param {number} task */
  asked(task) {
    const given = this.of(task);
    return this.questions.filter((question) => this.applies(question.id, given));
  }

  /** @param {number} task */
  openQuestion(task) {
    const given = this.of(task);
    return this.asked(task).find((question) => !given.has(question.id)) ?? null;
  }

  // The newest decision on a task that is not closed: what undo takes back.
  newest() {
    /** @type {Answered | null} */
    let last = null;
    for (const { id, closed } of this.tasks) {
      if (closed) continue;
      for (const decision of this.of(id).values()) if (!last || decision.at >= last.at) last = decision;
    }
    return last;
  }

  // The place of the next task to judge after a place, around the end; -1 where nothing is left.
  /** @param {number} place */
  next(place) {
    /** @param {Task} task */
    const open = (task) => !task.closed && !this.finished.has(task.id);
    const later = this.tasks.findIndex((task, at) => at > place && open(task));
    return later >= 0 ? later : this.tasks.findIndex(open);
  }

  /** @param {number} task */
  #read(task) {
    const log = this.#logs.get(task)?.sort((one, other) => one.at - other.at) ?? [];
    /** @type {Given} */
    const given = new Map();
    for (const decision of log) this.#follow(given, decision);
    this.#given.set(task, given);
    if (this.openQuestion(task)) this.finished.delete(task);
    else this.finished.add(task);
  }

  /** @param {Given} given @param {Entry} decision */
  #follow(given, decision) {
    const { question, answer, stands } = decision;
    if (!stands && !this.applies(question, given)) return;
    const before = given.get(question)?.answer ?? null;
    given.delete(question);
    if (!stands && before !== answer) this.#dropFollowers(given, question);
    if (answer !== null) given.set(question, /** @type {Answered} */ (decision));
  }

  /** @param {Given} given @param {string} parent */
  #dropFollowers(given, parent) {
    for (const question of this.questions) {
      if (question.parent !== parent) continue;
      given.delete(question.id);
      this.#dropFollowers(given, question.id);
    }
  }
}
