// Scales and their marks, for charts drawn here.

import { svg } from "./dom.js";
import { count } from "./figures.js";

/**
 * @typedef {(value: number) => number} Scale
 * @typedef {{ left: number, right: number, top: number, bottom: number }} Box
 */

/** @param {number} from @param {number} to @param {number} start @param {number} end @returns {Scale} */
export const linear = (from, to, start, end) => (value) => start + ((value - from) / (to - from || 1)) * (end - start);
/** @param {number} from @param {number} to @param {number} start @param {number} end @returns {Scale} */
export const logarithmic = (from, to, start, end) => {
  const inner = linear(Math.log(from), Math.log(to), start, end);
  return (value) => inner(Math.log(value));
};

// Round numbers between two ends, about as many as asked for.
/** @param {number} from @param {number} to @param {number} about */
export function ticks(from, to, about) {
  const raw = (to - from) / about || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((by) => by * power).find((one) => one >= raw) ?? raw;
  /** @type {number[]} */
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= to + step / 1e6; at += step)
    found.push(Math.abs(at) < step / 1e6 ? 0 : at);
  return found;
}

// Marks for counts on a logarithmic axis: powers of ten, with 2 and 5 times them where there are few.
/** @param {number} from @param {number} to */
export function decades(from, to) {
  const steps = to / from > 200 ? [1] : [1, 2, 5];
  /** @type {number[]} */
  const found = [];
  for (let power = 1; power <= to; power *= 10)
    found.push(...steps.map((by) => by * power).filter((mark) => mark >= from && mark <= to));
  return found;
}

/** @param {number[]} marks @param {Scale} scale @param {Box} box @param {(mark: number) => string} [write] */
export function across(marks, scale, box, write = count) {
  return marks.map((mark) =>
    svg(
      "g",
      {},
      svg("line", { class: "tick", x1: scale(mark), x2: scale(mark), y1: box.bottom, y2: box.bottom + 5 }),
      svg("text", { class: "mark", x: scale(mark), y: box.bottom + 19, "text-anchor": "middle" }, write(mark)),
    ),
  );
}

/** @param {number[]} marks @param {Scale} scale @param {Box} box @param {(mark: number) => string} write */
export function upwards(marks, scale, box, write) {
  return marks.map((mark) =>
    svg(
      "g",
      {},
      svg("line", { class: "grid", x1: box.left, x2: box.right, y1: scale(mark), y2: scale(mark) }),
      svg("text", { class: "mark", x: box.left - 8, y: scale(mark) + 4, "text-anchor": "end" }, write(mark)),
    ),
  );
}

/** @param {number} value */
export const short = (value) =>
  value >= 1e6 ? `${+(value / 1e6).toFixed(1)}M` : value >= 1e4 ? `${+(value / 1e3).toFixed(1)}k` : count(value);

// Places for labels that would lie on each other, moved apart from top to bottom.
/** @param {number[]} places @param {number} gap @param {number} top @param {number} bottom */
export function apart(places, gap, top, bottom) {
  const order = places.map((at, k) => [at, k]).sort((a, b) => a[0] - b[0]);
  let last = top - gap;
  for (const entry of order) {
    entry[0] = Math.max(entry[0], last + gap);
    last = entry[0];
  }
  let limit = bottom;
  for (const entry of order.reverse()) {
    entry[0] = Math.min(entry[0], limit);
    limit = entry[0] - gap;
  }
  /** @type {number[]} */
  const found = [];
  for (const [at, k] of order) found[k] = at;
  return found;
}
