// The view of a list: precision with bands, the list itself, difference sets, ties, and what to judge next.

import { barred, pager } from "./concordance.js";
import { el, fill, keepFocus, say, svg } from "./dom.js";
import { count, interval, number, percent, plural, score } from "./figures.js";
import { csv, svgButton } from "./keep.js";
import { DASHES, nearest, precision, series, sizes } from "./precision.js";
import { scatter } from "./scatter.js";
import { go, link, state } from "./state.js";
import { ask, place } from "./wire.js";
import { heading } from "./words.js";

const ROWS = 50;
const PANELS = { list: "The list", difference: "Difference of two measures", ties: "Ties", judge: "Judge these" };
const VERDICTS = { true: "true", false: "false", unjudged: "not judged" };
const FRESH = { offset: "0", only: "all" };

export async function lists(about, main) {
  const now = state();
  const list = about.lists.find((one) => one.name === now.list) ?? about.lists[0];
  document.title = `${list.name} – Concurrence explorer`;
  try {
    const { evaluation } = await ask("evaluation", { list: list.name });
    const view = chosen(list, evaluation, now);
    const body = await PARTS[view.panel](list, evaluation, view);
    keepFocus(main, () => {
      fill(
        main,
        top(about, list),
        evaluation ? graph(list, evaluation, view) : plainTop(list, view),
        panels(view),
        body,
      );
      drawAll(main, list, evaluation, view);
    });
    say(`${list.measures[view.measure]}, the ${count(view.n)} best`);
  } catch (error) {
    fill(main, el("p", { class: "problem", role: "alert" }, error.message));
  }
}

// What the address leaves open is chosen by the list.
function chosen(list, evaluation, now) {
  const names = Object.keys(list.measures);
  const grid = evaluation ? toTheEnd(sizes(evaluation), list.candidates) : steps(list.candidates);
  const measure = names.includes(now.measure) ? now.measure : names[0];
  const other =
    names.includes(now.other) && now.other !== measure ? now.other : (names.find((name) => name !== measure) ?? "");
  const usual = nearest(grid, Math.min(200, grid.at(-1)));
  const n = now.n ? Math.max(1, Math.min(Number(now.n) || usual, evaluation ? grid.at(-1) : list.candidates)) : usual;
  const upto = now.upto ? Math.max(Number(now.upto) || 0, grid[Math.min(4, grid.length - 1)]) : firstView(grid);
  const panel = PARTS[now.panel] && (names.length > 1 || now.panel !== "difference") ? now.panel : "list";
  return { ...now, names, grid, measure, other, n, upto: Math.max(upto, n), panel };
}

// The evaluated sizes, and the whole list where their steps stop just before it.
const toTheEnd = (grid, size) =>
  size > grid.at(-1) && size - grid.at(-1) < grid.at(-1) - (grid.at(-2) ?? 0) ? [...grid, size] : grid;
const firstView = (grid) => (grid.at(-1) > 20_000 ? nearest(grid, 5000) : grid.at(-1));
const steps = (size) =>
  [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000, 1_000_000].filter((n) => n < size).concat(size);

function top(about, list) {
  return el(
    "div",
    { class: "headline list" },
    el(
      "h1",
      {},
      about.lists.length > 1
        ? el(
            "select",
            {
              id: "list",
              "aria-label": "List",
              onchange: (event) => go({ list: event.target.value, measure: "", other: "", n: "", upto: "", ...FRESH }),
            },
            about.lists.map((one) => el("option", { value: one.name, selected: one === list }, one.name)),
          )
        : list.name,
    ),
    el("p", { class: "faint" }, list.words),
  );
}

