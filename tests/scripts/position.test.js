import assert from "node:assert/strict";
import { test } from "node:test";
import { Book } from "../../src/concurrence/web/static/book.js";
import { Position } from "../../src/concurrence/web/static/position.js";
import { CHAIN, event, task } from "./support/campaign.js";

/** @import { DecisionEvent, Task } from "../../src/concurrence/web/static/api.js" */

/** @param {DecisionEvent[]} events @param {Task[]} [tasks] */
function bookOf(events, tasks = [task(1), task(2), task(3)]) {
  const book = new Book(CHAIN, tasks, (_question, answer, wanted) => wanted.includes(answer));
  book.load([], events);
  return book;
}

/** @param {Position} at */
const where = (at) => [at.task?.id ?? null, at.question?.id ?? null];

/** @param {DecisionEvent[]} [events] @param {{ training?: boolean, tasks?: Task[] }} [more] */
const open = (events = [], { training = false, tasks } = {}) => new Position(bookOf(events, tasks), training);

/** @param {Position} at @param {DecisionEvent} decision */
function decide(at, decision) {
  at.book.take(decision);
  at.goOn();
}

test("a visit begins at the first task that is not done", () => {
  assert.deepEqual(where(open([event(1, 1, "idiom", "no")])), [2, "idiom"]);
});

test("a decision leads to the follow-up, and the last one to the next task", () => {
  const at = open();
  decide(at, event(1, 1, "idiom", "yes"));
  assert.deepEqual(where(at), [1, "kind"]);
  decide(at, event(2, 1, "kind", "no"));
  assert.deepEqual(where(at), [2, "idiom"]);
});

test("after the last task there is none", () => {
  const at = open([1, 2, 3].map((id) => event(id, id, "idiom", "no")));
  assert.deepEqual([at.place, ...where(at)], [-1, null, null]);
  assert.equal(at.isShut, false);
});

test("a part is shut where only closed tasks are left", () => {
  assert.equal(open([], { tasks: [task(1, { closed: true })] }).isShut, true);
  assert.equal(open([], { tasks: [task(1, { closed: true }), task(2)] }).isShut, false);
});

test("looking back goes through the questions of a done task and then on", () => {
  const at = open([event(1, 1, "idiom", "yes"), event(2, 1, "kind", "no")]);
  assert.equal(at.look(-1), true);
  assert.deepEqual([at.step, ...where(at)], [0, 1, "idiom"]);
  at.goOn();
  assert.deepEqual(where(at), [1, "kind"]);
  at.goOn();
  assert.deepEqual([at.step, ...where(at)], [null, 2, "idiom"]);
});

test("nobody can look past the ends, and from the end the last task is the one before", () => {
  const at = open();
  assert.equal(at.look(-1), false);
  assert.deepEqual(where(at), [1, "idiom"]);
  const done = open([1, 2, 3].map((id) => event(id, id, "idiom", "no")));
  assert.equal(done.look(-1), true);
  assert.deepEqual(where(done), [3, "idiom"]);
  assert.equal(done.look(1), false);
});

test("from the end, looking forward begins at the first task", () => {
  const at = open([1, 2, 3].map((id) => event(id, id, "idiom", "no")));
  assert.equal(at.look(1), true);
  assert.deepEqual(where(at), [1, "idiom"]);
});

test("an undo leads back to its task", () => {
  const at = open([event(1, 1, "idiom", "no")]);
  at.book.take(event(2, 1, "idiom", null));
  at.backTo(1);
  assert.deepEqual(where(at), [1, "idiom"]);
});

test("a task that another tab has done is left, and one that is looked at again is not", () => {
  const at = open();
  at.follow(() => at.book.take(event(1, 1, "idiom", "no")));
  assert.deepEqual(where(at), [2, "idiom"]);
  at.look(-1);
  at.follow(() => at.book.take(event(2, 1, "idiom", "yes")));
  assert.equal(at.task?.id, 1);
});

test("a task that another tab reopens at the end is shown", () => {
  const at = open([1, 2, 3].map((id) => event(id, id, "idiom", "no")));
  at.follow(() => at.book.take(event(9, 2, "idiom", null)));
  assert.deepEqual(where(at), [2, "idiom"]);
});

test("a part that is loaded again keeps its task, wherever it stands now, unless it is done", () => {
  const at = open();
  at.renew(bookOf([], [task(3), task(2), task(1)]), false);
  assert.deepEqual([at.place, ...where(at)], [2, 1, "idiom"]);
  at.renew(bookOf([event(1, 1, "idiom", "no")]), false);
  assert.deepEqual(where(at), [2, "idiom"]);
  at.renew(bookOf([], [task(3)]), false);
  assert.deepEqual(where(at), [3, "idiom"]);
});

test("in training, a lesson follows each task, and nothing is asked in it", () => {
  const at = open([], { training: true });
  decide(at, event(1, 1, "idiom", "no"));
  assert.deepEqual([at.lesson, ...where(at)], [true, 1, null]);
  at.toNext();
  assert.deepEqual([at.lesson, ...where(at)], [false, 2, "idiom"]);
});

test("a lesson stays where another device goes on", () => {
  const at = open([], { training: true });
  decide(at, event(1, 1, "idiom", "no"));
  at.renew(bookOf([event(1, 1, "idiom", "no"), event(2, 2, "idiom", "no")]), true);
  assert.deepEqual([at.lesson, at.task?.id], [true, 1]);
});
