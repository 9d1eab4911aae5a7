// The collocates of a word: a table, a picture, and the lines of the one that is chosen.

import { barred, kwic, LINES, linesFile, order, pager, spread } from "./concordance.js";
import { byId, el, heading, keepDrawn, select } from "./dom.js";
import { count, number, plural, score, times } from "./figures.js";
import { csv, svgButton } from "./keep.js";
import { scatter } from "./scatter.js";
import { go, link } from "./state.js";
import { ask, place } from "./wire.js";

/**
 * @import { Child } from "./dom.js"
 * @import { Figure } from "./figures.js"
 * @import { Point } from "./scatter.js"
 * @import { State } from "./state.js"
 * @import { Collocate, Collocates, Parameters } from "./wire.js"
 * @import { Tab } from "./words.js"
 */

export const ROWS = 50;
const POINT = "Point at a word, or choose one.";
const NEEDS_QUOTES = /["[\s]|^'.*'$|^(?=.*[^*]).*\*/;
const FRESH = { word: "", offset: "0", page: "1", whole: "" };

/** @type {Tab} */
export async function collocateTab({ now, asked, found }) {
  if (!found.node.frequency) return null;
  if (!found.types)
    return el(
      "p",
      { class: "faint" },
      `No other word stands within this span at least ${times(Number(now.min))}; `,
      "what the search itself finds is not counted.",
    );
  const open = found.collocates.some((row) => row.word === now.word) ? await inside(asked, now, now.word) : null;
  const range = { total: found.types };
  return el(
    "div",
    { class: "beside" },
    el(
      "section",
      {},
      heading(
        `${plural(found.types, "collocate")}`,
        csv(place("collocates.csv", { ...asked, sort: now.sort, descending: now.descending, min_freq: now.min })),
      ),
      el(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Collocates" },
        table(found, now, open),
      ),
      pager(
        range,
        found.offset / ROWS + 1,
        ROWS,
        (page) => go({ offset: String((page - 1) * ROWS), word: "" }),
        "rows",
      ),
    ),
    el(
      "section",
      { class: "aside" },
      heading("Frequency against score", svgButton("svg.scatter", `${now.q}-scatter`)),
      el(
        "label",
        { class: "inline" },
        "Score ",
        select({ id: "y" }, Object.entries(found.measures), now.y, (y) => go({ y })),
      ),
      el("div", { "data-chart": true }),
      el("p", { class: "readout", id: "readout" }, POINT),
    ),
  );
}

/** @param {HTMLElement} main @param {Collocates} found @param {State} now */
export function drawScatter(main, found, now) {
  const frame = /** @type {HTMLElement | null} */ (main.querySelector("[data-chart]"));
  if (!frame) return;
  const names = Object.keys(found.measures);
  const measure = names.includes(now.y) ? now.y : names[0];
  const title = found.measures[measure];
  const rows = found.points.map(([name, f, ...scores]) => ({ name, f, value: scores[names.indexOf(measure)] }));
  /** @param {Point | null} row */
  const tell = (row) => {
    byId("readout").textContent = row ? `${row.name}: f ${count(row.f)}, ${title} ${score(row.value)}` : POINT;
  };
  /** @param {Point} row */
  const open = (row) => go({ word: row.name, page: "1" });
  keepDrawn(frame, (width) => scatter(rows, { width: Math.max(280, width), title, chosen: now.word, tell, open }));
}

/** @param {Collocates} found @param {State} now @param {Child} open what is read of the chosen one */
function table(found, now, open) {
  const columns = [
    ["word", "word", ""],
    ["f", "f", "n"],
    ["f2", "f2", "n"],
    ["range", "documents", "n"],
    ...Object.entries(found.measures).map(([name, title]) => [name, title, "n"]),
  ];
  /** @param {string} name */
  const sorted = (name) => (now.sort === name ? (now.descending === "true" ? "descending" : "ascending") : null);
  /** @param {string} name */
  const flip = (name) =>
    go({
      sort: name,
      descending: now.sort === name ? String(now.descending !== "true") : String(name !== "word"),
      offset: "0",
      word: "",
    });
  const head = columns.map(([name, text, kind]) =>
    el(
      "th",
      { scope: "col", class: kind, "aria-sort": sorted(name) },
      el("button", { type: "button", class: "sort", id: `sort--${name}`, onclick: () => flip(name) }, text),
    ),
  );
  const body = found.collocates.flatMap((row) => {
    const opened = open && row.word === now.word;
    const cells = columns.slice(1).map(([name]) => cell(name, row, found, now));
    const button = el(
      "button",
      {
        type: "button",
        class: "row",
        id: `row--${row.word}`,
        "aria-expanded": String(Boolean(opened)),
        onclick: () => go({ word: opened ? "" : row.word, page: "1" }),
      },
      row.word,
    );
    const made = el("tr", { class: opened ? "opened" : null }, el("th", { scope: "row" }, button), cells);
    return opened ? [made, el("tr", { class: "inside" }, el("td", { colspan: columns.length }, open))] : [made];
  });
  return el(
    "table",
    { class: "rows collocates" },
    el("caption", { class: "unseen" }, "Collocates; choose one to read its lines"),
    el("thead", {}, el("tr", {}, head)),
    el("tbody", {}, body),
  );
}

/** @param {string} name of a column @param {Collocate} row @param {Collocates} found @param {State} now */
function cell(name, row, found, now) {
  const value = name === "f" || name === "f2" || name === "range" ? row[name] : null;
  const text = value === null ? score(row.scores[name]) : count(value);
  if (name !== "f" && name !== now.sort) return el("td", { class: "n" }, text);
  return barred(
    text,
    name === "f" ? logShare(row.f, found.extent.f) : share(value ?? row.scores[name], found.extent[name]),
  );
}

/** @param {number} f @param {[low: number, high: number]} extent */
const logShare = (f, [, high]) => Math.log(1 + f) / Math.log(1 + high);

// How far a value lies between the least, or zero, and the most.
/** @param {Figure} value @param {[low: number, high: number]} [extent] */
export function share(value, [low, high] = [0, number(value) ?? 0]) {
  const from = Math.min(0, low);
  return ((number(value) ?? 0) - from) / (high - from || 1);
}

/** @param {Parameters} asked @param {State} now @param {string} word */
async function inside(asked, now, word) {
  const [lines, seen] = await Promise.all([
    ask("lines", { ...asked, word, order: now.order, page: now.page, limit: LINES }),
    ask("spread", { ...asked, word }),
  ]);
  return el(
    "div",
    { class: "opened" },
    spread(seen, `${now.q} with ${word}`),
    el(
      "div",
      { class: "heading" },
      order(now),
      el(
        "span",
        { class: "tools" },
        linesFile({ ...asked, word, order: now.order }),
        el("a", { ...link({ ...FRESH, q: asQuery(word) }), class: "other" }, "Search ", el("bdi", {}, word)),
      ),
    ),
    kwic(lines, `Lines with ${word}`),
    pager(lines, Number(now.page), LINES, (page) => go({ page: String(page) }), "lines"),
  );
}

// The query that finds just this word, whatever signs it has.
/** @param {string} word */
export const asQuery = (word) =>
  NEEDS_QUOTES.test(word) ? `"${word.replace(/\\/g, "\\x5c").replace(/[\^$.|?*+(){}[\]"]/g, "\\$&")}"` : word;
