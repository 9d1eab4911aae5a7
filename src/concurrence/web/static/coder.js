// The coder's page. The whole part is loaded once. A key press is recorded in this browser, the next item is shown in
// the same frame, and the decision is sent in the background.
import { Book } from "./book.js";
import { Speed } from "./clock.js";
import { Comments } from "./comments.js";
import { Keys } from "./keys.js";
import { newUuid, Outbox } from "./outbox.js";
import { KeyDialog, offerRounds, Panels } from "./panels.js";
import { Rehearsal, rehearsing } from "./rehearsal.js";
import { Sender } from "./sender.js";
import { Training } from "./training.js";
import { byTouch, View } from "./view.js";
import { ask, receivedPart, renewedPart } from "./wire.js";

const root = document.getElementById("coder");
const { campaign, campaignKey, coder, preview } = root.dataset;
const manualVersion = Number(root.dataset.manualVersion);
const api = preview ?? `/api/campaigns/${campaign}`;
const mine = preview ? "preview" : `${campaignKey}/${coder}`;
const REOPENED = 20_000;
const FIRST = "In training, the first answer counts.";
const STALE = 60_000; // a page that comes back after this long asks what other devices did

let book = null;
let round = null;
let place = -1;
let step = null; // which question of a finished task is looked at again
let newest = 0;
let connection = "sent";
let shown = "";
let shownTask = null;
let shownAt = performance.now();
let hiddenAt = 0;
let training = null; // what is known of the items of the training round
let lesson = false; // what was right is being read
let paused = false; // a note was wanted where there is none: letters meant for it must not decide
const doubted = new Set(); // refused once
const held = new Set(); // refused for now; they stay in this browser

const outbox = preview ? new Rehearsal() : new Outbox(`concurrence/${mine}/`, { heard: hear, changed: drawSaved });
const sender = preview ? rehearsing : new Sender({ api, outbox, sendable, told, refused });
const panels = new Panels(`concurrence-page/${mine}`, () => draw());
const speed = new Speed();
let keys;
let view;
let dialog;
let comments;
const types = new Map(); // name -> module

// Loading

const loadPart = async () => receivedPart(await ask(api, coder, "part"));

// The items stay as they are; what can have changed is asked for alone.
const renew = async () => renewedPart(round, await ask(api, coder, "decisions"));

function openBook(part) {
  for (const question of part.questions) types.get(question.type).prepare?.(question);
  book = new Book(part.questions, part.tasks, (question, ...rest) => types.get(question.type).meets(question, ...rest));
  round = part;
  newest = Math.max(newest, part.newest, ...outbox.events.map((event) => event.client_time));
  book.load(part.decisions, outbox.events);
  training = part.training ? new Training(part.training, types) : null;
  if (part.comments && !preview) {
    comments ??= new Comments({ api, mine, coder, changed: drawSaved, told: (text) => view?.notice(text) });
    comments.load(part.comments);
  }
  if (part.manual_version > manualVersion)
    view?.notice("There is a new version of the manual; reload the page to read it.");
}

async function start() {
  // Alone, so that no other tab sends what waits here between the server's answer and the reading of the outbox.
  await sender.alone(async () => {
    const part = await loadPart();
    const names = [...new Set(part.questions.map((question) => question.type))];
    for (const name of names) types.set(name, await import(`./types/${name}.js`));
    openBook(part);
  });
  keys = new Keys(`concurrence-keys/${mine}`, book.questions);
  view = new View(types, keys, { decide, undo });
  dialog = new KeyDialog(keys, () => {
    view.forget();
    draw();
  });
  place = book.next(-1);
  offerRounds(round);
  listen();
  view.forget();
  draw();
  sender.now();
  await keys.learnLayout();
  view.forget();
  draw();
}

// What the server or another device knows better; what waits here is put on top of it again.
function reopen(part) {
  const here = book.tasks[place]?.id;
  openBook(part);
  place = book.places.get(here) ?? -1;
  if (step === null && !lesson && !isOpen(place)) place = book.next(place);
  draw();
}

// Deciding

const isOpen = (at) => at >= 0 && !book.tasks[at].closed && !book.finished.has(book.tasks[at].id);

