// The coder's page: the whole part is loaded once; a decision is recorded here, shown at once, sent behind.
const root = document.getElementById("coder");
const { campaign, coder } = root.dataset;
const api = `/api/campaigns/${campaign}`;
const box = `concurrence/${campaign}/${coder}/`;
const show = (id, text) => { document.getElementById(id).textContent = text; };

let part = null;
let place = 0;
let newest = 0;
let sending = false;
const answers = new Map(); // item id -> Map(question id -> answer)
const done = []; // [item id, question id], oldest first: what Backspace takes back

const waiting = () => Object.keys(localStorage).filter((key) => key.startsWith(box));
const own = (item) => answers.get(item) ?? answers.set(item, new Map()).get(item);

function applies(question, given) {
  return question.parent === null || question.parent_answers.includes(given.get(question.parent));
}

function openQuestion(item) {
  return part.questions.find((question) => applies(question, own(item.id)) && !own(item.id).has(question.id));
}

function take(item, question, answer) {
  const given = own(item);
  if (given.get(question) !== answer) forget(question, given);
  given.delete(question);
  const place = done.findIndex(([i, q]) => i === item && q === question);
  if (place >= 0) done.splice(place, 1);
  if (answer === null) return;
  given.set(question, answer);
  done.push([item, question]);
}

function forget(parent, given) {
  for (const question of part.questions) {
    if (question.parent === parent) { given.delete(question.id); forget(question.id, given); }
  }
}

function record(item, question, answer, unsure = false) {
  newest = Math.max(Date.now(), newest + 1);
  const event = {
    uuid: crypto.randomUUID(), item, question, answer, unsure,
    client_time: newest, manual_version: part.manual_version,
  };
  localStorage.setItem(`${box}${String(newest).padStart(16, "0")}/${event.uuid}`, JSON.stringify(event));
  take(item, question, answer);
}

function decide(choice, unsure) {
  const item = part.items[place];
  const question = item && openQuestion(item);
  if (!question) return;
  record(item.id, question.id, choice.id, unsure);
  if (!openQuestion(item)) place = nextOpen();
  draw();
  send();
}

function undo() {
  const last = done.at(-1);
  if (!last) return;
  record(last[0], last[1], null);
  place = part.items.findIndex((item) => item.id === last[0]);
  draw();
  send();
}

function nextOpen() {
  const later = part.items.findIndex((item, at) => at > place && openQuestion(item));
  return later >= 0 ? later : part.items.findIndex((item) => openQuestion(item));
}

function draw() {
  const total = part.items.length;
  const finished = part.items.filter((item) => !openQuestion(item)).length;
  const item = part.items[place];
  const question = item && openQuestion(item);
  show("progress", `${finished} of ${total}`);
  show("saved", waiting().length ? `${waiting().length} waiting` : "saved");
  show("item", question ? item.text : "All done. Thank you!");
  show("previous", place > 0 ? part.items[place - 1].text : "");
  show("next", place >= 0 && part.items[place + 1] ? part.items[place + 1].text : "");
  show("question", question ? question.text : "");
  drawChoices(question);
  document.getElementById("contexts").replaceChildren(...(question ? item.contexts.map(contextLine) : []));
  document.getElementById("facts").replaceChildren(...(question ? Object.entries(item.facts).flatMap(fact) : []));
}

function drawChoices(question) {
  const buttons = (question?.choices ?? []).map((choice) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `${choice.text} (${choice.key})`;
    button.addEventListener("click", () => decide(choice, false));
    return button;
  });
  document.getElementById("choices").replaceChildren(...buttons);
}

function contextLine(segments) {
  const line = document.createElement("li");
  line.dir = "auto";
  for (const { text, mark } of segments) {
    const node = document.createElement(mark ? "mark" : "span");
    node.textContent = text;
    line.append(node);
  }
  return line;
}

function fact([name, value]) {
  const [term, text] = [document.createElement("dt"), document.createElement("dd")];
  term.textContent = name;
  text.textContent = value;
  return [term, text];
}

async function send() {
  if (sending) return;
  sending = true;
  try {
    for (let keys = waiting().sort().slice(0, 200); keys.length; keys = waiting().sort().slice(0, 200)) {
      const events = keys.map((key) => JSON.parse(localStorage.getItem(key)));
      const answer = await fetch(`${api}/events`, {
        method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ events }),
      });
      if (!answer.ok) break;
      const { receipts } = await answer.json();
      receipts.forEach((receipt, at) => {
        if (receipt.status === "refused") show("notice", receipt.reason);
        localStorage.removeItem(keys[at]);
      });
    }
  } catch {
    // The server is away; what waits is kept and sent later.
  } finally {
    sending = false;
    show("saved", waiting().length ? `${waiting().length} waiting` : "saved");
  }
}

addEventListener("keydown", (event) => {
  if (!part || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.code === "Backspace") { event.preventDefault(); undo(); return; }
  const item = part.items[place];
  const choice = item && openQuestion(item)?.choices.find((entry) => entry.code === event.code);
  if (choice) { event.preventDefault(); decide(choice, event.shiftKey); }
});

async function start() {
  const answer = await fetch(`${api}/part`);
  part = await answer.json();
  newest = part.newest;
  for (const decision of part.decisions) take(decision.item, decision.question, decision.answer);
  for (const key of waiting().sort()) {
    const event = JSON.parse(localStorage.getItem(key));
    newest = Math.max(newest, event.client_time);
    take(event.item, event.question, event.answer);
  }
  place = -1;
  place = nextOpen();
  draw();
  send();
  setInterval(send, 2000);
}

start().catch(() => show("notice", "The server cannot be reached; what you decided is kept here."));
