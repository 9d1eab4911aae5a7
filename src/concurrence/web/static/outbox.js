// Decisions that the server has not acknowledged yet. Each is an entry of its own in the browser's local storage,
// written before the next item is shown, so that it survives a closed tab; all tabs of one coder share them.
// Each gets its counter here, by which the server and all tabs order what this coder decided.

import { received, toSend } from "./api.js";
import { see, tick } from "./clock.js";

/** @import { Waiting } from "./api.js" */

/** @template {Waiting} T */
export class Outbox {
  /** @type {Map<string, T>} */ #kept = new Map(); // by key
  /** @type {string[]} */ #unstamped = []; // keys
  #box;

  // heard(event): another tab decided. changed(): the number of waiting decisions is another one.
  /** @param {string} box @param {{ heard: (event: T) => void, changed: () => void }} listeners */
  constructor(box, { heard, changed }) {
    this.#box = box;
    this.lasting = true;
    this.changed = changed;
    for (const key of storedKeys(box)) this.#read(key, localStorage.getItem(key));
    addEventListener("storage", (event) => {
      if (event.key === null) this.#writeAgain();
      else if (event.key.startsWith(box)) this.#follow(event.key, event.newValue, heard);
    });
  }

  get name() {
    return this.#box;
  }

  get size() {
    return this.#kept.size;
  }

  get events() {
    this.#stamp();
    return this.#ordered().map(([, event]) => event);
  }

  // The event gets its counter.
  /** @param {T} event */
  add(event) {
    this.#stamp();
    event.counter = tick();
    const key = `${this.#box}${String(event.counter ?? event.client_time).padStart(16, "0")}/${event.uuid}`;
    this.#kept.set(key, event);
    this.#store(key, event);
    this.changed();
  }

  /** @param {(event: T) => boolean} sendable */
  any(sendable) {
    for (const event of this.#kept.values()) if (sendable(event)) return true;
    return false;
  }

  // The oldest events that may be sent, in their order.
  /** @param {number} most @param {(event: T) => boolean} sendable */
  batch(most, sendable) {
    return this.events.filter(sendable).slice(0, most);
  }

  /** @param {Set<string>} uuids */
  remove(uuids) {
    for (const [key, event] of this.#kept) {
      if (!uuids.has(event.uuid)) continue;
      this.#kept.delete(key);
      try {
        localStorage.removeItem(key);
      } catch {
        // A storage that cannot be written holds nothing to remove.
      }
    }
    this.changed();
  }

  #ordered() {
    return [...this.#kept].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  // What an older page left has no counter. It gets one, in its order, before anything new does.
  #stamp() {
    for (const key of this.#unstamped.splice(0).sort()) {
      const event = this.#kept.get(key);
      if (!event) continue;
      event.counter = tick();
      this.#store(key, event);
    }
  }

  /** @param {string} key @param {string | null} text */
  #read(key, text) {
    try {
      const event = received(JSON.parse(text ?? ""));
      if (typeof event.uuid === "string" && Number.isInteger(event.client_time)) this.#keep(key, event);
    } catch {
      // Not one of ours.
    }
    return this.#kept.get(key);
  }

  /** @param {string} key @param {T} event */
  #keep(key, event) {
    this.#kept.set(key, event);
    const { counter } = event;
    if (typeof counter === "number" && Number.isSafeInteger(counter)) see(counter);
    else this.#unstamped.push(key);
  }

  /** @param {string} key @param {string | null} text @param {(event: T) => void} heard */
  #follow(key, text, heard) {
    if (text === null) {
      this.#kept.delete(key);
    } else if (!this.#kept.has(key)) {
      const event = this.#read(key, text);
      if (event) heard(event);
    }
    this.changed();
  }

  /** @param {string} key @param {T} event */
  #store(key, event) {
    try {
      localStorage.setItem(key, JSON.stringify(toSend(event)));
    } catch {
      this.lasting = false; // the storage is full or forbidden: what waits lives in this tab alone
    }
  }

  #writeAgain() {
    for (const [key, event] of this.#kept) this.#store(key, event);
  }
}

/** @param {string} box */
function storedKeys(box) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(box));
  } catch {
    return [];
  }
}

// crypto.randomUUID is there only under TLS and on this machine; a server in a local network may have neither.
export function newUuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