function current() {
  const task = book.tasks[place] ?? null;
  if (!task) return { task: null, question: null };
  return { task, question: step === null ? book.openQuestion(task.id) : (book.asked(task.id)[step] ?? null) };
}

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
    manual_version: manualVersion,
    duration: Math.round(performance.now() - shownAt),
  };
  outbox.add(event);
  book.take(event);
  sender.soon();
}

function decide(answer, shifted) {
  const { task, question } = current();
  if (!question || task.closed) return;
  if (training && book.finished.has(task.id)) {
    view.notice(FIRST);
    return;
  }
  const unsure = shifted || panels.unsure;
  const note = question.note ? panels.note || null : null;
  const before = book.of(task.id).get(question.id);
  const same = before?.answer === answer && before.unsure === unsure && (before.note ?? null) === note;
  if (!same) record(task.id, question.id, answer, { unsure, note });
  goOn(task);
  const hurry = speed.notice(performance.now());
  if (hurry !== null) view.notice(hurry);
  draw();
}

function goOn(task) {
  if (training && book.finished.has(task.id)) {
    lesson = true;
  } else if (step !== null && book.asked(task.id).length > step + 1) {
    step += 1;
  } else if (book.finished.has(task.id)) {
    step = null;
    place = book.next(place);
  } else {
    step = null;
  }
}

// After a lesson, the next item.
function learnOn() {
  lesson = false;
  step = null;
  place = book.next(place);
  draw();
}

function startOver() {
  for (const { id } of book.tasks) {
    const given = book.of(id);
    for (const question of [...book.questions].reverse()) if (given.has(question.id)) record(id, question.id, null);
  }
  place = book.next(-1);
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
  const [question, task] = [
    book.questions.find(({ id }) => id === last.question),
    book.tasks[book.places.get(last.task)],
  ];
  view.recall(question, task, last.answer);
  record(last.task, last.question, null);
  step = null;
  place = book.places.get(last.task);
  view.notice("");
  speed.forget();
  draw();
}

function look(by) {
  const from = place < 0 ? (by < 0 ? book.tasks.length : -1) : place;
  const to = from + by;
  if (to < 0 || to >= book.tasks.length) return;
  lesson = false;
  place = to;
  step = book.finished.has(book.tasks[to].id) ? 0 : null;
  draw();
}

// Another tab of this coder

function hear(event) {
  if (!book) return;
  const wasOpen = isOpen(place);
  newest = Math.max(newest, event.client_time);
  book.take(event);
  if (wasOpen && !isOpen(place) && step === null && !lesson) place = book.next(place);
  if (place < 0) place = book.next(-1);
  draw();
}

// Sending

function sendable(event) {
  if (held.has(event.uuid)) return false;
  const at = book?.places.get(event.task);
  return at === undefined || !book.tasks[at].closed;
}

function told(state) {
  connection = state;
  drawSaved();
}

// A closed part may be reopened, so what it refused is kept; what breaks a rule for good is shown and let go. The first
// refusal may have been meant for another coder, who was signed in here a moment ago: only a second one is for good.
async function refused(reasons) {
  let part;
  try {
    part = await renew();
  } catch (problem) {
    told(problem instanceof TypeError ? "away" : "ended");
    return false;
  }
  const closed = new Map(part.tasks.map((task) => [task.id, task.closed]));
  const turnedDown = outbox.events.filter((event) => reasons.has(event.uuid));
  const mine = turnedDown.filter((event) => closed.get(event.task) === false).map((event) => event.uuid);
  const gone = mine.filter((uuid) => doubted.has(uuid));
  for (const uuid of mine) doubted.add(uuid);
  for (const event of turnedDown) if (!closed.has(event.task)) held.add(event.uuid);
  outbox.remove(new Set(gone));
  reopen(part);
  if (gone.length) view.notice(`Not accepted: ${reasons.get(gone[0])}`);
  return true;
}

// Drawing

function draw() {
  const { task, question } = lesson ? { task: book.tasks[place], question: null } : current();
  training?.draw(book, task, lesson ? learnOn : null);
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
  if (scene !== shown) arrive(question, step === null ? null : given?.get(question?.id));
  if (task?.id !== shownTask) view.toStart();
  shown = scene;
  shownTask = task?.id;
  drawSaved();
}

