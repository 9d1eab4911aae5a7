// Where a coder is in a part: which task, which question of it, and what comes next. No page, no network.

/**
 * @import { Book } from "./book.js"
 * @import { Question, Task } from "./api.js"
 */

export class Position {
  place = -1; // of the task; -1 where nothing is left to judge
  /** @type {number | null} */ step = null; // which question of a finished task is looked at again
  lesson = false; // what was right is being read

  /** @param {Book} book @param {boolean} training whether what was right is told after each task */
  constructor(book, training) {
    this.book = book;
    this.training = training;
    this.toNext();
  }

  /** @returns {Task | null} */
  get task() {
    return this.book.tasks[this.place] ?? null;
  }

  /** @returns {Question | null} */
  get question() {
    if (!this.task || this.lesson) return null;
    if (this.step === null) return this.book.openQuestion(this.task.id);
    return this.book.asked(this.task.id)[this.step] ?? null;
  }

  get isOpen() {
    return this.task !== null && !this.task.closed && !this.book.finished.has(this.task.id);
  }

  // Whether only closed tasks are left.
  get isShut() {
    return this.place < 0 && this.book.tasks.some((task) => task.closed);
  }

  // What the server or another device knows better; the task stays, unless it was being judged and is done.
  /** @param {Book} book @param {boolean} training */
  renew(book, training) {
    const task = this.task?.id;
    this.book = book;
    this.training = training;
    this.place = (task === undefined ? undefined : book.places.get(task)) ?? -1;
    if (this.step === null && !this.lesson && !this.isOpen) this.place = book.next(this.place);
  }

  // Another tab has decided: work(), after which the task may be done.
  /** @param {() => void} work */
  follow(work) {
    const wasOpen = this.isOpen;
    work();
    const done = wasOpen && !this.isOpen && this.step === null && !this.lesson;
    if (done || this.place < 0) this.place = this.book.next(this.place);
  }

  // After a decision on the task.
  goOn() {
    const { task } = this;
    if (!task) return;
    const finished = this.book.finished.has(task.id);
    if (this.training && finished) this.lesson = true;
    else if (this.step !== null && this.book.asked(task.id).length > this.step + 1) this.step += 1;
    else if (finished) this.toNext();
    else this.step = null;
  }

  toNext() {
    this.lesson = false;
    this.step = null;
    this.place = this.book.next(this.place);
  }

  // From the first task on.
  startOver() {
    this.place = this.book.next(-1);
  }

  // To a task whose decision was undone.
  /** @param {number} task */
  backTo(task) {
    this.step = null;
    this.place = this.book.places.get(task) ?? -1;
  }

  // To a neighbour, done or not; the answer is whether there is one.
  /** @param {1 | -1} by */
  look(by) {
    const { tasks, finished } = this.book;
    const to = (this.place < 0 && by < 0 ? tasks.length : this.place) + by;
    if (!tasks[to]) return false;
    this.lesson = false;
    this.place = to;
    this.step = finished.has(tasks[to].id) ? 0 : null;
    return true;
  }
}
