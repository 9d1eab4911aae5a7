import assert from "node:assert/strict";
import { test } from "node:test";
import { Book } from "../../src/concurrence/web/static/book.js";
import { CHAIN, event, stored, task } from "./support/campaign.js";

/** @import { DecisionEvent, Stored, Task } from "../../src/concurrence/web/static/api.js" */

/** @param {{ tasks?: Task[], decisions?: Stored[], events?: DecisionEvent[] }} [part] */
function open({ tasks = [task(1), task(2), task(3)], decisions = [], events = [] } = {}) {
  const book = new Book(CHAIN, tasks, (_question, answer, wanted) => wanted.includes(answer));
  book.load(decisions, events);
  return book;
}

/** @param {Book} book @param {number} id */
const answers = (book, id) => Object.fromEntries([...book.of(id)].map(([name, { answer }]) => [name, answer]));

test("a follow-up is asked after the answer that it waits for, and not after another", () => {
  const book = open();
  assert.equal(book.openQuestion(1)?.id, "idiom");
  book.take(event(1, 1, "idiom", "yes"));
  assert.equal(book.openQuestion(1)?.id, "kind");
  book.take(event(2, 2, "idiom", "no"));
  assert.equal(book.openQuestion(2), null);
  assert.deepEqual([...book.finished], [2]);
  assert.deepEqual(
    book.asked(1).map(({ id }) => id),
    ["idiom", "kind"],
  );
});

test("an answer that changes takes the answers to its follow-ups with it, all the way down", () => {
  const book = open();
  for (const [k, name] of ["idiom", "kind", "sure"].entries()) book.take(event(k, 1, name, "yes"));
  assert.ok(book.finished.has(1));
  book.take(event(8, 1, "idiom", "no"));
  assert.deepEqual(answers(book, 1), { idiom: "no" });
  book.take(event(9, 1, "idiom", "yes"));
  assert.deepEqual(answers(book, 1), { idiom: "yes" });
  assert.ok(!book.finished.has(1));
});

test("the same answer again keeps the follow-ups", () => {
  const book = open();
  for (const [k, name] of ["idiom", "kind"].entries()) book.take(event(k, 1, name, "yes"));
  book.take(event(5, 1, "idiom", "yes", { unsure: true }));
  assert.deepEqual(answers(book, 1), { kind: "yes", idiom: "yes" });
});

test("an answer to a question that does not apply counts for nothing", () => {
  const book = open();
  book.take(event(1, 1, "kind", "yes"));
  book.take(event(2, 1, "nothing", "yes"));
  book.take(event(3, 99, "idiom", "yes"));
  assert.deepEqual(answers(book, 1), {});
});

test("decisions that are heard of late are read in the order of their moments", () => {
  const late = open();
  for (const one of [event(5, 1, "kind", "no"), event(9, 1, "idiom", "no"), event(2, 1, "idiom", "yes")])
    late.take(one);
  assert.deepEqual(answers(late, 1), { idiom: "no" });
  const inOrder = open({
    events: [event(2, 1, "idiom", "yes"), event(5, 1, "kind", "no"), event(9, 1, "idiom", "no")],
  });
  assert.deepEqual(answers(late, 1), answers(inOrder, 1));
});

test("all orders of hearing lead to the same book", () => {
  const events = [
    event(1, 1, "idiom", "yes"),
    event(2, 1, "kind", "yes"),
    event(3, 1, "sure", "no"),
    event(4, 1, "kind", "no"),
  ];
  const wanted = answers(open({ events }), 1);
  for (const order of permutations(events)) {
    const book = open();
    for (const one of order) book.take(one);
    assert.deepEqual(answers(book, 1), wanted);
  }
});

/** @param {DecisionEvent[]} all @returns {DecisionEvent[][]} */
function permutations(all) {
  if (all.length < 2) return [all];
  return all.flatMap((one) => permutations(all.filter((other) => other !== one)).map((rest) => [one, ...rest]));
}

test("a decision without a counter stands behind everything", () => {
  const book = open({ events: [event(50, 1, "idiom", "yes")] });
  book.take(event(1, 1, "idiom", "no", { counter: null }));
  assert.deepEqual(answers(book, 1), { idiom: "no" });
});

test("what stands on the server is not judged again, and what waits here goes on top of it", () => {
  const decisions = [stored(10, 1, "kind", "yes"), stored(20, 1, "idiom", "yes")];
  assert.deepEqual(answers(open({ decisions }), 1), { kind: "yes", idiom: "yes" });
  const withdrawn = open({ decisions, events: [event(30, 1, "kind", null)] });
  assert.deepEqual(answers(withdrawn, 1), { idiom: "yes" });
  assert.equal(withdrawn.openQuestion(1)?.id, "kind");
});

test("undo takes back the newest decision of an open task", () => {
  const tasks = [task(1), task(2), task(3, { closed: true })];
  const events = [event(5, 1, "idiom", "no"), event(3, 2, "idiom", "no"), event(9, 3, "idiom", "no")];
  const book = open({ tasks, events });
  assert.equal(book.newest()?.task, 1);
  book.take(event(10, 1, "idiom", null));
  assert.equal(book.newest()?.task, 2);
  assert.equal(open({ tasks }).newest(), null);
});

test("the next task is the next open one, around the end, and none where nothing is left", () => {
  const book = open({ tasks: [task(1), task(2, { closed: true }), task(3), task(4)] });
  assert.deepEqual([book.next(-1), book.next(0), book.next(3)], [0, 2, 0]);
  for (const id of [1, 3, 4]) book.take(event(id, id, "idiom", "no"));
  assert.equal(book.next(0), -1);
});
