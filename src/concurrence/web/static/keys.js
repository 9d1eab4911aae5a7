// One key for each choice and each command; all can be changed. A letter or a digit is the key on which it is printed,
// wherever that is: a place on the keyboard counts only where the page shows what is printed there. A code such as KeyY
// stands for the letter; for all other keys it is the place.

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
const PUNCTUATION = new Map(Object.entries(NAMES).map(([code, printed]) => [printed, code]));
const METHOD =
  "An input method takes your keys, so that nobody can tell which you mean. Turn it off, or use the mouse.";
const PATIENCE = 1000; // milliseconds, for a browser that knows the layout
const NEVER = /^(Tab|Escape|Shift|Control|Alt|Meta|OS|CapsLock|NumLock|ContextMenu|F\d|$)/;

export class Keys {
  /** @type {Record<string, string | undefined>} */ #own;
  #place;
  /** @type {Map<string, string> | null} */ #layout = null;
  /** @type {Map<string, string>} */ #otherLetters = new Map(); // by place, letters of another alphabet that were typed there

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
    const letter = /^Key[A-Z]$/.test(code) ? code.slice(3) : null;
    if (letter && !this.#otherLetterAt(code) && this.#hasKey(letter)) return letter;
    if (code.startsWith("Digit")) return code.slice(5);
    const printed = this.#letterAt(code);
    const usual = NAMES[code];
    if (usual && !printed) return usual;
    return (printed ?? letter ?? code.replace("Numpad", "Num ")).toUpperCase();
  }

  /** @param {Pressed} event @param {Asked | null} question @returns {Choice | null} */
  choice(event, question) {
    const code = this.#codePressed(event);
    const codes = [code, code?.replace("Numpad", "Digit")];
    return question?.choices.find((choice) => codes.includes(this.codeOf(choice, question))) ?? null;
  }

  // Why a key that has a use decides nothing, in a sentence. A letter of another alphabet is shown from now on.
  /** @param {Pressed} event @returns {string | null} */
  unclear(event) {
    if (this.#codePressed(event) !== null || !this.#isUsed(event.code)) return null;
    const printed = this.#letterOn(event);
    if (printed === null) return METHOD;
    this.#otherLetters.set(event.code, printed);
    return `Your keyboard has ${printed.toUpperCase()} on this key, as is shown now; press it again to use it.`;
  }

  // The key as a code; nothing for a letter of another alphabet that the page does not show.
  /** @param {Pressed} event @returns {string | null} */
  #codePressed(event) {
    const { code } = event;
    if (code.startsWith("Numpad")) return code;
    const printed = this.#letterOn(event);
    if (printed && /^[a-z]$/.test(printed)) return `Key${printed.toUpperCase()}`;
    if (printed && /^[0-9]$/.test(printed)) return `Digit${printed}`;
    if (!/^Key[A-Z]$/.test(code)) return code;
    if (printed === null) return null;
    return PUNCTUATION.get(printed) ?? (this.#letterAt(code) === printed ? code : null);
  }

  // What is printed on a key; an input method keeps it to itself, and some browsers tell it all the same.
  /** @param {Pressed} event @returns {string | null} */
  #letterOn({ key, code }) {
    const printed = [...key].length === 1 ? key : this.#layout?.get(code);
    return printed?.toLowerCase() ?? null;
  }

  /** @param {string} code @returns {string | undefined} */
  #letterAt(code) {
    return this.#otherLetterAt(code) ?? this.#layout?.get(code);
  }

  /** @param {string} code @returns {string | undefined} */
  #otherLetterAt(code) {
    return this.#own[`=${code}`] ?? this.#otherLetters.get(code);
  }

  // Whether the keyboard has a key with this letter of the Latin alphabet; where nobody tells, it is supposed to.
  /** @param {string} letter */
  #hasKey(letter) {
    return !this.#layout || [...this.#layout.values()].includes(letter.toLowerCase());
  }

  /** @param {string} code */
  #isUsed(code) {
    return this.#choicesBeside(null).some(([choice, question]) => this.codeOf(choice, question) === code);
  }

  /** @param {Pressed} event @returns {CommandName | null} */
  command(event) {
    if (event.key === "?") return "keys";
    if (event.shiftKey) return null;
    const code = this.#codePressed(event);
    const meant = COMMANDS.find((command) => this.codeOf(command) === code);
    return (meant ?? COMMANDS.find((command) => command.also === code))?.id ?? null;
  }

  // Give a key to a choice or command; the answer is a sentence where that cannot be.
  /** @param {Entry} entry @param {Asked | null} question @param {Pressed} event @returns {string | null} */
  change(entry, question, event) {
    const printed = this.#letterOn(event);
    const code = this.#codePressed(event) ?? event.code;
    if (printed === null && /^Key[A-Z]$/.test(event.code)) return METHOD;
    if (NEVER.test(code)) return "The browser uses this key; choose another.";
    /** @type {[Entry, Asked | null][]} */
    const commands = COMMANDS.map((command) => [command, null]);
    const rivals = [...commands, ...this.#choicesBeside(question)];
    const taken = rivals.find(([other, at]) => other !== entry && this.codeOf(other, at) === code);
    if (taken) return `This key is already used for: ${taken[0].text}.`;
    this.#own[name(entry, question)] = code;
    if (printed && /\p{L}/u.test(printed) && code === event.code) this.#own[`=${code}`] = printed;
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
