"""Differences of the shares of two disjoint sets: tests and intervals that say the same.

With one stratum the test is Fisher's, and it decides whether the interval (Newcombe's) holds 0. In strata both are made
of two methods, and the more careful one decides: the difference over its standard error by Student's distribution, and
the distances to Wilson's limits of the cells, added in squares (Zou & Donner 2008).
"""

from collections.abc import Iterable
from functools import partial

import numpy as np
from scipy.special import ndtr, stdtr, stdtrit

from concurrence.core.arrays import Numbers, Reals
from concurrence.kernels.anytime import anytime_difference, anytime_p
from concurrence.kernels.chance import ratio
from concurrence.kernels.estimates import StratumCounts, Weighted, combined_limits, shares, stratified
from concurrence.kernels.exact_tests import fisher, mean_over_whole, smallest_fisher_difference
from concurrence.kernels.intervals import Bounds

FARTHEST, HALVINGS = 8.0, 30  # normal deviates that are searched, and how often their range is halved
NOISE = 1e-9


def difference_test(
    first: StratumCounts, second: StratumCounts, *, alternative: str, replacement: bool = False
) -> Reals:
    """Two-sided p-values of equal shares in two disjoint sets: Fisher's, or by design where weights differ."""
    if first.size.shape[-1] == 1:
        one, two = ([part[..., 0] for part in (cells.true, cells.sampled)] for cells in (first, second))
        return mean_over_whole(partial(fisher, alternative=alternative), one, two)
    difference, error, freedom = _difference_in_strata(first, second, replacement=replacement)
    beyond = np.maximum(np.abs(difference) - _step(first, second, replacement), 0.0)
    p = 2 * stdtr(freedom, -np.divide(beyond, error, out=np.zeros(error.shape), where=error > 0))
    p = np.maximum(p, _p_by_limits(first, second, replacement=replacement))
    low, high = _certain_limits(first, second, replacement)
    p = np.where((low > NOISE) | (high < -NOISE), 0.0, np.where(error > 0, p, 1.0))
    return np.where(_nothing(first, second), 1.0, p)


def _p_by_limits(first: StratumCounts, second: StratumCounts, *, replacement: bool) -> Reals:
    """The p-values of the intervals by the limits of the cells: one minus the highest level that leaves out 0."""
    swapped = (shares(first) < shares(second))[..., None]
    high_side, low_side = (
        StratumCounts(**{
            name: np.where(swapped, getattr(two, name), getattr(one, name)) for name in ("size", "sampled", "true")
        })
        for one, two in ((first, second), (second, first))
    )  # fmt: skip
    step = _step(first, second, replacement)
    sides = tuple((side, stratified(side, replacement=replacement)) for side in (high_side, low_side))
    inside, outside = np.zeros(step.shape), np.full(step.shape, FARTHEST)
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        low, _ = _limits_of_cells(sides, 1 - 2 * ndtr(-middle), replacement)
        clear = low >= step - NOISE
        inside, outside = np.where(clear, middle, inside), np.where(clear, outside, middle)
    return np.asarray(2 * ndtr(-inside))


def _step(first: StratumCounts, second: StratumCounts, replacement: bool) -> Reals:
    """What one candidate more or less changes in the difference of two finite sets of one size; 0 for others."""
    one, two = first.size.sum(axis=-1), second.size.sum(axis=-1)
    same = np.abs(one - two) < NOISE
    return np.zeros(one.shape) if replacement else np.where(same, ratio(1.0, one, empty=0.0), 0.0)


def _nothing(first: StratumCounts, second: StratumCounts) -> Numbers:
    return np.asarray((first.sampled.sum(axis=-1) == 0) | (second.sampled.sum(axis=-1) == 0))


def _certain_limits(first: StratumCounts, second: StratumCounts, replacement: bool) -> Bounds:
    """Between what the judgements leave possible, whatever the rest of two finite sets holds."""
    if replacement:
        return np.full(first.size.shape[:-1], -1.0), np.full(first.size.shape[:-1], 1.0)
    ends = []
    for cells in (first, second):
        size, sampled, true = cells.totals
        ends.append((ratio(true, size, empty=0.0), ratio(size - sampled + true, size, empty=0.0)))
    (one_low, one_high), (two_low, two_high) = ends
    return one_low - two_high, one_high - two_low


def difference_interval(
    first: StratumCounts, second: StratumCounts, *, level: float, replacement: bool = False
) -> tuple[Reals, Reals, Reals]:
    """The difference of the shares of two disjoint sets, with its limits; anything is possible where nothing is judged.

    The distances from the shares to their own limits, Wilson's, are added in squares (Newcombe 1998); where a set is
    judged in full, its share is known. In strata the limits are the outer ones of these and of Student's. Finite sets
    of one size differ by whole candidates, so limits are rounded to these, outwards.
    """
    value = shares(first) - shares(second)
    sides = tuple((side, stratified(side, replacement=replacement)) for side in (first, second))
    low, high = _limits_of_cells(sides, level, replacement)
    if first.size.shape[-1] > 1:
        difference, error, freedom = _difference_in_strata(first, second, replacement=replacement)
        half = np.where(_nothing(first, second), 0.0, error * stdtrit(np.minimum(freedom, 1e6), (1 + level) / 2))
        low, high = np.fmin(low, difference - half), np.fmax(high, difference + half)
    step = _step(first, second, replacement)
    whole = np.where(step > 0, step, 1.0)
    low = np.where(step > 0, np.floor(low / whole + NOISE) * whole, low)
    high = np.where(step > 0, np.ceil(high / whole - NOISE) * whole, high)
    least, most = _certain_limits(first, second, replacement)
    return value, np.clip(low, least, most), np.clip(high, least, most)


