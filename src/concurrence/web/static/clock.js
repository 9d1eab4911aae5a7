// The order of a coder's decisions, a hybrid logical clock: a time in milliseconds that is moved on until it lies
// behind all that this page has seen. So a correction stands behind what it corrects, whatever the clocks say; they
// decide only between decisions on two devices that did not know of each other.

const FAR = 5 * 60_000; // a device whose clock is this far from the server's goes by the server's

let seen = 0;
let offset = 0;

/** @param {number} moment */
export function see(moment) {
  if (moment > seen) seen = moment;
}

/** @param {number} serverTime */
export function compare(serverTime) {
  const apart = serverTime - Date.now();
  offset = Math.abs(apart) > FAR ? apart : 0;
}

// The next moment; none past the numbers that JavaScript can count, and then the server finds the place.
/** @returns {number | null} */
export function tick() {
  seen = Math.max(Date.now() + offset, seen + 1);
  return Number.isSafeInteger(seen) ? seen : null;
}

const FAST = 300; // milliseconds; a run of decisions that are all faster gets a quiet note
const RUN = 10;

export class Speed {
  #last = 0;
  #run = 0;

  // What to say after a decision at a moment; nothing where what is said stays.
  /** @param {number} now @returns {string | null} */
  notice(now) {
    this.#run = now - this.#last < FAST ? this.#run + 1 : 0;
    this.#last = now;
    if (this.#run === RUN) return "That was very fast. If you held or hit a key by mistake, undo it with Backspace.";
    return this.#run === 0 ? "" : null;
  }

  forget() {
    this.#run = 0;
  }
}
