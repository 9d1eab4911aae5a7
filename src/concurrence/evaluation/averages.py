"""Average precision over the whole list, with an interval; ties are averaged over all their orders.

The interval rests on the influence of each judged candidate. In stratified samples few judgements stand for most of the
list, and a stratum without a true positive among them may still hold many; there the spread of a stratum is at least
that of its share of true positives pulled toward the whole, and how well it is known counts its true positives alone.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concurrence.core.arrays import Integers, Numbers, Reals
from concurrence.core.judgements import YES
from concurrence.evaluation.lists import Counter
from concurrence.evaluation.results import AveragePrecision
from concurrence.kernels.chance import ratio
from concurrence.kernels.estimates import PRIOR, effective
from concurrence.kernels.ranking import Ranking
from concurrence.kernels.strata import CENSUS

FEWEST_HITS = 5
ONLY_LISTS = "Only n-best lists were sampled, so nothing is known of the rest of the list."
NO_ORDER = "A filter has no order."
NO_HITS = "No judged candidate is a true positive."
FEW_HITS = f"Fewer than {FEWEST_HITS} judged true positives are too few for an interval."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Positions:
    """What is expected at ranks, over all orders of their runs of equal scores.

    The ranks are those of every run that has a true positive, and one of every other run that has a judged candidate;
    at all others nothing happens. ``hit`` is the weight of the true positives there, ``judged_above`` and
    ``true_above`` the weights of what is judged and true above a true positive at that rank. ``run`` numbers the run of
    each rank, ``of`` that of each judged candidate.
    """

    rank: Integers
    hit: Reals
    judged_above: Reals
    true_above: Reals
    run: NDArray[np.int32]
    of: Integers


def average_precision(ranking: Ranking, counter: Counter, *, level: float) -> AveragePrecision:
    """The mean precision at the ranks of the true positives.

    A judged true positive at rank r sees itself and, above it, r - 1 candidates whose precision is
    estimated from those judged among them; each stands for as many as its weight says. If everything is
    judged this is the usual average precision, and with ties its mean over all their orders.
    """
    if ranking.filter_size is not None or not counter.design.whole_list:
        return AveragePrecision(
            value=np.nan, interval=None, note=ONLY_LISTS if ranking.filter_size is None else NO_ORDER
        )
    hits = counter.judgements.verdicts[counter.design.rows] == YES
    if not hits.any():
        return AveragePrecision(value=np.nan, interval=None, note=NO_HITS)
    at = _positions(ranking, counter)
    overall = at.hit.sum() / counter.design.weights_of(counter.design.rows).sum()
    above = ratio(at.true_above, at.judged_above, empty=float(overall))
    at_hit = (1 + (at.rank - 1) * above) / at.rank
    value = float(np.average(at_hit, weights=at.hit))
    if counter.design.kind == CENSUS:
        return AveragePrecision(value=value, interval=(value, value))
    if hits.sum() < FEWEST_HITS:
        return AveragePrecision(value=value, interval=None, note=FEW_HITS)
    influence, freedom = _influence(at, at_hit, above, value), np.inf
    if counter.design.n_strata > 1:
        variance, freedom = _variance_in_strata(influence, at, counter, float(overall))
    else:
        variance = _variance(influence, at, counter)
    low, high = effective(np.array([value]), np.array([variance]), level, freedom=freedom)
    return AveragePrecision(value=value, interval=(float(low[0]), float(high[0])))


def _positions(ranking: Ranking, counter: Counter) -> _Positions:
    rows = counter.design.rows
    weights = counter.design.weights_of(rows)
    true = weights * (counter.judgements.verdicts[rows] == YES)
    before, end = ranking.run_of(ranking.ranks_of(rows))
    ends, first, of = np.unique(end, return_index=True, return_inverse=True)
    starts = before[first]
    judged_in, true_in, hits_in = (
        np.bincount(of, weights=part, minlength=len(ends)) for part in (weights, true, (true > 0).astype(float))
    )
    # Few arrays live at once: in a run of equal scores, there may be as many ranks as the list is long.
    size, own = ends - starts, ratio(true_in, hits_in, empty=0.0)
    shown = np.where(hits_in > 0, size, 1)
    run = np.repeat(np.arange(len(ends), dtype=np.int32), shown)
    place = np.arange(len(run)) - (np.cumsum(shown) - shown)[run]

    def above(part: Numbers) -> Reals:
        others = place * (part - own)[run]
        others /= np.maximum(size - 1, 1)[run]
        others += np.concatenate([[0.0], np.cumsum(part)[:-1]])[run]
        return np.asarray(others)

    judged_above, true_above = above(judged_in), above(true_in)
    place += (starts + 1)[run]
    hit = (true_in / size)[run]
    return _Positions(rank=place, hit=hit, judged_above=judged_above, true_above=true_above, run=run, of=of)


def _influence(at: _Positions, at_hit: Reals, above: Reals, value: float) -> tuple[Reals, Reals]:
    """What one more true, and one more false, candidate of each run would change, per unit of weight."""
    pull = at.hit * ratio((at.rank - 1) / at.rank, at.judged_above, empty=0.0)
    after_true = _sums_after(pull * above)
    total, size = at.hit.sum(), np.bincount(at.run)
    in_false = np.bincount(at.run, weights=-after_true / total) / size
    of_true = at_hit - value
    of_true += _sums_after(pull)
    of_true -= after_true
    return np.bincount(at.run, weights=of_true / total) / size, in_false


def _sums_after(part: Reals) -> Reals:
    """The sum of all that comes later, for each entry."""
    return np.asarray(np.cumsum(part[::-1])[::-1] - part)


def _variance(influence: tuple[Reals, Reals], at: _Positions, counter: Counter) -> float:
    """The variance of the sum of influences in a simple random sample."""
    rows, size = counter.design.rows, len(counter.design.stratum)
    times = counter.design.times[rows]
    score = np.where(counter.judgements.verdicts[rows] == YES, influence[0][at.of], influence[1][at.of])
    drawn = int(times.sum())
    mean = (times * score).sum() / drawn
    spread = (times * (score - mean) ** 2).sum() / (drawn - 1)
    left = 1.0 if counter.design.replacement else 1 - drawn / size
    return float(size**2 * left * spread / drawn)


def _variance_in_strata(
    influence: tuple[Reals, Reals], at: _Positions, counter: Counter, overall: float
) -> tuple[float, float]:
    """The variance of the sum of influences in a stratified sample, and its degrees of freedom (Satterthwaite)."""
    design = counter.design
    of_true, of_false = (part[at.of] for part in influence)
    true = counter.judgements.verdicts[design.rows] == YES
    stratum = design.stratum[design.rows]

    def mean(part: Numbers) -> Reals:
        return ratio(np.bincount(stratum, weights=part, minlength=design.n_strata), judged, empty=0.0)

    sizes, judged = (np.bincount(held, minlength=design.n_strata) for held in (design.stratum, stratum))
    hits = np.bincount(stratum, weights=true, minlength=design.n_strata)
    score = np.where(true, of_true, of_false)
    seen = (mean(score**2) - mean(score) ** 2) * ratio(judged, np.maximum(judged - 1, 1))
    share = ((hits + PRIOR * overall) / (judged + PRIOR))[stratum]
    pulled = mean(share * of_true**2 + (1 - share) * of_false**2) - mean(share * of_true + (1 - share) * of_false) ** 2
    spread = np.maximum(np.maximum(seen, pulled), 0)
    parts = sizes**2 * (1 - ratio(judged, sizes, empty=0.0)) * ratio(spread, judged, empty=0.0)
    squares = (parts**2 / (np.maximum(hits, 1) + PRIOR - 1)).sum()
    return float(parts.sum()), float(parts.sum() ** 2 / squares) if squares > 0 else np.inf


def influence_of(ranking: Ranking, counter: Counter) -> tuple[float, Reals]:
    """The average precision of a list that is judged in full, and what each candidate adds to its error.

    The sum of the squares of what the candidates add, or of their sums over groups that were drawn together, is the
    variance for another list like this one.
    """
    at = _positions(ranking, counter)
    above = ratio(at.true_above, at.judged_above, empty=float(at.hit.sum() / len(ranking)))
    at_hit = (1 + (at.rank - 1) * above) / at.rank
    value = float(np.average(at_hit, weights=at.hit))
    of_true, of_false = _influence(at, at_hit, above, value)
    true = counter.judgements.verdicts[counter.design.rows] == YES
    return value, np.where(true, of_true[at.of], of_false[at.of])
