// Sending what waits, in the background: batches in order, again and again until they are acknowledged.
// Sending twice does no harm, since every event has its own UUID.

import { toSend } from "./api.js";
import { see } from "./clock.js";

const MOST = 200;
const SOON = 120;
const LONGEST_WAIT = 15_000;
const PATIENCE = 20_000;

/**
 * @import { Outbox } from "./outbox.js"
 * @import { Waiting } from "./api.js"
 * @typedef {"sent" | "away" | "ended" | "full"} Connection
 * @typedef {{ uuid: string, status: "stored" | "known" | "refused", reason: string | null }} Receipt
 */

/**
 * @template {Waiting} T
 * @typedef {object} Wiring
 * @property {string} api
 * @property {Outbox<T>} outbox
 * @property {(event: T) => boolean} sendable
 * @property {(state: Connection) => void} told
 * @property {(reasons: Map<string, string | null>) => Promise<boolean>} refused settles what was refused, by UUID
 * @property {string} [what] the address and the name of a batch
 * @property {(event: T) => object} [wire] an event as it is sent
 */

/** @template {Waiting} T */
export class Sender {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #busy = false;
  #size = MOST;
  #failures = 0;

  /** @param {Wiring<T>} wiring */
  constructor({ api, outbox, sendable, told, refused, what = "events", wire = toSend }) {
    this.api = api;
    this.outbox = outbox;
    this.sendable = sendable;
    this.told = told;
    this.refused = refused;
    this.what = what;
    this.wire = wire;
    addEventListener("online", () => this.now());
    document.addEventListener("visibilitychange", () => this.now());
  }

  // Send soon; while the server is away, key presses do not hurry it.
  soon() {
    if (this.#timer === undefined && !this.#busy) this.#timer = setTimeout(() => this.now(), SOON);
  }

  now() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#busy) this.alone(() => this.#run());
  }

  get busy() {
    return this.#busy;
  }

  // Run with no other sending under way, in this tab or, where the browser can tell, in another.
  /** @param {() => Promise<void>} work */
  async alone(work) {
    this.#busy = true;
    try {
      await (navigator.locks ? navigator.locks.request(this.outbox.name, work) : work());
    } finally {
      this.#busy = false;
      if (this.#timer === undefined && this.outbox.any(this.sendable)) this.#later();
    }
  }

  #later(stated = 0) {
    const wait = this.#failures ? Math.min(LONGEST_WAIT, 500 * 2 ** this.#failures) * (0.75 + Math.random() / 2) : SOON;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.now(), Math.max(wait, stated));
  }

  async #run() {
    for (;;) {
      const events = this.outbox.batch(this.#size, this.sendable);
      if (!events.length) return;
      const answer = await this.#post(events);
      if (!answer || !(await this.#settle(answer, events))) {
        this.#failures += 1;
        return;
      }
      this.#failures = 0;
    }
  }

  /** @param {T[]} events */
  async #post(events) {
    try {
      return await fetch(`${this.api}/${this.what}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ [this.what]: events.map(this.wire) }),
        keepalive: document.visibilityState === "hidden" && events.length <= 100,
        signal: AbortSignal.timeout(PATIENCE),
      });
    } catch {
      this.told("away");
      return null;
    }
  }

  // Whether sending can go on.
  /** @param {Response} answer @param {T[]} events */
  async #settle(answer, events) {
    if (answer.ok) return this.#receive(answer, events);
    if ([400, 413, 422].includes(answer.status)) return this.#smaller(events);
    if ([401, 403, 404].includes(answer.status)) this.told("ended");
    else this.told(answer.status === 507 ? "full" : "away");
    const seconds = Number(answer.headers.get("retry-after"));
    if (seconds > 0) this.#later(1000 * seconds);
    return false;
  }

  /** @param {Response} answer @param {T[]} events */
  async #receive(answer, events) {
    /** @type {Receipt[]} */
    let receipts;
    let newest = 0;
    try {
      ({ receipts, newest = 0 } = await answer.json());
      if (receipts.length !== events.length) throw new TypeError("one receipt for each event");
    } catch {
      this.told("away"); // something between us and the server has answered
      return false;
    }
    const turnedDown = receipts.filter((receipt) => receipt.status === "refused");
    const settled = receipts.filter((receipt) => receipt.status !== "refused").map((receipt) => receipt.uuid);
    see(newest);
    this.outbox.remove(new Set(settled));
    this.#size = MOST;
    this.told("sent");
    return (
      turnedDown.length === 0 || this.refused(new Map(turnedDown.map((receipt) => [receipt.uuid, receipt.reason])))
    );
  }

  // A batch that cannot be taken as a whole is sent in halves; a single event, so that it alone is set aside.
  /** @param {T[]} events */
  async #smaller(events) {
    if (events.length > 1) {
      this.#size = Math.ceil(events.length / 2);
      return true;
    }
    return this.refused(new Map([[events[0].uuid, "The server could not read it."]]));
  }
}