function graph(list, evaluation, view) {
  const zoom = [
    ...new Set(
      [1000, 5000, 20_000, 100_000, 1_000_000]
        .filter((n) => n > view.grid[2] && n < view.grid.at(-1))
        .map((n) => nearest(view.grid, n))
        .concat(view.grid.at(-1)),
    ),
  ];
  const reach = zoom.includes(view.upto) ? zoom : [...zoom, view.upto].sort((a, b) => a - b);
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
          el(
            "select",
            {
              id: "upto",
              onchange: (event) =>
                go({ upto: event.target.value, n: String(Math.min(view.n, Number(event.target.value))) }),
            },
            reach.map((n) => el("option", { value: n, selected: n === view.upto }, count(n))),
          ),
        ),
      svgButton(() => document.querySelector("svg.precision"), `${list.name}-precision`),
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
      `${plural(evaluation.data.judged, "judgement")} of ${plural(evaluation.data.candidates, "candidate")}, ${count(evaluation.data.true_positives)} true. Bands are ${percent(evaluation.method.level, 0)} intervals (${evaluation.method.interval}). Drag the line, or use the arrow keys on it.`,
    ),
  );
}

function legend(list, evaluation, view, n) {
  const seen = nearest(sizes(evaluation), n);
  const rows = view.names.map((name, k) => {
    const curve = evaluation.measures[name];
    const at = curve.n.indexOf(seen);
    const cell = (column, write) => el("td", { class: "n" }, at < 0 ? "–" : write(curve[column][at]));
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
      cell("precision", percent),
      el("td", { class: "n" }, at < 0 ? "–" : interval(curve.low[at], curve.high[at])),
      el("td", { class: "n" }, at < 0 ? "–" : `${amount(curve.true_positives[at])} / ${amount(curve.sampled[at])}`),
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

const amount = (value) => (Number.isInteger(value) ? count(value) : value.toFixed(1));
const swatch = (k) =>
  svg(
    "svg",
    { class: "chart swatch", width: 26, height: 10, viewBox: "0 0 26 10", "aria-hidden": "true" },
    svg("line", { class: `line ${series(k)} strong`, x1: 0, x2: 26, y1: 5, y2: 5, "stroke-dasharray": DASHES[k % 7] }),
  );

function plainTop(list, view) {
  return el(
    "section",
    { class: "options" },
    el(
      "label",
      {},
      el("span", {}, "Ranked by"),
      el(
        "select",
        { id: "measure", onchange: (event) => go({ measure: event.target.value, ...FRESH }) },
        view.names.map((name) => el("option", { value: name, selected: name === view.measure }, list.measures[name])),
      ),
    ),
    el(
      "label",
      {},
      el("span", {}, "The n best"),
      el(
        "select",
        { id: "n", onchange: (event) => go({ n: event.target.value, ...FRESH }) },
        [...new Set([...view.grid, view.n])]
          .sort((a, b) => a - b)
          .map((n) => el("option", { value: n, selected: n === view.n }, count(n))),
      ),
    ),
    el(
      "p",
      { class: "faint" },
      "With --gold, the explorer also shows what was judged, and the precision of every list.",
    ),
  );
}

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

const PARTS = { list: listPart, difference: differencePart, ties: tiesPart, judge: judgePart };

async function listPart(list, _evaluation, view) {
  const asked = { list: list.name, measure: view.measure, n: view.n, only: view.only, find: view.find };
  const found = await ask("rows", { ...asked, offset: view.offset, limit: ROWS });
  return el(
    "div",
    { class: "beside" },
    el(
      "section",
      {},
      heading(`The ${count(view.n)} best by ${list.measures[view.measure]}`, csv(place("rows.csv", asked))),
      filters(list, view, found.counts, true),
      found.tie &&
        el(
          "p",
          { class: "faint" },
          `n falls inside a run of ${count(found.tie.size)} equal scores; `,
          el("a", link({ panel: "ties" }), "see what another tie-break would change"),
          ".",
        ),
      table(list, view.measure, found.rows),
      pager(found, Number(view.offset) / ROWS + 1, ROWS, (page) => go({ offset: String((page - 1) * ROWS) }), "rows"),
    ),
    list.frequency &&
      el(
        "section",
        { class: "aside" },
        heading(
          "Frequency against score",
          svgButton(() => document.querySelector("svg.scatter"), `${list.name}-scatter`),
        ),
        el("div", { "data-scatter": true }),
        el("p", { class: "readout", id: "readout" }, "Point at a candidate."),
      ),
  );
}

function filters(list, view, counts, find) {
  const total = counts.true + counts.false + counts.unjudged;
  const options = {
    all: `all ${count(total)}`,
    ...Object.fromEntries(Object.entries(VERDICTS).map(([name, text]) => [name, `${text} ${count(counts[name])}`])),
  };
  return el(
    "div",
    { class: "filters" },
    list.judged &&
      el(
        "div",
        { class: "chips", role: "group", "aria-label": "Show" },
        Object.entries(options).map(([name, text]) =>
          el(
            "button",
            {
              type: "button",
              class: `chip ${name}`,
              id: `only--${name}`,
              "aria-pressed": String(view.only === name),
              onclick: () => go({ only: name, offset: "0" }),
            },
            text,
          ),
        ),
      ),
    find &&
      el(
        "form",
        {
          role: "search",
          onsubmit: (event) => {
            event.preventDefault();
            go({ find: new FormData(event.currentTarget).get("find").trim(), offset: "0" });
          },
        },
        el("label", { class: "unseen", for: "find" }, "Find a word in the list"),
        el("input", { type: "search", id: "find", name: "find", value: view.find, placeholder: "Word begins with …" }),
      ),
  );
}

function table(list, measure, rows, extra = []) {
  const values = rows.map((row) => number(row.score)).filter(Number.isFinite);
  const low = Math.min(...values, 0);
  const high = Math.max(...values);
  const ranked = rows.some((row) => row.rank !== null);
  const heads = [
    ...(ranked ? [["rank", "n"]] : []),
    ["candidate", ""],
    ...(list.frequency ? [["f", "n"]] : []),
    [list.measures[measure], "n"],
    ...(list.judged ? [["judged", ""]] : []),
    ...extra.map(([text]) => [text, ""]),
  ];
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Candidates" },
    el(
      "table",
      { class: "rows candidates" },
      el("caption", { class: "unseen" }, "Candidates"),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          heads.map(([text, kind]) => el("th", { scope: "col", class: kind }, text)),
        ),
      ),
      el(
        "tbody",
        {},
        rows.length
          ? rows.map((row) =>
              el(
                "tr",
                {},
                ranked && el("td", { class: "n faint" }, count(row.rank)),
                el("th", { scope: "row" }, row.words.join(" ")),
                list.frequency && el("td", { class: "n" }, count(row.f)),
                barred(score(row.score), (number(row.score) - low) / (high - low || 1)),
                list.judged && el("td", {}, verdict(row.verdict)),
                extra.map(([, write]) => el("td", {}, write(row))),
              ),
            )
          : el("tr", {}, el("td", { colspan: heads.length, class: "faint" }, "None.")),
      ),
    ),
  );
}

