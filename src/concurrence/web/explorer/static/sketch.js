// The sketch of a word: a card for each relation, with the words that stand in it.

import { kwic, LINES } from "./concordance.js";
import { bar, el, heading } from "./dom.js";
import { count, number, plural, score } from "./figures.js";
import { go } from "./state.js";
import { ask } from "./wire.js";

/**
 * @import { Child } from "./dom.js"
 * @import { Sketch, SketchRow } from "./wire.js"
 * @import { Tab } from "./words.js"
 */

/** @type {Tab} */
export async function sketchTab({ corpus, now }) {
  const unit = corpus.units.includes("lemma") ? "lemma" : "form";
  const found = await ask("sketch", { corpus: corpus.name, q: now.q, unit, lower: now.lower, min_freq: now.min });
  const [relation, word] = now.word.split("\u0001");
  const asked = { corpus: corpus.name, q: now.q, unit, lower: now.lower, left: 10, right: 10 };
  const open = word
    ? el(
        "div",
        { class: "opened" },
        el("p", { class: "faint" }, "Both within 10 tokens of each other, in whatever relation."),
        kwic(await ask("lines", { ...asked, word, limit: LINES }), `Lines with ${word}`),
      )
    : null;
  const cards = Object.entries(found.relations).map(([name, rows]) =>
    card(found, name, rows, relation === name ? word : null, open),
  );
  return el(
    "section",
    {},
    heading(plural(cards.length, "relation")),
    found.warnings.map((one) => el("p", { class: "warning" }, one.text)),
    found.sentences.map((one) => el("p", { class: "faint" }, one.text)),
    cards.length
      ? el("div", { class: "cards" }, cards)
      : el("p", { class: "faint" }, "No relation has a word that often."),
  );
}

/**
 * @param {Sketch} found
 * @param {string} name of the relation
 * @param {SketchRow[]} rows
 * @param {string | null} chosen
 * @param {Child} open what is read of the chosen one
 */
function card(found, name, rows, chosen, open) {
  const measure = Object.keys(found.measures)[0];
  const most = Math.max(...rows.map((row) => number(row.scores[measure]) ?? 0), 1e-9);
  return el(
    "article",
    { class: chosen ? "card wide" : "card" },
    el("h3", {}, relationName(name), el("span", { class: "faint" }, ` ${plural(found.types[name], "word")}`)),
    el(
      "ul",
      {},
      rows.map((row) =>
        el(
          "li",
          {},
          el(
            "button",
            {
              type: "button",
              class: "row",
              id: `sketch--${name}--${row.word}`,
              "aria-expanded": String(row.word === chosen),
              onclick: () => go({ word: row.word === chosen ? "" : `${name}\u0001${row.word}` }),
            },
            row.word,
          ),
          el("span", { class: "rail" }, bar((number(row.scores[measure]) ?? 0) / most)),
          el(
            "span",
            { class: "n", title: `f ${count(row.f)}, ${found.measures[measure]} ${score(row.scores[measure])}` },
            count(row.f),
          ),
        ),
      ),
    ),
    chosen && open,
  );
}

/** @param {string} name */
const relationName = (name) => (name.endsWith(" of") ? [el("b", {}, name.slice(0, -3)), " of"] : el("b", {}, name));
