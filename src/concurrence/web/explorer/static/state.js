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

let changed = () => {};
export const onChange = (listener) => {
  changed = listener;
};

export function state() {
  const given = new URLSearchParams(location.search);
  return Object.fromEntries(Object.entries(DEFAULTS).map(([name, usual]) => [name, given.get(name) ?? usual]));
}

export function address(changes) {
  const wanted = { ...state(), ...changes };
  const kept = Object.entries(wanted).filter(([name, value]) => name in DEFAULTS && String(value) !== DEFAULTS[name]);
  const query = new URLSearchParams(kept.map(([name, value]) => [name, String(value)]));
  return kept.length ? `/?${query}` : "/";
}

export function go(changes, { replace = false } = {}) {
  const target = address(changes);
  if (target === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", target);
  changed();
}

// An ordinary link that does not load the page anew.
export const link = (changes) => ({
  href: address(changes),
  onclick: (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(changes);
  },
});

addEventListener("popstate", () => changed());
