// Frequency against score, one point for each word; the highest have their names beside them.

import { across, decades, linear, logarithmic, short, ticks, upwards } from "./axes.js";
import { svg } from "./dom.js";
import { number } from "./figures.js";

/**
 * @import { Box, Scale } from "./axes.js"
 * @import { Figure } from "./figures.js"
 *
 * @typedef {{ name: string, f: number, value: Figure, kind?: string }} Point
 * @typedef {Point & { value: number }} Placed
 *
 * @typedef {object} Looks
 * @property {number} width
 * @property {string} title of the score
 * @property {string} chosen the name of a point
 * @property {(point: Point | null) => void} tell what the mouse is at
 * @property {((point: Point) => void) | null} open
 */

const NAMED = 26;
const LETTER = 6.6;

/** @param {Point[]} rows @param {Looks} looks */
export function scatter(rows, { width, title, chosen, tell, open }) {
  const height = Math.min(Math.max(280, width * 0.7), 440);
  const box = { left: 46, right: width - 14, top: 14, bottom: height - 40 };
  const known = placed(rows);
  const values = known.map((row) => row.value);
  const most = Math.max(...known.map((row) => row.f), 10);
  const least = Math.max(1, Math.floor(Math.min(...known.map((row) => row.f), most / 10)));
  const low = Math.min(...values);
  const high = Math.max(...values);
  const x = logarithmic(least / 1.15, most * 1.25, box.left, box.right);
  const margin = (high - low || 1) * 0.06;
  const y = linear(low - margin, high + margin, box.bottom, box.top);
  const marks = ticks(low, high, 5);
  const digits = decimals(marks);
  const points = known.map((row) => point(row, x, y, chosen, tell, open));
  return svg(
    "svg",
    {
      class: "chart scatter",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-label": `Frequency against ${title}; the table has the numbers`,
    },
    upwards(marks, y, box, (mark) => mark.toFixed(digits).replace("-", "−")),
    across(decades(least, most), x, box, short),
    svg("text", { class: "axis", x: box.right, y: height - 4, "text-anchor": "end" }, "frequency f"),
    svg("text", { class: "axis", x: box.left - 38, y: 10 }, title),
    points,
    names(known, x, y, box),
  );
}

// The points that have a place on both axes.
/** @param {Point[]} rows @returns {Placed[]} */
export function placed(rows) {
  return rows.flatMap((row) => {
    const value = number(row.value);
    return row.f > 0 && value !== null && Number.isFinite(value) ? [{ ...row, value }] : [];
  });
}

// How many decimals tell marks apart; a quarter needs one more than its size says.
/** @param {number[]} marks */
export function decimals([first, second]) {
  if (second === undefined) return 0;
  const step = second - first;
  const quarter = [2.5, 0.25].includes(+step.toPrecision(2));
  return Math.max(0, Math.min(3, Math.ceil(-Math.log10(step) - 1e-9) + (quarter ? 1 : 0)));
}

/**
 * @param {Placed} row
 * @param {Scale} x
 * @param {Scale} y
 * @param {string} chosen
 * @param {Looks["tell"]} tell
 * @param {Looks["open"]} open
 */
function point(row, x, y, chosen, tell, open) {
  const at = { cx: x(row.f), cy: y(row.value), r: row.name === chosen ? 6 : 3.6 };
  const kind = `point ${row.kind ?? ""} ${row.name === chosen ? "chosen" : ""}`;
  return svg("circle", {
    class: kind,
    ...at,
    onpointerenter: () => tell(row),
    onpointerleave: () => tell(null),
    onclick: open ? () => open(row) : null,
  });
}

// The names of the best, each where no other name is yet.
/** @param {Placed[]} rows @param {Scale} x @param {Scale} y @param {Box} box */
function names(rows, x, y, box) {
  /** @type {Box[]} */
  const taken = [];
  const found = [];
  for (const row of [...rows].sort((a, b) => b.value - a.value || b.f - a.f)) {
    const wide = row.name.length * LETTER + 4;
    const left = x(row.f) + 7 + wide > box.right ? x(row.f) - 7 - wide : x(row.f) + 7;
    const area = { left, right: left + wide, top: y(row.value) - 8, bottom: y(row.value) + 8 };
    if (area.left < box.left || taken.some((one) => overlap(one, area))) continue;
    taken.push(area);
    found.push(svg("text", { class: "name", x: left, y: y(row.value) + 4 }, row.name));
    if (found.length >= NAMED) break;
  }
  return found;
}

/** @param {Box} one @param {Box} other */
const overlap = (one, other) =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
