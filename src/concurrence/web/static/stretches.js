// A text in which stretches are chosen and marked. All positions are in UTF-16 units of the text.
import { faceOf, setFace } from "./view.js";

// From code points, as an answer counts, to UTF-16 units, and back.
export function marksOf(text, answer) {
  const ends = [0];
  for (const character of text) ends.push(ends.at(-1) + character.length);
  return JSON.parse(answer).map(([start, end, label]) => ({ start: ends[start], end: ends[end], label }));
}

export function toAnswer(text, marks) {
  const points = (at) => [...text.slice(0, at)].length;
  const rows = marks.map(({ start, end, label }) => [points(start), points(end), label]);
  return JSON.stringify(
    rows.sort((one, other) => one[0] - other[0] || one[1] - other[1] || (one[2] < other[2] ? -1 : 1)),
  );
}

// Pieces of the text that the arrow keys go through: words, and marks of punctuation.
function wordsOf(text) {
  if (!Intl.Segmenter) return [...text.matchAll(/\S+/g)].map((found) => [found.index, found.index + found[0].length]);
  const pieces = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)];
  return pieces.filter(({ segment }) => segment.trim()).map(({ index, segment }) => [index, index + segment.length]);
}

// The node at a point of the window and the place in it; nothing where there is no text.
function caretAt(x, y) {
  if (document.caretPositionFromPoint) {
    const caret = document.caretPositionFromPoint(x, y);
    return caret ? [caret.offsetNode, caret.offset] : [];
  }
  const range = document.caretRangeFromPoint(x, y);
  return range ? [range.startContainer, range.startOffset] : [];
}

export class Reading {
  #text = "";
  #words = [];
  #anchor = null; // [start, end] of the piece where choosing began
  #head = null; // and where it is now
  #marks = [];

  // names and place: label -> its text and number. chosen(text): something else is chosen. isActive(): it is asked for.
  constructor(item, { names, place, chosen, isActive }) {
    Object.assign(this, { item, names, place, told: chosen, isActive });
    document.addEventListener("selectionchange", () => this.#select());
    item.addEventListener("click", (event) => this.#click(event));
  }

  open(task) {
    this.#text = task.text;
    this.#words = wordsOf(task.text);
    this.#anchor = this.#head = null;
    this.item.dataset.task = task.id;
    this.paint([]);
  }

  // The chosen stretch without the space around it, or nothing.
  chosen() {
    if (!this.#head) return null;
    let [start, end] = this.#range();
    while (start < end && /\s/.test(this.#text[start])) start += 1;
    while (end > start && /\s/.test(this.#text[end - 1])) end -= 1;
    return start < end ? [start, end] : null;
  }

  paint(marks) {
    this.#marks = marks;
    getSelection().removeAllRanges();
    this.#draw();
  }

  // Arrow keys, with Shift to go on from what is chosen; the answer is whether the key was one of them.
  move(event) {
    if (event.code === "ArrowUp" || event.code === "ArrowDown") return this.#stretch(event.code === "ArrowDown");
    if (event.code !== "ArrowLeft" && event.code !== "ArrowRight") return false;
    const rightToLeft = getComputedStyle(this.item).direction === "rtl";
    const forward = (event.code === "ArrowRight") !== rightToLeft;
    const next = this.#next(forward);
    if (!next) return true;
    this.#head = next;
    if (!event.shiftKey || !this.#anchor) this.#anchor = next;
    this.#drawChosen();
    return true;
  }

  #range() {
    return [Math.min(this.#anchor[0], this.#head[0]), Math.max(this.#anchor[1], this.#head[1])];
  }

  #next(forward) {
    if (!this.#head) return forward ? this.#words[0] : this.#words.at(-1);
    const [start, end] = this.#head;
    return forward ? this.#words.find(([first]) => first >= end) : this.#words.findLast(([, last]) => last <= start);
  }

  #stretch(longer) {
    if (!this.#head) return false;
    const [start, end] = this.#range();
    const piece = longer ? [...this.#text.slice(end, end + 2)][0] : [...this.#text.slice(start, end)].at(-1);
    const moved = longer ? end + (piece?.length ?? 0) : end - piece.length;
    if (moved > start) this.#anchor = this.#head = [start, moved];
    this.#drawChosen();
    return true;
  }

  #drawChosen() {
    getSelection().removeAllRanges();
    this.#draw();
    this.item.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
    this.told(this.#text.slice(...this.#range()));
  }

  // What the mouse or a finger has selected in the item.
  #select() {
    const selection = getSelection();
    if (!this.isActive() || selection.isCollapsed || !selection.rangeCount) return;
    const range = selection.getRangeAt(0);
    if (!this.item.contains(range.startContainer) || !this.item.contains(range.endContainer)) return;
    const chosen = [
      this.#offset(range.startContainer, range.startOffset),
      this.#offset(range.endContainer, range.endOffset),
    ];
    this.#anchor = this.#head = chosen;
    for (const piece of this.item.querySelectorAll(".chosen")) piece.classList.remove("chosen");
  }

  #offset(node, at) {
    const before = document.createRange();
    before.selectNodeContents(this.item);
    before.setEnd(node, at);
    return before.toString().length;
  }

  // A click chooses a word or a mark; with Shift, or a second touch elsewhere, everything up to there.
  #click(event) {
    if (!this.isActive() || !getSelection().isCollapsed) return;
    const [node, at] = caretAt(event.clientX, event.clientY);
    if (!node || !this.item.contains(node)) return;
    const here = this.#offset(node, at);
    const inside = ([start, end]) => start <= here && here <= end;
    const word = this.#words.find(([start, end]) => start <= here && here < end) ?? this.#words.find(inside);
    if (!word) return;
    const marked = this.#marks.findLast(({ start, end }) => start <= here && here < end);
    const further = this.#head && (event.shiftKey || (event.pointerType === "touch" && !inside(this.#range())));
    this.#head = further || !marked ? word : [marked.start, marked.end];
    if (!further) this.#anchor = this.#head;
    this.#drawChosen();
  }

  #draw() {
    const chosen = this.#head ? this.#range() : [0, 0];
    const cuts = new Set([0, this.#text.length, ...chosen, ...this.#marks.flatMap(({ start, end }) => [start, end])]);
    const places = [...cuts].sort((one, other) => one - other);
    const pieces = places.slice(1).map((end, number) => this.#piece(places[number], end, chosen));
    this.item.replaceChildren(...pieces);
    setFace(this.item, `${faceOf(this.#text) || "spoken"} marking`);
  }

  #piece(start, end, chosen) {
    const text = this.#text.slice(start, end);
    const over = this.#marks.filter((mark) => mark.start <= start && end <= mark.end);
    const isChosen = chosen[0] <= start && end <= chosen[1];
    if (!over.length && !isChosen) return document.createTextNode(text);
    const piece = document.createElement(over.length ? "mark" : "span");
    piece.textContent = text;
    const [inner, outer] = over.sort((one, other) => one.end - one.start - (other.end - other.start));
    if (inner) piece.classList.add("stretch", `label-${this.place.get(inner.label) % 8}`);
    if (outer) piece.classList.add("within", `around-${this.place.get(outer.label) % 8}`);
    if (isChosen) piece.classList.add("chosen");
    const begins = over.filter((mark) => mark.start === start).map((mark) => this.names.get(mark.label));
    if (begins.length) piece.dataset.label = begins.join(" ");
    return piece;
  }
}
