// What a key press does on the coder's page: for the question that is asked, as a command, or to scroll.
import { targetOf } from "./elements.js";

/**
 * @import { CommandName, Keys } from "./keys.js"
 * @import { KeyDialog } from "./panels.js"
 * @import { View } from "./view.js"
 * @typedef {object} Wiring
 * @property {Keys} keys
 * @property {View} view
 * @property {KeyDialog} dialog
 * @property {Record<CommandName, () => void>} acts
 * @property {() => void} redraw the buttons with their keys
 * @property {() => boolean} goOn whether there was something to go on from, such as a lesson
 */

const PAUSED = "This question takes no note, so your letters decide nothing now. Press Enter to go on judging.";

export class Keyboard {
  /** @type {string | null} */ #confirmation = null; // of the first key that gave an answer
  #paused = false; // a note was wanted where there is none: letters meant for it must not decide

  /** @param {Wiring} wiring */
  constructor({ keys, view, dialog, acts, goOn, redraw }) {
    this.keys = keys;
    this.view = view;
    this.dialog = dialog;
    this.acts = acts;
    this.goOn = goOn;
    this.redraw = redraw;
    addEventListener("keydown", (event) => this.#press(event));
  }

  pause() {
    this.#paused = true;
    this.view.notice(PAUSED);
  }

  resume() {
    if (this.#paused) this.view.notice("");
    this.#paused = false;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const target = targetOf(event);
    if (event.ctrlKey || event.metaKey || event.altKey || this.dialog.open) return;
    if (target?.matches("input[type=text], textarea, select")) {
      if (!event.repeat && (event.code === "Enter" || event.code === "Escape")) target.blur();
      return;
    }
    const own = target?.matches("button, a, input, summary") && ["Enter", "Space"].includes(event.code);
    if (!own && this.#act(event)) event.preventDefault();
  }

  // An answer by a key; the first one is confirmed on the screen, lest the keys be others than the coder thinks.
  /** @param {KeyboardEvent} event */
  #answer(event) {
    const problem = this.keys.unclear(event);
    if (problem) {
      this.redraw();
      this.view.notice(problem);
      return true;
    }
    const choice = this.view.choiceOf(event);
    const label = choice && this.view.labelOf(choice);
    if (this.#confirmation && this.view.noticed === this.#confirmation) this.view.notice("");
    if (!this.view.press(event)) return false;
    if (choice && this.#confirmation === null) {
      this.#confirmation = `Your first key: ${label} is “${choice.text}”. Take it back with Backspace.`;
      if (!this.view.noticed) this.view.notice(this.#confirmation);
    }
    return true;
  }

  // Whether the key did something.
  /** @param {KeyboardEvent} event */
  #act(event) {
    if (this.#paused) {
      if (!event.repeat && (event.code === "Enter" || event.code === "Escape")) this.resume();
      return true;
    }
    if (!event.repeat && ["Enter", "Space", "ArrowRight"].includes(event.code) && this.goOn()) return true;
    if (this.view.move(event) || (!event.repeat && this.#answer(event))) return true;
    const command = event.repeat ? null : this.keys.command(event);
    if (command) this.acts[command]();
    return command !== null || (!targetOf(event)?.closest("aside") && this.view.scroll(event.code));
  }
}
