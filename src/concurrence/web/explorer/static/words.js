// The view of a word: search, collocates, concordance, documents, sketch.

import { barred, documents, kwic, linesFile, ORDERS, pager, spread } from "./concordance.js";
import { bar, el, fill, say } from "./dom.js";
import { count, number, plural, score, times } from "./figures.js";
import { csv, svgButton } from "./keep.js";
import { scatter } from "./scatter.js";
import { go, link, state } from "./state.js";
import { ask, place } from "./wire.js";

const LINES = 20;
const ROWS = 50;
const TABS = { collocates: "Collocates", concordance: "Concordance", sketch: "Sketch", documents: "Documents" };
const ABOUT_NODE = ["some_occurrences", "some_places"];
const NEEDS_QUOTES = /["[\s]|^'.*'$|^(?=.*[^*]).*\*/;
const FRESH = { word: "", offset: "0", page: "1", whole: "" };

export async function words(about, main) {
  const now = state();
  const corpus = about.corpora.find((one) => one.name === now.corpus) ?? about.corpora[0];
  document.title = now.q ? `${now.q} – Concurrence explorer` : "Concurrence explorer";
  const top = search(about, corpus, now);
  if (!now.q) return fill(main, top, welcome(corpus));
  const asked = near(corpus, now);
  try {
    const [found, seen] = await Promise.all([collocates(asked, now), ask("spread", asked)]);
    const parts = await (BODIES[now.tab] ?? BODIES.collocates)(corpus, now, asked, found, seen);
    fill(main, top, headline(now, found, seen), tabs(corpus, now), parts);
    const drawn = main.querySelector("[data-chart]");
    if (drawn) draw(drawn, found, now);
    reveal(main.querySelector("tr.opened, .card.wide"));
    say(`${now.q}: ${times(found.node.frequency)}`);
  } catch (error) {
    fill(main, top, el("p", { class: "problem", role: "alert" }, error.message));
  }
}

// What was opened is brought into sight, unless it is there already.
function reveal(opened) {
  const top = opened?.getBoundingClientRect().top ?? 0;
  if (top < 0 || top > 0.8 * innerHeight) opened?.scrollIntoView({ block: "start" });
}

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

function search(about, corpus, now) {
  const submit = (event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const wanted = Object.fromEntries(
      ["q", "left", "right", "min", "unit", "pos", "corpus"]
        .filter((name) => given.has(name))
        .map((name) => [name, given.get(name)]),
    );
    go({
      ...FRESH,
      ...wanted,
      view: "words",
      q: (wanted.q ?? "").trim(),
      lower: given.has("lower") ? "true" : "false",
    });
  };
  const field = (text, control) => el("label", {}, el("span", {}, text), control);
  const size = (name, value, text) =>
    field(
      text,
      el("input", {
        type: "number",
        name,
        id: `ask--${name}`,
        value,
        min: name === "min" ? 1 : 0,
        max: name === "min" ? null : 20,
      }),
    );
  const choice = (name, text, options, chosen) =>
    field(
      text,
      el(
        "select",
        { name, id: `ask--${name}` },
        options.map(([value, shown]) => el("option", { value, selected: value === chosen }, shown)),
      ),
    );
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
      about.corpora.length > 1 &&
        choice(
          "corpus",
          "Corpus",
          about.corpora.map((one) => [one.name, one.name]),
          corpus.name,
        ),
      size("left", now.left, "Tokens before"),
      size("right", now.right, "after"),
      size("min", now.min, "At least f"),
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
      corpus.tags.length > 0 &&
        choice("pos", "Part of speech", [["", "any"], ...corpus.tags.map((tag) => [tag, tag])], now.pos),
      el(
        "label",
        { class: "check" },
        el("input", { type: "checkbox", name: "lower", id: "ask--lower", checked: now.lower === "true" }),
        el("span", {}, "Ignore case"),
      ),
    ),
  );
}

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
          "aria-current": (TABS[now.tab] ? now.tab : "collocates") === name ? "page" : null,
        },
        text,
      ),
    ),
  );
}

const BODIES = { collocates: collocateTab, concordance: concordanceTab, sketch: sketchTab, documents: documentTab };

