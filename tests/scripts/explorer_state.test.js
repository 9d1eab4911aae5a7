// What the address of the explorer says, what it leaves to the list, and what is asked of the server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { listState, reaches, steps, toTheEnd } from "../../src/concurrence/web/explorer/static/list_state.js";
import { along, highest, nearest, sizes, stepped } from "../../src/concurrence/web/explorer/static/precision.js";
import { read, write } from "../../src/concurrence/web/explorer/static/state.js";
import { ask, place, query } from "../../src/concurrence/web/explorer/static/wire.js";
import { wanted } from "../../src/concurrence/web/explorer/static/words.js";

/** @import { Curve, Evaluation, List } from "../../src/concurrence/web/explorer/static/wire.js" */

test("an address says what is not as usual, and gives the same view again", () => {
  assert.equal(write(read("")), "/");
  const state = { ...read(""), view: "words", q: "tea & *", left: "3", right: "5" };
  assert.equal(write(state), "/?view=words&q=tea+%26+*&left=3");
  assert.deepEqual(read(write(state).slice(1)), state);
});

test("what an address has beside that is left out", () => {
  assert.equal(write(read("?q=tea&constructor=x&utm=1")), "/?q=tea");
});

test("the form of the search begins a new view", () => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ q: " tea ", left: "2", other: "x", lower: "on" })) form.set(name, value);
  const changes = wanted(form);
  assert.deepEqual([changes.q, changes.left, changes.lower, changes.word, changes.page], ["tea", "2", "true", "", "1"]);
  assert.ok(!("other" in changes) && !("right" in changes));
  assert.equal(wanted(new FormData()).lower, "false");
});

/** @type {List} */
const LIST = {
  name: "l",
  words: "",
  candidates: 1000,
  measures: { MI: "MI", t: "t-score" },
  judged: true,
  frequency: true,
};

/** @param {number[]} n @param {(number | null)[]} [precision] @returns {Curve} */
const curve = (n, precision = n.map(() => 0.5)) => ({
  n,
  precision,
  low: precision.map((value) => value && value - 0.1),
  high: precision.map((value) => value && value + 0.1),
  sampled: n,
  true_positives: n,
});

/** @param {Record<string, Curve>} measures @returns {Evaluation} */
const evaluated = (measures) => ({
  data: { judged: 10, candidates: 1000, true_positives: 5 },
  method: { level: 0.95, interval: "Wilson", test: "McNemar" },
  baseline: { value: 0.3, interval: [0.2, 0.4] },
  measures,
  warnings: [],
});

const GRID = [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000];
const EVALUATION = evaluated({ MI: curve(GRID), t: curve(GRID) });

/** @param {string} address @param {Evaluation | null} [evaluation] @param {List} [list] */
const chosen = (address, evaluation = EVALUATION, list = LIST) => listState(list, evaluation, read(address));

test("what the address leaves open is chosen by the list", () => {
  const { measure, other, n, upto, panel } = chosen("");
  assert.deepEqual(
    { measure, other, n, upto, panel },
    { measure: "MI", other: "t", n: 200, upto: 1000, panel: "list" },
  );
});

test("what the address asks for and the list has not is chosen anew", () => {
  const { measure, other, panel, n } = chosen("?measure=G2&other=MI&panel=constructor&n=x");
  assert.deepEqual([measure, other, panel, n], ["MI", "t", "list", 200]);
  assert.deepEqual([chosen("?measure=t").other, chosen("?measure=t&other=t").other], ["MI", "MI"]);
});

test("sizes keep inside the list", () => {
  assert.deepEqual([chosen("?n=99999").n, chosen("?n=-5").n, chosen("?n=250").n], [1000, 1, 250]);
  assert.deepEqual([chosen("?upto=10").upto, chosen("?upto=700&n=900").upto], [500, 900]);
});

test("a list with one measure has no difference to show", () => {
  const one = { ...LIST, measures: { MI: "MI" } };
  const { other, panel } = chosen("?panel=difference", evaluated({ MI: curve(GRID) }), one);
  assert.deepEqual([other, panel], ["", "list"]);
});

