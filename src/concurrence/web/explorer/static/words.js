// The view of a word: search, collocates, concordance, documents, sketch.

import { collocateTab, drawScatter, ROWS } from "./collocates.js";
import { concordanceTab, documentTab, spread } from "./concordance.js";
import { el, fill, problemLine, say, select } from "./dom.js";
import { times } from "./figures.js";
import { sketchTab } from "./sketch.js";
import { go, link, state } from "./state.js";
import { ask } from "./wire.js";

/**
 * @import { Attributes, Child } from "./dom.js"
 * @import { Changes, State } from "./state.js"
 * @import { About, Collocates, Corpus, Parameters, Spread } from "./wire.js"
 *
 * @typedef {object} Looked what a tab may show
 * @property {Corpus} corpus
 * @property {State} now
 * @property {Parameters} asked the word and its surroundings
 * @property {Collocates} found
 * @property {Spread} seen
 *
 * @typedef {(looked: Looked) => Promise<Child> | Child} Tab
 */

/** @type {Record<string, string>} */
const TABS = { collocates: "Collocates", concordance: "Concordance", sketch: "Sketch", documents: "Documents" };
const ABOUT_NODE = ["some_occurrences", "some_places"];
const FRESH = { word: "", offset: "0", page: "1", whole: "" };

/** @param {About} about @param {HTMLElement} main */
export async function words(about, main) {
  const now = state();
  const corpus = about.corpora.find((one) => one.name === now.corpus) ?? about.corpora[0];
  document.title = now.q ? `${now.q} – Concurrence explorer` : "Concurrence explorer";
  const top = search(about, corpus, now);
  if (!now.q) return fill(main, top, welcome(corpus));
  const asked = near(corpus, now);
  try {
    const [found, seen] = await Promise.all([collocates(asked, now), ask("spread", asked)]);
    const parts = await BODIES[tabOf(now)]({ corpus, now, asked, found, seen });
    fill(main, top, headline(now, found, seen), tabs(corpus, now), parts);
    drawScatter(main, found, now);
    reveal(main.querySelector("tr.opened, .card.wide"));
    say(`${now.q}: ${times(found.node.frequency)}`);
  } catch (error) {
    fill(main, top, problemLine(error));
  }
}

// What was opened is brought into sight, unless it is there already.
/** @param {Element | null} opened */
function reveal(opened) {
  const top = opened?.getBoundingClientRect().top ?? 0;
  if (top < 0 || top > 0.8 * innerHeight) opened?.scrollIntoView({ block: "start" });
}

/** @param {Corpus} corpus @param {State} now @returns {Parameters} */
const near = (corpus, now) => ({
  corpus: corpus.name,
  q: now.q,
  unit: now.unit,
  lower: now.lower,
  left: now.left,
  right: now.right,
  pos: now.pos,
  whole: now.whole,
});
/** @param {Parameters} asked @param {State} now */
const collocates = (asked, now) =>
  ask("collocates", {
    ...asked,
    sort: now.sort,
    descending: now.descending,
    min_freq: now.min,
    offset: now.offset,
    show: now.tab === "collocates" ? now.word : "",
    limit: ROWS,
  });

/** @param {string} text @param {Child} control */
const field = (text, control) => el("label", {}, el("span", {}, text), control);

/** @param {string} name @param {string} value @param {string} text @param {Attributes} range */
const size = (name, value, text, range) =>
  field(text, el("input", { type: "number", name, id: `ask--${name}`, value, ...range }));

/** @param {string} name @param {string} text @param {[string, string][]} options @param {string} chosen */
const choice = (name, text, options, chosen) => field(text, select({ name, id: `ask--${name}` }, options, chosen));

/** @param {string[]} names @returns {[string, string][]} */
const pairs = (names) => names.map((name) => [name, name]);

// What the form of the search asks for.
/** @param {FormData} given @returns {Changes} */
export function wanted(given) {
  const names = ["q", "left", "right", "min", "unit", "pos", "corpus"].filter((name) => given.has(name));
  const changes = Object.fromEntries(names.map((name) => [name, String(given.get(name))]));
  const lower = given.has("lower") ? "true" : "false";
  return { ...FRESH, ...changes, view: "words", q: (changes.q ?? "").trim(), lower };
}

