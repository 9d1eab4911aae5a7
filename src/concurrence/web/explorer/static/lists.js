// The view of a list: precision with bands, the list itself, difference sets, ties, and what to judge next.

import { VERDICTS } from "./candidates.js";
import { byId, el, fill, heading, keepDrawn, keepFocus, problemLine, say, select, svg } from "./dom.js";
import { count, interval, percent, plural, score } from "./figures.js";
import { svgButton } from "./keep.js";
import { differencePart, judgePart, listPart, POINT, tiesPart } from "./list_panels.js";
import { FRESH, listState, PANELS, reaches } from "./list_state.js";
import { DASHES, nearest, precision, series, sizes } from "./precision.js";
import { scatter } from "./scatter.js";
import { go, link, state } from "./state.js";
import { ask } from "./wire.js";

/**
 * @import { Panel } from "./list_panels.js"
 * @import { ListState } from "./list_state.js"
 * @import { Point } from "./scatter.js"
 * @import { About, Evaluation, List, Verdict } from "./wire.js"
 */

/** @type {Record<keyof typeof PANELS, Panel>} */
const PARTS = { list: listPart, difference: differencePart, ties: tiesPart, judge: judgePart };

/** @param {About} about @param {HTMLElement} main */
export async function lists(about, main) {
  const now = state();
  const list = about.lists.find((one) => one.name === now.list) ?? about.lists[0];
  document.title = `${list.name} – Concurrence explorer`;
  try {
    const { evaluation } = await ask("evaluation", { list: list.name });
    const view = listState(list, evaluation, now);
    const body = await PARTS[view.panel]({ list, evaluation, view });
    keepFocus(main, () => {
      const picture = evaluation ? graph(list, evaluation, view) : plainTop(list, view);
      fill(main, top(about, list), picture, panels(view), body);
      if (evaluation) drawPrecision(main, list, evaluation, view);
      drawScatter(main, list, view);
    });
    say(`${list.measures[view.measure]}, the ${count(view.n)} best`);
  } catch (error) {
    fill(main, problemLine(error));
  }
}

/** @param {About} about @param {List} list */
function top(about, list) {
  const names = about.lists.map(({ name }) => name);
  const choose = select(
    { id: "list", "aria-label": "List" },
    names.map((name) => [name, name]),
    list.name,
    (name) => go({ list: name, measure: "", other: "", n: "", upto: "", ...FRESH }),
  );
  return el(
    "div",
    { class: "headline list" },
    el("h1", {}, names.length > 1 ? choose : list.name),
    el("p", { class: "faint" }, list.words),
  );
}

/** @param {List} list @param {Evaluation} evaluation @param {ListState} view */
function graph(list, evaluation, view) {
  const reach = reaches(view);
  const { data, method } = evaluation;
  return el(
    "section",
    { class: "graph" },
    heading(
      "Precision",
      reach.length > 1 &&
        el(
          "label",
          { class: "inline" },
          "Up to n = ",
          select(
            { id: "upto" },
            reach.map((n) => [n, count(n)]),
            view.upto,
            (upto) => go({ upto, n: String(Math.min(view.n, Number(upto))) }),
          ),
        ),
      svgButton("svg.precision", `${list.name}-precision`),
    ),
    evaluation.warnings.map((one) =>
      one.code === "ties"
        ? el(
            "details",
            { class: "warning" },
            el(
              "summary",
              {},
              "Some list sizes fall inside runs of equal scores; the tab Ties shows what that leaves open.",
            ),
            el("p", {}, one.text),
          )
        : el("p", { class: "warning" }, one.text),
    ),
    el(
      "div",
      { class: "beside" },
      el("div", { "data-precision": true }),
      el("div", { class: "legend", id: "legend" }, legend(list, evaluation, view, view.n)),
    ),
    el(
      "p",
      { class: "faint" },
      `${plural(data.judged, "judgement")} of ${plural(data.candidates, "candidate")}, `,
      `${count(data.true_positives)} true. Bands are ${percent(method.level, 0)} intervals (${method.interval}). `,
      "Drag the line, or use the arrow keys on it.",
    ),
  );
}