const SIGNS = { true: "✓", false: "✕", unjudged: "·" };
const verdict = (name) =>
  el("span", { class: `verdict ${name}` }, el("span", { "aria-hidden": "true" }, SIGNS[name]), ` ${VERDICTS[name]}`);

async function differencePart(list, evaluation, view) {
  const asked = { list: list.name, a: view.measure, b: view.other, n: view.n, side: view.side, only: view.only };
  const found = await ask("difference", { ...asked, offset: view.offset, limit: ROWS });
  const [a, b] = [list.measures[view.measure], list.measures[view.other]];
  const box = (side, only, not) => {
    const { true: yes, false: no, unjudged } = found.counts[side];
    return el(
      "button",
      {
        type: "button",
        class: "set",
        id: `side--${side}`,
        "aria-pressed": String(view.side === side),
        onclick: () => go({ side, ...FRESH }),
      },
      el("b", {}, count(found.sizes[side])),
      el("span", {}, `in the list of ${only}, not of ${not}`),
      list.judged &&
        el("span", { class: "faint" }, `${count(yes)} true, ${count(no)} false, ${count(unjudged)} not judged`),
    );
  };
  return el(
    "section",
    {},
    el(
      "div",
      { class: "options" },
      pick("a", "measure", list, view, view.measure, view.other),
      pick("b", "other", list, view, view.other, view.measure),
    ),
    el(
      "div",
      { class: "sets" },
      box("a", a, b),
      el("p", { class: "set both" }, el("b", {}, count(found.overlap)), el("span", {}, "in both lists")),
      box("b", b, a),
    ),
    found.test &&
      el(
        "p",
        {},
        found.test.p === null
          ? "Too little of these sets was judged for a test."
          : `At n = ${count(view.n)}: ${p(found.test.p)} (${evaluation.method.test}). ${found.test.sentence}`,
      ),
    found.cut &&
      el(
        "p",
        { class: "faint" },
        "n falls inside a run of equal scores, so some of these are here by the way ties were broken.",
      ),
    heading(view.side === "a" ? `${a}, but not ${b}` : `${b}, but not ${a}`, csv(place("difference.csv", asked))),
    filters(list, view, found.counts[view.side], false),
    table(list, view.side === "a" ? view.measure : view.other, found.rows),
    pager(found, Number(view.offset) / ROWS + 1, ROWS, (page) => go({ offset: String((page - 1) * ROWS) }), "rows"),
  );
}

