// The coder's page. The whole part is loaded once. A key press is recorded in this browser, the next item is shown in
// the same frame, and the decision is sent in the background.

import { ask, receivedPart, renewedPart } from "./api.js";
import { Book } from "./book.js";
import { Speed } from "./clock.js";
import { Comments } from "./comments.js";
import { allInside, byId, part as partOf } from "./elements.js";
import { Keyboard } from "./keyboard.js";
import { Keys } from "./keys.js";
import { newUuid, Outbox } from "./outbox.js";
import { KeyDialog, offerRounds, Panels } from "./panels.js";
import { Position } from "./position.js";
import { Refusals } from "./refusals.js";
import { Rehearsal, rehearsing } from "./rehearsal.js";
import { savedWords } from "./saved.js";
import { Sender } from "./sender.js";
import { Training } from "./training.js";
import { byTouch, typeOf, View } from "./view.js";

/**
 * @import { Answered } from "./book.js"
 * @import { CommandName } from "./keys.js"
 * @import { Connection } from "./sender.js"
 * @import { QuestionTypes } from "./view.js"
 * @import { DecisionEvent, Part, PartAnswer, Question } from "./api.js"
 */

const { campaign, campaignKey, coder = "", preview, manualVersion } = byId("coder").dataset;
const manual = Number(manualVersion);
const api = preview ?? `/api/campaigns/${campaign}`;
const mine = preview ? "preview" : `${campaignKey}/${coder}`;
const REOPENED = 20_000;
const FIRST = "In training, the first answer counts.";
const STALE = 60_000; // a page that comes back after this long asks what other devices did

// These are there once the part is loaded.
/** @type {Book} */
let book;
/** @type {Part} */
let round;
/** @type {Position} */
let at;
/** @type {Keys} */
let keys;
/** @type {View} */
let view;
/** @type {KeyDialog} */
let dialog;
/** @type {Keyboard} */
let keyboard;
/** @type {Comments | undefined} */
let comments; // where the campaign has them
/** @type {Training | null} */
let training = null; // what is known of the items of the training round

let newest = 0;
/** @type {Connection} */
let connection = "sent";
let shown = "";
/** @type {number | undefined} */
let shownTask;
let shownAt = performance.now();
let hiddenAt = 0;

const refusals = new Refusals();
const { outbox, sender } = preview ? { outbox: new Rehearsal(), sender: rehearsing } : recording();
const panels = new Panels(`concurrence-page/${mine}`, () => draw());
const speed = new Speed();
/** @type {QuestionTypes} */
const types = new Map();

function recording() {
  /** @type {Outbox<DecisionEvent>} */
  const outbox = new Outbox(`concurrence/${mine}/`, { heard: hear, changed: drawSaved });
  return { outbox, sender: new Sender({ api, outbox, sendable, told, refused }) };
}

// Loading

/** @returns {Promise<Part>} */
const loadPart = async () => receivedPart(/** @type {PartAnswer} */ (await ask(api, coder, "part")));

// The items stay as they are; what can have changed is asked for alone.
const renew = async () => renewedPart(round, await ask(api, coder, "decisions"));

/** @param {Part} part */
function openBook(part) {
  for (const question of part.questions) typeOf(types, question).prepare?.(question);
  book = new Book(part.questions, part.tasks, (question, ...rest) => typeOf(types, question).meets(question, ...rest));
  round = part;
  newest = Math.max(newest, part.newest, ...outbox.events.map((event) => event.client_time));
  book.load(part.decisions, outbox.events);
  training = part.training ? new Training(part.training, types) : null;
  if (part.comments && !preview) {
    comments ??= new Comments({ api, mine, coder, told, changed: drawSaved, notice: (text) => view?.notice(text) });
    comments.load(part.comments);
  }
  if (part.manual_version > manual) view?.notice("There is a new version of the manual; reload the page to read it.");
}

