// What becomes of decisions on their way: what is said of them, and which are given up.
import assert from "node:assert/strict";
import { test } from "node:test";
import { received, receivedPart, renewedPart, toSend } from "../../src/concurrence/web/static/api.js";
import { withSent } from "../../src/concurrence/web/static/comments.js";
import { Refusals } from "../../src/concurrence/web/static/refusals.js";
import { savedWords } from "../../src/concurrence/web/static/saved.js";
import { CHAIN, event, task } from "./support/campaign.js";

/** @import { Part } from "../../src/concurrence/web/static/api.js" */

const UNSENT = { preview: false, decisions: 2, comments: 0, lasting: true, sendable: true, connection: "sent" };

/** @param {object} [more] */
const words = (more) => savedWords(/** @type {any} */ ({ ...UNSENT, ...more }));

test("the corner says what waits, and why", () => {
  assert.deepEqual(words({ decisions: 0, sendable: false }), ["saved", "All saved"]);
  assert.deepEqual(words(), ["waiting", "2 waiting"]);
  assert.deepEqual(words({ comments: 1 }), ["waiting", "3 waiting"]);
  assert.deepEqual(words({ preview: true }), ["away", "Preview: nothing is recorded"]);
  assert.match(words({ connection: "away" })[1], /^2 kept in this browser; the server cannot be reached$/);
  assert.match(
    words({ connection: "full" })[1],
    /^2 kept in this browser; the server's disk is full, tell the leader$/,
  );
  assert.match(words({ connection: "ended", sendable: false })[1], /open your link again/);
  assert.match(words({ sendable: false })[1], /the part is closed$/);
  assert.match(words({ lasting: false, connection: "away" })[1], /in this tab only/);
});

test("a comment that waits alone does not make the part closed", () => {
  assert.deepEqual(words({ decisions: 0, comments: 1, sendable: false }), ["waiting", "1 waiting"]);
  const away = words({ decisions: 0, comments: 1, sendable: false, connection: "away" });
  assert.deepEqual(away, ["away", "1 kept in this browser; the server cannot be reached"]);
});

test("a comment that is acknowledged joins the others, and one of an earlier visit only where it is not there", () => {
  const comment = { uuid: "u", task: 1, text: "Why?", client_time: 7 };
  const mine = { by: "anna", role: "coder", text: "Why?", time: 5 };
  const sent = { by: "anna", role: "", text: "Why?", time: 7 };
  assert.deepEqual(withSent([], comment, "anna", true), [sent]);
  assert.deepEqual(withSent([mine], comment, "anna", true), [mine]);
  assert.deepEqual(withSent([mine], comment, "anna", false), [mine, sent]);
  assert.deepEqual(withSent([{ ...mine, by: "ben" }], comment, "anna", true).length, 2);
});

test("a decision on an open task is given up at the second refusal", () => {
  const [refusals, one] = [new Refusals(), event(1, 1, "idiom", "yes")];
  assert.deepEqual(refusals.settle([one], [task(1)]), []);
  assert.ok(!refusals.holds(one));
  assert.deepEqual(refusals.settle([one], [task(1)]), [one.uuid]);
});

test("a decision on a closed task is kept, however often it is refused", () => {
  const [refusals, one] = [new Refusals(), event(1, 1, "idiom", "yes")];
  for (let k = 0; k < 3; k += 1) assert.deepEqual(refusals.settle([one], [task(1, { closed: true })]), []);
  assert.ok(!refusals.holds(one));
});

test("a decision on a task of another round is held, until everything is tried again", () => {
  const [refusals, one] = [new Refusals(), event(1, 9, "idiom", "yes")];
  assert.deepEqual(refusals.settle([one], [task(1)]), []);
  assert.ok(refusals.holds(one));
  refusals.forget();
  assert.ok(!refusals.holds(one));
});

test("an item of the server is a task here, on both ways", () => {
  assert.deepEqual(received({ item: 3, answer: "yes" }), { task: 3, answer: "yes" });
  assert.deepEqual(toSend({ task: 3, answer: "yes" }), { item: 3, answer: "yes" });
});

test("a part that is asked for again keeps its items, closed or reopened, and takes the rest", () => {
  const head = { coder: "anna", manual_version: 1, newest: 0, comments: null, server_time: Date.now() };
  const setting = { round: "1", rounds: ["1"], questions: CHAIN, training: null };
  const items = [task(1), task(2, { closed: true }), task(3)];
  /** @type {Part} */
  const part = receivedPart({ ...head, ...setting, items, decisions: [] });
  const decisions = [{ item: 3, question: "idiom", answer: "no", unsure: false, note: null, moment: 5 }];
  const again = renewedPart(part, { ...head, manual_version: 2, decisions, closed: [1] });
  assert.deepEqual(
    again.tasks.map(({ closed }) => closed),
    [true, false, false],
  );
  assert.equal(again.tasks[2], part.tasks[2]);
  assert.deepEqual([again.manual_version, again.round, again.decisions[0].task], [2, "1", 3]);
  assert.deepEqual(
    part.tasks.map(({ closed }) => closed),
    [false, true, false],
  );
});
