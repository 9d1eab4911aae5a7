// One physical key for each choice and each command, the same place on every keyboard layout; all can be changed.

// "also" is a second key, which holds where a question needs the first one for itself.
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
const NEVER = /^(Tab|Escape|Shift|Control|Alt|Meta|OS|CapsLock|NumLock|ContextMenu|F\d|$)/;

export class Keys {
  #own;
  #place;
  #layout = null;

  constructor(place, questions) {
    this.#place = place;
    this.questions = questions;
    this.#own = read(place);
  }

  // What the keys carry on this keyboard, where the browser tells.
  async learnLayout() {
    try {
      this.#layout = await navigator.keyboard.getLayoutMap();
    } catch {
      this.#layout = null;
    }
  }

  codeOf(entry, question = null) {
    return this.#own[name(entry, question)] ?? entry.code;
  }

  label(entry, question = null, second = false) {
    const code = second ? entry.also : this.codeOf(entry, question);
    const written = this.#layout?.get(code);
    if (NAMES[code] && !written) return NAMES[code];
    return (written ?? code.replace(/^(Key|Digit)/, "").replace("Numpad", "Num ")).toUpperCase();
  }

  choice(event, question) {
    const codes = [event.code, event.code.replace("Numpad", "Digit")];
    return question?.choices.find((choice) => codes.includes(this.codeOf(choice, question))) ?? null;
  }

  command(event) {
    if (event.key === "?") return "keys";
    if (event.shiftKey) return null;
    const meant = COMMANDS.find((command) => this.codeOf(command) === event.code);
    return (meant ?? COMMANDS.find((command) => command.also === event.code))?.id ?? null;
  }

  // Give a key to a choice or command; the answer is a sentence where that cannot be.
  change(entry, question, code) {
    if (NEVER.test(code)) return "The browser uses this key; choose another.";
    const rivals = [...COMMANDS.map((command) => [command, null]), ...this.#choicesBeside(question)];
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
  #choicesBeside(question) {
    const beside = question ? [question] : this.questions;
    return beside.flatMap((entry) => entry.choices.map((choice) => [choice, entry]));
  }
}

function name(entry, question) {
  return question ? `${question.id}/${entry.id}` : entry.id;
}

function read(place) {
  try {
    return JSON.parse(localStorage.getItem(place)) ?? {};
  } catch {
    return {};
  }
}

function write(place, value) {
  try {
    localStorage.setItem(place, JSON.stringify(value));
  } catch {
    // Kept for this visit only.
  }
}

export { read as readSettings, write as writeSettings };
