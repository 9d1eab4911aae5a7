// Lines of a concordance, and where their words stand in the corpus.

import { el } from "./dom.js";
import { count, plural, score } from "./figures.js";
import { csv } from "./keep.js";
import { strip } from "./strip.js";
import { place } from "./wire.js";

export const ORDERS = {
  corpus: "as in the corpus",
  left: "by what stands before",
  right: "by what stands after",
  random: "at random",
};

const pieces = (side) => side.map(([text, marked]) => (marked ? el("mark", {}, text) : text));

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

export function pager(found, page, size, turn, name) {
  const pages = Math.max(1, Math.ceil(Math.min(found.sorted ?? found.total, found.total) / size));
  if (pages < 2) return null;
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
            barred(row.f, row.f / most),
            el("td", { class: "n" }, score(row.per_million)),
          ),
        ),
      ),
    ),
  );
}

export function barred(text, share) {
  const made = el(
    "td",
    { class: "n barred" },
    el("span", { class: "bar", "aria-hidden": "true" }),
    el("span", { class: "over" }, typeof text === "number" ? count(text) : text),
  );
  made.firstChild.style.inlineSize = `${Math.max(0, Math.min(1, share || 0)) * 100}%`;
  return made;
}

export const linesFile = (asked) => csv(place("lines.csv", asked));
