// What is seen is in the address: a link gives the same view again.

const DEFAULTS = {
  view: "",
  corpus: "",
  q: "",
  unit: "form",
  lower: "true",
  left: "5",
  right: "5",
  pos: "",
  min: "2",
  whole: "",
  tab: "collocates",
  sort: "logDice",
  descending: "true",
  offset: "0",
  word: "",
  order: "corpus",
  page: "1",
  y: "logDice",
  list: "",
  measure: "",
  n: "",
  only: "all",
  find: "",
  panel: "list",
  other: "",
  side: "a",
  upto: "",
  draw: "1",
  size: "100",
};

/**
 * @typedef {Record<keyof typeof DEFAULTS, string>} State
 * @typedef {Partial<State>} Changes
 */

let changed = () => {};

/** @param {() => void} listener */
export const onChange = (listener) => {
  changed = listener;
  addEventListener("popstate", listener);
};

export const state = () => read(location.search);

/** @param {Changes} changes */
export const address = (changes) => write({ ...state(), ...changes });

// What the query of an address says; what it leaves out is as usual.
/** @param {string} query @returns {State} */
export function read(query) {
  const given = new URLSearchParams(query);
  const entries = Object.entries(DEFAULTS).map(([name, usual]) => [name, given.get(name) ?? usual]);
  return Object.fromEntries(entries);
}

// The address of a state, which leaves out what is as usual.
/** @param {State} state */
export function write(state) {
  const names = /** @type {(keyof State)[]} */ (Object.keys(DEFAULTS));
  const kept = names.filter((name) => state[name] !== DEFAULTS[name]).map((name) => [name, state[name]]);
  return kept.length ? `/?${new URLSearchParams(kept)}` : "/";
}

/** @param {Changes} changes @param {{ replace?: boolean }} [how] */
export function go(changes, { replace = false } = {}) {
  const target = address(changes);
  if (target === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", target);
  changed();
}

// An ordinary link that does not load the page anew.
/** @param {Changes} changes */
export const link = (changes) => ({
  href: address(changes),
  /** @param {MouseEvent} event */
  onclick: (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(changes);
  },
});
