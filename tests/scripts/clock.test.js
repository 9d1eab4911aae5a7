import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

/** @typedef {typeof import("../../src/concurrence/web/static/clock.js")} Clock */

const MINUTE = 60_000;
/** @type {Clock} */
let clock;
let copy = 0;

// The clock of a page starts anew with the page.
beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["Date"], now: 1_000_000_000 });
  copy += 1;
  clock = await import(`../../src/concurrence/web/static/clock.js?copy=${copy}`);
});

test("a tick is the time", () => {
  assert.equal(clock.tick(), 1_000_000_000);
});

test("two ticks in one millisecond differ, and keep their order", () => {
  assert.deepEqual([clock.tick(), clock.tick(), clock.tick()], [1_000_000_000, 1_000_000_001, 1_000_000_002]);
});

test("a tick lies behind all that was seen, and an older moment changes nothing", () => {
  clock.see(1_000_000_500);
  clock.see(7);
  assert.equal(clock.tick(), 1_000_000_501);
});

test("a clock that goes back does not take decisions back", () => {
  const before = clock.tick();
  mock.timers.setTime(900_000_000);
  assert.equal(clock.tick(), Number(before) + 1);
});

test("a device goes by its own clock, unless that is more than five minutes wrong", () => {
  clock.compare(1_000_000_000 + 5 * MINUTE);
  assert.equal(clock.tick(), 1_000_000_000);
  clock.compare(1_000_000_000 + 5 * MINUTE + 1);
  assert.equal(clock.tick(), 1_000_000_000 + 5 * MINUTE + 1);
});

test("a device whose clock is far ahead goes by the server's", () => {
  clock.compare(1_000_000_000 - 60 * MINUTE);
  assert.equal(clock.tick(), 1_000_000_000 - 60 * MINUTE);
});

test("past the numbers that JavaScript can count, the server finds the place", () => {
  clock.see(Number.MAX_SAFE_INTEGER);
  assert.equal(clock.tick(), null);
});

test("ten decisions in a row that are all fast get one note, and the next slow one clears it", () => {
  const speed = new clock.Speed();
  const notices = Array.from({ length: 12 }, (_, k) => speed.notice(10_000 + 299 * k));
  assert.equal(notices[0], "");
  assert.deepEqual(notices.slice(1, 10), Array(9).fill(null));
  assert.match(String(notices[10]), /^That was very fast\./);
  assert.equal(notices[11], null);
  assert.equal(speed.notice(10_000 + 299 * 11 + 300), "");
});

test("after an undo, fast decisions are counted from the beginning", () => {
  const speed = new clock.Speed();
  for (let k = 0; k < 10; k += 1) speed.notice(10_000 + k);
  speed.forget();
  assert.equal(speed.notice(10_010), null);
});
