// The precision graph: a line for each measure with its band, the baseline, and a handle for the size of the list.

import { across, apart, linear, short, ticks, upwards } from "./axes.js";
import { svg } from "./dom.js";
import { count, percent } from "./figures.js";

/**
 * @import { Box, Scale } from "./axes.js"
 * @import { Curve, Evaluation, Titles } from "./wire.js"
 *
 * @typedef {object} Looks
 * @property {number} width
 * @property {number[]} grid the sizes of lists that can be chosen
 * @property {number} n the size that is chosen
 * @property {number} upto the largest size in the picture
 * @property {string} measure
 * @property {string} other
 * @property {(n: number | null) => void} hover what the mouse is at
 * @property {(n: number) => void} choose
 */

export const DASHES = ["1 0", "8 3", "3 3", "10 3 2 3", "6 2 2 2 2 2", "14 4", "2 2"];
/** @param {number} k */
export const series = (k) => `series-${k % 7}`;

/** @param {Evaluation} evaluation @param {Titles} titles @param {Looks} looks */
export function precision(evaluation, titles, { width, grid: all, n, upto, measure, other, hover, choose }) {
  const narrow = width < 560;
  const height = narrow ? 280 : 400;
  const box = { left: 46, right: width - (narrow ? 92 : 132), top: 16, bottom: height - 40 };
  const names = Object.keys(evaluation.measures);
  const grid = all.filter((size) => size <= upto);
  const largest = grid[grid.length - 1];
  const top = highest(evaluation, upto);
  const x = linear(0, largest, box.left, box.right);
  const y = linear(0, top, box.bottom, box.top);
  const chart = svg(
    "svg",
    {
      class: "chart precision",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "group",
      "aria-label": "Precision of the n-best lists; the table beside it has the numbers",
    },
    upwards(ticks(0, top, 6), y, box, (mark) => percent(mark, top < 0.1 ? 1 : 0)),
    across(ticks(0, largest, narrow ? 4 : 7), x, box, short),
    svg("text", { class: "axis", x: box.right, y: height - 4, "text-anchor": "end" }, "size of the list n"),
    svg("text", { class: "axis", x: 4, y: 10 }, "precision"),
    base(evaluation.baseline, y, box),
    names.map((name, k) => band(evaluation.measures[name], k, x, y, box, upto, [measure, other].includes(name))),
    names.map((name, k) => line(evaluation.measures[name], k, x, y, upto, [measure, other].includes(name))),
    labels(evaluation, titles, names, y, box, upto, narrow),
  );
  chart.append(...handle(grid, n, x, box, hover, choose));
  return chart;
}

/** @param {Evaluation} evaluation */
export const sizes = (evaluation) =>
  [...new Set(Object.values(evaluation.measures).flatMap((curve) => curve.n))].sort((a, b) => a - b);
/** @param {number[]} grid @param {number} n */
export const nearest = (grid, n) =>
  grid.reduce((best, one) => (Math.abs(one - n) < Math.abs(best - n) ? one : best), grid[0]);

/**
 * The points of a curve up to a size, where it has a value.
 * @param {Curve} curve
 * @param {number} upto
 */
export const along = ({ n, precision, low, high }, upto) =>
  n.flatMap((size, k) => {
    const value = precision[k];
    if (size > upto || value === null) return [];
    return [{ n: size, precision: value, low: low[k] ?? value, high: high[k] ?? value }];
  });

// Where the picture ends: above all lines, and above nearly all bands.
/** @param {Evaluation} evaluation @param {number} upto */
export function highest(evaluation, upto) {
  const points = Object.values(evaluation.measures).flatMap((curve) => along(curve, upto));
  const line = Math.max(...points.map(({ precision }) => precision));
  const bounds = points.map(({ high }) => high).sort((a, b) => a - b);
  const bound = bounds[Math.floor(bounds.length * 0.95)] ?? 1;
  return Math.min(1, Math.max(line, 0.02) * 1.12, Math.max(bound, line * 1.05, 0.02));
}

