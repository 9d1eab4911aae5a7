// A page that shows a campaign before it is made: decisions stay in this page and are gone with it.
import { tick } from "./clock.js";

export class Rehearsal {
  events = [];
  lasting = true;
  size = 0;

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
export const rehearsing = { busy: true, now() {}, soon() {}, alone: (work) => work() };
