// The precision graph: a line for each measure with its band, the baseline, and a handle for the size of the list.

import { across, apart, linear, short, ticks, upwards } from "./axes.js";
import { svg } from "./dom.js";
import { count, percent } from "./figures.js";

export const DASHES = ["1 0", "8 3", "3 3", "10 3 2 3", "6 2 2 2 2 2", "14 4", "2 2"];
export const series = (k) => `series-${k % 7}`;

export function precision(evaluation, titles, { width, grid: all, n, upto, measure, other, hover, choose }) {
  const narrow = width < 560;
  const height = narrow ? 280 : 400;
  const box = { left: 46, right: width - (narrow ? 92 : 132), top: 16, bottom: height - 40 };
  const names = Object.keys(evaluation.measures);
  const grid = all.filter((size) => size <= upto);
  const largest = grid.at(-1);
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

export const sizes = (evaluation) =>
  [...new Set(Object.values(evaluation.measures).flatMap((curve) => curve.n))].sort((a, b) => a - b);
export const nearest = (grid, n) =>
  grid.reduce((best, one) => (Math.abs(one - n) < Math.abs(best - n) ? one : best), grid[0]);

const along = (curve, upto) =>
  curve.n.map((_, k) => k).filter((k) => curve.n[k] <= upto && curve.precision[k] !== null);

function highest(evaluation, upto) {
  const curves = Object.values(evaluation.measures);
  const lines = curves.flatMap((curve) => along(curve, upto).map((k) => curve.precision[k]));
  const bounds = curves.flatMap((curve) => along(curve, upto).map((k) => curve.high[k])).sort((a, b) => a - b);
  return Math.min(
    1,
    Math.max(...lines, 0.02) * 1.12,
    Math.max(bounds[Math.floor(bounds.length * 0.95)] ?? 1, Math.max(...lines) * 1.05, 0.02),
  );
}

function base(baseline, y, box) {
  if (baseline.value === null) return null;
  const [low, high] = baseline.interval;
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

function band(curve, k, x, y, box, upto, strong) {
  const at = along(curve, upto);
  if (at.length < 2) return null;
  const edge = (side) =>
    at.map((i) => `${x(curve.n[i]).toFixed(1)},${Math.max(box.top, y(curve[side][i])).toFixed(1)}`);
  return svg("polygon", {
    class: `band ${series(k)} ${strong ? "strong" : ""}`,
    points: [...edge("high"), ...edge("low").reverse()].join(" "),
  });
}

function line(curve, k, x, y, upto, strong) {
  const at = along(curve, upto);
  const points = at.map((i) => `${x(curve.n[i]).toFixed(1)},${y(curve.precision[i]).toFixed(1)}`).join(" ");
  return svg("polyline", {
    class: `line ${series(k)} ${strong ? "strong" : ""}`,
    points,
    "stroke-dasharray": DASHES[k % 7],
  });
}

function labels(evaluation, titles, names, y, box, upto, narrow) {
  const ends = names.map((name) => {
    const curve = evaluation.measures[name];
    const at = along(curve, upto);
    return at.length ? y(curve.precision[at.at(-1)]) : box.bottom;
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

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

// A line to drag; with the keyboard it is a slider over the sizes that were evaluated.
function handle(grid, n, x, box, hover, choose) {
  const from = svg("line", { class: "cursor", y1: box.top, y2: box.bottom, "data-only-here": true });
  const line_ = svg("line", { class: "chosen-n", y1: box.top - 4, y2: box.bottom });
  const grip = svg(
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
    svg("text", { x: 0, y: box.top - 2, "text-anchor": "middle" }),
  );
  const area = svg("rect", {
    class: "area",
    x: box.left,
    y: box.top - 16,
    width: box.right - box.left,
    height: box.bottom - box.top + 16,
    opacity: 0,
  });
  let now = n;
  const set = (size) => {
    now = size;
    const wide = Math.max(box.left + 28, Math.min(box.right - 28, x(size)));
    for (const end of ["x1", "x2"]) line_.setAttribute(end, x(size));
    grip.setAttribute("transform", `translate(${wide} 0)`);
    grip.setAttribute("aria-valuenow", size);
    grip.setAttribute("aria-valuetext", `the ${count(size)} best`);
    grip.lastChild.textContent = count(size);
  };
  const at = (event) => {
    const frame = area.ownerSVGElement.getBoundingClientRect();
    const place = ((event.clientX - frame.left) / frame.width) * area.ownerSVGElement.viewBox.baseVal.width;
    return nearest(grid, ((place - box.left) / (box.right - box.left)) * grid.at(-1));
  };
  const show = (size) => {
    for (const end of ["x1", "x2"]) from.setAttribute(end, x(size));
    from.style.visibility = "visible";
    hover(size);
  };
  let dragging = false;
  area.addEventListener("pointerdown", (event) => {
    dragging = true;
    area.setPointerCapture(event.pointerId);
    set(at(event));
    hover(now);
  });
  area.addEventListener("pointermove", (event) => {
    const size = at(event);
    if (dragging) set(size);
    show(size);
  });
  area.addEventListener("pointerup", () => {
    dragging = false;
    choose(now);
  });
  area.addEventListener("pointerleave", () => {
    from.style.visibility = "hidden";
    if (!dragging) hover(null);
  });
  grip.addEventListener("keydown", (event) => {
    const step = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -10,
      PageUp: 10,
      Home: -grid.length,
      End: grid.length,
    }[event.key];
    if (!step) return;
    event.preventDefault();
    const moved = grid.indexOf(nearest(grid, now)) + step * (event.shiftKey ? 10 : 1);
    set(grid[Math.max(0, Math.min(grid.length - 1, moved))]);
    choose(now);
  });
  from.style.visibility = "hidden";
  set(n);
  return [from, line_, area, grip];
}
