// A text in which stretches are chosen and marked. All positions are in UTF-16 units of the text.
import { faceOf, setFace } from "./view.js";

/**
 * @import { KeyPress } from "./view.js"
 * @import { Judged } from "./api.js"
 * @typedef {{ start: number, end: number, label: string }} Mark
 * @typedef {[start: number, end: number]} Range
 * @typedef {[start: number, end: number, label: string]} Row a mark as an answer has it, in code points
 */

// From code points, as an answer counts, to UTF-16 units, and back.
/** @param {string} text @param {string} answer @returns {Mark[]} */
export function marksOf(text, answer) {
  const ends = [0];
  for (const character of text) ends.push(ends[ends.length - 1] + character.length);
  return rowsOf(answer).map(([start, end, label]) => ({ start: ends[start], end: ends[end], label }));
}

/** @param {string} answer @returns {Row[]} */
export const rowsOf = (answer) => JSON.parse(answer);

/** @param {string} text @param {Mark[]} marks */
export function toAnswer(text, marks) {
  /** @param {number} at */
  const points = (at) => [...text.slice(0, at)].length;
  const rows = marks.map(({ start, end, label }) => /** @type {Row} */ ([points(start), points(end), label]));
  return JSON.stringify(
    rows.sort((one, other) => one[0] - other[0] || one[1] - other[1] || (one[2] < other[2] ? -1 : 1)),
  );
}

// Marks with one more, or with one less where it was there already. Without overlap a stretch has one label; with it,
// one of each. Where a mark would cross another, that one is the answer.
/**
 * @param {Mark[]} marks
 * @param {Mark} mark
 * @param {boolean} overlap
 * @returns {{ marks: Mark[], removed: boolean, crossed: null } | { crossed: Mark }}
 */
export function withMark(marks, mark, overlap) {
  const { start, end, label } = mark;
  const rivals = marks.filter((one) => one.label === label || !overlap);
  const same = rivals.find((one) => one.start === start && one.end === end);
  const crossed = rivals.find((one) => one !== same && one.start < end && start < one.end);
  if (crossed) return { crossed };
  const rest = marks.filter((one) => one !== same);
  if (same?.label === label) return { marks: rest, removed: true, crossed: null };
  const more = [...rest, mark].sort((one, other) => one.start - other.start || one.end - other.end);
  return { marks: more, removed: false, crossed: null };
}

// Pieces of the text that the arrow keys go through: words, and marks of punctuation.
/** @param {string} text @returns {Range[]} */
export function wordsOf(text) {
  if (!Intl.Segmenter) return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => [index, index + word.length]);
  const pieces = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)];
  return pieces.filter(({ segment }) => segment.trim()).map(({ index, segment }) => [index, index + segment.length]);
}

// The word after a piece of the text, or before it; without one, the first or the last.
/** @param {Range[]} words @param {Range | null} from @param {boolean} forward */
export function nextWord(words, from, forward) {
  if (!from) return forward ? words[0] : words.at(-1);
  const [start, end] = from;
  return forward ? words.find(([first]) => first >= end) : words.findLast(([, last]) => last <= start);
}

// A stretch without the space around it, or nothing.
/** @param {string} text @param {Range} range @returns {Range | null} */
export function trimmed(text, [first, last]) {
  let [start, end] = [first, last];
  while (start < end && /\s/.test(text[start])) start += 1;
  while (end > start && /\s/.test(text[end - 1])) end -= 1;
  return start < end ? [start, end] : null;
}

// A stretch with its end moved by one character, which may be two units; it never gets empty.
/** @param {string} text @param {Range} range @param {boolean} longer @returns {Range} */
export function stretched(text, [start, end], longer) {
  const character = longer ? [...text.slice(end, end + 2)][0] : [...text.slice(start, end)].at(-1);
  const length = character?.length ?? 0;
  const moved = longer ? end + length : end - length;
  return moved > start ? [start, moved] : [start, end];
}

// The text cut wherever a mark or what is chosen begins or ends.
/** @param {string} text @param {Mark[]} marks @param {Range} chosen @returns {Range[]} */
export function cut(text, marks, chosen) {
  const cuts = new Set([0, text.length, ...chosen, ...marks.flatMap(({ start, end }) => [start, end])]);
  const places = [...cuts].sort((one, other) => one - other);
  return places.slice(1).map((end, number) => [places[number], end]);
}

// The node at a point of the window and the place in it; nothing where there is no text.
/** @param {number} x @param {number} y @returns {[Node, number] | null} */
function caretAt(x, y) {
  if (document.caretPositionFromPoint) {
    const caret = document.caretPositionFromPoint(x, y);
    return caret && [caret.offsetNode, caret.offset];
  }
  const range = document.caretRangeFromPoint(x, y);
  return range && [range.startContainer, range.startOffset];
}

/**
 * @typedef {object} Reader
 * @property {Map<string, string>} names of labels
 * @property {Map<string, number>} place of labels among all
 * @property {(text: string) => void} chosen something else is chosen
 * @property {() => boolean} isActive whether it is asked for
 */

export class Reading {
  #text = "";
  /** @type {Range[]} */ #words = [];
  /** @type {Range | null} */ #anchor = null; // the piece where choosing began
  /** @type {Range | null} */ #head = null; // and where it is now
  /** @type {Mark[]} */ #marks = [];

