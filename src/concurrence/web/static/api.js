// The server's names and ours. What HTTP calls an item of a coder's part is a task here: one item, given to one coder.
// What waits in the browser is kept under the server's names, so that a new page reads what an older one left.
// Whatever comes from the server moves the clock on, since a decision made after it must stand behind it.
import { compare, see } from "./clock.js";

/**
 * @typedef {{ id: string, text: string, code: string }} Choice
 *
 * @typedef {object} Question
 * @property {string} id
 * @property {string} text
 * @property {string} type
 * @property {Choice[]} choices
 * @property {any} settings as the type of the question has them
 * @property {string | null} parent
 * @property {string[]} parent_answers
 * @property {boolean} note
 * @property {string | null} rule
 *
 * @typedef {{ text: string, mark: boolean }} Segment
 *
 * @typedef {object} Judged an item as the widget of a question sees it
 * @property {number | string} id
 * @property {string} text
 * @property {boolean} closed
 * @property {Record<string, any>} shown by question, what it needs of the item beside its text
 *
 * @typedef {Judged & { id: number, contexts: Segment[][], facts: Record<string, string> }} Task
 *
 * @typedef {object} Stored a decision that the server has
 * @property {number} task
 * @property {string} question
 * @property {string} answer
 * @property {boolean} unsure
 * @property {string | null} note
 * @property {number} moment
 *
 * @typedef {object} Waiting what an outbox holds
 * @property {string} uuid
 * @property {number} task
 * @property {number} client_time
 * @property {number | null} [counter]
 *
 * @typedef {object} Decided
 * @property {string} question
 * @property {string | null} answer
 * @property {boolean} unsure
 * @property {string | null} note
 * @property {number} manual_version
 * @property {number} duration
 *
 * @typedef {Waiting & Decided} DecisionEvent
 * @typedef {Waiting & { text: string }} CommentEvent
 *
 * @typedef {{ item: number, by: string, role: string, text: string, time: number }} Comment
 *
 * @typedef {object} Known what the training round tells
 * @property {number} pass
 * @property {Record<string, Record<string, string>>} expected
 * @property {Record<string, string>} explanations
 *
 * @typedef {object} Renewal what can change in a part, as the server has it
 * @property {string} coder
 * @property {number} manual_version
 * @property {(Omit<Stored, "task"> & { item: number })[]} decisions
 * @property {number} newest
 * @property {Comment[] | null} comments
 * @property {number} server_time
 *
 * @typedef {object} Setting what cannot change
 * @property {string} round
 * @property {string[]} rounds
 * @property {Question[]} questions
 * @property {Known | null} training
 *
 * @typedef {Renewal & Setting & { items: Task[] }} PartAnswer
 * @typedef {Omit<Renewal, "decisions"> & Setting & { tasks: Task[], decisions: Stored[] }} Part
 */

/**
 * @template {{ item: number }} T
 * @param {T} answer
 * @returns {Omit<T, "item"> & { task: T["item"] }}
 */
export const received = ({ item, ...rest }) => ({ task: item, ...rest });

/**
 * @template {{ task: number }} T
 * @param {T} event
 * @returns {Omit<T, "task"> & { item: T["task"] }}
 */
export const toSend = ({ task, ...rest }) => ({ item: task, ...rest });

/**
 * @template {Renewal & { items: Task[] }} T
 * @param {T} answer
 */
export function receivedPart({ items, decisions, ...rest }) {
  see(rest.newest);
  compare(rest.server_time);
  return { ...rest, tasks: items, decisions: decisions.map(received) };
}

// A part of which the decisions alone were asked for again; its items stay, and may have been closed or reopened.
/** @param {Part} part @param {Renewal & { closed: number[] }} answer @returns {Part} */
export function renewedPart(part, { closed, ...rest }) {
  const shut = new Set(closed);
  const tasks = part.tasks.map((task) =>
    task.closed === shut.has(task.id) ? task : { ...task, closed: shut.has(task.id) },
  );
  return { ...part, ...receivedPart({ items: tasks, ...rest }) };
}

// What the server has for a coder in the round that the address names, by default the newest.
/** @param {string} api @param {string} coder @param {string} what */
export async function ask(api, coder, what) {
  const wanted = new URLSearchParams(location.search).get("round");
  const answer = await fetch(`${api}/${what}${wanted ? `?round=${encodeURIComponent(wanted)}` : ""}`);
  if (!answer.ok) throw new Error((await answer.json()).error);
  const given = await answer.json();
  if (given.coder !== coder) throw new Error("Another coder is using this browser now; open your own link again.");
  return given;
}
