// What stands beside the item: the manual, the examples, the note, the flag, and the list of keys.
import { element } from "./controls.js";
import { byId, inside, part } from "./elements.js";
import { COMMANDS, readSettings, writeSettings } from "./keys.js";
import { set } from "./view.js";

/** @import { Asked, Entry, Keys } from "./keys.js" */

export class Panels {
  /** @type {string | null} */ #rule = null;

  // changed(): something is shown or hidden that this class does not draw.
  /** @param {string} place @param {() => void} changed */
  constructor(place, changed) {
    this.place = place;
    /** @type {{ contexts: boolean, ahead: boolean, manual: boolean }} */
    this.settings = {
      contexts: true,
      ahead: false,
      manual: !matchMedia("(max-width: 60rem)").matches,
      ...readSettings(place),
    };
    this.unsure = false;
    this.#show();
    const [always, ahead] = [part("always", HTMLInputElement), part("ahead", HTMLInputElement)];
    always.addEventListener("change", () => this.set("contexts", always.checked));
    always.addEventListener("click", (event) => {
      if (event.detail > 0) always.blur();
    });
    ahead.addEventListener("change", () => {
      this.set("ahead", ahead.checked);
      changed();
    });
  }

  /** @param {"contexts" | "ahead" | "manual"} name @param {boolean} value */
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
    this.showContexts(Boolean(part("contexts").hidden));
  }

  showContexts(shown = this.settings.contexts) {
    set(part("contexts"), "hidden", !shown);
    part("contexts-button").setAttribute("aria-expanded", String(shown));
  }

  // The manual stays where the coder left it until a question with another rule comes.
  /** @param {string | null} rule @param {boolean} [again] */
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

  /** @param {boolean} unsure */
  setUnsure(unsure) {
    this.unsure = unsure;
    part("unsure").setAttribute("aria-pressed", String(unsure));
  }

  get note() {
    return part("note", HTMLInputElement).value.trim();
  }

  /** @param {string} text */
  set note(text) {
    set(part("note", HTMLInputElement), "value", text);
  }

  /** @param {boolean} offered */
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
    byId("coder").classList.toggle("with-manual", this.settings.manual);
    part("manual").hidden = !this.settings.manual;
    part("manual-button").setAttribute("aria-expanded", String(this.settings.manual));
    part("always", HTMLInputElement).checked = this.settings.contexts;
    part("ahead", HTMLInputElement).checked = this.settings.ahead;
    this.showContexts();
  }
}

// The list of keys, where each can be changed.
export class KeyDialog {
  /** @type {[Entry, Asked | null] | null} */ #waiting = null; // the next key press is its new key

  /** @param {Keys} keys @param {() => void} changed */
  constructor(keys, changed) {
    this.keys = keys;
    this.changed = changed;
    this.dialog = part("keys", HTMLDialogElement);
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

  /** @param {string} text */
  #title(text) {
    const row = document.createElement("tr");
    const cell = element("th", text);
    cell.colSpan = 3;
    cell.scope = "rowgroup";
    row.append(cell);
    return row;
  }

  /** @param {Entry} entry @param {Asked | null} question */
  #row(entry, question) {
    const row = document.createElement("tr");
    const [key, text, act] = [element("td"), element("th"), element("td")];
    const waits = this.#waiting?.[0] === entry && this.#waiting[1] === question;
    const button = element("button", waits ? "Press a key …" : "Change");
    button.type = "button";
    if (waits) button.dataset.waits = "";
    button.setAttribute("aria-label", `Change the key for: ${entry.text}`);
    button.addEventListener("click", () => this.#await(entry, question));
    key.append(element("kbd", this.keys.label(entry, question)));
    text.scope = "row";
    text.append(element("bdi", entry.text));
    act.append(button);
    row.append(key, text, act);
    return row;
  }

  /** @param {Entry} entry @param {Asked | null} question */
  #await(entry, question) {
    this.#waiting = [entry, question];
    this.#draw();
    inside(part("key-rows"), "[data-waits]").focus();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    event.stopPropagation();
    if (!this.#waiting || event.code === "Escape" || event.code === "Tab") return;
    event.preventDefault();
    const [entry, question] = this.#waiting;
    if (/^(Shift|Control|Alt|Meta)/.test(event.code)) return;
    const problem = this.keys.change(entry, question, event);
    part("key-problem").textContent = problem ?? "";
    if (!problem)
      this.#after(() => {
        this.#waiting = null;
      });
  }

  /** @param {() => void} work */
  #after(work) {
    work();
    this.#draw();
    this.changed();
  }
}

/** @param {{ rounds: string[], round: string }} part */
export function offerRounds({ rounds, round }) {
  const select = part("rounds", HTMLSelectElement);
  if (rounds.length < 2) return;
  for (const name of rounds) select.add(new Option(name, name, false, name === round));
  select.hidden = false;
  select.addEventListener("change", () => {
    location.search = `?round=${encodeURIComponent(select.value)}`;
  });
}