/** @param {Evaluation["baseline"]} baseline @param {Scale} y @param {Box} box */
function base(baseline, y, box) {
  if (baseline.value === null) return null;
  const [low, high] = baseline.interval;
  /** @param {number} at */
  const clip = (at) => Math.max(box.top, Math.min(box.bottom, at));
  return svg(
    "g",
    {},
    svg("rect", {
      class: "base-band",
      x: box.left,
      width: box.right - box.left,
      y: clip(y(high)),
      height: Math.max(0, clip(y(low)) - clip(y(high))),
    }),
    svg("line", { class: "base", x1: box.left, x2: box.right, y1: y(baseline.value), y2: y(baseline.value) }),
  );
}

/**
 * @param {Curve} curve
 * @param {number} k
 * @param {Scale} x
 * @param {Scale} y
 * @param {Box} box
 * @param {number} upto
 * @param {boolean} strong
 */
function band(curve, k, x, y, box, upto, strong) {
  const points = along(curve, upto);
  if (points.length < 2) return null;
  /** @param {"low" | "high"} side */
  const edge = (side) =>
    points.map((point) => `${x(point.n).toFixed(1)},${Math.max(box.top, y(point[side])).toFixed(1)}`);
  return svg("polygon", {
    class: `band ${series(k)} ${strong ? "strong" : ""}`,
    points: [...edge("high"), ...edge("low").reverse()].join(" "),
  });
}

/**
 * @param {Curve} curve
 * @param {number} k
 * @param {Scale} x
 * @param {Scale} y
 * @param {number} upto
 * @param {boolean} strong
 */
function line(curve, k, x, y, upto, strong) {
  const places = along(curve, upto).map(({ n, precision }) => `${x(n).toFixed(1)},${y(precision).toFixed(1)}`);
  return svg("polyline", {
    class: `line ${series(k)} ${strong ? "strong" : ""}`,
    points: places.join(" "),
    "stroke-dasharray": DASHES[k % 7],
  });
}

/**
 * @param {Evaluation} evaluation
 * @param {Titles} titles
 * @param {string[]} names
 * @param {Scale} y
 * @param {Box} box
 * @param {number} upto
 * @param {boolean} narrow
 */
function labels(evaluation, titles, names, y, box, upto, narrow) {
  const ends = names.map((name) => {
    const last = along(evaluation.measures[name], upto).at(-1);
    return last ? y(last.precision) : box.bottom;
  });
  const texts = names.map((name) => titles[name] ?? name);
  if (evaluation.baseline.value !== null) {
    ends.push(y(evaluation.baseline.value));
    texts.push(`baseline ${percent(evaluation.baseline.value, 0)}`);
  }
  return apart(ends, 16, box.top + 6, box.bottom - 2).map((at, k) =>
    svg(
      "g",
      {},
      svg("line", {
        class: k < names.length ? `line ${series(k)}` : "base",
        x1: box.right + 6,
        x2: box.right + 22,
        y1: at,
        y2: at,
        "stroke-dasharray": k < names.length ? DASHES[k % 7] : null,
      }),
      svg("text", { class: "name", x: box.right + 27, y: at + 4 }, cut(texts[k], narrow ? 9 : 15)),
    ),
  );
}

/** @param {string} text @param {number} most */
const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

// How far keys on the handle go, in sizes that were evaluated.
/** @type {Record<string, number | undefined>} */
const STEPS = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -Infinity,
  End: Infinity,
};

// The size that a key leads to, from a size near one that was evaluated; nothing for another key.
/** @param {number[]} grid @param {number} n @param {{ key: string, shiftKey: boolean }} event */
export function stepped(grid, n, { key, shiftKey }) {
  const step = STEPS[key];
  if (!step) return null;
  const moved = grid.indexOf(nearest(grid, n)) + step * (shiftKey ? 10 : 1);
  return grid[Math.max(0, Math.min(grid.length - 1, moved))];
}

