// Numbers, scales and marks of the explorer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { apart, decades, linear, logarithmic, short, ticks } from "../../src/concurrence/web/explorer/static/axes.js";
import { asQuery, share } from "../../src/concurrence/web/explorer/static/collocates.js";
import { pagesOf } from "../../src/concurrence/web/explorer/static/concordance.js";
import {
  count,
  interval,
  number,
  percent,
  plural,
  score,
  times,
} from "../../src/concurrence/web/explorer/static/figures.js";
import { p } from "../../src/concurrence/web/explorer/static/list_panels.js";
import { decimals, placed } from "../../src/concurrence/web/explorer/static/scatter.js";

/** @import { Figure } from "../../src/concurrence/web/explorer/static/figures.js" */

test("counts have commas, and nothing is a dash", () => {
  assert.deepEqual([1234567, 0, null, undefined].map(count), ["1,234,567", "0", "–", "–"]);
});

test("a score has about three digits and a true minus sign", () => {
  const cases = /** @type {[Figure, string][]} */ ([
    [0.004, "0.00"],
    [-0.001, "0"],
    [0.126, "0.13"],
    [-4.567, "−4.57"],
    [12.34, "12.3"],
    [123.4, "123"],
    [-1234.6, "−1,235"],
    [1234.4, "1,234"],
    [-5, "−5"],
    [12345, "12,345"],
    ["inf", "∞"],
    ["-inf", "−∞"],
    [null, "–"],
    [Number.NaN, "–"],
  ]);
  for (const [value, text] of cases) assert.equal(score(value), text, String(value));
  assert.deepEqual(
    ["inf", "-inf"].map((value) => number(/** @type {Figure} */ (value))),
    [Infinity, -Infinity],
  );
});

test("shares are percent, with an interval where there is one", () => {
  assert.deepEqual([percent(0.12345), percent(0.5, 0), percent(null)], ["12.3%", "50%", "–"]);
  assert.deepEqual([interval(0.1, 0.25), interval(null, 0.2)], ["10.0–25.0%", "–"]);
});

test("numbers go with their nouns", () => {
  assert.deepEqual([1, 2, 1000].map(times), ["once", "twice", "1,000 times"]);
  assert.deepEqual([plural(1, "line"), plural(0, "line"), plural(2000, "line")], ["1 line", "0 lines", "2,000 lines"]);
});

test("a p-value is printed as the field prints it", () => {
  assert.deepEqual([0.0004, 0.001, 0.04251, 1].map(p), ["p < .001", "p = .001", "p = .043", "p = 1.000"]);
});

test("a linear scale goes from end to end, and a range without width does not divide by zero", () => {
  const scale = linear(0, 10, 100, 200);
  assert.deepEqual([0, 5, 10].map(scale), [100, 150, 200]);
  assert.equal(linear(3, 3, 100, 200)(3), 100);
});

test("a logarithmic scale has equal steps for equal ratios", () => {
  const scale = logarithmic(1, 10_000, 0, 400);
  assert.deepEqual(
    [1, 100, 10_000].map((value) => Math.round(scale(value))),
    [0, 200, 400],
  );
});

test("marks are round numbers inside the range, zero among them", () => {
  assert.deepEqual(ticks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
  assert.deepEqual(ticks(-3, 7, 5), [-2, 0, 2, 4, 6]);
  assert.deepEqual(ticks(0, 1, 4), [0, 0.25, 0.5, 0.75, 1]);
  assert.deepEqual(ticks(5, 5, 5), [5]);
});

test("a chart without points has no marks", () => {
  assert.deepEqual(ticks(Math.min(), Math.max(), 5), []);
});

test("marks of counts are powers of ten, with two and five times them where there are few", () => {
  assert.deepEqual(decades(1, 100), [1, 2, 5, 10, 20, 50, 100]);
  assert.deepEqual(decades(3, 10_000), [10, 100, 1000, 10_000]);
});

test("large counts are short", () => {
  assert.deepEqual([950, 12_345, 20_000, 3_400_000].map(short), ["950", "12.3k", "20k", "3.4M"]);
});

test("labels are moved apart, keep their order, and stay in the picture", () => {
  assert.deepEqual(apart([50, 50, 10], 16, 0, 100), [50, 66, 10]);
  const crowded = apart([95, 96, 97], 16, 0, 100);
  assert.deepEqual(crowded, [68, 84, 100]);
});

test("marks have the decimals that tell them apart", () => {
  assert.deepEqual([[0, 20], [0, 2.5], [0, 0.25], [0, 0.1], [0, 0.0001], [3], []].map(decimals), [0, 1, 2, 1, 3, 0, 0]);
});

test("a point that has no place on an axis is left out", () => {
  const rows = /** @type {{ name: string, f: number, value: Figure }[]} */ ([
    { name: "a", f: 3, value: 1.5 },
    { name: "b", f: 0, value: 1 },
    { name: "c", f: 3, value: "inf" },
    { name: "d", f: 3, value: null },
  ]);
  assert.deepEqual(
    placed(rows).map(({ name }) => name),
    ["a"],
  );
});

test("a bar is as long as its value between the least, or zero, and the most", () => {
  assert.equal(share(5, [0, 10]), 0.5);
  assert.equal(share(5, [2, 10]), 0.5);
  assert.equal(share(-5, [-10, 10]), 0.25);
  assert.equal(share(0, [0, 0]), 0);
  assert.equal(share("inf", [0, 10]), Infinity);
  assert.equal(share(7), 1);
});

test("a word is searched for as itself, whatever signs it has", () => {
  assert.equal(asQuery("tea"), "tea");
  assert.equal(asQuery("*"), "*");
  assert.equal(asQuery("f*ck"), '"f\\*ck"');
  assert.equal(asQuery("a b"), '"a b"');
  assert.equal(asQuery('say "a\\b"'), '"say \\"a\\x5cb\\""');
  assert.equal(asQuery("'n'"), "\"'n'\"");
});

test("pages hold what there is; of lines in an order of their own, what was put in order", () => {
  assert.deepEqual([pagesOf({ total: 0 }, 20), pagesOf({ total: 20 }, 20), pagesOf({ total: 21 }, 20)], [1, 1, 2]);
  assert.equal(pagesOf({ total: 1000, sorted: 60 }, 20), 3);
});
