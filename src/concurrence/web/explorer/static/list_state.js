// Which measure, size and panel of a list is shown: what the address leaves open is chosen by the list. No page.

import { nearest, sizes } from "./precision.js";

/**
 * @import { State } from "./state.js"
 * @import { Evaluation, List } from "./wire.js"
 *
 * @typedef {object} Chosen
 * @property {string[]} names of the measures
 * @property {number[]} grid the sizes that can be chosen
 * @property {string} measure
 * @property {string} other another measure; empty where there is none
 * @property {number} n
 * @property {number} upto
 * @property {keyof typeof PANELS} panel
 *
 * @typedef {Omit<State, keyof Chosen> & Chosen} ListState
 */

export const PANELS = {
  list: "The list",
  difference: "Difference of two measures",
  ties: "Ties",
  judge: "Judge these",
};
export const FRESH = { offset: "0", only: "all" };
const STEPS = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000, 1_000_000];

/** @param {List} list @param {Evaluation | null} evaluation @param {State} now @returns {ListState} */
export function listState(list, evaluation, now) {
  const names = Object.keys(list.measures);
  const grid = evaluation ? toTheEnd(sizes(evaluation), list.candidates) : steps(list.candidates);
  const end = grid[grid.length - 1];
  const measure = names.includes(now.measure) ? now.measure : names[0];
  const rest = names.filter((name) => name !== measure);
  const other = rest.includes(now.other) ? now.other : (rest[0] ?? "");
  const usual = nearest(grid, Math.min(200, end));
  const n = now.n ? Math.max(1, Math.min(Number(now.n) || usual, evaluation ? end : list.candidates)) : usual;
  const upto = now.upto ? Math.max(Number(now.upto) || 0, grid[Math.min(4, grid.length - 1)]) : firstView(grid);
  return { ...now, names, grid, measure, other, n, upto: Math.max(upto, n), panel: panelOf(now.panel, names) };
}

/** @param {string} name @param {string[]} measures @returns {keyof typeof PANELS} */
function panelOf(name, measures) {
  const known = Object.hasOwn(PANELS, name) && (measures.length > 1 || name !== "difference");
  return known ? /** @type {keyof typeof PANELS} */ (name) : "list";
}

// The evaluated sizes, and the whole list where their steps stop just before it.
/** @param {number[]} grid @param {number} size */
export function toTheEnd(grid, size) {
  const [last, before = 0] = grid.slice(-2).reverse();
  return size > last && size - last < last - before ? [...grid, size] : grid;
}

/** @param {number[]} grid */
const firstView = (grid) => (grid[grid.length - 1] > 20_000 ? nearest(grid, 5000) : grid[grid.length - 1]);

/** @param {number} size */
export const steps = (size) => [...STEPS.filter((n) => n < size), size];

// How far the picture can reach.
/** @param {ListState} view */
export function reaches({ grid, upto }) {
  const end = grid[grid.length - 1];
  const inside = [1000, 5000, 20_000, 100_000, 1_000_000].filter((n) => n > grid[2] && n < end);
  return [...new Set([...inside.map((n) => nearest(grid, n)), end, upto])].sort((a, b) => a - b);
}
