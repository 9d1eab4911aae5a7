"""Average precision over the whole list, with an interval; ties are averaged over all their orders.

The interval rests on the influence of each judged candidate. In 300 simple samples of a list of known truth it
covered in 94%; in stratified samples, where few judgements stand for most of the list, in 79% to 87%, so there
is none for these.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concurrence.core.rankings import Ranking
from concurrence.evaluation.design import CENSUS
from concurrence.evaluation.estimates import effective
from concurrence.evaluation.judgements import YES
from concurrence.evaluation.lists import Counter
from concurrence.evaluation.results import AveragePrecision
from concurrence.kernels.chance import ratio
from concurrence.kernels.intervals import Reals

FEWEST_HITS = 5
ONLY_LISTS = "Only n-best lists were sampled, so nothing is known of the rest of the list."
NO_ORDER = "A filter has no order."
NO_HITS = "No judged candidate is a true positive."
STRATA = "No interval for stratified samples: the usual one covers too rarely."
FEW_HITS = f"Fewer than {FEWEST_HITS} judged true positives are too few for an interval."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Positions:
    """What is expected at each rank, over all orders of its run of equal scores.

    ``hit`` is the weight of the true positives there, ``judged_above`` and ``true_above`` the weights of what is
    judged and true above a true positive at that rank.
    """

    hit: Reals
    judged_above: Reals
    true_above: Reals
    run: NDArray[np.int64]


def average_precision(
    ranking: Ranking, counter: Counter, *, level: float, filter_size: int | None = None
) -> AveragePrecision:
    """The mean precision at the ranks of the true positives.

    A judged true positive at rank r sees itself and, above it, r - 1 candidates whose precision is
    estimated from those judged among them; each stands for as many as its weight says. If everything is
    judged this is the usual average precision, and with ties its mean over all their orders.
    """
    if filter_size is not None or not counter.design.whole_list:
        return AveragePrecision(value=np.nan, interval=None, note=ONLY_LISTS if filter_size is None else NO_ORDER)
    hits = (counter.judgements.verdicts == YES) & (counter.design.times > 0)
    if not hits.any():
        return AveragePrecision(value=np.nan, interval=None, note=NO_HITS)
    at = _positions(ranking, counter)
    rank = np.arange(1, len(at.hit) + 1)
    overall = at.hit.sum() / counter.design.weights().sum()
    above = ratio(at.true_above, at.judged_above, empty=float(overall))
    at_hit = (1 + (rank - 1) * above) / rank
    value = float(np.average(at_hit, weights=at.hit))
    if counter.design.kind == CENSUS:
        return AveragePrecision(value=value, interval=(value, value))
    if counter.design.n_strata > 1 or hits.sum() < FEWEST_HITS:
        return AveragePrecision(value=value, interval=None, note=FEW_HITS if counter.design.n_strata == 1 else STRATA)
    variance = _variance(_influence(at, at_hit, above, value), ranking, counter)
    low, high = effective(np.array([value]), np.array([variance]), level)
    return AveragePrecision(value=value, interval=(float(low[0]), float(high[0])))


def _positions(ranking: Ranking, counter: Counter) -> _Positions:
    weights = counter.design.weights()
    true = weights * (counter.judgements.verdicts == YES)
    ends, run = np.unique(ranking.run_ends, return_inverse=True)
    starts = np.concatenate([[0], ends[:-1]])
    of_run = run[ranking.ranks - 1]
    judged_in, true_in, hits_in = (
        np.bincount(of_run, weights=part, minlength=len(ends)) for part in (weights, true, (true > 0).astype(float))
    )
    size, place = (ends - starts)[run], np.arange(len(run)) - starts[run]
    own = ratio(true_in, hits_in, empty=0.0)[run]
    before = [np.concatenate([[0.0], np.cumsum(part)[:-1]])[run] for part in (judged_in, true_in)]
    others = [place * (part[run] - own) / np.maximum(size - 1, 1) for part in (judged_in, true_in)]
    return _Positions(
        hit=true_in[run] / size, judged_above=before[0] + others[0], true_above=before[1] + others[1], run=run
    )


def _influence(at: _Positions, at_hit: Reals, above: Reals, value: float) -> tuple[Reals, Reals]:
    """What one more true, and one more false, candidate at each rank would change, per unit of weight."""
    rank = np.arange(1, len(at.hit) + 1)
    pull = at.hit * ratio((rank - 1) / rank, at.judged_above, empty=0.0)
    after_all, after_true = (np.cumsum(part[::-1])[::-1] - part for part in (pull, pull * above))
    total = at.hit.sum()
    of_true, of_false = (at_hit - value + after_all - after_true) / total, -after_true / total
    size = np.bincount(at.run)
    in_true, in_false = (np.bincount(at.run, weights=part) / size for part in (of_true, of_false))
    return in_true[at.run], in_false[at.run]


def _variance(influence: tuple[Reals, Reals], ranking: Ranking, counter: Counter) -> float:
    """The variance of the sum of influences in a simple random sample."""
    times, size, place = counter.design.times, len(ranking.ranks), ranking.ranks - 1
    score = np.where(counter.judgements.verdicts == YES, influence[0][place], influence[1][place])
    drawn = int(times.sum())
    mean = (times * score).sum() / drawn
    spread = (times * (score - mean) ** 2).sum() / (drawn - 1)
    left = 1.0 if counter.design.replacement else 1 - drawn / size
    return float(size**2 * left * spread / drawn)
