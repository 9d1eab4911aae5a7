// Undoing what was recorded on an item: `before` holds the rulings that stood then, by question; `made` is what was
// sent. Nothing is ever taken off the record: an undo is recorded as rulings that say what was said before.

/**
 * @typedef {{ question: string, answer: string | null, reason: string, by: string, time: number }} Ruled
 * @typedef {Record<string, Ruled | undefined>} Rulings by question
 * @typedef {{ uuid: string, question: string, answer: string | null, reason: string }} NewRuling
 * @typedef {{ item: number, before: Rulings, made: NewRuling[] }} Act
 */

const MARK = "Undone; as before: ";
const LONGEST = 2000;

// A ruling may have withdrawn those on follow-ups that do not apply under it.
/** @param {Act} act */
const touched = ({ before, made }) => [...new Set([...Object.keys(before), ...made.map(({ question }) => question)])];
/** @param {Rulings} rulings @param {string} question */
const answerIn = (rulings, question) => rulings[question]?.answer ?? null;
/** @param {Act} act @param {Rulings} now */
const changed = (act, now) =>
  touched(act).filter((question) => answerIn(now, question) !== answerIn(act.before, question));

// Whether the rulings now are those that stood before.
/** @param {Act} act @param {Rulings} now */
export const isUndone = (act, now) => !changed(act, now).length;

// Whether what was recorded still holds, so that nobody else's ruling would be undone.
/** @param {Act} act @param {Rulings} now */
export const stillHolds = ({ made }, now) => made.every(({ question, answer }) => answerIn(now, question) === answer);

// The rulings that undo an act.
/** @param {Act} act @param {Rulings} now @param {() => string} newUuid @returns {NewRuling[]} */
export function takenBack(act, now, newUuid) {
  return changed(act, now).map((question) => {
    const held = act.before[question];
    const reason = held ? `${MARK}${held.reason.replace(MARK, "")}`.slice(0, LONGEST) : "Undone.";
    return { uuid: newUuid(), question, answer: held?.answer ?? null, reason };
  });
}

// Whether two lists of rulings say the same, whatever their UUIDs.
/** @param {NewRuling[]} some @param {NewRuling[]} others */
export function saySame(some, others) {
  /** @param {NewRuling} one @param {NewRuling} other */
  const same = (one, other) =>
    one.question === other.question && one.answer === other.answer && one.reason === other.reason;
  return some.length === others.length && some.every((one, place) => same(one, others[place]));
}
