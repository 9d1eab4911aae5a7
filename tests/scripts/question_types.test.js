// What the types of questions say of an answer, and what follow-ups and the training make of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Book } from "../../src/concurrence/web/static/book.js";
import { Training } from "../../src/concurrence/web/static/training.js";
import { faceOf, typeOf } from "../../src/concurrence/web/static/view.js";
import { event, question, TYPES, task } from "./support/campaign.js";

/** @import { Judged, Question } from "../../src/concurrence/web/static/api.js" */

const CASES = /** @type {[string, string, string, string[], string[]][]} */ ([
  // type, answer, in words, what it meets, what it does not meet
  ["choice", "yes", "YES", ["no", "yes"], ["no"]],
  ["choice", "retired", "retired", ["retired"], ["yes"]],
  ["scale", "no", "NO", ["no"], ["yes"]],
  ["choices", "no|yes", "YES, NO", ["yes"], ["no|yes"]],
  ["text", " by heart ", "by heart", ["by heart"], ["heart"]],
  ["span", '[[0,1,"yes"],[2,3,"old"]]', "YES, old", ["old"], ["no"]],
  ["span", "[]", "nothing marked", [], ["yes"]],
]);

for (const [type, answer, words, met, unmet] of CASES) {
  test(`${type}: ${answer}`, () => {
    const asked = question("q", { type });
    const { said, meets } = typeOf(TYPES, asked);
    assert.equal(said(asked, answer, task(1)), words);
    if (met.length) assert.ok(meets(asked, answer, met));
    assert.ok(!meets(asked, answer, unmet));
  });
}

test("a span in full has the words that are marked, whatever their characters", () => {
  const asked = question("q", { type: "span" });
  const { told } = typeOf(TYPES, asked);
  assert.equal(told?.(asked, '[[0,1,"yes"],[2,4,"old"]]', task(1, { text: "😀 so" })), "YES: 😀; old: so");
  assert.equal(told?.(asked, "[]", task(1)), "nothing marked");
});

test("a preference is said as the place where the text stood", () => {
  const sides = ["a", "b", "tie"].map((id, place) => ({ id, text: id, code: `Digit${place + 1}` }));
  const asked = question("q", { type: "preference", choices: sides });
  const { prepare, said, meets } = typeOf(TYPES, asked);
  prepare?.(asked);
  /** @param {string[]} order */
  const shown = (order) => task(1, { shown: { q: { order, texts: ["x", "y"], prompt: "" } } });
  assert.deepEqual(
    ["a", "b", "tie"].map((answer) => said(asked, answer, shown(["a", "b"]))),
    ["First", "Second", "tie"],
  );
  assert.deepEqual(
    ["a", "b"].map((answer) => said(asked, answer, shown(["b", "a"]))),
    ["Second", "First"],
  );
  assert.ok(meets(asked, "tie", ["tie"]));
});

test("a type that is not there is a sentence", () => {
  assert.throws(() => typeOf(TYPES, question("q", { type: "guess" })), /There is no question type guess\./);
});

test("a text is set large, to be read, or as a table", () => {
  assert.equal(faceOf("strong tea"), "");
  assert.equal(faceOf("x".repeat(41)), "long");
  assert.equal(faceOf("one\ntwo"), "long");
  for (const table of ["a\tb\nc\td", "| a | b |\n| c | d |", "a  b\nc  d\n"]) assert.equal(faceOf(table), "long table");
  assert.equal(faceOf("a\tb"), "long");
});

/** @param {Question[]} questions @param {Record<string, Record<string, string>>} expected @param {string[][]} given */
function trained(questions, expected, given) {
  const tasks = given.map((_, place) => task(place + 1));
  const book = new Book(questions, tasks, () => true);
  for (const [place, answers] of given.entries()) {
    for (const [k, answer] of answers.entries()) book.take(event(10 * place + k, place + 1, questions[k].id, answer));
  }
  return { book, training: new Training({ pass: 0.5, expected, explanations: {} }, TYPES) };
}

test("an item is right where every known answer was given, and only done items count", () => {
  const questions = [question("idiom"), question("kind")];
  const expected = { 1: { idiom: "yes", kind: "no" }, 2: { idiom: "yes" }, 3: { idiom: "yes" }, 4: {} };
  const { book, training } = trained(questions, expected, [["yes", "yes"], ["yes", "yes"], ["yes"], ["no", "no"]]);
  assert.deepEqual(
    training.check(book, book.tasks[0]).map(({ right }) => right),
    [true, false],
  );
  assert.equal(training.right(book), 2);
});

test("the order of several choices means nothing", () => {
  const { book, training } = trained([question("q", { type: "choices" })], { 1: { q: "b|a" } }, [["a|b"]]);
  assert.equal(training.right(book), 1);
});
