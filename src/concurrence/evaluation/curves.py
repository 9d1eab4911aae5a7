"""Precision, recall, average precision, their intervals and bands along the n-best lists of one measure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from concurrence.core.arrays import Booleans, Integers, Numbers, Reals
from concurrence.core.designs import has_whole_lists
from concurrence.core.judgements import YES
from concurrence.evaluation.lists import Counter
from concurrence.evaluation.results import AveragePrecision, Baseline, Curve, FixedLook, Method, Tie, TieDraws
from concurrence.kernels import differences, estimates
from concurrence.kernels.chance import ratio
from concurrence.kernels.estimates import PRIOR, StratumCounts, effective
from concurrence.kernels.ranking import Ranking
from concurrence.kernels.strata import CENSUS, SampledList

NO_BASELINE = (
    "Only n-best lists were sampled, so the share of true positives in the whole list is unknown, and with it the "
    "recall and average precision of every measure."
)
NO_LISTS = (
    "The sample holds only what the two lists do not share. It gives their difference in precision, but not the "
    "precision of either list, its recall or average precision, or the baseline."
)
FEWEST_HITS, FEWEST_TRUSTED = 5, 40
ONLY_LISTS = "Only n-best lists were sampled, so nothing is known of the rest of the list."
NO_ORDER = "A filter has no order."
NO_HITS = "No judged candidate is a true positive."
FEW_HITS = f"Fewer than {FEWEST_HITS} judged true positives are too few for an interval."
UNSURE = (
    f"Fewer than {FEWEST_TRUSTED} judged true positives are few for average precision, so the interval may hold less "
    "often than it says."
)
DRAWS = 4000
FINENESS = 0.01


def baseline(whole: StratumCounts, counter: Counter, method: Method) -> Baseline:
    """The share of true positives in the whole list."""
    if not counter.design.whole_list:
        note = NO_BASELINE if has_whole_lists(counter.design.kind) else NO_LISTS
        return Baseline(value=np.nan, interval=(np.nan, np.nan), note=note)
    interval = estimates.ANYTIME if method.anytime else method.interval
    low, high = estimates.interval(whole, method=interval, level=method.level, replacement=counter.design.replacement)
    return Baseline(value=float(estimates.shares(whole)[0]), interval=(float(low[0]), float(high[0])))


def curve(ranking: Ranking, counter: Counter, whole: StratumCounts, method: Method) -> Curve:
    """Precision, recall and the other figures of one measure's n-best lists."""
    if not has_whole_lists(counter.design.kind):
        return _counts_only(ranking, counter)
    lists, design = counter.best(ranking), counter.design
    low, high, pointwise = _bounds(lists, method, replacement=design.replacement)
    fixed = FixedLook(low=low, high=high) if method.anytime else None
    if method.anytime:
        low, high, _ = _bounds(lists, replace(method, interval=estimates.ANYTIME), replacement=False)
    _, sampled, true = lists.totals
    (recall, recall_low, recall_high), p_baseline = _recall_and_test(lists, whole, counter, method)
    return Curve(
        n=counter.n,
        precision=estimates.shares(lists),
        low=low,
        high=high,
        sampled=sampled,
        true_positives=true,
        recall=recall,
        recall_low=recall_low,
        recall_high=recall_high,
        local_precision=local_precision(ranking, counter, window=method.window),
        p_baseline=p_baseline,
        average_precision=average_precision(ranking, counter, level=method.level),
        filter_size=ranking.filter_size,
        pointwise_level=pointwise if method.band == "simultaneous" else None,
        fixed=fixed,
    )


def _counts_only(ranking: Ranking, counter: Counter) -> Curve:
    """A curve of counts without estimates, for lists of which only a part was sampled."""
    _, sampled, true = counter.best(ranking).totals
    unknown = np.full(len(counter.n), np.nan)
    return Curve(
        n=counter.n, precision=unknown, low=unknown, high=unknown, sampled=sampled, true_positives=true, recall=unknown,
        recall_low=unknown, recall_high=unknown, local_precision=unknown, p_baseline=unknown,
        average_precision=_no_average(NO_LISTS),
    )  # fmt: skip


def ties_of(n: Integers, ranking: Ranking) -> tuple[Tie, ...]:
    """The list sizes that fall inside a run of equal scores, each with the length of the run."""
    at = ranking.cuts(n)
    cut = np.flatnonzero(at.inner < at.outer)
    return tuple(Tie(n=int(n[i]), size=int(at.outer[i] - at.inner[i])) for i in cut)