async function start() {
  // Alone, so that no other tab sends what waits here between the server's answer and the reading of the outbox.
  await sender.alone(async () => {
    const part = await loadPart();
    const names = [...new Set(part.questions.map((question) => question.type))];
    for (const name of names) types.set(name, await import(`./types/${name}.js`));
    openBook(part);
    at = new Position(book, training !== null);
  });
  keys = new Keys(`concurrence-keys/${mine}`, book.questions);
  await keys.learnLayout(); // before anything is shown: buttons that change later would lose what was begun
  view = new View(types, keys, { decide, undo });
  dialog = new KeyDialog(keys, drawKeys);
  keyboard = new Keyboard({ keys, view, dialog, acts: ACTS, goOn: learnFurther, redraw: drawKeys });
  offerRounds(round);
  listen();
  drawKeys();
  sender.now();
}

// What the server or another device knows better; what waits here is put on top of it again.
/** @param {Part} part */
function reopen(part) {
  openBook(part);
  at.renew(book, training !== null);
  draw();
}

// Deciding

/**
 * @param {number} task
 * @param {string} question
 * @param {string | null} answer
 * @param {{ unsure?: boolean, note?: string | null }} [more]
 */
function record(task, question, answer, { unsure = false, note = null } = {}) {
  newest = Math.max(Date.now(), newest + 1);
  const event = {
    uuid: newUuid(),
    task,
    question,
    answer,
    unsure,
    note,
    client_time: newest,
    manual_version: manual,
    duration: Math.round(performance.now() - shownAt),
  };
  outbox.add(event);
  book.take(event);
  sender.soon();
}

/** @param {string} answer @param {boolean} shifted */
function decide(answer, shifted) {
  const { task, question } = at;
  if (!task || !question || task.closed) return;
  if (training && book.finished.has(task.id)) {
    view.notice(FIRST);
    return;
  }
  const unsure = shifted || panels.unsure;
  const note = question.note ? panels.note || null : null;
  const before = book.of(task.id).get(question.id);
  const same = before?.answer === answer && before.unsure === unsure && (before.note ?? null) === note;
  if (!same) record(task.id, question.id, answer, { unsure, note });
  at.goOn();
  const hurry = speed.notice(performance.now());
  if (hurry !== null) view.notice(hurry);
  draw();
}

// After a lesson, the next item.
function learnOn() {
  at.toNext();
  draw();
}

function startOver() {
  for (const { id } of book.tasks) {
    const given = book.of(id);
    for (const question of [...book.questions].reverse()) if (given.has(question.id)) record(id, question.id, null);
  }
  at.startOver();
  draw();
}

function leaveTraining() {
  if (outbox.size) view.notice("Your answers are still being sent; try again in a moment.");
  else location.assign(location.pathname);
}

function undo() {
  if (view.stepBack()) return;
  if (training) {
    view.notice(FIRST);
    return;
  }
  const last = book.newest();
  if (!last) {
    view.notice("Nothing to undo.");
    return;
  }
  record(last.task, last.question, null);
  at.backTo(last.task);
  const question = book.questions.find(({ id }) => id === last.question);
  if (question && at.task) view.recall(question, at.task, last.answer);
  view.notice("");
  speed.forget();
  draw();
}

/** @param {1 | -1} by */
function look(by) {
  if (at.look(by)) draw();
}

// Another tab of this coder

/** @param {DecisionEvent} event */
function hear(event) {
  if (!at) return; // it is in the outbox, and read with the part
  newest = Math.max(newest, event.client_time);
  at.follow(() => book.take(event));
  if (view) draw();
}

// Sending

/** @param {DecisionEvent} event */
function sendable(event) {
  if (refusals.holds(event)) return false;
  const place = book?.places.get(event.task);
  return place === undefined || !book.tasks[place].closed;
}

/** @param {Connection} state */
function told(state) {
  connection = state;
  drawSaved();
}

// What was refused for good is shown and let go.
/** @param {Map<string, string | null>} reasons */
async function refused(reasons) {
  let part;
  try {
    part = await renew();
  } catch (problem) {
    told(problem instanceof TypeError ? "away" : "ended");
    return false;
  }
  const events = outbox.events.filter((event) => reasons.has(event.uuid));
  const gone = refusals.settle(events, part.tasks);
  outbox.remove(new Set(gone));
  reopen(part);
  if (gone.length) view.notice(`Not accepted: ${reasons.get(gone[0])}`);
  return true;
}

// Drawing