// Something else is asked than before: the note and the flag start anew.
function arrive(question, decided) {
  if (paused) pause(false);
  panels.openRule(question?.rule ?? null);
  panels.offerNote(Boolean(question?.note));
  panels.showContexts();
  panels.setUnsure(Boolean(decided?.unsure));
  panels.note = decided?.note ?? "";
  shownAt = performance.now();
}

function neighbour(at) {
  const task = book.tasks[at];
  if (!task) return [];
  const given = book.of(task.id);
  const answered = book.questions.filter((question) => given.has(question.id));
  const said = answered.map((question) => types.get(question.type).said(question, given.get(question.id).answer, task));
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
  const waiting = outbox.size + (comments?.size ?? 0);
  if (preview) return view.saved("away", "Preview: nothing is recorded");
  if (!waiting) return view.saved("saved", "All saved");
  if (!outbox.lasting) return view.saved("away", `${waiting} unsent, in this tab only; keep it open`);
  if (connection === "ended")
    return view.saved("away", `${waiting} kept in this browser; open your link again to send them`);
  if (!outbox.any(sendable)) return view.saved("away", `${waiting} kept in this browser; the part is closed`);
  if (connection === "away") return view.saved("away", `${waiting} kept in this browser; the server cannot be reached`);
  return view.saved("waiting", `${waiting} waiting`);
}

// Listening

const ACTS = {
  undo,
  unsure: () => {
    if (current().question) panels.setUnsure(!panels.unsure);
  },
  note: () => {
    if (current().question && !panels.writeNote()) pause(true);
  },
  comment: () => comments?.write(),
  contexts: () => panels.toggleContexts(),
  manual: () => panels.toggleManual(),
  back: () => look(-1),
  forward: () => look(1),
  keys: () => dialog.show(),
};

function pause(on) {
  paused = on;
  view.notice(
    on ? "This question takes no note, so your letters decide nothing now. Press Enter to go on judging." : "",
  );
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  if (event.target.matches("input[type=text], textarea, select")) {
    if (!event.repeat && (event.code === "Enter" || event.code === "Escape")) event.target.blur();
    return;
  }
  const own = event.target.matches("button, a, input, summary") && ["Enter", "Space"].includes(event.code);
  if (!own && act(event)) event.preventDefault();
}

// Whether the key did something: for the question, as a command, or to scroll.
function act(event) {
  if (paused) {
    if (!event.repeat && (event.code === "Enter" || event.code === "Escape")) pause(false);
    return true;
  }
  if (learnFurther(event)) return true;
  if (view.move(event) || (!event.repeat && view.press(event))) return true;
  const command = event.repeat ? null : keys.command(event);
  if (command) ACTS[command]();
  return command !== null || (!event.target.closest("aside") && view.scroll(event.code));
}

function learnFurther(event) {
  const learning = training && (lesson || place < 0) && !event.repeat;
  if (!learning || !["Enter", "Space", "ArrowRight"].includes(event.code)) return false;
  if (lesson) learnOn();
  else training.next?.();
  return true;
}

function listen() {
  addEventListener("keydown", press);
  for (const button of document.querySelectorAll("[data-act]")) {
    button.addEventListener("click", (event) => {
      if (event.detail > 0) button.blur();
      ACTS[button.dataset.act]();
    });
  }
  document.addEventListener("visibilitychange", comeBack);
  setInterval(() => {
    if (isShut()) refresh();
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
  held.clear();
  await sender.alone(async () => reopen(await renew())).catch(() => told("away"));
}

// Where only closed tasks are left, ask now and then whether they were reopened.
function isShut() {
  return place < 0 && book.tasks.some((task) => task.closed) && document.visibilityState === "visible";
}

start().catch((problem) => {
  const words =
    problem instanceof TypeError
      ? "The server cannot be reached; your decisions are kept in this browser."
      : problem.message;
  document.getElementById("page--notice").textContent = words;
  setTimeout(() => location.reload(), 15_000);
});
