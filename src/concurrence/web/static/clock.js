// The order of a coder's decisions, a hybrid logical clock: a time in milliseconds that is moved on until it lies behind
// all that this page has seen. So a correction stands behind what it corrects, whatever the clocks say; they
// decide only between decisions on two devices that did not know of each other.

const FAR = 5 * 60_000; // a device whose clock is this far from the server's goes by the server's

let seen = 0;
let offset = 0;

export function see(moment) {
  if (moment > seen) seen = moment;
}

export function compare(serverTime) {
  const apart = serverTime - Date.now();
  offset = Math.abs(apart) > FAR ? apart : 0;
}

// The next moment; none past the numbers that JavaScript can count, and then the server finds the place.
export function tick() {
  seen = Math.max(Date.now() + offset, seen + 1);
  return Number.isSafeInteger(seen) ? seen : null;
}
