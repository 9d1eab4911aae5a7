// Adjudication at speed: one item after the other on which coders differ, all its questions in one form, by keys.
// Nothing is recorded before Enter or the button; all rulings on an item are recorded together, or none.
import { element } from "./controls.js";
import { part, targetOf } from "./elements.js";
import { Keys } from "./keys.js";
import { newUuid } from "./outbox.js";
import { Ruling } from "./ruling.js";
import { isUndone, saySame, stillHolds, takenBack } from "./undoing.js";
import { faceOf, setFace, typeOf } from "./view.js";
import { needed, reasonFor } from "./votes.js";

/**
 * @import { Act, NewRuling, Ruled, Rulings } from "./undoing.js"
 * @import { QuestionTypes } from "./view.js"
 * @import { Answer, Case, Place } from "./votes.js"
 * @import { Judged, Question, Segment } from "./api.js"
 */

const bench = part("bench");
const api = `/api/campaigns/${bench.dataset.campaign}`;
/** @type {QuestionTypes} */
const types = new Map();
/** @type {Act[]} */
const acts = []; // what was recorded in this visit, the latest last

// These are there once the first item is.
/** @type {Place & Case} */
let data;
/** @type {Ruling} */
let ruling;
/** @type {{ item: number, answer: Promise<Answer | null> } | null} */
let ahead = null; // the next open item, asked for while this one is read
/** @type {Promise<void>} */
let fresh = Promise.resolve(); // what this item's place in the row is now
let busy = false;
/** @type {{ item: number, rulings: NewRuling[] } | null} */
let sent = null; // not acknowledged: sending them again keeps their UUIDs

/** @param {number | string | undefined} item @returns {Promise<Answer>} */
async function ask(item) {
  const answer = await fetch(`${api}/adjudicate${item ? `?item=${item}` : ""}`);
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error);
  return body;
}

async function start() {
  const page = await ask(bench.dataset.first);
  for (const name of new Set(page.questions.map(({ type }) => type)))
    types.set(name, await import(`./types/${name}.js`));
  for (const question of page.questions) typeOf(types, question).prepare?.(question);
  const keys = new Keys(`concurrence-ruling-keys/${bench.dataset.key}`, page.questions);
  await keys.learnLayout();
  const [item, beside] = [part("item"), part("sides")];
  const shared = { keys, item, beside, notice, say: () => {}, plain, arrived };
  ruling = new Ruling(page.questions, types, shared, { done: save, undo });
  part("questions").replaceChildren(...ruling.nodes);
  show(page.data);
  listen();
}

// Showing

/** @param {Place & Case} item @param {boolean} [known] whether it was asked for ahead of time */
function show(item, known = false) {
  data = item;
  sent = null;
  history.replaceState(null, "", `?item=${data.item_id}`);
  document.title = document.title.replace(/: .*/, `: ${data.text}`);
  part("facts").replaceChildren(...Object.entries(data.facts).map(fact));
  part("contexts").replaceChildren(...data.contexts.map(line));
  part("reason", HTMLInputElement).value = "";
  const link = part("link", HTMLAnchorElement);
  link.href = link.href.replace(/[^/]*$/, String(data.item_id));
  notice("");
  ruling.open({ id: data.item_id, text: data.text, closed: false, shown: data.shown }, data.questions, data.rulings);
  drawHistory();
  drawComments();
  drawPlace();
  scrollTo({ top: 0 });
  fresh = known ? renew() : Promise.resolve();
  fresh.then(lookAhead);
}

// An item that was asked for ahead of time stands where it stood then; its place is asked for again.
async function renew() {
  const here = data;
  try {
    const { data: now } = await ask(here.item_id);
    if (data !== here) return;
    const { total, decided, place, open, previous, next, next_open } = now;
    Object.assign(here, { total, decided, place, open, previous, next, next_open });
    drawPlace();
  } catch {
    // It is asked for again after the next ruling.
  }
}

function lookAhead() {
  const item = data.next_open;
  if (item && ahead?.item !== item) ahead = { item, answer: ask(item).catch(() => null) };
}

