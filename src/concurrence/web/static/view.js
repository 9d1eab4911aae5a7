// Drawing the coder's page. All text goes in as text; nothing is ever read as HTML. What is there already is left
// alone, since even the same text written again costs the browser style, layout and paint.
// What is asked is drawn by the type of the question, a module of its own in types/.
import { element } from "./controls.js";
import { allInside, part } from "./elements.js";
import { COMMANDS } from "./keys.js";

/**
 * @import { Given, Meets } from "./book.js"
 * @import { Keys } from "./keys.js"
 * @import { Choice, Judged, Question, Segment, Task } from "./api.js"
 *
 * @typedef {object} Page what a widget may use of the page around it
 * @property {Keys} keys
 * @property {(answer: string, shifted: boolean) => void} decide
 * @property {() => void} undo
 * @property {HTMLElement} item where the item stands
 * @property {HTMLElement} beside where two texts stand side by side
 * @property {(text: string) => void} notice
 * @property {(text: string) => void} say to screen readers
 *
 * @typedef {Pick<KeyboardEvent, "code" | "key" | "shiftKey" | "repeat">} KeyPress
 *
 * @typedef {object} Widget
 * @property {HTMLElement[]} elements
 * @property {(scene: { task: Judged, answer: string | null }) => void} show
 * @property {(event: KeyPress) => boolean} press whether the key was its own
 * @property {(event: KeyPress) => boolean} [move] the same for keys that are held
 * @property {(node: HTMLElement, task: Judged) => void} [item] draws the item itself
 * @property {() => boolean} [undo] whether it took a step back
 * @property {(task: Judged, answer: string) => void} [recall] for an answer that was undone
 * @property {(task: Judged) => string} [words] the item for screen readers
 * @property {boolean} [confirms] whether Enter confirms an answer of several steps
 *
 * @typedef {(question: Question, answer: string, task: Judged) => string} Said
 *
 * @typedef {object} QuestionType
 * @property {Meets} meets whether an answer is one that a follow-up waits for
 * @property {Said} said an answer in few words
 * @property {Said} [told] an answer in full, where that is more
 * @property {(question: Question, page: Page) => Widget} widget
 * @property {(question: Question) => void} [prepare] called once for each question that is loaded
 *
 * @typedef {Map<string, QuestionType>} QuestionTypes by name
 *
 * @typedef {object} Scene
 * @property {Task | null} task
 * @property {Question | null} question
 * @property {Given | null} given
 * @property {boolean} review whether the task was done before
 * @property {string[]} previous the text of an item and its answers
 * @property {string[] | null} next the same; null where it is not to be seen
 * @property {string} [message] where there is no task
 * @property {string} [detail] where there is no question
 */

const SHORT = 40; // characters that fit in large letters
const WIDEST_CELL = 40;
const SCROLLING = /^(Arrow(Up|Down)|Page(Up|Down)|Home|End)$/;
const LINE = 60; // pixels that an arrow key scrolls
const TOUCHED = "Already decided. Tap the same answer to confirm, another to change it.";

// Whether fingers do what keys do elsewhere.
export const byTouch = () => matchMedia("(pointer: coarse)").matches;

export class View {
  /** @type {Map<string, Widget>} */ #widgets = new Map(); // by question
  /** @type {Widget | null} */ #widget = null; // the one that is there
  /** @type {Question | null} */ #question = null;
  #scene = ""; // what it shows
  /** @type {Task | null | undefined} */ #beside; // the task whose facts and examples are there
  #said = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #saying;
  #scrolled = false;

