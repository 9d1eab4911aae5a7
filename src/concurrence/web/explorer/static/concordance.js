// Lines of a concordance, and where their words stand in the corpus.

import { bar, el, heading, select } from "./dom.js";
import { count, plural, score } from "./figures.js";
import { csv, svgButton } from "./keep.js";
import { go } from "./state.js";
import { strip } from "./strip.js";
import { ask, place } from "./wire.js";

/**
 * @import { State } from "./state.js"
 * @import { Lines, Parameters, Pieces, Spread } from "./wire.js"
 * @import { Tab } from "./words.js"
 */

export const LINES = 20; // on a page

export const ORDERS = {
  corpus: "as in the corpus",
  left: "by what stands before",
  right: "by what stands after",
  random: "at random",
};

/** @param {Pieces} side */
const pieces = (side) => side.map(([text, marked]) => (marked ? el("mark", {}, text) : text));

/** @param {Lines} found @param {string} label */
export function kwic(found, label) {
  if (!found.lines.length) return el("p", { class: "faint" }, "No lines.");
  return el(
    "ol",
    { class: "kwic", "aria-label": label, tabindex: "0" },
    found.lines.map((line) =>
      el(
        "li",
        {},
        el("span", { class: "left" }, el("bdi", {}, pieces(line.left))),
        el("span", { class: "right" }, el("strong", {}, line.node), pieces(line.right)),
        el("span", { class: "source", title: `${line.document}, sentence ${count(line.sentence)}` }, line.document),
      ),
    ),
  );
}

// How many pages there are; of lines in an order of their own, only those that were put in order.
/** @param {{ total: number, sorted?: number }} found @param {number} size */
export const pagesOf = ({ total, sorted = total }, size) => Math.max(1, Math.ceil(Math.min(sorted, total) / size));

/**
 * @param {{ total: number, sorted?: number }} found
 * @param {number} page
 * @param {number} size
 * @param {(page: number) => void} turn
 * @param {string} name
 */
export function pager(found, page, size, turn, name) {
  const pages = pagesOf(found, size);
  if (pages < 2) return null;
  /** @param {string} text @param {number} to @param {string} key */
  const step = (text, to, key) =>
    el(
      "button",
      { type: "button", id: `${name}--${key}`, disabled: to < 1 || to > pages, onclick: () => turn(to) },
      text,
    );
  return el(
    "p",
    { class: "pager" },
    step("← Back", page - 1, "back"),
    el("span", {}, `Page ${count(page)} of ${count(pages)}`),
    step("Next →", page + 1, "next"),
  );
}

// A strip of the corpus with a sentence about it.
/** @param {Spread} found @param {string} what */
export function spread(found, what) {
  const measures = found.measures.filter((one) => one.value !== null).map((one) => `${one.title} ${score(one.value)}`);
  const where =
    found.documents > 1 ? `in ${count(found.range)} of ${plural(found.documents, "document")}` : "in one document";
  return el(
    "figure",
    { class: "spread" },
    strip(found.bins, `Where ${what} stands in the corpus, from its beginning to its end: ${where}`),
    el(
      "figcaption",
      {},
      `From the beginning of the corpus to its end: ${where}`,
      measures.length && found.documents > 1 ? ` (${measures.join(", ")})` : "",
      ".",
    ),
  );
}

/** @param {Spread} found */
export function documents(found) {
  const most = Math.max(...found.top.map((row) => row.f), 1);
  return el(
    "div",
    { class: "scroll" },
    el(
      "table",
      { class: "rows" },
      el(
        "caption",
        {},
        found.range > found.top.length
          ? `The ${count(found.top.length)} of ${plural(found.range, "document")} with most occurrences`
          : plural(found.range, "document"),
      ),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "document"),
          el("th", { scope: "col", class: "n" }, "f"),
          el("th", { scope: "col", class: "n" }, "per million tokens"),
        ),
      ),
      el(
        "tbody",
        {},
        found.top.map((row) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, row.document),
            barred(count(row.f), row.f / most),
            el("td", { class: "n" }, score(row.per_million)),
          ),
        ),
      ),
    ),
  );
}

/** @param {string} text @param {number} share */
export const barred = (text, share) =>
  el("td", { class: "n barred" }, bar(share || 0), el("span", { class: "over" }, text));

/** @param {Parameters} asked */
export const linesFile = (asked) => csv(place("lines.csv", asked));

/** @param {State} now */
export const order = (now) =>
  el(
    "label",
    { class: "inline" },
    "Lines ",
    select({ id: "order" }, Object.entries(ORDERS), now.order, (order) => go({ order, page: "1" })),
  );

/** @type {Tab} */
export async function concordanceTab({ now, asked }) {
  const lines = await ask("lines", { ...asked, order: now.order, page: now.page, limit: LINES });
  const some = lines.sorted < lines.total && now.order !== "corpus";
  return el(
    "section",
    {},
    heading(plural(lines.total, "line"), order(now), linesFile({ ...asked, order: now.order })),
    some && el("p", { class: "faint" }, `Put in order among ${count(lines.sorted)} lines drawn at random.`),
    kwic(lines, `Lines with ${now.q}`),
    pager(lines, Number(now.page), LINES, (page) => go({ page: String(page) }), "lines"),
  );
}

/** @type {Tab} */
export function documentTab({ now, seen }) {
  return el("section", {}, heading("Documents", svgButton("svg.strip", `${now.q}-strip`)), documents(seen));
}
