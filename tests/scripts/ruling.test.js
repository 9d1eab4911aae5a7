// What an adjudicator is offered, what needs a ruling and why, and how a ruling is undone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { questionsAsked } from "../../src/concurrence/web/static/ruling.js";
import { isUndone, saySame, stillHolds, takenBack } from "../../src/concurrence/web/static/undoing.js";
import { isMajority, markWords, needed, reasonFor, voters, votersFor } from "../../src/concurrence/web/static/votes.js";
import { CHAIN, TYPES } from "./support/campaign.js";

/** @import { Rulings } from "../../src/concurrence/web/static/undoing.js" */
/** @import { Votes } from "../../src/concurrence/web/static/votes.js" */

/** @param {Record<string, string[]>} byAnswer @param {string | null} majority @param {string} [question] @returns {Votes} */
const votesFor = (byAnswer, majority, question = "idiom") => ({
  question,
  votes: Object.entries(byAnswer).map(([answer, coders]) => ({ answer, coders, unsure: [], notes: {} })),
  majority,
  differ: Object.keys(byAnswer).length > 1,
});

/** @param {string} question @param {string | null} answer @param {string} [reason] */
const ruled = (question, answer, reason = "So it is.") => ({ question, answer, reason, by: "lea", time: 1 });

const SPLIT = votesFor({ yes: ["anna", "ben"], no: ["carl"] }, "yes");
const TIED = votesFor({ yes: ["anna"], no: ["ben"] }, null);
const PLURAL = votesFor({ yes: ["anna", "ben"], no: ["carl"], maybe: ["dora"], other: ["emil"] }, "yes");
const AGREED = votesFor({ yes: ["anna", "ben", "carl"] }, "yes");
const LONE = votesFor({ yes: ["anna"] }, "yes");

test("votes are counted among those who answered", () => {
  assert.deepEqual([voters(SPLIT), votersFor(SPLIT, "yes"), votersFor(SPLIT, "maybe")], [3, 2, 0]);
  assert.deepEqual([voters(undefined), votersFor(undefined, "yes")], [0, 0]);
});

test("a majority is more than half", () => {
  assert.ok(isMajority(SPLIT, "yes"));
  assert.ok(!isMajority(SPLIT, "no"));
  assert.ok(!isMajority(TIED, "yes"));
  assert.ok(!isMajority(PLURAL, "yes"));
});

test("beside a question stands where its answer comes from", () => {
  assert.equal(markWords("yes", undefined, SPLIT), "majority selected");
  assert.equal(markWords("yes", undefined, PLURAL), "most votes selected");
  assert.equal(markWords("yes", undefined, AGREED), "all the same");
  assert.equal(markWords("yes", undefined, LONE), "the only answer selected");
  assert.equal(markWords("no", undefined, SPLIT), "your choice");
  assert.equal(markWords("yes", "yes", SPLIT), "your ruling");
  assert.equal(markWords(null, undefined, TIED), "no majority: choose");
  assert.equal(markWords(null, undefined, undefined), "nobody was asked: choose");
});

/** @param {string | null} answer @param {Votes[]} questions @param {Rulings} [rulings] */
const isNeeded = (answer, questions, rulings = {}) =>
  needed(new Map([["idiom", answer]]), { questions, rulings, coders: ["anna", "ben", "carl"] }).length === 1;

test("a ruling is needed where coders differ, where not all were asked, and where it says something else", () => {
  assert.ok(isNeeded("yes", [SPLIT]));
  assert.ok(isNeeded("yes", [LONE]));
  assert.ok(isNeeded("no", [AGREED]));
  assert.ok(isNeeded("yes", []));
  assert.ok(!isNeeded("yes", [AGREED]));
});

test("an earlier ruling is recorded again only where it says something else", () => {
  assert.ok(!isNeeded("no", [SPLIT], { idiom: ruled("idiom", "no") }));
  assert.ok(isNeeded("yes", [SPLIT], { idiom: ruled("idiom", "no") }));
});

test("the reason that nobody wrote says how the votes stood", () => {
  assert.equal(reasonFor("yes", SPLIT, 3), "Majority: 2 of 3 coders.");
  assert.equal(reasonFor("yes", SPLIT, 4), "Majority: 2 of 3 coders who answered.");
  assert.equal(reasonFor("no", SPLIT, 3), "Ruled without a majority: 1 of 3 coders.");
  assert.equal(reasonFor("maybe", SPLIT, 3), "Ruled without a majority: no coder.");
  assert.equal(reasonFor("yes", AGREED, 4), "All 3 coders who answered.");
  assert.equal(reasonFor("yes", LONE, 3), "The only coder who answered.");
  assert.equal(reasonFor("yes", undefined, 3), "Ruled without a majority: no coder.");
});

/** @param {Record<string, string>} answers */
const asked = (answers) => questionsAsked(CHAIN, TYPES, new Map(Object.entries(answers))).map(({ id }) => id);

test("a follow-up applies where every question above it has the answer it waits for", () => {
  assert.deepEqual(asked({}), ["idiom"]);
  assert.deepEqual(asked({ idiom: "yes" }), ["idiom", "kind"]);
  assert.deepEqual(asked({ idiom: "no", kind: "yes" }), ["idiom"]);
  assert.deepEqual(asked({ idiom: "yes", kind: "yes" }), ["idiom", "kind", "sure"]);
});

const MADE = [{ uuid: "u1", question: "idiom", answer: "no", reason: "It is not." }];
/** @type {Rulings} */
const BEFORE = { idiom: ruled("idiom", "yes"), kind: ruled("kind", "no") };
const ACT = { item: 1, before: BEFORE, made: MADE };

test("an undo says again what was said before, and of what was not there that it is withdrawn", () => {
  const now = { idiom: ruled("idiom", "no") };
  assert.ok(!isUndone(ACT, now));
  assert.ok(stillHolds(ACT, now));
  assert.deepEqual(
    takenBack(ACT, now, () => "new"),
    [
      { uuid: "new", question: "idiom", answer: "yes", reason: "Undone; as before: So it is." },
      { uuid: "new", question: "kind", answer: "no", reason: "Undone; as before: So it is." },
    ],
  );
  const fresh = takenBack({ ...ACT, before: {} }, now, () => "new");
  assert.deepEqual(fresh, [{ uuid: "new", question: "idiom", answer: null, reason: "Undone." }]);
});

test("what is as before is not undone again, and nobody else's ruling is", () => {
  assert.ok(isUndone(ACT, BEFORE));
  assert.deepEqual(
    takenBack(ACT, BEFORE, () => "new"),
    [],
  );
  assert.ok(!stillHolds(ACT, { idiom: ruled("idiom", "maybe") }));
});

test("an undo of an undo does not pile up its words, and a reason keeps to its length", () => {
  const before = { idiom: ruled("idiom", "yes", `Undone; as before: ${"x".repeat(2000)}`) };
  const [{ reason }] = takenBack({ ...ACT, before }, {}, () => "new");
  assert.equal(reason.length, 2000);
  assert.match(reason, /^Undone; as before: x+$/);
});

test("two lists of rulings say the same whatever their UUIDs, in the same order", () => {
  const again = MADE.map((one) => ({ ...one, uuid: "u2" }));
  assert.ok(saySame(MADE, again));
  assert.ok(!saySame(MADE, []));
  for (const change of [{ question: "kind" }, { answer: null }, { reason: "?" }]) {
    assert.ok(!saySame(MADE, [{ ...MADE[0], ...change }]));
  }
});
