// Drawing the coder's page. All text goes in as text; nothing is ever read as HTML. What is there already is left
// alone, since even the same text written again costs the browser style, layout and paint.
import { COMMANDS } from "./keys.js";

const part = (name) => document.getElementById(`page--${name}`);
const SHORT = 40; // characters that fit in large letters
const WIDEST_CELL = 40;
const SCROLLING = /^(Arrow(Up|Down)|Page(Up|Down)|Home|End)$/;
const LINE = 60; // pixels that an arrow key scrolls

export class View {
  #drawn = null; // what the choices were drawn for
  #beside = undefined; // the task whose facts and examples are there
  #said = "";
  #saying = null;
  #scrolled = false;

  constructor(keys, { decide }) {
    this.keys = keys;
    this.decide = decide;
    part("main").addEventListener("scroll", () => { this.#scrolled = true; }, { passive: true });
  }

  // scene: {task, question, previous, next, given, review, message}; next is null where it is not to be seen
  draw(scene) {
    const { task, question } = scene;
    write("item", task ? task.text : scene.message);
    setFace(part("item"), task ? faceOf(task.text) : "message");
    write("previous", scene.previous);
    write("next", scene.next ?? "");
    set(part("next"), "hidden", scene.next === null);
    write("question", question ? question.text : scene.detail ?? "");
    set(part("review"), "hidden", !scene.review);
    this.#drawChoices(question, scene.review ? scene.given?.get(question.id)?.answer : null);
    this.#drawBeside(task);
    this.#say([task ? task.text : scene.message, question ? question.text : scene.detail ?? ""].join(". "));
  }

  // Draw the choices again although the question is the same, since their keys changed.
  forget() {
    this.#drawn = null;
    for (const key of document.querySelectorAll("kbd[data-command]")) {
      key.textContent = this.keys.label(COMMANDS.find((command) => command.id === key.dataset.command));
    }
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

  #drawChoices(question, chosen) {
    const group = part("choices");
    if (this.#drawn !== question) {
      const focused = group.contains(document.activeElement);
      group.replaceChildren(...(question?.choices ?? []).map((choice) => this.#button(choice, question)));
      if (focused) group.querySelector("button")?.focus();
      this.#drawn = question;
    }
    for (const button of group.children) {
      if (chosen === null) button.removeAttribute("aria-pressed");
      else button.setAttribute("aria-pressed", String(button.dataset.choice === chosen));
    }
  }

  #button(choice, question) {
    const button = element("button", "");
    button.type = "button";
    button.dataset.choice = choice.id;
    button.append(element("kbd", this.keys.label(choice, question)), element("bdi", choice.text));
    button.addEventListener("click", (event) => {
      if (event.detail > 0) button.blur(); // after a click or touch, the space bar must not decide again
      this.decide(choice, event.shiftKey);
    });
    return button;
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
  const cells = face === "long table" ? element.textContent.split(/[\n\t]/) : [];
  const widest = cells.reduce((most, cell) => Math.max(most, cell.length), 0);
  set(element.style, "tabSize", cells.length ? String(Math.min(widest + 2, WIDEST_CELL)) : "");
}

export function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

export function set(thing, property, value) {
  if (thing[property] !== value) thing[property] = value;
}

function write(name, text) {
  set(part(name), "textContent", text);
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