async function collocateTab(_corpus, now, asked, found) {
  if (!found.node.frequency) return null;
  if (!found.types)
    return el(
      "p",
      { class: "faint" },
      `No other word stands within this span at least ${times(Number(now.min))}; what the search itself finds is not counted.`,
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
      heading(
        "Frequency against score",
        svgButton(() => document.querySelector("svg.scatter"), `${now.q}-scatter`),
      ),
      el(
        "label",
        { class: "inline" },
        "Score ",
        el(
          "select",
          { id: "y", onchange: (event) => go({ y: event.target.value }) },
          Object.entries(found.measures).map(([name, title]) =>
            el("option", { value: name, selected: name === now.y }, title),
          ),
        ),
      ),
      el("div", { "data-chart": true }),
      el("p", { class: "readout", id: "readout" }, "Point at a word, or choose one."),
    ),
  );
}

function draw(frame, found, now) {
  const names = Object.keys(found.measures);
  const measure = names.includes(now.y) ? now.y : names[0];
  const rows = found.points.map(([name, f, ...scores]) => ({ name, f, value: number(scores[names.indexOf(measure)]) }));
  const readout = document.getElementById("readout");
  const tell = (row) => {
    readout.textContent = row
      ? `${row.name}: f ${count(row.f)}, ${found.measures[measure]} ${score(row.value)}`
      : "Point at a word, or choose one.";
  };
  const open = (row) => go({ word: row.name, page: "1" });
  const show = () =>
    frame.replaceChildren(
      scatter(rows, {
        width: Math.max(280, frame.clientWidth),
        title: found.measures[measure],
        chosen: now.word,
        tell,
        open,
      }),
    );
  show();
  new ResizeObserver(() => {
    if (frame.isConnected && Math.abs(frame.clientWidth - frame.firstChild.clientWidth) > 2) show();
  }).observe(frame);
}

export const heading = (text, ...tools) =>
  el("div", { class: "heading" }, el("h2", {}, text), el("span", { class: "tools" }, tools));

function table(found, now, open) {
  const columns = [
    ["word", "word", ""],
    ["f", "f", "n"],
    ["f2", "f2", "n"],
    ["range", "documents", "n"],
    ...Object.entries(found.measures).map(([name, title]) => [name, title, "n"]),
  ];
  const sorted = (name) => (now.sort === name ? (now.descending === "true" ? "descending" : "ascending") : null);
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

function cell(name, row, found, now) {
  const value = name in row ? row[name] : row.scores[name];
  const text = name in row ? count(value) : score(value);
  if (name !== "f" && name !== now.sort) return el("td", { class: "n" }, text);
  const [low, high] = found.extent[name] ?? [0, value];
  const from = Math.min(0, low);
  return barred(
    text,
    name === "f" ? Math.log(1 + value) / Math.log(1 + high) : (number(value) - from) / (high - from || 1),
  );
}

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
const asQuery = (word) =>
  NEEDS_QUOTES.test(word) ? `"${word.replace(/\\/g, "\\x5c").replace(/[\^$.|?*+(){}[\]"]/g, "\\$&")}"` : word;

const order = (now) =>
  el(
    "label",
    { class: "inline" },
    "Lines ",
    el(
      "select",
      { id: "order", onchange: (event) => go({ order: event.target.value, page: "1" }) },
      Object.entries(ORDERS).map(([name, text]) => el("option", { value: name, selected: name === now.order }, text)),
    ),
  );

async function concordanceTab(_corpus, now, asked) {
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

async function documentTab(_corpus, now, _asked, _found, seen) {
  return el(
    "section",
    {},
    heading(
      "Documents",
      svgButton(() => document.querySelector("svg.strip"), `${now.q}-strip`),
    ),
    documents(seen),
  );
}

async function sketchTab(corpus, now) {
  const unit = corpus.units.includes("lemma") ? "lemma" : "form";
  const found = await ask("sketch", { corpus: corpus.name, q: now.q, unit, lower: now.lower, min_freq: now.min });
  const [relation, word] = now.word.split("\u0001");
  const asked = { corpus: corpus.name, q: now.q, unit, lower: now.lower, left: 10, right: 10 };
  const open = word
    ? el(
        "div",
        { class: "opened" },
        el("p", { class: "faint" }, `Both within 10 tokens of each other, in whatever relation.`),
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

const relationName = (name) => (name.endsWith(" of") ? [el("b", {}, name.slice(0, -3)), " of"] : el("b", {}, name));
