// Drawing the coder's page. All text goes in as text; nothing is ever read as HTML. What is there already is left
// alone, since even the same text written again costs the browser style, layout and paint.
//
// What is asked is drawn by the type of the question, a module of its own in types/. It exports meets(question, answer,
// wanted), whether an answer is one that a follow-up waits for; said(question, answer, task), an answer in few words; and
// widget(question, page), which has elements, show({task, answer}) and press(event), true where the key was its own.
// A widget may also have item(element, task), where it draws the item itself; undo(), true where it took a step back;
// recall(task, answer), for an answer that was undone; move(event), for keys that are held; words(task), for screen
// readers; and confirms, where Enter confirms an answer of several steps. A module may also export prepare(question),
// which is called once for each question that is loaded.
import { element } from "./controls.js";
import { COMMANDS } from "./keys.js";

const part = (name) => document.getElementById(`page--${name}`);
const SHORT = 40; // characters that fit in large letters
const WIDEST_CELL = 40;
const SCROLLING = /^(Arrow(Up|Down)|Page(Up|Down)|Home|End)$/;
const LINE = 60; // pixels that an arrow key scrolls
const TOUCHED = "Already decided. Tap the same answer to confirm, another to change it.";

// Whether fingers do what keys do elsewhere.
export const byTouch = () => matchMedia("(pointer: coarse)").matches;

export class View {
  #widgets = new Map(); // question id -> its widget
  #widget = null; // the one that is there
  #scene = ""; // what it shows
  #beside = undefined; // the task whose facts and examples are there
  #said = "";
  #saying = null;
  #scrolled = false;

  constructor(types, keys, { decide, undo }) {
    this.types = types;
    this.keys = keys;
    const [item, beside] = [part("item"), part("sides")];
    this.page = {
      keys,
      decide,
      undo,
      item,
      beside,
      notice: (text) => this.notice(text),
      say: (text) => this.#say(text),
    };
    if (byTouch()) part("review").textContent = TOUCHED;
    part("main").addEventListener(
      "scroll",
      () => {
        this.#scrolled = true;
      },
      { passive: true },
    );
  }

  // scene: {task, question, previous, next, given, review, message}; previous and next are [text, ...answers], and next
  // is null where it is not to be seen
  draw(scene) {
    const { task, question } = scene;
    const answer = (scene.review && scene.given?.get(question?.id)?.answer) || null;
    const widget = question ? this.#widgetOf(question) : null;
    this.#drawItem(task, widget, task ? task.text : scene.message);
    drawNeighbour("previous", scene.previous);
    drawNeighbour("next", scene.next ?? []);
    set(part("next"), "hidden", scene.next === null);
    write("question", question ? question.text : (scene.detail ?? ""));
    set(part("review"), "hidden", !scene.review);
    this.#drawWidget(widget);
    const now = `${task?.id}/${question?.id}/${scene.review}/${answer}`;
    if (widget && now !== this.#scene) widget.show({ task, answer });
    this.#scene = now;
    this.#drawBeside(task);
    const item = task ? (widget?.words?.(task) ?? task.text) : scene.message;
    this.#say(inSentences(item, question ? question.text : (scene.detail ?? "")));
  }

  // Draw the controls again although the question is the same, since their keys changed.
  forget() {
    this.#widgets.clear();
    this.#scene = "";
    this.#labelKeys();
  }

  press(event) {
    return this.#widget?.press(event) ?? false;
  }

  move(event) {
    return this.#widget?.move?.(event) ?? false;
  }

  stepBack() {
    return this.#widget?.undo?.() ?? false;
  }

  // An answer that was taken back and has several steps is there to be changed.
  recall(question, task, answer) {
    this.#widgetOf(question).recall?.(task, answer);
    this.#scene = "";
  }

  #labelKeys() {
    for (const key of document.querySelectorAll("kbd[data-command]")) {
      const command = COMMANDS.find(({ id }) => id === key.dataset.command);
      set(key, "textContent", this.keys.label(command, null, this.#widget?.confirms && command.id === "note"));
    }
  }

  #widgetOf(question) {
    if (!this.#widgets.has(question.id)) {
      this.#widgets.set(question.id, this.types.get(question.type).widget(question, this.page));
    }
    return this.#widgets.get(question.id);
  }

  #drawItem(task, widget, text) {
    const item = part("item");
    set(part("sides"), "hidden", true);
    set(item, "hidden", false);
    if (task && widget?.item) {
      widget.item(item, task);
      return;
    }
    if (item.childElementCount || item.textContent !== text) item.textContent = text;
    delete item.dataset.task;
    setFace(item, task ? faceOf(task.text) : "message");
  }

