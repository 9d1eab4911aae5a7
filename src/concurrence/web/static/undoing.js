// Undoing what was recorded on an item: `before` holds the rulings that stood then, by question; `made` is what was sent.
// Nothing is ever taken off the record: an undo is recorded as rulings that say what was said before.

const MARK = "Undone; as before: ";
const LONGEST = 2000;

// A ruling may have withdrawn those on follow-ups that do not apply under it.
const touched = ({ before, made }) => [...new Set([...Object.keys(before), ...made.map(({ question }) => question)])];
const answerIn = (rulings, question) => rulings[question]?.answer ?? null;
const changed = (act, now) =>
  touched(act).filter((question) => answerIn(now, question) !== answerIn(act.before, question));

// Whether the rulings now are those that stood before.
export const isUndone = (act, now) => !changed(act, now).length;

// Whether what was recorded still holds, so that nobody else's ruling would be undone.
export const stillHolds = ({ made }, now) => made.every(({ question, answer }) => answerIn(now, question) === answer);

// The rulings that undo an act.
export function takenBack(act, now, newUuid) {
  return changed(act, now).map((question) => {
    const held = act.before[question];
    const reason = held ? `${MARK}${held.reason.replace(MARK, "")}`.slice(0, LONGEST) : "Undone.";
    return { uuid: newUuid(), question, answer: held?.answer ?? null, reason };
  });
}
