// Drawing the coder's page. All text goes in as text; nothing is ever read as HTML. What is there already is left
// alone, since even the same text written again costs the browser style, layout and paint.
import { COMMANDS } from "./keys.js";

const part = (name) => document.getElementById(`page--${name}`);

export class View {
  #drawn = null; // what the choices were drawn for
  #beside = undefined; // the task whose facts and examples are there
  #said = "";
  #saying = null;

  constructor(keys, { decide }) {
    this.keys = keys;
    this.decide = decide;
  }

  // scene: {task, question, previous, next, given, review, message}
  draw(scene) {
    const { task, question } = scene;
    write("item", task ? task.text : scene.message);
    set(part("item"), "className", task ? (task.text.length > 40 ? "long" : "") : "message");
    write("previous", scene.previous);
    write("next", scene.next);
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
