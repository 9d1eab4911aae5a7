"""Precision, recall and their intervals along the n-best lists of one measure."""

import numpy as np
from numpy.typing import NDArray

from concurrence.evaluation import estimates
from concurrence.evaluation.bands import simultaneous_level
from concurrence.evaluation.judgements import YES
from concurrence.evaluation.lists import Cells, Counter
from concurrence.evaluation.results import Baseline, Curve, Method
from concurrence.kernels.intervals import Reals

NO_BASELINE = "Only n-best lists were sampled, so the share of true positives in the whole list is unknown."


def baseline(whole: Cells, counter: Counter, method: Method) -> Baseline:
    """The share of true positives in the whole list."""
    if not counter.design.whole_list:
        return Baseline(value=np.nan, interval=(np.nan, np.nan), note=NO_BASELINE)
    low, high = estimates.interval(
        whole, method=method.interval, level=method.level, replacement=counter.design.replacement
    )
    return Baseline(value=float(estimates.shares(whole)[0]), interval=(float(low[0]), float(high[0])))


def curve(
    ranks: NDArray[np.int64], counter: Counter, whole: Cells, method: Method, *, filter_size: int | None = None
) -> Curve:
    """All that is known of one measure's lists."""
    lists, design = counter.best(ranks), counter.design
    low, high, pointwise = _bounds(lists, method, replacement=design.replacement)
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
        local_precision=local_precision(ranks, counter, window=method.window),
        p_baseline=_against_the_rest(lists, whole, counter, method),
        average_precision=average_precision(ranks, counter) if design.whole_list and filter_size is None else np.nan,
        filter_size=filter_size,
        pointwise_level=pointwise if method.band == "simultaneous" else None,
    )


def local_precision(ranks: NDArray[np.int64], counter: Counter, *, window: int) -> Reals:
    """The share of true positives among the ``window`` ranks around each n."""
    weight, true = _by_rank(ranks, counter)
    start = np.clip(counter.n - window // 2, 0, len(ranks))
    end = np.clip(counter.n + (window + 1) // 2, 0, len(ranks))
    judged = weight[end] - weight[start]
    local: Reals = np.divide(true[end] - true[start], judged, out=np.full(len(judged), np.nan), where=judged > 1e-9)
    return local


def average_precision(ranks: NDArray[np.int64], counter: Counter) -> float:
    """The mean precision at the ranks of the true positives.

    A judged true positive at rank r sees itself and, above it, r - 1 candidates whose precision is
    estimated from those judged among them; each stands for as many as its weight says. If everything is
    judged this is the usual average precision.
    """
    weight, true = _by_rank(ranks, counter)
    weights = counter.design.weights()
    hits = (counter.judgements.verdicts == YES) & (weights > 0)
    if not hits.any():
        return float("nan")
    above = ranks[hits] - 1
    overall = true[-1] / weight[-1]
    precision = np.divide(true[above], weight[above], out=np.full(len(above), overall), where=weight[above] > 0)
    at_hit = (1 + above * precision) / ranks[hits]
    return float(np.average(at_hit, weights=weights[hits]))


def _by_rank(ranks: NDArray[np.int64], counter: Counter) -> tuple[Reals, Reals]:
    """Weights of the judged and of the true among the first 0, 1, 2, … candidates."""
    weights = counter.design.weights()
    weight, true = np.zeros(len(ranks) + 1), np.zeros(len(ranks) + 1)
    weight[ranks] = weights
    true[ranks] = weights * (counter.judgements.verdicts == YES)
    return weight.cumsum(), true.cumsum()


def _bounds(lists: Cells, method: Method, *, replacement: bool) -> tuple[Reals, Reals, float]:
    level = method.level
    if method.band == "simultaneous":
        variance = estimates.variance_of_total(lists, replacement=replacement)
        level = simultaneous_level(variance, level=method.level)
    low, high = estimates.interval(lists, method=method.interval, level=level, replacement=replacement)
    judged = lists.sampled.sum(axis=-1) > 0
    return np.where(judged, low, np.nan), np.where(judged, high, np.nan), level


def _recall(lists: Cells, whole: Cells, counter: Counter, method: Method) -> tuple[Reals, Reals, Reals]:
    unknown = np.full(len(counter.n), np.nan)
    if not counter.design.whole_list or not whole.true.any():
        return unknown, unknown, unknown
    return estimates.recall(
        lists, whole, level=method.level, method=method.interval, replacement=counter.design.replacement
    )


def _against_the_rest(lists: Cells, whole: Cells, counter: Counter, method: Method) -> Reals:
    if not counter.design.whole_list:
        return np.full(len(counter.n), np.nan)
    return estimates.difference_test(
        lists, whole - lists, alternative=method.alternative, replacement=counter.design.replacement
    )