function draw() {
  const { task, question, step, place } = at;
  training?.draw(book, task, at.lesson ? learnOn : null);
  comments?.show(task);
  const given = task ? book.of(task.id) : null;
  view.draw({
    task,
    question,
    given,
    review: step !== null,
    previous: neighbour(place < 0 ? book.tasks.length - 1 : place - 1),
    next: panels.settings.ahead ? (place < 0 ? [] : neighbour(place + 1)) : null,
    ...(task ? { detail: task.closed ? "This item is closed." : "" } : ending()),
  });
  view.count(book.finished.size, book.tasks.length);
  const scene = `${task?.id}/${question?.id}/${step}`;
  if (scene !== shown) arrive(question, step === null || !question ? null : given?.get(question.id));
  if (task?.id !== shownTask) view.toStart();
  shown = scene;
  shownTask = task?.id;
  drawSaved();
}

function drawKeys() {
  view.forget();
  draw();
}

// Something else is asked than before: the note and the flag start anew.
/** @param {Question | null} question @param {Answered | null | undefined} decided */
function arrive(question, decided) {
  keyboard.resume();
  panels.openRule(question?.rule ?? null);
  panels.offerNote(Boolean(question?.note));
  panels.showContexts();
  panels.setUnsure(Boolean(decided?.unsure));
  panels.note = decided?.note ?? "";
  shownAt = performance.now();
}

/** @param {number} place */
function neighbour(place) {
  const task = book.tasks[place];
  if (!task) return [];
  const given = book.of(task.id);
  const said = book.questions.flatMap((question) => {
    const decision = given.get(question.id);
    return decision ? [typeOf(types, question).said(question, decision.answer, task)] : [];
  });
  return [task.text, ...said];
}

function ending() {
  if (!book.tasks.length) return { message: "Nothing to judge yet", detail: "You have no items in this round." };
  if (book.finished.size < book.tasks.length) {
    return { message: "This part is closed", detail: "Ask the leader to reopen it if you want to continue." };
  }
  if (training) return training.conclude(book, { goOn: leaveTraining, startOver });
  const by = byTouch() ? "Back and Forward" : "the arrow keys";
  return { message: "All done. Thank you!", detail: `You can look back with ${by}, or close this page.` };
}

function drawSaved() {
  if (!view) return;
  const unsent = { decisions: outbox.size, comments: comments?.size ?? 0, lasting: outbox.lasting, connection };
  view.saved(...savedWords({ ...unsent, preview: Boolean(preview), sendable: outbox.any(sendable) }));
}

// Listening

/** @type {Record<CommandName, () => void>} */
const ACTS = {
  undo,
  unsure: () => {
    if (at.question) panels.setUnsure(!panels.unsure);
  },
  note: () => {
    if (at.question && !panels.writeNote()) keyboard.pause();
  },
  comment: () => comments?.write(),
  contexts: () => panels.toggleContexts(),
  manual: () => panels.toggleManual(),
  back: () => look(-1),
  forward: () => look(1),
  keys: () => dialog.show(),
};

// From a lesson to the next item, and from the end of the training to what comes after it.
function learnFurther() {
  if (!training || !(at.lesson || at.place < 0)) return false;
  if (at.lesson) learnOn();
  else training.next?.();
  return true;
}

function listen() {
  for (const button of allInside(document, "[data-act]")) {
    button.addEventListener("click", (event) => {
      if (event.detail > 0) button.blur();
      ACTS[/** @type {CommandName} */ (button.dataset.act)]();
    });
  }
  document.addEventListener("visibilitychange", comeBack);
  // A closed part may be reopened.
  setInterval(() => {
    if (at.isShut && document.visibilityState === "visible") refresh();
  }, REOPENED);
  addEventListener("beforeunload", (event) => {
    if (outbox.size && !outbox.lasting) event.preventDefault();
  });
}

async function comeBack() {
  if (document.visibilityState === "hidden") {
    hiddenAt = Date.now();
    return;
  }
  shownAt = performance.now();
  if (Date.now() - hiddenAt >= STALE) await refresh();
}

async function refresh() {
  if (sender.busy) return;
  refusals.forget();
  await sender.alone(async () => reopen(await renew())).catch(() => told("away"));
}

start().catch((problem) => {
  const away = "The server cannot be reached; your decisions are kept in this browser.";
  partOf("notice").textContent = problem instanceof TypeError ? away : problem.message;
  setTimeout(() => location.reload(), 15_000);
});