def local_precision(ranking: Ranking, counter: Counter, *, window: int) -> Reals:
    """The share of true positives among the ``window`` ranks around each n; a run of equal scores is evenly spread."""
    rows = counter.design.rows
    ranks = ranking.ranks_of(rows)
    order = np.argsort(ranks, kind="stable")
    rows, ranks = rows[order], ranks[order]
    start = np.clip(counter.n - window // 2, 0, len(ranking))
    end = np.clip(counter.n + (window + 1) // 2, 0, len(ranking))
    edges = np.unique(np.concatenate([[0], *ranking.run_of(np.maximum(np.concatenate([start, end]), 1))]))
    upto = np.searchsorted(ranks, edges, side="right")
    weights = counter.design.weights_of(rows)
    amounts = (weights, weights * (counter.judgements.verdicts[rows] == YES))
    sums = [np.concatenate([[0.0], amount.cumsum()])[upto] for amount in amounts]
    judged, true = (np.interp(end, edges, part) - np.interp(start, edges, part) for part in sums)
    local: Reals = np.divide(true, judged, out=np.full(len(judged), np.nan), where=judged > 1e-9)
    return local


def _bounds(lists: StratumCounts, method: Method, *, replacement: bool) -> tuple[Reals, Reals, float]:
    level = method.level
    if method.band == "simultaneous":
        variance = estimates.variance_of_total(lists, replacement=replacement)
        level = simultaneous_level(variance, level=method.level)
    low, high = estimates.interval(lists, method=method.interval, level=level, replacement=replacement)
    judged = lists.sampled.sum(axis=-1) > 0
    return np.where(judged, low, np.nan), np.where(judged, high, np.nan), level


def _recall_and_test(
    lists: StratumCounts, whole: StratumCounts, counter: Counter, method: Method
) -> tuple[tuple[Reals, Reals, Reals], Reals]:
    """The recall with its limits, and the test against what the lists leave; unknown where only lists were sampled."""
    unknown, replacement = np.full(len(counter.n), np.nan), counter.design.replacement
    if not counter.design.whole_list:
        return (unknown, unknown, unknown), unknown
    recall = (unknown, unknown, unknown)
    if whole.true.any():
        recall = estimates.recall(lists, whole, level=method.level, method=method.interval, replacement=replacement)
    rest = whole - lists
    if method.anytime:
        return recall, differences.anytime_test(lists, rest)
    return recall, differences.difference_test(lists, rest, alternative=method.alternative, replacement=replacement)


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
        return _no_average(ONLY_LISTS if ranking.filter_size is None else NO_ORDER)
    hits = counter.judgements.verdicts[counter.design.rows] == YES
    if not hits.any():
        return _no_average(NO_HITS)
    at = _positions(ranking, counter)
    overall = at.hit.sum() / counter.design.weights_of(counter.design.rows).sum()
    above = ratio(at.true_above, at.judged_above, empty=float(overall))
    at_hit = (1 + (at.rank - 1) * above) / at.rank
    value = float(np.average(at_hit, weights=at.hit))
    if counter.design.kind == CENSUS:
        return AveragePrecision(value=value, interval=(value, value))
    if hits.sum() < FEWEST_HITS:
        return AveragePrecision(value=value, interval=None, note=FEW_HITS, trusted=False)
    if counter.design.n_strata > 1:
        influence = _influence(at, at_hit, above, value)
        variance, freedom = _variance_in_strata(influence, at, counter, float(overall))
    else:
        influence = _influence(at, at_hit, above, value, one=len(ranking) / int(counter.design.times.sum()))
        variance, freedom = _variance(influence, at, counter, hits=int(hits.sum()))
    low, high = effective(np.array([value]), np.array([variance]), level, freedom=freedom)
    trusted = bool(hits.sum() >= FEWEST_TRUSTED)
    ends = (float(low[0]), float(high[0]))
    return AveragePrecision(value=value, interval=ends, note=None if trusted else UNSURE, trusted=trusted)


def _no_average(note: str) -> AveragePrecision:
    return AveragePrecision(value=np.nan, interval=None, note=note, trusted=False)


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
    ranks_shown = np.where(hits_in > 0, size, 1)
    run = np.repeat(np.arange(len(ends), dtype=np.int32), ranks_shown)
    place = np.arange(len(run)) - (np.cumsum(ranks_shown) - ranks_shown)[run]
    above = []
    for part in (judged_in, true_in):
        others = place * (part - own)[run]
        others /= np.maximum(size - 1, 1)[run]
        others += np.concatenate([[0.0], np.cumsum(part)[:-1]])[run]
        above.append(others)
    judged_above, true_above = above
    place += (starts + 1)[run]
    hit = (true_in / size)[run]
    return _Positions(rank=place, hit=hit, judged_above=judged_above, true_above=true_above, run=run, of=of)


def _influence(at: _Positions, at_hit: Reals, above: Reals, value: float, *, one: float = 0.0) -> tuple[Reals, Reals]:
    """What one more true, and one more false, candidate of each run would change, per unit of weight.

    With ``one``, the weight of a judgement, it is what one fewer would change: where few are judged above a true
    positive, that is more.
    """
    left = np.maximum(at.judged_above - one, one / 2)
    pull = at.hit * ratio((at.rank - 1) / at.rank, left, empty=0.0)
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


def _variance(influence: tuple[Reals, Reals], at: _Positions, counter: Counter, *, hits: int) -> tuple[float, float]:
    """The variance of the sum of influences in a simple random sample, and its degrees of freedom.

    What is averaged are the true positives, so they count, and one is lost to each of rank and mean.
    """
    rows, size = counter.design.rows, len(counter.design.stratum)
    times = counter.design.times[rows]
    score = np.where(counter.judgements.verdicts[rows] == YES, influence[0][at.of], influence[1][at.of])
    drawn = int(times.sum())
    mean = (times * score).sum() / drawn
    spread = (times * (score - mean) ** 2).sum() / (drawn - 1)
    left = 1.0 if counter.design.replacement else 1 - drawn / size
    return float(size**2 * left * spread / drawn) * (hits + 1) / (hits - 1), hits - 2.0


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

    sizes, judged = (np.bincount(numbers, minlength=design.n_strata) for numbers in (design.stratum, stratum))
    hits = np.bincount(stratum, weights=true, minlength=design.n_strata)
    score = np.where(true, of_true, of_false)
    observed = (mean(score**2) - mean(score) ** 2) * ratio(judged, np.maximum(judged - 1, 1))
    share = ((hits + PRIOR * overall) / (judged + PRIOR))[stratum]
    pulled = mean(share * of_true**2 + (1 - share) * of_false**2) - mean(share * of_true + (1 - share) * of_false) ** 2
    spread = np.maximum(np.maximum(observed, pulled), 0)
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


def tie_draws(precisions: Sequence[Reals]) -> TieDraws:
    """Mean and spread of the precision over draws that differ only in how ties were broken."""
    defined = _judged_draws(precisions)
    return TieDraws(
        draws=len(precisions),
        precision=defined.mean(axis=0).filled(np.nan),
        standard_deviation=defined.std(axis=0, ddof=1).filled(np.nan),
        low=defined.min(axis=0).filled(np.nan),
        high=defined.max(axis=0).filled(np.nan),
    )


def _judged_draws(precisions: Sequence[Reals]) -> Any:
    """One row per draw; lists in which nothing was judged are masked."""
    return np.ma.masked_invalid(np.array(precisions, dtype=np.float64), copy=False)


def simultaneous_level(variance_of_totals: Reals, *, level: float, seed: int = 0) -> float:
    """The pointwise level at which the band covers the whole curve at ``level``.

    The estimated number of true positives in nested lists is a sum that grows with n, so its standardised
    errors are those of a random walk seen at the times ``variance_of_totals``. The largest of them is
    simulated; the pointwise level is that of its quantile.

    >>> simultaneous_level(np.array([4.0]), level=0.95) < simultaneous_level(np.array([0.0]), level=0.95)
    True
    """
    times = np.maximum.accumulate(np.nan_to_num(variance_of_totals))
    times = times[times > 0]
    if times.size == 0:
        return level
    # Points closer than this on a log scale are all but the same point of the walk.
    _, first = np.unique(np.floor(np.log(times) / FINENESS), return_index=True)
    times = times[first]
    steps = np.sqrt(np.diff(times, prepend=0.0))
    walks = np.cumsum(np.random.default_rng(seed).standard_normal((DRAWS, len(times))) * steps, axis=1)
    largest = np.abs(walks / np.sqrt(times)).max(axis=1)
    return float(1 - 2 * ndtr(-np.quantile(largest, level)))


def widen_intervals(curve: Curve, ranking: Ranking, verdicts: Booleans, design: SampledList, *, level: float) -> Curve:
    """The curve with intervals that hold sampling and coders: distances to the bounds add in squares."""
    down, up = _coder_spread(ranking, verdicts, design, curve.n, level)
    low = np.clip(curve.precision - np.hypot(curve.precision - curve.low, down), 0.0, 1.0)
    high = np.clip(curve.precision + np.hypot(curve.high - curve.precision, up), 0.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(high > low, 1 - (curve.high - curve.low) / (high - low), 0.0)
    return replace(curve, low=low, high=high, coder_share_of_width=share)


def _coder_spread(
    ranking: Ranking, verdicts: Booleans, design: SampledList, n: Integers, level: float
) -> tuple[Reals, Reals]:
    """How far below and above its middle the precision of each list moves over the draws."""
    at, rows = ranking.cuts(n), design.rows
    rows = rows[design.weights_of(rows) > 0]
    rows = rows[np.argsort(ranking.ranks_of(rows), kind="stable")]
    weights, ranks = design.weights_of(rows), ranking.ranks_of(rows)
    inner, outer = (np.searchsorted(ranks, sizes, side="right") for sizes in (at.inner, at.outer))
    upto = np.concatenate([[0.0], weights.cumsum()])
    true_upto = np.concatenate([np.zeros((len(verdicts), 1)), (verdicts[:, rows] * weights).cumsum(axis=1)], axis=1)
    judged = upto[inner] + at.share * (upto[outer] - upto[inner])
    true = true_upto[:, inner] + at.share * (true_upto[:, outer] - true_upto[:, inner])
    precision = np.divide(true, judged, out=np.zeros((len(verdicts), len(n))), where=judged > 0)
    low, middle, high = np.quantile(precision, [(1 - level) / 2, 0.5, (1 + level) / 2], axis=0)
    return np.asarray(middle - low), np.asarray(high - middle)