  /** @param {HTMLElement} item @param {Reader} reader */
  constructor(item, { names, place, chosen, isActive }) {
    this.item = item;
    this.names = names;
    this.place = place;
    this.told = chosen;
    this.isActive = isActive;
    document.addEventListener("selectionchange", () => this.#select());
    item.addEventListener("click", (event) => this.#click(/** @type {PointerEvent} */ (event)));
  }

  /** @param {Judged} task */
  open(task) {
    this.#text = task.text;
    this.#words = wordsOf(task.text);
    this.#anchor = this.#head = null;
    this.item.dataset.task = String(task.id);
    this.paint([]);
  }

  // The chosen stretch without the space around it, or nothing.
  chosen() {
    const range = this.#range();
    return range && trimmed(this.#text, range);
  }

  /** @param {Mark[]} marks */
  paint(marks) {
    this.#marks = marks;
    getSelection()?.removeAllRanges();
    this.#draw();
  }

  // Arrow keys, with Shift to go on from what is chosen; the answer is whether the key was one of them.
  /** @param {KeyPress} event */
  move(event) {
    if (event.code === "ArrowUp" || event.code === "ArrowDown") return this.#stretch(event.code === "ArrowDown");
    if (event.code !== "ArrowLeft" && event.code !== "ArrowRight") return false;
    const rightToLeft = getComputedStyle(this.item).direction === "rtl";
    const next = nextWord(this.#words, this.#head, (event.code === "ArrowRight") !== rightToLeft);
    if (!next) return true;
    this.#head = next;
    if (!event.shiftKey || !this.#anchor) this.#anchor = next;
    this.#drawChosen();
    return true;
  }

  /** @returns {Range | null} */
  #range() {
    if (!this.#anchor || !this.#head) return null;
    return [Math.min(this.#anchor[0], this.#head[0]), Math.max(this.#anchor[1], this.#head[1])];
  }

  /** @param {boolean} longer */
  #stretch(longer) {
    const range = this.#range();
    if (!range) return false;
    this.#anchor = this.#head = stretched(this.#text, range, longer);
    this.#drawChosen();
    return true;
  }

  #drawChosen() {
    getSelection()?.removeAllRanges();
    this.#draw();
    this.item.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
    this.told(this.#text.slice(...(this.#range() ?? [0, 0])));
  }

  // What the mouse or a finger has selected in the item.
  #select() {
    const selection = getSelection();
    if (!this.isActive() || !selection || selection.isCollapsed || !selection.rangeCount) return;
    const range = selection.getRangeAt(0);
    if (!this.item.contains(range.startContainer) || !this.item.contains(range.endContainer)) return;
    this.#anchor = this.#head = [
      this.#offset(range.startContainer, range.startOffset),
      this.#offset(range.endContainer, range.endOffset),
    ];
    for (const piece of this.item.querySelectorAll(".chosen")) piece.classList.remove("chosen");
  }

  /** @param {Node} node @param {number} at */
  #offset(node, at) {
    const before = document.createRange();
    before.selectNodeContents(this.item);
    before.setEnd(node, at);
    return before.toString().length;
  }

  // A click chooses a word or a mark; with Shift, or a second touch elsewhere, everything up to there.
  /** @param {PointerEvent} event */
  #click(event) {
    if (!this.isActive() || !getSelection()?.isCollapsed) return;
    const caret = caretAt(event.clientX, event.clientY);
    if (!caret || !this.item.contains(caret[0])) return;
    const here = this.#offset(...caret);
    /** @param {Range} range */
    const inside = ([start, end]) => start <= here && here <= end;
    const word = this.#words.find(([start, end]) => start <= here && here < end) ?? this.#words.find(inside);
    if (!word) return;
    const marked = this.#marks.findLast(({ start, end }) => start <= here && here < end);
    const range = this.#range();
    const further = range && (event.shiftKey || (event.pointerType === "touch" && !inside(range)));
    this.#head = further || !marked ? word : [marked.start, marked.end];
    if (!further) this.#anchor = this.#head;
    this.#drawChosen();
  }

  #draw() {
    const chosen = this.#range() ?? [0, 0];
    const pieces = cut(this.#text, this.#marks, chosen).map((range) => this.#piece(range, chosen));
    this.item.replaceChildren(...pieces);
    setFace(this.item, `${faceOf(this.#text) || "spoken"} marking`);
  }

  /** @param {Range} range @param {Range} chosen */
  #piece([start, end], chosen) {
    const text = this.#text.slice(start, end);
    const over = this.#marks.filter((mark) => mark.start <= start && end <= mark.end);
    const isChosen = chosen[0] <= start && end <= chosen[1];
    if (!over.length && !isChosen) return document.createTextNode(text);
    const piece = document.createElement(over.length ? "mark" : "span");
    piece.textContent = text;
    const [inner, outer] = over.sort((one, other) => one.end - one.start - (other.end - other.start));
    if (inner) piece.classList.add("stretch", `label-${this.#colour(inner)}`);
    if (outer) piece.classList.add("within", `around-${this.#colour(outer)}`);
    if (isChosen) piece.classList.add("chosen");
    const begins = over.filter((mark) => mark.start === start).map((mark) => this.names.get(mark.label));
    if (begins.length) piece.dataset.label = begins.join(" ");
    return piece;
  }

  /** @param {Mark} mark */
  #colour({ label }) {
    return (this.place.get(label) ?? 0) % 8;
  }
}
