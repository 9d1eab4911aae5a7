// Adjudication at speed: one item after the other on which coders differ, all its questions in one form, by keys.
// Nothing is recorded before Enter or the button; all rulings on an item are recorded together, or none.
import { element } from "./controls.js";
import { Keys } from "./keys.js";
import { newUuid } from "./outbox.js";
import { isMajority, Ruling, voters, votersFor } from "./ruling.js";
import { isUndone, stillHolds, takenBack } from "./undoing.js";
import { faceOf, setFace } from "./view.js";

const part = (name) => document.getElementById(`page--${name}`);
const bench = part("bench");
const api = `/api/campaigns/${bench.dataset.campaign}`;
const types = new Map(); // name -> module
const acts = []; // { item, before, made }: what was recorded in this visit, the latest last

let data = null;
let ruling = null;
let keys = null;
let ahead = null; // { item, answer }: the next open item, asked for while this one is read
let fresh = Promise.resolve(); // what this item's place in the row is now
let busy = false;
let sent = null; // { item, rulings }, not acknowledged: sending them again keeps their UUIDs

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
  for (const question of page.questions) types.get(question.type).prepare?.(question);
  keys = new Keys(`concurrence-ruling-keys/${bench.dataset.key}`, page.questions);
  await keys.learnLayout();
  const [item, beside] = [part("item"), part("sides")];
  const shared = { keys, item, beside, notice, say: () => {}, plain, arrived };
  ruling = new Ruling(page.questions, types, shared, { done: save, undo });
  part("questions").replaceChildren(...ruling.nodes);
  show(page.data);
  listen();
}

// Showing

function show(found, known = false) {
  data = found;
  sent = null;
  history.replaceState(null, "", `?item=${data.item_id}`);
  document.title = document.title.replace(/: .*/, `: ${data.text}`);
  part("facts").replaceChildren(...Object.entries(data.facts).map(fact));
  part("contexts").replaceChildren(...data.contexts.map(line));
  part("reason").value = "";
  part("link").href = part("link").href.replace(/[^/]*$/, data.item_id);
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
    for (const name of ["total", "decided", "place", "open", "previous", "next", "next_open"]) here[name] = now[name];
    drawPlace();
  } catch {
    // It is asked for again after the next ruling.
  }
}

function lookAhead() {
  const item = data.next_open;
  if (item && ahead?.item !== item) ahead = { item, answer: ask(item).catch(() => null) };
}

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
  part("previous").disabled = !data.previous;
  part("next").disabled = !data.next;
  part("undo").disabled = !acts.length;
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

function quoted(text) {
  const made = element("q");
  made.append(element("bdi", text));
  return made;
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

function fact([name, value]) {
  const pair = element("div");
  pair.append(element("dt", name), element("dd", value));
  return pair;
}

function line(segments) {
  const row = element("li");
  row.dir = "auto";
  row.append(...segments.map(({ text, mark }) => (mark ? element("mark", text) : text)));
  return row;
}

function notice(text) {
  part("notice").textContent = text;
}

const words = (problem) =>
  problem instanceof TypeError ? "The server cannot be reached; nothing was recorded. Try again." : problem.message;

// The manual opens at the rule of the question that is asked.
function arrived({ rule }) {
  const manual = part("handbook-text");
  for (const heading of manual.querySelectorAll(".current")) heading.classList.remove("current");
  const heading = rule && manual.querySelector(`#${CSS.escape(rule)}`);
  if (!heading) return;
  heading.classList.add("current");
  manual.scrollTop += heading.getBoundingClientRect().top - manual.getBoundingClientRect().top - 8;
}

// Ruling

// What needs a ruling: a disagreement, a step that not everybody was asked, an answer that nobody or not all gave, and
// one that an earlier ruling has otherwise.
function needed() {
  const given = new Map(data.questions.map((entry) => [entry.question, entry]));
  const found = [];
  for (const [question, answer] of ruling.answers) {
    const [votes, held] = [given.get(question), data.rulings[question]];
    const all =
      votes && !votes.differ && votes.majority === answer && votes.votes[0].coders.length === data.coders.length;
    if (held ? held.answer !== answer : !all) found.push({ question, answer, votes });
  }
  return found;
}

// Counted among those who answered the question, since a follow-up is not asked of everyone.
function reasonFor({ answer, votes }) {
  const [count, answered] = [votersFor(votes, answer), voters(votes)];
  if (count && count === answered)
    return count === 1 ? "The only coder who answered." : `All ${count} coders who answered.`;
  const whom = answered === data.coders.length ? "coders" : "coders who answered";
  const share = count ? `${count} of ${answered} ${whom}` : "no coder";
  return isMajority(votes, answer) ? `Majority: ${share}.` : `Ruled without a majority: ${share}.`;
}

async function save() {
  if (busy || !data) return;
  const open = ruling.missing();
  if (open) {
    notice(`Choose an answer first: ${open.text}`);
    return;
  }
  const reason = part("reason").value.trim();
  const made = needed().map((one) => ({
    uuid: newUuid(),
    question: one.question,
    answer: one.answer,
    reason: reason || reasonFor(one),
  }));
  if (made.length && !(await recordHere(made))) return;
  await goOn();
}

// What is recorded on the item that is shown can be undone.
async function recordHere(made) {
  const act = { item: data.item_id, before: data.rulings, made };
  const recorded = await record(act.item, made);
  if (recorded) acts.push(act);
  return recorded;
}

// Whether the server has them; what was sent before and not acknowledged is the same ruling as long as it says the same.
async function record(item, made) {
  const same =
    sent?.item === item &&
    sent.rulings.length === made.length &&
    made.every((one, place) =>
      ["question", "answer", "reason"].every((name) => one[name] === sent.rulings[place][name]),
    );
  if (!same) sent = { item, rulings: made };
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
async function takeBack(act) {
  busy = true;
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
    reason: part("reason").value.trim() || "Withdrawn.",
  }));
  ahead = null;
  if (made.length && (await recordHere(made))) go(data.item_id);
}

// Listening

const ACTS = {
  Enter: save,
  ArrowLeft: () => go(data.previous),
  ArrowRight: () => go(data.next),
  BracketLeft: () => go(data.previous),
  BracketRight: () => go(data.next),
  Backspace: undo,
  Quote: () => part("reason").focus(),
  Period: () => {
    part("handbook").open = !part("handbook").open;
  },
};

function press(event) {
  if (event.ctrlKey || event.metaKey || event.isComposing) return;
  const typing = event.target.matches("input[type=text], textarea, select");
  if (typing && !event.altKey) {
    if (event.code === "Escape") event.target.blur();
    return;
  }
  const own = event.target.matches("button, a, summary") && ["Enter", "Space"].includes(event.code);
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
  part("previous").addEventListener("click", ACTS.ArrowLeft);
  part("next").addEventListener("click", ACTS.ArrowRight);
  part("undo").addEventListener("click", undo);
  part("withdraw").addEventListener("click", withdraw);
  for (const name of ["save", "reason"]) part(name).disabled = false; // before this, the form would have left the page
}

part("handbook").open = matchMedia("(min-width: 70rem)").matches;
if (bench.dataset.first) start().catch((problem) => notice(words(problem)));
