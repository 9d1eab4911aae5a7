"""Precision, recall and their intervals along the n-best lists of one measure."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from concurrence.core.arrays import Integers, Reals
from concurrence.core.designs import has_whole_lists
from concurrence.core.judgements import YES
from concurrence.evaluation.averages import average_precision
from concurrence.evaluation.bands import simultaneous_level
from concurrence.evaluation.lists import Counter, cuts
from concurrence.evaluation.results import AveragePrecision, Baseline, Curve, FixedLook, Method, Tie
from concurrence.kernels import estimates
from concurrence.kernels.estimates import StratumCounts
from concurrence.kernels.ranking import Ranking

NO_BASELINE = (
    "Only n-best lists were sampled, so the share of true positives in the whole list is unknown, and with it the "
    "recall and average precision of every measure."
)
NO_LISTS = (
    "The sample holds only what the two lists do not share. It gives their difference in precision, but not the "
    "precision of either list, its recall or average precision, or the baseline."
)


def baseline(whole: StratumCounts, counter: Counter, method: Method) -> Baseline:
    """The share of true positives in the whole list."""
    if not counter.design.whole_list:
        note = NO_BASELINE if has_whole_lists(counter.design.kind) else NO_LISTS
        return Baseline(value=np.nan, interval=(np.nan, np.nan), note=note)
    wanted = estimates.ANYTIME if method.anytime else method.interval
    low, high = estimates.interval(whole, method=wanted, level=method.level, replacement=counter.design.replacement)
    return Baseline(value=float(estimates.shares(whole)[0]), interval=(float(low[0]), float(high[0])))


def curve(ranking: Ranking, counter: Counter, whole: StratumCounts, method: Method) -> Curve:
    """All that is known of one measure's lists."""
    if not has_whole_lists(counter.design.kind):
        return _nothing_of_lists(ranking, counter)
    lists, design = counter.best(ranking), counter.design
    low, high, pointwise = _bounds(lists, method, replacement=design.replacement)
    fixed = FixedLook(low=low, high=high) if method.anytime else None
    if method.anytime:
        low, high, _ = _bounds(lists, replace(method, interval=estimates.ANYTIME), replacement=False)
    _, sampled, true = lists.totals
    share, share_low, share_high = _recall(lists, whole, counter, method)
    return Curve(
        n=counter.n,
        precision=estimates.shares(lists),
        low=low,
        high=high,
        sampled=sampled,
        true_positives=true,
        recall=share,
        recall_low=share_low,
        recall_high=share_high,
        local_precision=local_precision(ranking, counter, window=method.window),
        p_baseline=_against_the_rest(lists, whole, counter, method),
        average_precision=average_precision(ranking, counter, level=method.level),
        filter_size=ranking.filter_size,
        pointwise_level=pointwise if method.band == "simultaneous" else None,
        fixed=fixed,
    )


def _nothing_of_lists(ranking: Ranking, counter: Counter) -> Curve:
    """The curve of a measure of whose lists only a part was sampled: counts, and no estimate."""
    _, sampled, true = counter.best(ranking).totals
    unknown = np.full(len(counter.n), np.nan)
    return Curve(
        n=counter.n, precision=unknown, low=unknown, high=unknown, sampled=sampled, true_positives=true, recall=unknown,
        recall_low=unknown, recall_high=unknown, local_precision=unknown, p_baseline=unknown,
        average_precision=AveragePrecision(value=np.nan, interval=None, note=NO_LISTS),
    )  # fmt: skip


def ties_of(n: Integers, ranking: Ranking) -> tuple[Tie, ...]:
    """The list sizes that fall inside a run of equal scores, each with the length of the run."""
    at = cuts(n, ranking)
    cut = np.flatnonzero(at.inner < at.outer)
    return tuple(Tie(n=int(n[i]), size=int(at.outer[i] - at.inner[i])) for i in cut)


def local_precision(ranking: Ranking, counter: Counter, *, window: int) -> Reals:
    """The share of true positives among the ``window`` ranks around each n."""
    last = len(ranking)
    start = np.clip(counter.n - window // 2, 0, last)
    end = np.clip(counter.n + (window + 1) // 2, 0, last)
    (judged_start, judged_end), (true_start, true_end) = _upto(ranking, counter, start, end)
    judged = judged_end - judged_start
    local: Reals = np.divide(true_end - true_start, judged, out=np.full(len(judged), np.nan), where=judged > 1e-9)
    return local


def _upto(ranking: Ranking, counter: Counter, *sizes: Integers) -> Iterator[tuple[Reals, ...]]:
    """Weights of the judged, then of the true, among the first candidates, evenly spread over each run."""
    rows = counter.design.rows
    ranks = ranking.ranks_of(rows)
    order = np.argsort(ranks, kind="stable")
    rows, ranks = rows[order], ranks[order]
    before, end = ranking.run_of(np.maximum(np.concatenate(sizes), 1))
    edges = np.unique(np.concatenate([[0], before, end]))
    weights = counter.design.weights_of(rows)
    for amount in (weights, weights * (counter.judgements.verdicts[rows] == YES)):
        held = np.concatenate([[0.0], amount.cumsum()])[np.searchsorted(ranks, edges, side="right")]
        yield tuple(np.interp(size, edges, held) for size in sizes)


def _bounds(lists: StratumCounts, method: Method, *, replacement: bool) -> tuple[Reals, Reals, float]:
    level = method.level
    if method.band == "simultaneous":
        variance = estimates.variance_of_total(lists, replacement=replacement)
        level = simultaneous_level(variance, level=method.level)
    low, high = estimates.interval(lists, method=method.interval, level=level, replacement=replacement)
    judged = lists.sampled.sum(axis=-1) > 0
    return np.where(judged, low, np.nan), np.where(judged, high, np.nan), level


def _recall(lists: StratumCounts, whole: StratumCounts, counter: Counter, method: Method) -> tuple[Reals, Reals, Reals]:
    unknown = np.full(len(counter.n), np.nan)
    if not counter.design.whole_list or not whole.true.any():
        return unknown, unknown, unknown
    return estimates.recall(
        lists, whole, level=method.level, method=method.interval, replacement=counter.design.replacement
    )


def _against_the_rest(lists: StratumCounts, whole: StratumCounts, counter: Counter, method: Method) -> Reals:
    if not counter.design.whole_list:
        return np.full(len(counter.n), np.nan)
    if method.anytime:
        return estimates.anytime_test(lists, whole - lists)
    return estimates.difference_test(
        lists, whole - lists, alternative=method.alternative, replacement=counter.design.replacement
    )
