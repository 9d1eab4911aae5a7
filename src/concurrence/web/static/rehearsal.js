// A page that shows a campaign before it is made: decisions stay in this page and are gone with it.
import { tick } from "./clock.js";

/** @import { DecisionEvent } from "./api.js" */

export class Rehearsal {
  /** @type {DecisionEvent[]} */ events = [];
  lasting = true;
  size = 0;

  /** @param {DecisionEvent} event */
  add(event) {
    event.counter = tick();
    this.events.push(event);
  }

  any() {
    return false;
  }

  remove() {}
}

// Nothing is sent, and nothing is asked for again.
export const rehearsing = {
  busy: true,
  now() {},
  soon() {},
  /** @param {() => Promise<void>} work */
  alone: (work) => work(),
};