/** @param {SVGElement} line @param {number} at */
function moveTo(line, at) {
  for (const end of ["x1", "x2"]) line.setAttribute(end, String(at));
}

// A line to drag; with the keyboard it is a slider over the sizes that were evaluated.
/**
 * @param {number[]} grid
 * @param {number} n
 * @param {Scale} x
 * @param {Box} box
 * @param {Looks["hover"]} hover
 * @param {Looks["choose"]} choose
 */
function handle(grid, n, x, box, hover, choose) {
  const from = svg("line", { class: "cursor", y1: box.top, y2: box.bottom, "data-only-here": true });
  const chosen = svg("line", { class: "chosen-n", y1: box.top - 4, y2: box.bottom });
  const area = svg("rect", {
    class: "area",
    x: box.left,
    y: box.top - 16,
    width: box.right - box.left,
    height: box.bottom - box.top + 16,
    opacity: 0,
  });
  const words = svg("text", { x: 0, y: box.top - 2, "text-anchor": "middle" });
  const grip = gripOf(grid, box, words);
  let now = n;
  /** @param {number} size */
  const set = (size) => {
    now = size;
    const wide = Math.max(box.left + 28, Math.min(box.right - 28, x(size)));
    moveTo(chosen, x(size));
    grip.setAttribute("transform", `translate(${wide} 0)`);
    grip.setAttribute("aria-valuenow", String(size));
    grip.setAttribute("aria-valuetext", `the ${count(size)} best`);
    words.textContent = count(size);
  };
  grip.addEventListener("keydown", (event) => {
    const size = stepped(grid, now, event);
    if (size === null) return;
    event.preventDefault();
    set(size);
    choose(now);
  });
  /** @param {number} size */
  const show = (size) => {
    moveTo(from, x(size));
    from.style.visibility = "visible";
    hover(size);
  };
  const leave = () => {
    from.style.visibility = "hidden";
  };
  dragging(area, grid, box, { set, show, leave, hover, choose: () => choose(now) });
  leave();
  set(n);
  return [from, chosen, area, grip];
}

/** @param {number[]} grid @param {Box} box @param {SVGElement} words */
function gripOf(grid, box, words) {
  return svg(
    "g",
    {
      class: "grip",
      id: "grip",
      tabindex: "0",
      role: "slider",
      "aria-label": "Size of the list",
      "aria-valuemin": grid[0],
      "aria-valuemax": grid.at(-1),
    },
    svg("rect", { x: -28, y: box.top - 16, width: 56, height: 20, rx: 10 }),
    words,
  );
}

/**
 * @typedef {object} Drag
 * @property {(size: number) => void} set
 * @property {(size: number) => void} show
 * @property {() => void} leave
 * @property {Looks["hover"]} hover
 * @property {() => void} choose
 */

// The mouse or a finger on the picture.
/** @param {SVGRectElement} area @param {number[]} grid @param {Box} box @param {Drag} drag */
function dragging(area, grid, box, { set, show, leave, hover, choose }) {
  let held = false;
  /** @param {PointerEvent} event */
  const at = (event) => {
    const chart = /** @type {SVGSVGElement} */ (area.ownerSVGElement);
    const frame = chart.getBoundingClientRect();
    const place = ((event.clientX - frame.left) / frame.width) * chart.viewBox.baseVal.width;
    return nearest(grid, ((place - box.left) / (box.right - box.left)) * grid[grid.length - 1]);
  };
  area.addEventListener("pointerdown", (event) => {
    held = true;
    area.setPointerCapture(event.pointerId);
    set(at(event));
    hover(at(event));
  });
  area.addEventListener("pointermove", (event) => {
    if (held) set(at(event));
    show(at(event));
  });
  area.addEventListener("pointerup", () => {
    held = false;
    choose();
  });
  area.addEventListener("pointerleave", () => {
    leave();
    if (!held) hover(null);
  });
}
