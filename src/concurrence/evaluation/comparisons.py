"""Measures compared two by two on their difference sets, at every list size."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from concurrence.core.arrays import Integers, Reals
from concurrence.core.designs import has_whole_lists
from concurrence.evaluation.correction import PairCells, SignedLists, correct_pairs
from concurrence.evaluation.findings import better_findings
from concurrence.evaluation.lists import Counter
from concurrence.evaluation.results import Finding, MeasureComparison, Method, PrecisionDifference
from concurrence.evaluation.sentences import comparison_sentence, significant_regions
from concurrence.kernels import differences, estimates
from concurrence.kernels.estimates import StratumCounts
from concurrence.kernels.ranking import Ranking


def compare_all(
    lists: SignedLists, method: Method, *, titles: Mapping[str, str]
) -> tuple[tuple[MeasureComparison, ...], tuple[Finding, ...]]:
    """Compare every pair of measures, and say which is shown to be better where, all pairs and sizes considered.

    A filter is compared at its own size alone, two filters if they have the same size.
    """
    rankings, counter, pairs = lists.rankings, lists.counter, []
    for a, b in combinations(rankings, 2):
        sizes = {size for size in (rankings[a].filter_size, rankings[b].filter_size) if size is not None}
        if len(sizes) > 1:
            continue
        n = counter.n[np.isin(counter.n, list(sizes))] if sizes else counter.n
        at_sizes = replace(counter, n=n) if sizes else counter
        pairs.append(_test_pair((a, rankings[a]), (b, rankings[b]), at_sizes, method, places=_places(counter, n)))
    by_count = method.anytime or method.correction == "holm"
    corrected = correct_pairs([pair.cells for pair in pairs], lists, by_count=by_count)
    comparisons = [_comparison(pair, p, method, titles) for pair, p in zip(pairs, corrected, strict=True)]
    return tuple(comparisons), tuple(finding for pair in comparisons for finding in better_findings(pair, titles))


def _places(counter: Counter, n: Integers) -> Integers:
    return np.searchsorted(counter.n, n)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Pair:
    """Two measures along the list sizes at which they are compared, each size tested by itself."""

    cells: PairCells
    n: Integers
    difference: PrecisionDifference
    detectable: Reals


def _test_pair(
    first: tuple[str, Ranking], second: tuple[str, Ranking], counter: Counter, method: Method, *, places: Integers
) -> _Pair:
    (a, one), (b, two) = first, second
    only_a, only_b = counter.differences(one, two)
    if not has_whole_lists(counter.design.kind):
        only_a, only_b = only_a.pooled, only_b.pooled
    p, difference, detectable = _test_sets(only_a, only_b, counter, method)
    cells = PairCells(a=a, b=b, places=places, only_a=only_a, only_b=only_b, p=p)
    return _Pair(cells=cells, n=counter.n, difference=difference, detectable=detectable)


def _comparison(pair: _Pair, corrected: Reals, method: Method, titles: Mapping[str, str]) -> MeasureComparison:
    """One pair of measures; what is said of it holds for all pairs and sizes together."""
    cells, n = pair.cells, pair.n
    a, b = cells.a, cells.b
    gaps = (estimates.shares(cells.only_a) - estimates.shares(cells.only_b)).tolist()
    better = tuple(a if gap > 1e-12 else b if gap < -1e-12 else None for gap in gaps)
    regions = significant_regions(n, corrected, better, alpha=1 - method.level)
    (size, sampled_a, true_a), (_, sampled_b, true_b) = cells.only_a.totals, cells.only_b.totals
    return MeasureComparison(
        a=a,
        b=b,
        n=n,
        overlap=n - size,
        sampled_a=sampled_a,
        sampled_b=sampled_b,
        true_a=true_a,
        true_b=true_b,
        p=cells.p,
        p_corrected=corrected if method.correction else None,
        better=better,
        detectable=pair.detectable,
        regions=regions,
        sentence=comparison_sentence(
            (a, b), titles, n, corrected, regions, None if method.anytime else pair.detectable
        ),
        difference=pair.difference,
    )


def _test_sets(
    only_a: StratumCounts, only_b: StratumCounts, counter: Counter, method: Method
) -> tuple[Reals, PrecisionDifference, Reals]:
    """The p-values, the difference in precision, and the smallest one that would have been significant.

    Differences are those of the sets, as shares of n. The smallest is unknown for the test that holds at every look.
    """
    level, replacement = method.level, counter.design.replacement
    if method.anytime:
        p = differences.anytime_test(only_a, only_b)
        value, *limits = differences.anytime_difference_interval(only_a, only_b, level=level)
        smallest = np.full(len(counter.n), np.nan)
    else:
        p = differences.difference_test(only_a, only_b, alternative=method.alternative, replacement=replacement)
        value, *limits = differences.difference_interval(only_a, only_b, level=level, replacement=replacement)
        smallest = differences.smallest_difference(
            only_a, only_b, alternative=method.alternative, alpha=1 - level, replacement=replacement
        )
    low, high = differences.agreeing_limits(
        only_a, only_b, (limits[0], limits[1]), p, alpha=1 - level, replacement=replacement
    )
    size = only_a.size.sum(axis=-1)
    value, low, high = (np.where(size > 1e-9, part * size / counter.n, 0.0) for part in (value, low, high))
    difference = PrecisionDifference(value=value, low=low, high=high)
    return p, difference, np.where(size > 0, smallest * size / counter.n, np.nan)