/** @param {number | null} item */
async function go(item) {
  if (!item || busy) return;
  busy = true;
  try {
    const waiting = ahead?.item === item ? await ahead.answer : null;
    ahead = null;
    show((waiting ?? (await ask(item))).data, waiting !== null);
  } catch (problem) {
    notice(words(problem));
  } finally {
    busy = false;
  }
}

/** @param {Judged} task */
function plain(task) {
  const item = part("item");
  part("sides").hidden = true;
  item.hidden = false;
  delete item.dataset.task;
  item.textContent = task.text;
  setFace(item, faceOf(task.text));
}

function drawPlace() {
  const { decided, total, place } = data;
  part("tally").textContent = `${decided} of ${total} decided`;
  Object.assign(part("progress"), { max: Math.max(total, 1), value: decided });
  part("place").textContent = place ? `item ${place} of ${total}` : "the coders agree on this item";
  part("previous", HTMLButtonElement).disabled = !data.previous;
  part("next", HTMLButtonElement).disabled = !data.next;
  part("undo", HTMLButtonElement).disabled = !acts.length;
}

function drawHistory() {
  part("withdraw").hidden = !Object.keys(data.rulings).length;
  part("earlier").hidden = !data.history.length;
  part("rulings").replaceChildren(
    ...data.history.map(({ question, answer, reason, by, time }) => {
      const row = element("li");
      row.append(
        `${question}: `,
        element("strong", answer ?? "withdrawn"),
        ", with the reason ",
        quoted(reason),
        " (",
        element("bdi", by),
        `, ${new Date(time).toLocaleString()})`,
      );
      return row;
    }),
  );
}

/** @param {string} text */
function quoted(text) {
  const quote = element("q");
  quote.append(element("bdi", text));
  return quote;
}

function drawComments() {
  const comments = data.comments ?? [];
  part("comments").hidden = !comments.length;
  part("comments").replaceChildren(
    ...comments.map(({ by, role, text, time }) => {
      const row = element("li");
      row.append(element("bdi", by), ` (${role}, ${new Date(time).toLocaleString()}): `, element("bdi", text));
      return row;
    }),
  );
}

/** @param {[string, string]} fact */
function fact([name, value]) {
  const pair = element("div");
  pair.append(element("dt", name), element("dd", value));
  return pair;
}

/** @param {Segment[]} segments */
function line(segments) {
  const row = element("li");
  row.dir = "auto";
  row.append(...segments.map(({ text, mark }) => (mark ? element("mark", text) : text)));
  return row;
}

/** @param {string} text */
function notice(text) {
  part("notice").textContent = text;
}

/** @param {unknown} problem */
function words(problem) {
  if (problem instanceof TypeError) return "The server cannot be reached; nothing was recorded. Try again.";
  return problem instanceof Error ? problem.message : String(problem);
}

// The manual opens at the rule of the question that is asked.
/** @param {Question} question */
function arrived({ rule }) {
  const manual = part("handbook-text");
  for (const heading of manual.querySelectorAll(".current")) heading.classList.remove("current");
  const heading = rule && manual.querySelector(`#${CSS.escape(rule)}`);
  if (!heading) return;
  heading.classList.add("current");
  manual.scrollTop += heading.getBoundingClientRect().top - manual.getBoundingClientRect().top - 8;
}

// Ruling

async function save() {
  if (busy || !data) return;
  const open = ruling.missing();
  if (open) {
    notice(`Choose an answer first: ${open.text}`);
    return;
  }
  const reason = part("reason", HTMLInputElement).value.trim();
  const made = needed(ruling.answers, data).map(({ question, answer, votes }) => ({
    uuid: newUuid(),
    question,
    answer,
    reason: reason || reasonFor(answer, votes, data.coders.length),
  }));
  if (made.length && !(await recordHere(made))) return;
  await goOn();
}

// What is recorded on the item that is shown can be undone.
/** @param {NewRuling[]} made */
async function recordHere(made) {
  const act = { item: data.item_id, before: data.rulings, made };
  const recorded = await record(act.item, made);
  if (recorded) acts.push(act);
  return recorded;
}

