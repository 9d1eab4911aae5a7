// Questions, tasks and decisions as a page has them.

/**
 * @import { DecisionEvent, Question, Stored, Task } from "../../../src/concurrence/web/static/api.js"
 * @import { QuestionTypes } from "../../../src/concurrence/web/static/view.js"
 */
import * as choice from "../../../src/concurrence/web/static/types/choice.js";
import * as choices from "../../../src/concurrence/web/static/types/choices.js";
import * as preference from "../../../src/concurrence/web/static/types/preference.js";
import * as scale from "../../../src/concurrence/web/static/types/scale.js";
import * as span from "../../../src/concurrence/web/static/types/span.js";
import * as text from "../../../src/concurrence/web/static/types/text.js";

/** @type {QuestionTypes} */
export const TYPES = new Map(Object.entries({ choice, choices, preference, scale, span, text }));

/** @param {string} id @param {Partial<Question>} [more] @returns {Question} */
export const question = (id, more) => ({
  id,
  text: `${id}?`,
  type: "choice",
  choices: ["yes", "no"].map((name, place) => ({ id: name, text: name.toUpperCase(), code: `Digit${place + 1}` })),
  settings: {},
  parent: null,
  parent_answers: [],
  note: false,
  rule: null,
  ...more,
});

/** @param {number} id @param {Partial<Task>} [more] @returns {Task} */
export const task = (id, more) => ({
  id,
  text: `item ${id}`,
  closed: false,
  shown: {},
  contexts: [],
  facts: {},
  ...more,
});

/**
 * @param {number} counter
 * @param {number} task
 * @param {string} question
 * @param {string | null} answer
 * @param {Partial<DecisionEvent>} [more]
 * @returns {DecisionEvent}
 */
export const event = (counter, task, question, answer, more) => ({
  uuid: `uuid-${counter}`,
  task,
  question,
  answer,
  unsure: false,
  note: null,
  client_time: counter,
  manual_version: 1,
  duration: 100,
  counter,
  ...more,
});

/** @param {number} moment @param {number} task @param {string} question @param {string} answer @returns {Stored} */
export const stored = (moment, task, question, answer) => ({
  task,
  question,
  answer,
  unsure: false,
  note: null,
  moment,
});

// Two questions, of which the second is asked after a yes to the first, and the third after a yes to the second.
export const CHAIN = [
  question("idiom"),
  question("kind", { parent: "idiom", parent_answers: ["yes"] }),
  question("sure", { parent: "kind", parent_answers: ["yes"] }),
];