/** @param {List} list @param {Evaluation} evaluation @param {ListState} view @param {number} n */
function legend(list, evaluation, view, n) {
  const seen = nearest(sizes(evaluation), n);
  const rows = view.names.map((name, k) => {
    const curve = evaluation.measures[name];
    const at = curve.n.indexOf(seen);
    /** @param {() => string} write */
    const cell = (write) => el("td", { class: "n" }, at < 0 ? "–" : write());
    return el(
      "tr",
      { class: name === view.measure ? "chosen" : null },
      el(
        "th",
        { scope: "row" },
        el(
          "button",
          {
            type: "button",
            class: "row",
            id: `measure--${name}`,
            "aria-pressed": String(name === view.measure),
            onclick: () => go({ measure: name, ...(name === view.other ? { other: view.measure } : {}), ...FRESH }),
          },
          swatch(k),
          list.measures[name],
        ),
      ),
      cell(() => percent(curve.precision[at])),
      cell(() => interval(curve.low[at], curve.high[at])),
      cell(() => `${amount(curve.true_positives[at])} / ${amount(curve.sampled[at])}`),
    );
  });
  return el(
    "table",
    { class: "rows" },
    el(
      "caption",
      {},
      `The ${count(seen)} best of each measure${seen === n ? "" : `; lists of ${count(n)} were not evaluated`}`,
    ),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, "measure"),
        el("th", { scope: "col", class: "n" }, "precision"),
        el("th", { scope: "col", class: "n" }, "interval"),
        el("th", { scope: "col", class: "n" }, "true / judged"),
      ),
    ),
    el("tbody", {}, rows),
  );
}

/** @param {number} value */
const amount = (value) => (Number.isInteger(value) ? count(value) : value.toFixed(1));
/** @param {number} k */
const swatch = (k) =>
  svg(
    "svg",
    { class: "chart swatch", width: 26, height: 10, viewBox: "0 0 26 10", "aria-hidden": "true" },
    svg("line", { class: `line ${series(k)} strong`, x1: 0, x2: 26, y1: 5, y2: 5, "stroke-dasharray": DASHES[k % 7] }),
  );

/** @param {List} list @param {ListState} view */
function plainTop(list, view) {
  const sizes = [...new Set([...view.grid, view.n])].sort((a, b) => a - b);
  return el(
    "section",
    { class: "options" },
    el(
      "label",
      {},
      el("span", {}, "Ranked by"),
      select(
        { id: "measure" },
        view.names.map((name) => [name, list.measures[name]]),
        view.measure,
        (measure) => go({ measure, ...FRESH }),
      ),
    ),
    el(
      "label",
      {},
      el("span", {}, "The n best"),
      select(
        { id: "n" },
        sizes.map((n) => [n, count(n)]),
        view.n,
        (n) => go({ n, ...FRESH }),
      ),
    ),
    el(
      "p",
      { class: "faint" },
      "With --gold, the explorer also shows what was judged, and the precision of every list.",
    ),
  );
}

/** @param {ListState} view */
function panels(view) {
  const shown = Object.entries(PANELS).filter(([name]) => name !== "difference" || view.names.length > 1);
  return el(
    "nav",
    { class: "tabs", "aria-label": "Ways to look at the list" },
    shown.map(([name, text]) =>
      el(
        "a",
        { ...link({ panel: name, ...FRESH }), id: `tab--${name}`, "aria-current": name === view.panel ? "page" : null },
        text,
      ),
    ),
  );
}

/** @param {HTMLElement} main @param {string} name @returns {HTMLElement | null} */
const frameOf = (main, name) => main.querySelector(`[data-${name}]`);

/** @param {HTMLElement} main @param {List} list @param {Evaluation} evaluation @param {ListState} view */
function drawPrecision(main, list, evaluation, view) {
  const frame = frameOf(main, "precision");
  if (!frame) return;
  const { grid, n, upto, measure } = view;
  const other = view.panel === "difference" ? view.other : "";
  const legendBox = byId("legend");
  /** @param {number | null} size */
  const hover = (size) => legendBox.replaceChildren(legend(list, evaluation, view, size ?? n));
  /** @param {number} size */
  const choose = (size) => {
    if (size !== n) go({ n: String(size), ...FRESH }, { replace: true });
  };
  const looks = { grid, n, upto, measure, other, hover, choose };
  keepDrawn(frame, (width) => precision(evaluation, list.measures, { width: Math.max(300, width), ...looks }));
}

/** @param {HTMLElement} main @param {List} list @param {ListState} view */
async function drawScatter(main, list, view) {
  const frame = frameOf(main, "scatter");
  if (!frame) return;
  const readout = byId("readout");
  const title = list.measures[view.measure];
  const { points } = await ask("points", { list: list.name, measure: view.measure, n: view.n });
  const rows = points.map(([name, f, value, kind]) => ({ name, f, value, kind }));
  /** @param {Point | null} row */
  const tell = (row) => {
    const judged = row && list.judged ? `, ${VERDICTS[/** @type {Verdict} */ (row.kind)]}` : "";
    readout.textContent = row ? `${row.name}: f ${count(row.f)}, ${title} ${score(row.value)}${judged}` : POINT;
  };
  if (rows.length && rows.every((row) => row.value === row.f))
    readout.textContent = "The score is the frequency itself; choose another measure to set it against frequency.";
  else if (rows.length && frame.isConnected)
    keepDrawn(frame, (width) => scatter(rows, { width: Math.max(300, width), title, chosen: "", tell, open: null }));
}