def _limits_of_cells(
    sides: Iterable[tuple[StratumCounts, Weighted]], level: float | Reals, replacement: bool
) -> Bounds:
    """The limits of a difference from those of its two shares, whose estimates are the same at every level."""
    (p, p_low, p_high), (q, q_low, q_high) = (_score_limits(*side, level, replacement) for side in sides)
    low, high = p - q - np.hypot(p - p_low, q_high - q), p - q + np.hypot(p_high - p, q - q_low)
    defined = ~np.isnan(p - q)
    low, high = np.where(defined, low, p_low - q_high), np.where(defined, high, p_high - q_low)
    return np.maximum(low, p_low - q_high), np.minimum(high, p_high - q_low)


def _score_limits(
    cells: StratumCounts, guess: Weighted, level: float | Reals, replacement: bool
) -> tuple[Reals, Reals, Reals]:
    """The share of each set with Wilson's limits, and inside of what the judgements leave possible."""
    levels = np.broadcast_to(np.asarray(level, dtype=np.float64), cells.size.shape[:-1])
    low, high = combined_limits(cells, guess, levels, replacement=replacement)
    size, sampled, true = cells.totals
    if not replacement:
        low = np.maximum(low, ratio(true, size, empty=0.0))
        high = np.minimum(high, ratio(size - sampled + true, size, empty=0.0))
    nothing = sampled <= 0
    return np.where(nothing, np.nan, guess.value), np.where(nothing, 0.0, low), np.where(nothing, 1.0, high)


def agreeing_limits(
    first: StratumCounts, second: StratumCounts, limits: Bounds, p: Reals, *, alpha: float, replacement: bool = False
) -> Bounds:
    """The limits of a difference such that they leave out 0 where the test does, and only there.

    A difference that is known, since both sets are judged in full, stays as it is: the test is about other lists.
    """
    low, high = limits
    certain_low, certain_high = _certain_limits(first, second, replacement)
    known, apart = certain_low >= certain_high - NOISE, p <= alpha
    one = _step(first, second, replacement)
    above = shares(first) > shares(second)
    low = np.where(known, low, np.where(apart & above, np.maximum(low, one), np.where(apart, low, np.minimum(low, 0))))
    high = np.where(
        known, high, np.where(apart & ~above, np.minimum(high, -one), np.where(apart, high, np.maximum(high, 0)))
    )
    return low, high


def anytime_difference_interval(
    first: StratumCounts, second: StratumCounts, *, level: float
) -> tuple[Reals, Reals, Reals]:
    """The same with limits that hold at every look; both sets have the same size."""

    def from_whole(*counts: Numbers) -> Bounds:
        size = counts[0]
        low, high = anytime_difference((size, *counts[1:3]), (size, *counts[3:5]), level=level)
        return ratio(low, size, empty=0.0), ratio(high, size, empty=0.0)

    one = [part[..., 0] for part in (first.size, first.sampled, first.true)]
    two = [part[..., 0] for part in (second.sampled, second.true)]
    low, high = mean_over_whole(from_whole, [*one, *two])
    return shares(first) - shares(second), low, high


def anytime_test(first: StratumCounts, second: StratumCounts) -> Reals:
    """Two-sided p-values of equal shares in two disjoint sets, valid at every look."""
    sides = [[part[..., 0] for part in (one.size, one.sampled, one.true)] for one in (first, second)]
    empty = (sides[0][1] == 0) | (sides[1][1] == 0)
    return np.where(empty, 1.0, anytime_p(*sides))


def smallest_difference(
    first: StratumCounts, second: StratumCounts, *, alternative: str, alpha: float, replacement: bool = False
) -> Reals:
    """The smallest difference of the two shares that the test would have called significant.

    For Fisher's test: with as many judged in each set, and as many true in both together; NaN where no table
    of these margins is significant. By design: with the standard error as it is, at least.
    """
    if first.size.shape[-1] == 1:
        k1, n1, k2, n2 = (part[..., 0] for part in (first.true, first.sampled, second.true, second.sampled))
        n1, n2, k = (np.rint(part).astype(np.int64) for part in (n1, n2, k1 + k2))
        return smallest_fisher_difference(n1, n2, np.minimum(k, n1 + n2), alternative=alternative, alpha=alpha)
    _, error, freedom = _difference_in_strata(first, second, replacement=replacement)
    size = np.maximum(first.size.sum(axis=-1), 1)
    beyond = error * stdtrit(np.minimum(freedom, 1e6), 1 - alpha / 2) + _step(first, second, replacement)
    needed = np.where(error > 0, beyond, 1 / size)
    return np.where(_nothing(first, second) | (needed > 1), np.nan, needed)


def _difference_in_strata(
    first: StratumCounts, second: StratumCounts, *, replacement: bool
) -> tuple[Reals, Reals, Reals]:
    """The difference of two shares, its standard error, and how well that is known."""
    one, two = stratified(first, replacement=replacement), stratified(second, replacement=replacement)
    variance = one.variance + two.variance
    spread = one.variance**2 / one.freedom + two.variance**2 / two.freedom
    freedom = np.divide(variance**2, spread, out=np.full(variance.shape, np.inf), where=spread > 0)
    return one.value - two.value, np.sqrt(variance), freedom