  /** @param {QuestionTypes} types @param {Keys} keys @param {Pick<Page, "decide" | "undo">} acts */
  constructor(types, keys, { decide, undo }) {
    this.types = types;
    this.keys = keys;
    const [item, beside] = [part("item"), part("sides")];
    /** @type {Page} */
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

  /** @param {Scene} scene */
  draw(scene) {
    const { task, question } = scene;
    this.#question = question;
    const answer = (scene.review && question && scene.given?.get(question.id)?.answer) || null;
    const widget = question ? this.#widgetOf(question) : null;
    this.#drawItem(task, widget, task?.text ?? scene.message ?? "");
    drawNeighbour("previous", scene.previous);
    drawNeighbour("next", scene.next ?? []);
    set(part("next"), "hidden", scene.next === null);
    write("question", question ? question.text : (scene.detail ?? ""));
    set(part("review"), "hidden", !scene.review);
    this.#drawWidget(widget);
    const now = `${task?.id}/${question?.id}/${scene.review}/${answer}`;
    if (task && widget && now !== this.#scene) widget.show({ task, answer });
    this.#scene = now;
    this.#drawBeside(task);
    const item = task ? (widget?.words?.(task) ?? task.text) : (scene.message ?? "");
    this.#say(inSentences(item, question ? question.text : (scene.detail ?? "")));
  }

  // Draw the controls again although the question is the same, since their keys changed.
  forget() {
    this.#widgets.clear();
    this.#scene = "";
    this.#labelKeys();
  }

  // The choice of the question that is asked which a key gives, and how its key is called.
  /** @param {KeyPress} event */
  choiceOf(event) {
    return this.keys.choice(event, this.#question);
  }

  /** @param {Choice} choice */
  labelOf(choice) {
    return this.keys.label(choice, this.#question);
  }

  /** @param {KeyPress} event */
  press(event) {
    return this.#widget?.press(event) ?? false;
  }

  /** @param {KeyPress} event */
  move(event) {
    return this.#widget?.move?.(event) ?? false;
  }

  stepBack() {
    return this.#widget?.undo?.() ?? false;
  }

  // An answer that was taken back and has several steps is there to be changed.
  /** @param {Question} question @param {Task} task @param {string} answer */
  recall(question, task, answer) {
    this.#widgetOf(question).recall?.(task, answer);
    this.#scene = "";
  }

  #labelKeys() {
    for (const key of allInside(document, "kbd[data-command]")) {
      const command = COMMANDS.find(({ id }) => id === key.dataset.command);
      if (!command) continue;
      set(key, "textContent", this.keys.label(command, null, this.#widget?.confirms && command.id === "note"));
    }
  }

  /** @param {Question} question */
  #widgetOf(question) {
    const widget = this.#widgets.get(question.id) ?? typeOf(this.types, question).widget(question, this.page);
    this.#widgets.set(question.id, widget);
    return widget;
  }

  /** @param {Task | null} task @param {Widget | null} widget @param {string} text */
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

  /** @param {Widget | null} widget */
  #drawWidget(widget) {
    if (this.#widget === widget) return;
    const group = part("choices");
    const focused = group.contains(document.activeElement) && document.activeElement?.matches("button");
    group.replaceChildren(...(widget?.elements ?? []));
    this.#widget = widget;
    this.#labelKeys();
    if (focused) group.querySelector("button")?.focus();
  }

  /** @param {number} done @param {number} total */
  count(done, total) {
    write("count", `${done} of ${total}`);
    set(part("progress", HTMLProgressElement), "max", Math.max(total, 1));
    set(part("progress", HTMLProgressElement), "value", done);
  }

  /** @param {string} state @param {string} text */
  saved(state, text) {
    set(part("saved").dataset, "state", state);
    write("saved", text);
  }

  /** @param {string} text */
  notice(text) {
    write("notice", text);
  }

  get noticed() {
    return part("notice").textContent;
  }

  // A new item is read from its beginning. Where nobody scrolled, nothing is asked, since the browser would lay out
  // first.
  toStart() {
    if (this.#scrolled) part("main").scrollTop = 0;
    this.#scrolled = false;
  }

  // Scroll what is judged, wherever the focus is; the answer is whether the key does that.
  /** @param {string} code */
  scroll(code) {
    if (!SCROLLING.test(code)) return false;
    const main = part("main");
    const page = main.clientHeight - part("ask").offsetHeight - LINE;
    const far = main.scrollHeight;
    /** @type {Record<string, number>} */
    const by = { ArrowDown: LINE, ArrowUp: -LINE, PageDown: page, PageUp: -page, End: far, Home: -far };
    const scroller = far > main.clientHeight ? main : document.scrollingElement;
    scroller?.scrollBy({ top: by[code] });
    return true;
  }

  // Say it to screen readers once the coder comes to rest, so that a fast run does not queue up speech.
  /** @param {string} text */
  #say(text) {
    if (text === this.#said) return;
    this.#said = text;
    clearTimeout(this.#saying);
    this.#saying = setTimeout(() => write("announcement", text), 200);
  }

  /** @param {Task | null} task */
  #drawBeside(task) {
    if (this.#beside === task) return;
    part("contexts").replaceChildren(...(task?.contexts ?? []).map(contextLine));
    part("facts").replaceChildren(...Object.entries(task?.facts ?? {}).map(fact));
    this.#beside = task;
  }
}

/** @param {QuestionTypes} types @param {Question} question */
export function typeOf(types, { type }) {
  const module = types.get(type);
  if (!module) throw new Error(`There is no question type ${type}.`);
  return module;
}

// How a text is set: a few words large in the middle, a longer one to be read, a table with its columns kept.
/** @param {string} text */
export function faceOf(text) {
  if (text.length <= SHORT && !/[\n\t]/.test(text)) return "";
  return isTable(text) ? "long table" : "long";
}

/** @param {string} text */
function isTable(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  /** @param {RegExp} pattern */
  const all = (pattern) => lines.every((line) => pattern.test(line));
  return lines.length > 1 && (all(/\S\t+\S/) || all(/\|.*\|/) || all(/\S {2,}\S/));
}

// Tabs of a table reach as far as its widest cell.
/** @param {HTMLElement} element @param {string} face */
export function setFace(element, face) {
  set(element, "className", face);
  const cells = face.startsWith("long table") ? element.textContent.split(/[\n\t]/) : [];
  const widest = cells.reduce((most, cell) => Math.max(most, cell.length), 0);
  set(element.style, "tabSize", cells.length ? String(Math.min(widest + 2, WIDEST_CELL)) : "");
}

/**
 * @template {object} T
 * @template {keyof T} K
 * @param {T} thing
 * @param {K} property
 * @param {T[K]} value
 */
export function set(thing, property, value) {
  if (thing[property] !== value) thing[property] = value;
}

/** @param {string} name @param {string} text */
function write(name, text) {
  set(part(name), "textContent", text);
}

// An item on one line with what was said of it; each part keeps its own direction, and a long text leaves room for
// that.
/** @param {string} name @param {string[]} words */
function drawNeighbour(name, [text = "", ...said]) {
  const line = part(name);
  if (line.textContent === [text, ...said].join(" · ")) return;
  const rest = element("span", "", "said");
  for (const words of said) rest.append(" · ", element("bdi", words));
  line.replaceChildren(...(text ? [element("bdi", text)] : []), ...(said.length ? [rest] : []));
}

// Parts with a full stop between them, where they have no sign of their own at the end.
/** @param {...string} parts */
function inSentences(...parts) {
  return parts
    .filter(Boolean)
    .map((text, at, all) => (at === all.length - 1 || /[.!?…]$/.test(text) ? text : `${text}.`))
    .join(" ");
}

/** @param {Segment[]} segments */
function contextLine(segments) {
  const line = document.createElement("li");
  line.dir = "auto";
  line.append(...segments.map(({ text, mark }) => (mark ? element("mark", text) : text)));
  return line;
}

/** @param {[string, string]} pair */
function fact([name, value]) {
  const pair = document.createElement("div");
  pair.append(element("dt", name), element("dd", value));
  return pair;
}