  #drawWidget(widget) {
    if (this.#widget === widget) return;
    const group = part("choices");
    const focused = group.contains(document.activeElement) && document.activeElement.matches("button");
    group.replaceChildren(...(widget?.elements ?? []));
    this.#widget = widget;
    this.#labelKeys();
    if (focused) group.querySelector("button")?.focus();
  }

  count(done, total) {
    write("count", `${done} of ${total}`);
    set(part("progress"), "max", Math.max(total, 1));
    set(part("progress"), "value", done);
  }

  saved(state, text) {
    set(part("saved").dataset, "state", state);
    write("saved", text);
  }

  notice(text) {
    write("notice", text);
  }

  // A new item is read from its beginning. Where nobody scrolled, nothing is asked, since the browser would lay out first.
  toStart() {
    if (this.#scrolled) part("main").scrollTop = 0;
    this.#scrolled = false;
  }

  // Scroll what is judged, wherever the focus is; the answer is whether the key does that.
  scroll(code) {
    if (!SCROLLING.test(code)) return false;
    const main = part("main");
    const page = main.clientHeight - part("ask").offsetHeight - LINE;
    const far = main.scrollHeight;
    const by = { ArrowDown: LINE, ArrowUp: -LINE, PageDown: page, PageUp: -page, End: far, Home: -far };
    const scroller = far > main.clientHeight ? main : document.scrollingElement;
    scroller.scrollBy({ top: by[code] });
    return true;
  }

  // Say it to screen readers once the coder comes to rest, so that a fast run does not queue up speech.
  #say(text) {
    if (text === this.#said) return;
    this.#said = text;
    clearTimeout(this.#saying);
    this.#saying = setTimeout(() => write("announcement", text), 200);
  }

  #drawBeside(task) {
    if (this.#beside === task) return;
    part("contexts").replaceChildren(...(task?.contexts ?? []).map(contextLine));
    part("facts").replaceChildren(...Object.entries(task?.facts ?? {}).map(fact));
    this.#beside = task;
  }
}

// How a text is set: a few words large in the middle, a longer one to be read, a table with its columns kept.
export function faceOf(text) {
  if (text.length <= SHORT && !/[\n\t]/.test(text)) return "";
  return isTable(text) ? "long table" : "long";
}

function isTable(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  const all = (pattern) => lines.every((line) => pattern.test(line));
  return lines.length > 1 && (all(/\S\t+\S/) || all(/\|.*\|/) || all(/\S {2,}\S/));
}

// Tabs of a table reach as far as its widest cell.
export function setFace(element, face) {
  set(element, "className", face);
  const cells = face.startsWith("long table") ? element.textContent.split(/[\n\t]/) : [];
  const widest = cells.reduce((most, cell) => Math.max(most, cell.length), 0);
  set(element.style, "tabSize", cells.length ? String(Math.min(widest + 2, WIDEST_CELL)) : "");
}

export function set(thing, property, value) {
  if (thing[property] !== value) thing[property] = value;
}

function write(name, text) {
  set(part(name), "textContent", text);
}

// An item on one line with what was said of it; each part keeps its own direction, and a long text leaves room for that.
function drawNeighbour(name, [text = "", ...said]) {
  const line = part(name);
  if (line.textContent === [text, ...said].join(" · ")) return;
  const rest = element("span", "", "said");
  for (const words of said) rest.append(" · ", element("bdi", words));
  line.replaceChildren(...(text ? [element("bdi", text)] : []), ...(said.length ? [rest] : []));
}

// Parts with a full stop between them, where they have no sign of their own at the end.
function inSentences(...parts) {
  return parts
    .filter(Boolean)
    .map((text, at, all) => (at === all.length - 1 || /[.!?…]$/.test(text) ? text : `${text}.`))
    .join(" ");
}

function contextLine(segments) {
  const line = document.createElement("li");
  line.dir = "auto";
  line.append(...segments.map(({ text, mark }) => (mark ? element("mark", text) : text)));
  return line;
}

function fact([name, value]) {
  const pair = document.createElement("div");
  pair.append(element("dt", name), element("dd", value));
  return pair;
}
