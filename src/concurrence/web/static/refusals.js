// What becomes of decisions that the server refused. A closed part may be reopened, so what it refused is kept; what
// breaks a rule for good is let go. The first refusal may have been meant for another coder, who was signed in here a
// moment ago: only a second one is for good. No page, no network.

/** @import { DecisionEvent, Task } from "./api.js" */

export class Refusals {
  /** @type {Set<string>} */ #doubted = new Set(); // UUIDs, refused once
  /** @type {Set<string>} */ #held = new Set(); // UUIDs of tasks that are not in this part now

  /** @param {DecisionEvent} event */
  holds({ uuid }) {
    return this.#held.has(uuid);
  }

  // What is held is tried again.
  forget() {
    this.#held.clear();
  }

  // The UUIDs that are refused for good, of decisions that were just refused.
  /** @param {DecisionEvent[]} refused @param {Task[]} tasks */
  settle(refused, tasks) {
    const closed = new Map(tasks.map((task) => [task.id, task.closed]));
    const open = refused.filter((event) => closed.get(event.task) === false).map((event) => event.uuid);
    const gone = open.filter((uuid) => this.#doubted.has(uuid));
    for (const uuid of open) this.#doubted.add(uuid);
    for (const event of refused) if (!closed.has(event.task)) this.#held.add(event.uuid);
    return gone;
  }
}
