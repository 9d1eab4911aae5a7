// One physical key for each choice and each command, the same place on every keyboard layout; all can be changed.

/**
 * @import { Choice, Question } from "./api.js"
 * @typedef {{ id: string, text: string, code: string, also?: string }} Entry
 * @typedef {Pick<Question, "id" | "text" | "choices">} Asked
 * @typedef {"undo" | "unsure" | "note" | "comment" | "contexts" | "manual" | "back" | "forward" | "keys"} CommandName
 * @typedef {{ code: string, key: string, shiftKey: boolean }} Pressed
 */

// "also" is a second key, which holds where a question needs the first one for itself.
/** @type {(Entry & { id: CommandName })[]} */
export const COMMANDS = [
  { id: "undo", text: "Undo the latest decision; press again to go further back", code: "Backspace" },
  { id: "unsure", text: "Flag the next decision as unsure (or hold Shift while deciding)", code: "Comma" },
  { id: "note", text: "Add a note to the decision, if the question takes one (also ')", code: "Enter", also: "Quote" },
  { id: "comment", text: "Write a comment on this item, if the campaign has comments", code: "Semicolon" },
  { id: "contexts", text: "Show or hide the examples of this item", code: "Space" },
  { id: "manual", text: "Show or hide the manual", code: "Period" },
  { id: "back", text: "Go to the previous item (also [)", code: "ArrowLeft", also: "BracketLeft" },
  { id: "forward", text: "Go to the next item (also ])", code: "ArrowRight", also: "BracketRight" },
  { id: "keys", text: "Show the keys (also ?)", code: "Slash" },
];

/** @type {Record<string, string | undefined>} */
const NAMES = {
  Backspace: "⌫",
  Comma: ",",
  Period: ".",
  Slash: "/",
  Semicolon: ";",
  Quote: "'",
  Minus: "-",
  Equal: "=",
  BracketLeft: "[",
  BracketRight: "]",
  Backslash: "\\",
  Backquote: "`",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Space: "Space",
  Enter: "Enter",
};
const PATIENCE = 1000; // milliseconds, for a browser that knows the layout
const NEVER = /^(Tab|Escape|Shift|Control|Alt|Meta|OS|CapsLock|NumLock|ContextMenu|F\d|$)/;

export class Keys {
  /** @type {Record<string, string | undefined>} */ #own;
  #place;
  /** @type {Map<string, string> | null} */ #layout = null;

  /** @param {string} place @param {Asked[]} questions */
  constructor(place, questions) {
    this.#place = place;
    this.questions = questions;
    this.#own = read(place);
  }

  // What the keys carry on this keyboard, where the browser tells, and soon.
  async learnLayout() {
    const late = new Promise((resolve) => setTimeout(() => resolve(null), PATIENCE));
    try {
      const told = /** @type {any} */ (navigator).keyboard.getLayoutMap(); // not in every browser
      this.#layout = await Promise.race([told, late]);
    } catch {
      this.#layout = null;
    }
  }

  /** @param {Entry} entry @param {Asked | null} [question] */
  codeOf(entry, question = null) {
    return this.#own[name(entry, question)] ?? entry.code;
  }

  /** @param {Entry} entry @param {Asked | null} [question] @param {boolean} [second] */
  label(entry, question = null, second = false) {
    const code = (second ? entry.also : null) ?? this.codeOf(entry, question);
    const written = this.#layout?.get(code);
    const usual = NAMES[code];
    if (usual && !written) return usual;
    return (written ?? code.replace(/^(Key|Digit)/, "").replace("Numpad", "Num ")).toUpperCase();
  }

  /** @param {{ code: string }} event @param {Asked | null} question @returns {Choice | null} */
  choice(event, question) {
    const codes = [event.code, event.code.replace("Numpad", "Digit")];
    return question?.choices.find((choice) => codes.includes(this.codeOf(choice, question))) ?? null;
  }

  /** @param {Pressed} event @returns {CommandName | null} */
  command(event) {
    if (event.key === "?") return "keys";
    if (event.shiftKey) return null;
    const meant = COMMANDS.find((command) => this.codeOf(command) === event.code);
    return (meant ?? COMMANDS.find((command) => command.also === event.code))?.id ?? null;
  }

  // Give a key to a choice or command; the answer is a sentence where that cannot be.
  /** @param {Entry} entry @param {Asked | null} question @param {string} code @returns {string | null} */
  change(entry, question, code) {
    if (NEVER.test(code)) return "The browser uses this key; choose another.";
    /** @type {[Entry, Asked | null][]} */
    const commands = COMMANDS.map((command) => [command, null]);
    const rivals = [...commands, ...this.#choicesBeside(question)];
    const taken = rivals.find(([other, at]) => other !== entry && this.codeOf(other, at) === code);
    if (taken) return `This key is already used for: ${taken[0].text}.`;
    this.#own[name(entry, question)] = code;
    write(this.#place, this.#own);
    return null;
  }

  reset() {
    this.#own = {};
    write(this.#place, this.#own);
  }

  // A command must differ from all choices, a choice from the others of its question.
  /** @param {Asked | null} question @returns {[Entry, Asked | null][]} */
  #choicesBeside(question) {
    const beside = question ? [question] : this.questions;
    return beside.flatMap((entry) => entry.choices.map((choice) => /** @type {[Entry, Asked]} */ ([choice, entry])));
  }
}

/** @param {Entry} entry @param {Asked | null} question */
function name(entry, question) {
  return question ? `${question.id}/${entry.id}` : entry.id;
}

/** @param {string} place */
function read(place) {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** @param {string} place @param {Record<string, unknown>} value */
function write(place, value) {
  try {
    localStorage.setItem(place, JSON.stringify(value));
  } catch {
    // Kept for this visit only.
  }
}

export { read as readSettings, write as writeSettings };
