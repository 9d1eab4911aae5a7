"""Two measures compared on their difference sets at every list size, with a correction for the many tests."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from concurrence.core.arrays import Booleans, Numbers, Reals
from concurrence.core.designs import has_whole_lists
from concurrence.core.judgements import YES
from concurrence.evaluation.lists import Counter
from concurrence.evaluation.results import MeasureComparison, Method, PrecisionDifference
from concurrence.evaluation.sentences import comparison_sentence, significant_regions
from concurrence.kernels import estimates
from concurrence.kernels.estimates import StratumCounts
from concurrence.kernels.holm import holm
from concurrence.kernels.ranking import Cuts, Ranking

FLIPS = 999
COLUMNS_AT_ONCE = 512


def compare_all(
    rankings: Mapping[str, Ranking], counter: Counter, method: Method, *, seed: int, titles: Mapping[str, str]
) -> tuple[MeasureComparison, ...]:
    """Compare every pair of measures; a filter at its own size alone, two filters if they have the same size."""
    comparisons = []
    for a, b in combinations(rankings, 2):
        sizes = {size for size in (rankings[a].filter_size, rankings[b].filter_size) if size is not None}
        if len(sizes) > 1:
            continue
        n = counter.n[np.isin(counter.n, list(sizes))] if sizes else counter.n
        at_sizes = replace(counter, n=n) if sizes else counter
        comparisons.append(
            compare_measures((a, rankings[a]), (b, rankings[b]), at_sizes, method, seed=seed, titles=titles)
        )
    return tuple(comparisons)


def compare_measures(
    first: tuple[str, Ranking],
    second: tuple[str, Ranking],
    counter: Counter,
    method: Method,
    *,
    seed: int,
    titles: Mapping[str, str],
) -> MeasureComparison:
    """One pair of measures."""
    (a, one), (b, two) = first, second
    only_a, only_b = counter.differences(one, two)
    if not has_whole_lists(counter.design.kind):
        only_a, only_b = only_a.pooled, only_b.pooled
    p, difference, detectable = _test_sets(only_a, only_b, counter, method)
    corrected = _corrected(p, one, two, counter, method, seed=seed) if method.correction else None
    gaps = (estimates.shares(only_a) - estimates.shares(only_b)).tolist()
    better = tuple(a if gap > 1e-12 else b if gap < -1e-12 else None for gap in gaps)
    decisive = p if corrected is None else corrected
    regions = significant_regions(counter.n, decisive, better, alpha=1 - method.level)
    (size, sampled_a, true_a), (_, sampled_b, true_b) = only_a.totals, only_b.totals
    return MeasureComparison(
        a=a,
        b=b,
        n=counter.n,
        overlap=counter.n - size,
        sampled_a=sampled_a,
        sampled_b=sampled_b,
        true_a=true_a,
        true_b=true_b,
        p=p,
        p_corrected=corrected,
        better=better,
        detectable=detectable,
        regions=regions,
        sentence=comparison_sentence(
            (a, b), titles, counter.n, decisive, regions, None if method.anytime else detectable
        ),
        difference=difference,
    )


def _test_sets(
    only_a: StratumCounts, only_b: StratumCounts, counter: Counter, method: Method
) -> tuple[Reals, PrecisionDifference, Reals]:
    """The p-values, the difference in precision, and the smallest one that would have been significant.

    Differences are those of the sets, as shares of n. The smallest is unknown for the test that holds at every look.
    """
    level, replacement = method.level, counter.design.replacement
    if method.anytime:
        p = estimates.anytime_test(only_a, only_b)
        limits = estimates.anytime_difference_interval(only_a, only_b, level=level)
        smallest = np.full(len(counter.n), np.nan)
    else:
        p = estimates.difference_test(only_a, only_b, alternative=method.alternative, replacement=replacement)
        limits = estimates.difference_interval(only_a, only_b, level=level, replacement=replacement)
        smallest = estimates.smallest_difference(
            only_a, only_b, alternative=method.alternative, alpha=1 - level, replacement=replacement
        )
    size = only_a.size.sum(axis=-1)
    value, low, high = (np.where(size > 1e-9, part * size / counter.n, 0.0) for part in limits)
    difference = PrecisionDifference(value=value, low=low, high=high)
    return p, difference, np.where(size > 0, smallest * size / counter.n, np.nan)


def _corrected(p: Reals, one: Ranking, two: Ranking, counter: Counter, method: Method, *, seed: int) -> Reals:
    # Flipping keeps every candidate's chance of being drawn only where all have the same.
    if method.correction == "holm" or counter.design.n_strata > 1:
        return holm(p)
    return flip_test(one, two, counter, seed=seed)


def flip_test(one: Ranking, two: Ranking, counter: Counter, *, seed: int) -> Reals:
    """p-values corrected for all list sizes together, by exchanging the two ranks of candidates at random.

    Where neither measure is better, each judged candidate might as well have its two ranks the other way
    round. Exchanging them at random shows how large the largest standardised difference over all n gets by
    chance alone; nested lists are so alike that this costs far less power than Holm's correction.
    """
    rows = counter.design.rows
    cuts_a, cuts_b = one.cuts(counter.n), two.cuts(counter.n)
    ranks_a, ranks_b = one.ranks_of(rows), two.ranks_of(rows)
    apart = _apart(ranks_a, cuts_a, ranks_b, cuts_b)
    rows, ranks_a, ranks_b = rows[apart], ranks_a[apart], ranks_b[apart]
    times = counter.design.times[rows].astype(np.float32)
    true = times * (counter.judgements.verdicts[rows] == YES)
    flips = np.random.default_rng(seed).choice(np.array([-1, 1], dtype=np.float32), (FLIPS, len(rows)))
    observed, largest = [], np.zeros(FLIPS)
    for start in range(0, len(counter.n), COLUMNS_AT_ONCE):
        lists = slice(start, start + COLUMNS_AT_ONCE)
        side = _membership(ranks_a, cuts_a, lists) - _membership(ranks_b, cuts_b, lists)
        statistics = _standardised(np.ones((1, len(rows)), dtype=np.float32), side, times, true)[0]
        observed.append(statistics)
        largest = np.maximum(largest, _standardised(flips, side, times, true).max(axis=1, initial=0.0))
    statistic = np.concatenate(observed) if observed else np.empty(0)
    as_large = (largest[None] >= statistic[:, None] - 1e-6).sum(axis=1)
    return np.asarray((1.0 + as_large) / (FLIPS + 1.0))


def _apart(ranks_a: Numbers, at_a: Cuts, ranks_b: Numbers, at_b: Cuts) -> Booleans:
    """The candidates that only one of the two lists has at some n."""
    inner_a, outer_a = (np.searchsorted(sizes, ranks_a) for sizes in (at_a.inner, at_a.outer))
    inner_b, outer_b = (np.searchsorted(sizes, ranks_b) for sizes in (at_b.inner, at_b.outer))
    untied = (inner_a == outer_a) & (inner_b == outer_b)
    return np.asarray(~untied | (inner_a != inner_b))


def _membership(ranks: Numbers, at: Cuts, lists: slice) -> NDArray[np.float32]:
    """How much each candidate belongs to each list: the share of the orders of its ties in which it is there."""
    inside = (ranks[:, None] <= at.inner[lists]).astype(np.float32)
    in_run = (ranks[:, None] <= at.outer[lists]) - inside
    return inside + in_run * at.share[lists].astype(np.float32)


def _standardised(
    flips: NDArray[np.float32], side: NDArray[np.float32], times: NDArray[np.float32], true: NDArray[np.float32]
) -> Reals:
    """The difference of the shares in both sets over its error under equality, with Yates' correction."""
    n_all, k_all = times @ np.abs(side), true @ np.abs(side)
    n_difference, k_difference = (flips * times) @ side, (flips * true) @ side
    n1, n2 = (n_all + n_difference) / 2, (n_all - n_difference) / 2
    k1, k2 = (k_all + k_difference) / 2, (k_all - k_difference) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        both = 1 / n1 + 1 / n2
        pooled = k_all / n_all
        gap = np.maximum(np.abs(k1 / n1 - k2 / n2) - both / 2, 0)
        return np.nan_to_num(gap / np.sqrt(pooled * (1 - pooled) * both), nan=0.0, posinf=0.0).astype(np.float64)
