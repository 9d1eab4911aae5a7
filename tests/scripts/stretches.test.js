import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cut,
  marksOf,
  nextWord,
  stretched,
  toAnswer,
  trimmed,
  withMark,
  wordsOf,
} from "../../src/concurrence/web/static/stretches.js";

/** @import { Mark, Range } from "../../src/concurrence/web/static/stretches.js" */

const SMILES = "a 😀 b";
/** @param {number} start @param {number} end @param {string} label @returns {Mark} */
const mark = (start, end, label) => ({ start, end, label });

test("an answer counts code points, the page counts UTF-16 units", () => {
  assert.deepEqual(marksOf(SMILES, '[[2,3,"face"],[4,5,"b"]]'), [mark(2, 4, "face"), mark(5, 6, "b")]);
});

test("marks become the answer they came from, in its order", () => {
  const answer = '[[0,1,"x"],[2,3,"face"],[2,5,"a"],[2,5,"b"]]';
  assert.equal(toAnswer(SMILES, marksOf(SMILES, answer).reverse()), answer);
  assert.equal(toAnswer(SMILES, []), "[]");
});

test("words and marks of punctuation are pieces, space is not", () => {
  const text = "Well, then.";
  assert.deepEqual(
    wordsOf(text).map(([start, end]) => text.slice(start, end)),
    ["Well", ",", "then", "."],
  );
  assert.deepEqual(wordsOf(" \n"), []);
});

test("a browser that does not know words goes by space", () => {
  const { Segmenter } = Intl;
  try {
    Object.assign(Intl, { Segmenter: undefined });
    assert.deepEqual(wordsOf("Well, then."), [
      [0, 5],
      [6, 11],
    ]);
  } finally {
    Object.assign(Intl, { Segmenter });
  }
});

test("arrow keys go from word to word, and in from both ends", () => {
  /** @type {Range[]} */
  const words = [
    [0, 4],
    [5, 9],
    [10, 12],
  ];
  assert.deepEqual(
    [nextWord(words, null, true), nextWord(words, null, false)],
    [
      [0, 4],
      [10, 12],
    ],
  );
  assert.deepEqual(
    [nextWord(words, [5, 9], true), nextWord(words, [5, 9], false)],
    [
      [10, 12],
      [0, 4],
    ],
  );
  assert.deepEqual([nextWord(words, [10, 12], true), nextWord(words, [0, 4], false)], [undefined, undefined]);
  assert.equal(nextWord([], null, true), undefined);
});

test("space around a stretch is not marked", () => {
  assert.deepEqual(trimmed(" ab \n", [0, 5]), [1, 3]);
  assert.equal(trimmed("a  b", [1, 3]), null);
});

test("the end of a stretch moves by a character, and a character is never cut", () => {
  assert.deepEqual(stretched(SMILES, [0, 2], true), [0, 4]);
  assert.deepEqual(stretched(SMILES, [0, 4], false), [0, 2]);
  assert.deepEqual(stretched(SMILES, [5, 6], true), [5, 6]);
  assert.deepEqual(stretched(SMILES, [2, 4], false), [2, 4]);
});

test("a selection that holds no character is left as it is", () => {
  assert.deepEqual(stretched("abc", [1, 1], false), [1, 1]);
  assert.deepEqual(stretched("abc", [3, 3], true), [3, 3]);
});

test("the text is cut where anything begins or ends, and nothing of it is lost", () => {
  const pieces = cut("0123456789", [mark(2, 6, "a"), mark(4, 8, "b")], [3, 6]);
  assert.deepEqual(pieces, [
    [0, 2],
    [2, 3],
    [3, 4],
    [4, 6],
    [6, 8],
    [8, 10],
  ]);
  assert.deepEqual(cut("abc", [], [0, 0]), [[0, 3]]);
  assert.deepEqual(cut("", [], [0, 0]), []);
});

test("a mark is put in its place, and the same again takes it out", () => {
  const one = mark(5, 9, "a");
  const more = withMark([one], mark(0, 2, "b"), false);
  assert.deepEqual(more, { marks: [mark(0, 2, "b"), one], removed: false, crossed: null });
  assert.deepEqual(withMark([one], mark(5, 9, "a"), false), { marks: [], removed: true, crossed: null });
});

test("without overlap, another label on the same stretch takes the place of the first", () => {
  const { marks } = /** @type {{ marks: Mark[] }} */ (withMark([mark(0, 3, "a")], mark(0, 3, "b"), false));
  assert.deepEqual(marks, [mark(0, 3, "b")]);
});

test("without overlap no two marks cross, with it none of the same label", () => {
  const [one, other] = [mark(0, 5, "a"), mark(3, 8, "b")];
  assert.deepEqual(withMark([one], other, false), { crossed: one });
  assert.deepEqual(withMark([one], other, true), { marks: [one, other], removed: false, crossed: null });
  assert.deepEqual(withMark([one], mark(4, 6, "a"), true), { crossed: one });
  assert.deepEqual(withMark([one], mark(5, 6, "a"), true), {
    marks: [one, mark(5, 6, "a")],
    removed: false,
    crossed: null,
  });
});
