// The panels below the picture of a list: the list itself, difference sets, ties, and what to judge next.

import { filters, ROWS, table } from "./candidates.js";
import { pager } from "./concordance.js";
import { el, heading, say, select } from "./dom.js";
import { count, plural, score } from "./figures.js";
import { csv, svgButton } from "./keep.js";
import { FRESH } from "./list_state.js";
import { go, link } from "./state.js";
import { ask, place } from "./wire.js";

/**
 * @import { Child } from "./dom.js"
 * @import { ListState } from "./list_state.js"
 * @import { Evaluation, List } from "./wire.js"
 *
 * @typedef {{ list: List, evaluation: Evaluation | null, view: ListState }} Shown
 * @typedef {(shown: Shown) => Promise<Child>} Panel
 */

export const POINT = "Point at a candidate.";

/** @type {Panel} */
export async function listPart({ list, view }) {
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
        heading("Frequency against score", svgButton("svg.scatter", `${list.name}-scatter`)),
        el("div", { "data-scatter": true }),
        el("p", { class: "readout", id: "readout" }, POINT),
      ),
  );
}

/** @type {Panel} */
export async function differencePart({ list, evaluation, view }) {
  const side = view.side === "b" ? "b" : "a";
  const asked = { list: list.name, a: view.measure, b: view.other, n: view.n, side, only: view.only };
  const found = await ask("difference", { ...asked, offset: view.offset, limit: ROWS });
  const [a, b] = [list.measures[view.measure], list.measures[view.other]];
  /** @param {"a" | "b"} name @param {string} only @param {string} not */
  const box = (name, only, not) => {
    const { true: yes, false: no, unjudged } = found.counts[name];
    return el(
      "button",
      {
        type: "button",
        class: "set",
        id: `side--${name}`,
        "aria-pressed": String(name === side),
        onclick: () => go({ side: name, ...FRESH }),
      },
      el("b", {}, count(found.sizes[name])),
      el("span", {}, `in the list of ${only}, not of ${not}`),
      list.judged &&
        el("span", { class: "faint" }, `${count(yes)} true, ${count(no)} false, ${count(unjudged)} not judged`),
    );
  };
  return el(
    "section",
    {},
    el("div", { class: "options" }, pick("a", "measure", list, view), pick("b", "other", list, view)),
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
          : `At n = ${count(view.n)}: ${p(found.test.p)} (${evaluation?.method.test}). ${found.test.sentence}`,
      ),
    found.cut &&
      el(
        "p",
        { class: "faint" },
        "n falls inside a run of equal scores, so some of these are here by the way ties were broken.",
      ),
    heading(side === "a" ? `${a}, but not ${b}` : `${b}, but not ${a}`, csv(place("difference.csv", asked))),
    filters(list, view, found.counts[side], false),
    table(list, side === "a" ? view.measure : view.other, found.rows),
    pager(found, Number(view.offset) / ROWS + 1, ROWS, (page) => go({ offset: String((page - 1) * ROWS) }), "rows"),
  );
}

/** @param {number} value */
export const p = (value) => (value < 0.001 ? "p < .001" : `p = ${value.toFixed(3).replace(/^0/, "")}`);

/** @param {"a" | "b"} key @param {"measure" | "other"} name @param {List} list @param {ListState} view */
const pick = (key, name, list, view) =>
  el(
    "label",
    {},
    el("span", {}, key === "a" ? "First measure" : "Second measure"),
    select(
      { id: `pick--${key}` },
      view.names
        .filter((one) => one !== view[name === "other" ? "measure" : "other"])
        .map((one) => [one, list.measures[one]]),
      view[name],
      (value) => go({ measure: view.measure, other: view.other, [name]: value, ...FRESH }),
    ),
  );

/** @type {Panel} */
export async function tiesPart({ list, evaluation, view }) {
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
  const left = `${plural(places, "place")} ${places === 1 ? "is" : "are"}`;
  return el(
    "section",
    {},
    heading(
      `${count(size)} candidates share ${name} = ${score(found.score)}, and ${left} left for them`,
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

/** @type {Panel} */
export async function judgePart({ list, view }) {
  const size = Math.max(1, Math.min(Number(view.size) || 100, view.n));
  const both = view.side === "b" && view.other;
  const asked = { list: list.name, measure: view.measure, n: view.n, size, other: both ? view.other : "" };
  const { commands } = await ask("judging", asked);
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    go({ size: String(given.get("size")), side: given.has("both") ? "b" : "a" });
  };
  const names = [view.measure, ...(both ? [view.other] : [])].map((name) => list.measures[name]);
  return el(
    "section",
    { class: "judge" },
    heading("Judge these"),
    el(
      "p",
      {},
      `A random sample of the ${count(view.n)} best by ${names.join(" and by ")}, for people to judge. `,
      "It carries its design, so that concur evaluate can read what people say of it.",
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
      commands.map((line, k) => el("li", {}, el("code", { tabindex: "0" }, line), copyButton(line, k))),
    ),
  );
}

/** @param {string} text @param {number} k */
function copyButton(text, k) {
  const button = el("button", { type: "button", class: "keep", id: `copy--${k}` }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    say("Copied");
  });
  return button;
}