/** @param {About} about @param {Corpus} corpus @param {State} now */
function search(about, corpus, now) {
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    go(wanted(new FormData(/** @type {HTMLFormElement} */ (event.currentTarget))));
  };
  return el(
    "form",
    { class: "search", role: "search", onsubmit: submit },
    el(
      "div",
      { class: "query" },
      el("label", { class: "unseen", for: "q" }, "Word or query"),
      el("input", {
        type: "search",
        id: "q",
        name: "q",
        value: now.q,
        placeholder: "A word, or a query",
        autocomplete: "off",
        spellcheck: "false",
        autocapitalize: "none",
      }),
      el("button", { class: "main", id: "ask" }, "Search"),
    ),
    el(
      "div",
      { class: "options" },
      about.corpora.length > 1 && choice("corpus", "Corpus", pairs(about.corpora.map((one) => one.name)), corpus.name),
      size("left", now.left, "Tokens before", { min: 0, max: 20 }),
      size("right", now.right, "after", { min: 0, max: 20 }),
      size("min", now.min, "At least f", { min: 1 }),
      corpus.units.length > 1 &&
        choice(
          "unit",
          "Count",
          [
            ["form", "forms"],
            ["lemma", "lemmas"],
          ],
          now.unit,
        ),
      corpus.tags.length > 0 && choice("pos", "Part of speech", [["", "any"], ...pairs(corpus.tags)], now.pos),
      el(
        "label",
        { class: "check" },
        el("input", { type: "checkbox", name: "lower", id: "ask--lower", checked: now.lower === "true" }),
        el("span", {}, "Ignore case"),
      ),
    ),
  );
}

/** @param {Corpus} corpus */
function welcome(corpus) {
  return el(
    "section",
    { class: "welcome" },
    el("h1", {}, "What stands around a word?"),
    el("p", {}, `${corpus.name}: ${corpus.words}`),
    corpus.examples.length > 0 &&
      el(
        "p",
        {},
        "Try ",
        corpus.examples.map((text, k) => [
          k ? ", " : "",
          el("a", { ...link({ ...FRESH, view: "words", q: text }), class: "example" }, text),
        ]),
        ".",
      ),
    el(
      "p",
      { class: "faint" },
      "A star inside a word stands for any letters; tokens in brackets are CQP's query language.",
    ),
  );
}

/** @param {State} now @param {Collocates} found @param {Spread} seen */
function headline(now, found, seen) {
  const about = found.node.exact ? "" : "about ";
  return el(
    "section",
    { class: "headline" },
    el(
      "h1",
      {},
      el("span", { class: "asked" }, now.q),
      found.node.frequency ? ` occurs ${about}${times(found.node.frequency)}` : " never occurs here",
    ),
    found.node.frequency > 0 && spread(seen, now.q),
    !found.node.frequency &&
      /^\*+$/.test(now.q) &&
      el("p", { class: "faint" }, "A star alone is the sign itself; write [] for any token."),
    found.warnings
      .filter((one) => now.tab === "collocates" || ABOUT_NODE.includes(one.code))
      .map((one) =>
        el(
          "p",
          { class: "warning" },
          one.code === "one_document" && el("b", {}, "Of these collocates: "),
          one.text,
          ABOUT_NODE.includes(one.code) && [
            " ",
            el("a", { ...link({ whole: "true" }), id: "whole" }, "Count all of them"),
            ", however long it takes.",
          ],
        ),
      ),
  );
}

/** @param {Corpus} corpus @param {State} now */
function tabs(corpus, now) {
  const shown = Object.entries(TABS).filter(([name]) => name !== "sketch" || corpus.sketches);
  return el(
    "nav",
    { class: "tabs", "aria-label": "Ways to look at the word" },
    shown.map(([name, text]) =>
      el(
        "a",
        {
          ...link({ tab: name, page: "1", word: "" }),
          id: `tab--${name}`,
          "aria-current": tabOf(now) === name ? "page" : null,
        },
        text,
      ),
    ),
  );
}

/** @type {Record<string, Tab>} */
const BODIES = { collocates: collocateTab, concordance: concordanceTab, sketch: sketchTab, documents: documentTab };

/** @param {State} now */
const tabOf = ({ tab }) => (Object.hasOwn(TABS, tab) ? tab : "collocates");
