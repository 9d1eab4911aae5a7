// Candidates of a list as a table, and what narrows it down.

import { barred } from "./concordance.js";
import { el } from "./dom.js";
import { count, number, score } from "./figures.js";
import { go } from "./state.js";

/**
 * @import { ListState } from "./list_state.js"
 * @import { Counts, List, Row, Verdict } from "./wire.js"
 */

/** @type {Record<Verdict, string>} */
export const VERDICTS = { true: "true", false: "false", unjudged: "not judged" };
export const ROWS = 50; // on a page

/** @param {List} list @param {ListState} view @param {Counts} counts @param {boolean} find */
export function filters(list, view, counts, find) {
  const total = counts.true + counts.false + counts.unjudged;
  const options = {
    all: `all ${count(total)}`,
    true: `${VERDICTS.true} ${count(counts.true)}`,
    false: `${VERDICTS.false} ${count(counts.false)}`,
    unjudged: `${VERDICTS.unjudged} ${count(counts.unjudged)}`,
  };
  const looks = { type: "search", id: "find", name: "find", placeholder: "Word begins with …" };
  const input = el("input", { ...looks, value: view.find });
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
          /** @param {SubmitEvent} event */
          onsubmit: (event) => {
            event.preventDefault();
            go({ find: input.value.trim(), offset: "0" });
          },
        },
        el("label", { class: "unseen", for: "find" }, "Find a word in the list"),
        input,
      ),
  );
}

/**
 * @template {Row} T
 * @param {List} list
 * @param {string} measure
 * @param {T[]} rows
 * @param {[text: string, write: (row: T) => string][]} [extra]
 */
export function table(list, measure, rows, extra = []) {
  const values = rows.map((row) => number(row.score) ?? Number.NaN).filter(Number.isFinite);
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
                barred(score(row.score), ((number(row.score) ?? 0) - low) / (high - low || 1)),
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
/** @param {Verdict} name */
const verdict = (name) =>
  el("span", { class: `verdict ${name}` }, el("span", { "aria-hidden": "true" }, SIGNS[name]), ` ${VERDICTS[name]}`);