const p = (value) => (value < 0.001 ? "p < .001" : `p = ${value.toFixed(3).replace(/^0/, "")}`);
const pick = (key, name, list, view, value, not) =>
  el(
    "label",
    {},
    el("span", {}, key === "a" ? "First measure" : "Second measure"),
    el(
      "select",
      {
        id: `pick--${key}`,
        onchange: (event) => go({ measure: view.measure, other: view.other, [name]: event.target.value, ...FRESH }),
      },
      view.names
        .filter((one) => one !== not)
        .map((one) => el("option", { value: one, selected: one === value }, list.measures[one])),
    ),
  );

async function tiesPart(list, evaluation, view) {
  const found = await ask("ties", { list: list.name, measure: view.measure, n: view.n, draw: view.draw });
  const name = list.measures[view.measure];
  if (!found.tie)
    return el(
      "section",
      {},
      heading("Ties"),
      el(
        "p",
        {},
        `The ${count(view.n)} best by ${name} do not end inside a run of equal scores: no tie-break changes this list.`,
      ),
    );
  const { places, size } = found.tie;
  return el(
    "section",
    {},
    heading(
      `${count(size)} candidates share ${name} = ${score(found.score)}, and ${plural(places, "place")} ${places === 1 ? "is" : "are"} left for them`,
      el(
        "button",
        { type: "button", id: "draw", onclick: () => go({ draw: String(Number(view.draw) + 1) }) },
        "Break the ties anew",
      ),
    ),
    el(
      "p",
      {},
      `Another tie-break (number ${view.draw}) would change ${plural(found.changed, "candidate")} of the list.`,
      list.judged && ` Judged true in the list: ${count(found.true_now)} now, ${count(found.true_other)} then.`,
    ),
    evaluation &&
      el(
        "p",
        { class: "faint" },
        "The precision above is the mean over all tie-breaks, unless the sample was drawn for one of them.",
      ),
    size > found.rows.length && el("p", { class: "faint" }, `The first ${count(found.rows.length)} are shown.`),
    table(list, view.measure, found.rows, [
      ["now", (row) => (row.now ? "in the list" : "")],
      ["with the other tie-break", (row) => (row.now === row.other ? "same" : row.other ? "comes in" : "goes out")],
    ]),
  );
}