test("without judgements, sizes are round, and the whole list is one", () => {
  assert.deepEqual(steps(130), [20, 50, 100, 130]);
  assert.deepEqual(steps(100), [20, 50, 100]);
  assert.deepEqual(chosen("", null, { ...LIST, candidates: 30 }).n, 30);
});

test("the whole list is a size where the steps stop just before it", () => {
  assert.deepEqual(toTheEnd([100, 200], 250), [100, 200, 250]);
  assert.deepEqual(toTheEnd([100, 200], 300), [100, 200]);
  assert.deepEqual(toTheEnd([100, 200], 200), [100, 200]);
  assert.deepEqual(toTheEnd([100], 150), [100, 150]);
});

test("the picture reaches to round sizes, to the end, and to where it reaches now", () => {
  const grid = Array.from({ length: 100 }, (_, k) => 100 * (k + 1));
  const view = chosen("?upto=700", evaluated({ MI: curve(grid), t: curve(grid) }), { ...LIST, candidates: 10_000 });
  assert.deepEqual(reaches(view), [700, 1000, 5000, 10_000]);
});

test("of a very long list, the beginning is shown first", () => {
  const grid = Array.from({ length: 100 }, (_, k) => 1000 * (k + 1));
  assert.equal(chosen("", evaluated({ MI: curve(grid) }), { ...LIST, candidates: 100_000 }).upto, 5000);
});

test("the sizes of all curves are one grid, and a size is the nearest on it", () => {
  assert.deepEqual(sizes(evaluated({ a: curve([10, 30]), b: curve([20, 30]) })), [10, 20, 30]);
  assert.deepEqual([nearest(GRID, 149), nearest(GRID, 151), nearest(GRID, 5000)], [100, 200, 1000]);
});

test("keys on the handle go along the grid and stop at its ends", () => {
  /** @param {string} key @param {boolean} [shiftKey] */
  const from = (key, shiftKey = false) => stepped(GRID, 500, { key, shiftKey });
  assert.deepEqual(
    ["ArrowLeft", "ArrowUp", "Home", "End", "PageUp"].map((key) => from(key)),
    [400, 600, 100, 1000, 1000],
  );
  assert.deepEqual([from("ArrowLeft", true), from("Tab")], [100, null]);
});

test("a curve is drawn where it has a value, up to the end of the picture", () => {
  const points = along(curve([10, 20, 30], [0.5, null, 0.7]), 25);
  assert.deepEqual(
    points.map(({ n, precision }) => [n, precision]),
    [[10, 0.5]],
  );
});

test("the picture is higher than every line, and never higher than one", () => {
  const low = highest(evaluated({ a: curve([10, 20], [0.1, 0.2]) }), 100);
  assert.ok(low > 0.2 && low < 0.25);
  assert.equal(highest(evaluated({ a: curve([10], [1]) }), 100), 1);
  assert.equal(highest(evaluated({ a: curve([10], [null]) }), 100), 0.02 * 1.12);
});

test("a question to the server leaves out what is empty", () => {
  assert.equal(query({ q: "a&b", word: "", pos: null, whole: undefined, limit: 0 }), "q=a%26b&limit=0");
  assert.equal(place("rows.csv", { n: 5 }), "/api/rows.csv?n=5");
});

test("the same question is asked once, and a failure is not kept", async () => {
  const browser = /** @type {any} */ (globalThis);
  const { fetch } = browser;
  let asked = 0;
  try {
    browser.fetch = async () => {
      asked += 1;
      return asked === 1 ? Response.json({ error: "Not now." }, { status: 503 }) : Response.json({ commands: [] });
    };
    await assert.rejects(ask("judging", { n: 1 }), /^Error: Not now\.$/);
    assert.deepEqual(await ask("judging", { n: 1 }), { commands: [] });
    assert.deepEqual(await ask("judging", { n: 1 }), { commands: [] });
    assert.equal(asked, 2);
    browser.fetch = async () => {
      throw new TypeError("Failed to fetch");
    };
    await assert.rejects(ask("judging", { n: 2 }), /is concur explore still running\?/);
  } finally {
    browser.fetch = fetch;
  }
});
