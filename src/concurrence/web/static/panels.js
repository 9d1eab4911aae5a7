// What stands beside the item: the manual, the examples, the note, the flag, and the list of keys.
import { element } from "./controls.js";
import { COMMANDS, readSettings, writeSettings } from "./keys.js";
import { set } from "./view.js";

const part = (name) => document.getElementById(`page--${name}`);

export class Panels {
  #rule = null;

  // changed(): something is shown or hidden that this class does not draw.
  constructor(place, changed) {
    this.place = place;
    this.settings = {
      contexts: true,
      ahead: false,
      manual: !matchMedia("(max-width: 60rem)").matches,
      ...readSettings(place),
    };
    this.unsure = false;
    this.#show();
    part("always").addEventListener("change", (event) => this.set("contexts", event.target.checked));
    part("always").addEventListener("click", (event) => {
      if (event.detail > 0) event.target.blur();
    });
    part("ahead").addEventListener("change", (event) => {
      this.set("ahead", event.target.checked);
      changed();
    });
  }

  set(name, value) {
    this.settings[name] = value;
    writeSettings(this.place, this.settings);
    this.#show();
  }

  toggleManual() {
    this.set("manual", !this.settings.manual);
    this.openRule(this.#rule, true);
  }

  // The examples of this item alone; the box beside them says whether they are always shown.
  toggleContexts() {
    this.showContexts(part("contexts").hidden);
  }

  showContexts(shown = this.settings.contexts) {
    set(part("contexts"), "hidden", !shown);
    part("contexts-button").setAttribute("aria-expanded", String(shown));
  }

  // The manual stays where the coder left it until a question with another rule comes.
  openRule(rule, again = false) {
    if (rule === this.#rule && !again) return;
    this.#rule = rule;
    const manual = part("manual");
    for (const heading of manual.querySelectorAll(".current")) heading.classList.remove("current");
    const heading = rule && manual.querySelector(`#${CSS.escape(rule)}`);
    if (!heading) return;
    heading.classList.add("current");
    // Measured when all is drawn; asked at once, the browser would have to lay the page out twice.
    requestAnimationFrame(() => {
      manual.scrollTop += heading.getBoundingClientRect().top - manual.getBoundingClientRect().top - 12;
    });
  }

  setUnsure(unsure) {
    this.unsure = unsure;
    part("unsure").setAttribute("aria-pressed", String(unsure));
  }

  get note() {
    return part("note").value.trim();
  }

  set note(text) {
    set(part("note"), "value", text ?? "");
  }

  offerNote(offered) {
    set(part("note-line"), "hidden", !offered);
  }

  // Whether a note can be written here.
  writeNote() {
    if (part("note-line").hidden) return false;
    part("note").focus();
    return true;
  }

  #show() {
    document.getElementById("coder").classList.toggle("with-manual", this.settings.manual);
    part("manual").hidden = !this.settings.manual;
    part("manual-button").setAttribute("aria-expanded", String(this.settings.manual));
    part("always").checked = this.settings.contexts;
    part("ahead").checked = this.settings.ahead;
    this.showContexts();
  }
}

// The list of keys, where each can be changed.
export class KeyDialog {
  #waiting = null; // [entry, question, button]: the next key press is its new key

  constructor(keys, changed) {
    Object.assign(this, { keys, changed, dialog: part("keys") });
    part("reset").addEventListener("click", () => this.#after(() => keys.reset()));
    part("close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("keydown", (event) => this.#press(event));
    this.dialog.addEventListener("close", () => {
      this.#waiting = null;
    });
  }

  get open() {
    return this.dialog.open;
  }

  show() {
    this.#draw();
    part("key-problem").textContent = "";
    if (!this.dialog.open) this.dialog.showModal();
  }

  #draw() {
    const { questions } = this.keys;
    const choices = questions.flatMap((question) => [
      this.#title(question.text),
      ...question.choices.map((choice) => this.#row(choice, question)),
    ]);
    const commands = COMMANDS.map((command) => this.#row(command, null));
    part("key-rows").replaceChildren(...choices, this.#title("At any time"), ...commands);
  }

  #title(text) {
    const row = document.createElement("tr");
    const cell = element("th", text);
    cell.colSpan = 3;
    cell.scope = "rowgroup";
    row.append(cell);
    return row;
  }

  #row(entry, question) {
    const row = document.createElement("tr");
    const [key, text, act] = ["td", "th", "td"].map((name) => document.createElement(name));
    const button = element("button", "Change");
    button.type = "button";
    button.setAttribute("aria-label", `Change the key for: ${entry.text}`);
    button.addEventListener("click", () => this.#await(entry, question, button));
    key.append(element("kbd", this.keys.label(entry, question)));
    text.scope = "row";
    text.append(element("bdi", entry.text));
    act.append(button);
    row.append(key, text, act);
    return row;
  }

  #await(entry, question, button) {
    this.#draw();
    const again = [...part("key-rows").querySelectorAll("button")].find(
      (other) => other.getAttribute("aria-label") === button.getAttribute("aria-label"),
    );
    again.textContent = "Press a key …";
    again.focus();
    this.#waiting = [entry, question];
  }

  #press(event) {
    event.stopPropagation();
    if (!this.#waiting || event.code === "Escape" || event.code === "Tab") return;
    event.preventDefault();
    const [entry, question] = this.#waiting;
    if (/^(Shift|Control|Alt|Meta)/.test(event.code)) return;
    const problem = this.keys.change(entry, question, event.code);
    part("key-problem").textContent = problem ?? "";
    if (!problem)
      this.#after(() => {
        this.#waiting = null;
      });
  }

  #after(work) {
    work();
    this.#draw();
    this.changed();
  }
}

export function offerRounds({ rounds, round }) {
  const select = part("rounds");
  if (rounds.length < 2) return;
  for (const name of rounds) select.add(new Option(name, name, false, name === round));
  select.hidden = false;
  select.addEventListener("change", () => {
    location.search = `?round=${encodeURIComponent(select.value)}`;
  });
}
