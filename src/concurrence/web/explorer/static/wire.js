// Questions to the server; an answer is kept for a while, since the same view asks again as it is drawn anew.

/**
 * @import { Figure } from "./figures.js"
 *
 * @typedef {{ code: string, text: string }} Sentence
 * @typedef {Record<string, string>} Titles of measures, by name
 * @typedef {Record<string, Figure>} Scores by measure
 *
 * @typedef {object} Corpus
 * @property {string} name
 * @property {string} words
 * @property {string[]} units
 * @property {string[]} tags
 * @property {boolean} sketches
 * @property {string[]} examples
 *
 * @typedef {object} List
 * @property {string} name
 * @property {string} words
 * @property {number} candidates
 * @property {Titles} measures
 * @property {boolean} judged
 * @property {boolean} frequency
 *
 * @typedef {{ corpora: Corpus[], lists: List[] }} About
 *
 * @typedef {{ word: string, f: number, f2: number, range: number, scores: Scores }} Collocate
 *
 * @typedef {object} Collocates
 * @property {{ frequency: number, exact: boolean }} node
 * @property {number} types
 * @property {number} offset
 * @property {Titles} measures
 * @property {Record<string, [low: number, high: number]>} extent
 * @property {Collocate[]} collocates
 * @property {[word: string, f: number, ...scores: Figure[]][]} points
 * @property {Sentence[]} warnings
 *
 * @typedef {[text: string, marked: boolean][]} Pieces
 * @typedef {{ document: string, sentence: number, left: Pieces, node: string, right: Pieces }} Line
 * @typedef {{ total: number, sorted: number, lines: Line[] }} Lines
 *
 * @typedef {object} Spread
 * @property {number[]} bins
 * @property {number} documents
 * @property {number} range
 * @property {{ title: string, value: Figure }[]} measures
 * @property {{ document: string, f: number, per_million: Figure }[]} top
 *
 * @typedef {{ word: string, f: number, scores: Scores }} SketchRow
 *
 * @typedef {object} Sketch
 * @property {Titles} measures
 * @property {Record<string, number>} types
 * @property {Record<string, SketchRow[]>} relations
 * @property {Sentence[]} sentences
 * @property {Sentence[]} warnings
 *
 * @typedef {object} Curve
 * @property {number[]} n
 * @property {(number | null)[]} precision
 * @property {(number | null)[]} low
 * @property {(number | null)[]} high
 * @property {number[]} sampled
 * @property {number[]} true_positives
 *
 * @typedef {object} Evaluation
 * @property {{ judged: number, candidates: number, true_positives: number }} data
 * @property {{ level: number, interval: string, test: string }} method
 * @property {{ value: number | null, interval: [low: number, high: number] }} baseline
 * @property {Record<string, Curve>} measures
 * @property {Sentence[]} warnings
 *
 * @typedef {"true" | "false" | "unjudged"} Verdict
 * @typedef {Record<Verdict, number>} Counts
 *
 * @typedef {object} Row
 * @property {number | null} rank
 * @property {string[]} words
 * @property {number | null} f
 * @property {Figure} score
 * @property {Verdict} verdict
 *
 * @typedef {{ places: number, size: number }} Tie
 * @typedef {{ total: number, counts: Counts, rows: Row[], tie: Tie | null }} Rows
 *
 * @typedef {object} Difference
 * @property {number} overlap
 * @property {{ a: number, b: number }} sizes
 * @property {{ a: Counts, b: Counts }} counts
 * @property {boolean} cut
 * @property {number} total
 * @property {Row[]} rows
 * @property {{ p: number | null, sentence: string } | null} test
 *
 * @typedef {Row & { now: boolean, other: boolean }} TiedRow
 * @typedef {{ score: Figure, changed: number, true_now: number, true_other: number, rows: TiedRow[] }} Tied
 *
 * @typedef {object} Answers by path
 * @property {About} about
 * @property {Collocates} collocates
 * @property {Lines} lines
 * @property {Spread} spread
 * @property {Sketch} sketch
 * @property {{ evaluation: Evaluation | null }} evaluation
 * @property {Rows} rows
 * @property {Difference} difference
 * @property {{ tie: null } | (Tied & { tie: Tie })} ties
 * @property {{ commands: string[] }} judging
 * @property {{ points: [name: string, f: number, value: Figure, kind: Verdict][] }} points
 *
 * @typedef {Record<string, string | number | null | undefined>} Parameters
 */

const MOST = 60;
/** @type {Map<string, Promise<any>>} */
const known = new Map();

/** @param {Parameters} parameters */
export function query(parameters) {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== "" && value !== null && value !== undefined) given.set(name, String(value));
  }
  return given.toString();
}

/** @param {string} path @param {Parameters} parameters */
export const place = (path, parameters) => `/api/${path}?${query(parameters)}`;

/**
 * @template {keyof Answers} P
 * @param {P} path
 * @param {Parameters} [parameters]
 * @returns {Promise<Answers[P]>}
 */
export function ask(path, parameters = {}) {
  const url = place(path, parameters);
  const asked = known.get(url) ?? answer(url);
  if (known.has(url)) return asked;
  known.set(url, asked);
  asked.catch(() => known.delete(url));
  const [oldest] = known.keys();
  if (known.size > MOST) known.delete(oldest);
  return asked;
}

/** @param {string} url */
async function answer(url) {
  let response;
  try {
    response = await fetch(url);
  } catch {
    throw new Error("The explorer does not answer; is concur explore still running?");
  }
  const body = await response.json();
  if (!response.ok) throw new Error(body.error);
  return body;
}