// Whether the server has them; what was sent before and not acknowledged is the same ruling as long as it says the
// same.
/** @param {number} item @param {NewRuling[]} made */
async function record(item, made) {
  if (!sent || sent.item !== item || !saySame(sent.rulings, made)) sent = { item, rulings: made };
  busy = true;
  try {
    const answer = await fetch(`${api}/rulings`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(sent),
    });
    if (!answer.ok) notice((await answer.json()).error);
    return answer.ok;
  } catch (problem) {
    notice(words(problem));
    return false;
  } finally {
    busy = false;
  }
}

async function goOn() {
  await fresh;
  const next = data.next_open;
  if (next) return go(next);
  ahead = null;
  await go(data.item_id);
  notice("All disagreements are decided.");
}

// The last ruling of this visit is withdrawn, and the item shown again; what was ruled before it holds again.
async function undo() {
  if (busy || ruling.stepBack()) return;
  const act = acts.at(-1);
  if (!act) {
    notice("Nothing to undo in this visit; go back with the arrow keys and rule again.");
    return;
  }
  ahead = null;
  const told = await takeBack(act);
  if (told === null) return;
  acts.pop();
  await go(act.item);
  notice(told);
}

// What to tell when there is nothing more to undo of an act, or nothing where it could not be undone now.
/** @param {Act} act */
async function takeBack(act) {
  busy = true;
  /** @type {Rulings} */
  let now;
  try {
    now = (await ask(act.item)).data.rulings;
  } catch (problem) {
    notice(words(problem));
    return null;
  } finally {
    busy = false;
  }
  if (!isUndone(act, now)) {
    if (!stillHolds(act, now)) return "Someone has ruled on this item since, so nothing was undone.";
    if (!(await record(act.item, takenBack(act, now, newUuid)))) return null;
  }
  return Object.keys(act.before).length
    ? "Undone: the earlier ruling holds again."
    : "Undone: the ruling is withdrawn.";
}

async function withdraw() {
  const made = Object.keys(data.rulings).map((question) => ({
    uuid: newUuid(),
    question,
    answer: null,
    reason: part("reason", HTMLInputElement).value.trim() || "Withdrawn.",
  }));
  ahead = null;
  if (made.length && (await recordHere(made))) go(data.item_id);
}

// Listening

/** @type {Record<string, (() => void) | undefined>} */
const ACTS = {
  Enter: save,
  ArrowLeft: () => go(data.previous),
  ArrowRight: () => go(data.next),
  BracketLeft: () => go(data.previous),
  BracketRight: () => go(data.next),
  Backspace: undo,
  Quote: () => part("reason").focus(),
  Period: () => {
    const handbook = part("handbook", HTMLDetailsElement);
    handbook.open = !handbook.open;
  },
};

/** @param {KeyboardEvent} event */
function press(event) {
  const target = targetOf(event);
  if (event.ctrlKey || event.metaKey || event.isComposing) return;
  if (target?.matches("input[type=text], textarea, select") && !event.altKey) {
    if (event.code === "Escape") target.blur();
    return;
  }
  const own = target?.matches("button, a, summary") && ["Enter", "Space"].includes(event.code);
  if (own) return;
  if (ruling.press(event)) {
    event.preventDefault();
    return;
  }
  const act = event.altKey || event.shiftKey || event.repeat ? null : ACTS[event.code];
  if (!act) return;
  event.preventDefault();
  act();
}

function listen() {
  addEventListener("keydown", press);
  part("form").addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
  part("previous").addEventListener("click", () => go(data.previous));
  part("next").addEventListener("click", () => go(data.next));
  part("undo").addEventListener("click", undo);
  part("withdraw").addEventListener("click", withdraw);
  // Before this, the form would have left the page.
  part("save", HTMLButtonElement).disabled = false;
  part("reason", HTMLInputElement).disabled = false;
}

part("handbook", HTMLDetailsElement).open = matchMedia("(min-width: 70rem)").matches;
if (bench.dataset.first) start().catch((problem) => notice(words(problem)));
