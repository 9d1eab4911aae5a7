// What coders said of an item, and what that means for a ruling on it. No page, no network.

/**
 * @import { Ruled, Rulings } from "./undoing.js"
 * @import { Comment, Question, Segment } from "./api.js"
 *
 * @typedef {{ answer: string, coders: string[], unsure: string[], notes: Record<string, string> }} Vote
 * @typedef {{ question: string, votes: Vote[], majority: string | null, differ: boolean }} Votes
 *
 * @typedef {object} Place of an item in the row of those on which coders differ
 * @property {number} total
 * @property {number} decided
 * @property {number | null} place
 * @property {boolean} open
 * @property {number | null} previous
 * @property {number | null} next
 * @property {number | null} next_open
 *
 * @typedef {object} Case
 * @property {number} item_id
 * @property {string} text
 * @property {Record<string, string>} facts
 * @property {Segment[][]} contexts
 * @property {Record<string, any>} shown
 * @property {string[]} coders
 * @property {Votes[]} questions
 * @property {Rulings} rulings
 * @property {Ruled[]} history
 * @property {Comment[] | null} comments
 *
 * @typedef {{ data: Place & Case, questions: Question[] }} Answer
 */

// How many answered a question, how many in one way, and whether those are more than half of them.
/** @param {Votes | undefined} votes */
export const voters = (votes) => (votes?.votes ?? []).reduce((sum, { coders }) => sum + coders.length, 0);
/** @param {Votes | undefined} votes @param {string | null} answer */
export const votersFor = (votes, answer) => votes?.votes.find((vote) => vote.answer === answer)?.coders.length ?? 0;
/** @param {Votes | undefined} votes @param {string | null} answer */
export const isMajority = (votes, answer) => 2 * votersFor(votes, answer) > voters(votes);

// What stands beside an answer that was selected for the leader.
/** @param {Votes} votes */
function preselected(votes) {
  if (voters(votes) === 1) return "the only answer selected";
  if (!votes.differ) return "all the same";
  return isMajority(votes, votes.majority) ? "majority selected" : "most votes selected";
}

// What needs a ruling: a disagreement, a step that not everybody was asked, an answer that nobody or not all gave, and
// one that an earlier ruling has otherwise.
/**
 * @param {Map<string, string | null>} answers by question
 * @param {{ questions: Votes[], rulings: Rulings, coders: string[] }} item
 */
export function needed(answers, { questions, rulings, coders }) {
  const given = new Map(questions.map((entry) => [entry.question, entry]));
  const open = [...answers].filter(([question, answer]) => {
    const [votes, held] = [given.get(question), rulings[question]];
    if (held) return held.answer !== answer;
    return !votes || votes.differ || votes.majority !== answer || votes.votes[0].coders.length !== coders.length;
  });
  return open.map(([question, answer]) => ({ question, answer, votes: given.get(question) }));
}

// The reason for a ruling for which none was written. Counted among those who answered the question, since a follow-up
// is not asked of everyone.
/** @param {string | null} answer @param {Votes | undefined} votes @param {number} coders how many judged the item */
export function reasonFor(answer, votes, coders) {
  const [count, answered] = [votersFor(votes, answer), voters(votes)];
  if (count && count === answered)
    return count === 1 ? "The only coder who answered." : `All ${count} coders who answered.`;
  const whom = answered === coders ? "coders" : "coders who answered";
  const share = count ? `${count} of ${answered} ${whom}` : "no coder";
  return isMajority(votes, answer) ? `Majority: ${share}.` : `Ruled without a majority: ${share}.`;
}

// What stands beside a question: where its answer comes from, or that it needs one.
/** @param {string | null} answer @param {string | null | undefined} ruled @param {Votes | undefined} votes */
export function markWords(answer, ruled, votes) {
  if (ruled === answer) return "your ruling";
  if (answer === null) return votes ? "no majority: choose" : "nobody was asked: choose";
  return votes?.majority === answer ? preselected(votes) : "your choice";
}