async function judgePart(list, _evaluation, view) {
  const size = Math.max(1, Math.min(Number(view.size) || 100, view.n));
  const both = view.side === "b" && view.other;
  const asked = { list: list.name, measure: view.measure, n: view.n, size, other: both ? view.other : "" };
  const { commands } = await ask("judging", asked);
  const submit = (event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    go({ size: given.get("size"), side: given.has("both") ? "b" : "a" });
  };
  return el(
    "section",
    { class: "judge" },
    heading("Judge these"),
    el(
      "p",
      {},
      `A random sample of the ${count(view.n)} best by ${list.measures[view.measure]}${both ? ` and by ${list.measures[view.other]}` : ""}, for people to judge. It carries its design, so that concur evaluate can read what people say of it.`,
    ),
    el(
      "form",
      { class: "options", onsubmit: submit },
      el(
        "label",
        {},
        el("span", {}, "How many"),
        el("input", { type: "number", name: "size", id: "size", value: size, min: 1, max: view.n }),
      ),
      view.other &&
        el(
          "label",
          { class: "check" },
          el("input", { type: "checkbox", name: "both", id: "both", checked: Boolean(both) }),
          el("span", {}, `Together with the list of ${list.measures[view.other]}, to compare the two`),
        ),
      el("button", { id: "judge--set" }, "Set"),
    ),
    el(
      "p",
      {},
      el(
        "a",
        { class: "main", href: place("sample.parquet", asked), download: "sample.parquet", id: "sample" },
        "Download the sample",
      ),
      el("span", { class: "faint" }, " sample.parquet"),
    ),
    el("h3", {}, "Or on the command line, with a campaign for several coders"),
    el(
      "ol",
      { class: "commands" },
      commands.map((line, k) =>
        el(
          "li",
          {},
          el("code", { tabindex: "0" }, line),
          el(
            "button",
            { type: "button", class: "keep", id: `copy--${k}`, onclick: (event) => copy(line, event.currentTarget) },
            "Copy",
          ),
        ),
      ),
    ),
  );
}

async function copy(text, button) {
  await navigator.clipboard.writeText(text);
  button.textContent = "Copied";
  say("Copied");
}

function drawAll(main, list, evaluation, view) {
  const frame = main.querySelector("[data-precision]");
  if (frame) {
    const legendBox = document.getElementById("legend");
    const hover = (n) => legendBox.replaceChildren(legend(list, evaluation, view, n ?? view.n));
    const choose = (n) => {
      if (n !== view.n) go({ n: String(n), ...FRESH }, { replace: true });
    };
    keepDrawn(frame, (width) =>
      precision(evaluation, list.measures, {
        width,
        grid: view.grid,
        n: view.n,
        upto: view.upto,
        measure: view.measure,
        other: view.panel === "difference" ? view.other : "",
        hover,
        choose,
      }),
    );
  }
  const cloud = main.querySelector("[data-scatter]");
  if (cloud)
    ask("points", { list: list.name, measure: view.measure, n: view.n }).then(({ points }) => {
      const rows = points.map(([name, f, value, kind]) => ({ name, f, value: number(value), kind }));
      const readout = document.getElementById("readout");
      const tell = (row) => {
        readout.textContent = row
          ? `${row.name}: f ${count(row.f)}, ${list.measures[view.measure]} ${score(row.value)}${list.judged ? `, ${VERDICTS[row.kind]}` : ""}`
          : "Point at a candidate.";
      };
      if (rows.length && rows.every((row) => row.value === row.f))
        readout.textContent = "The score is the frequency itself; choose another measure to set it against frequency.";
      else if (rows.length && cloud.isConnected)
        keepDrawn(cloud, (width) =>
          scatter(rows, { width, title: list.measures[view.measure], chosen: "", tell, open: null }),
        );
    });
}

function keepDrawn(frame, make) {
  const show = () => fill(frame, make(Math.max(300, frame.clientWidth)));
  show();
  new ResizeObserver(() => {
    if (frame.isConnected && Math.abs(frame.clientWidth - frame.firstChild.clientWidth) > 2) show();
  }).observe(frame);
}
