"""Fisher's exact test over many 2x2 tables at once, two-sided in both of its definitions; whole tables around means.

Where a list size cuts a run of equal scores, counts are means over all orders of the run, such as 3.4 true among 12.7
judged. Exact intervals and tests need whole numbers. They are computed from the few whole tables around the means, each
with such a weight that every count keeps its mean: with one number u between 0 and 1, a count x becomes the floor of
x + u. Counts that are whole give one table, and the exact method itself.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from concurrence.core.arrays import Integers, Numbers, Reals
from concurrence.kernels.runs import runs
from concurrence.kernels.tails import (
    hypergeometric_log_lower,
    hypergeometric_log_point,
    hypergeometric_log_upper,
)

# Two outcomes that are equally likely on paper may differ by rounding; R draws the line here, too.
SAME = np.log1p(1e-7)
CELLS_AT_ONCE = 500_000
NOISE = 1e-9


def fisher(k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike, *, alternative: str = "minlike") -> Reals:
    """Two-sided p-values for k1 hits among n1 against k2 among n2.

    *minlike* adds up all outcomes that are no more likely than the observed one (as R and scipy do),
    *central* doubles the smaller tail. Tables that repeat their neighbour are computed once. Where a group
    is empty nothing can differ, and p is 1.

    >>> float(fisher(8, 10, 1, 6).round(5)), float(fisher(8, 10, 1, 6, alternative="central").round(5))
    (0.03497, 0.04895)
    """
    k1, n1, k2, n2 = np.broadcast_arrays(*(np.asarray(a, dtype=np.int64) for a in (k1, n1, k2, n2)))
    cells = [k1.ravel(), n1.ravel(), k2.ravel(), n2.ravel()]
    first, back = runs(*cells)
    x, drawn, other, rest = (cell[first] for cell in cells)
    marked, total = x + other, drawn + rest
    compute = {"minlike": _minlike, "central": _central}[alternative]
    p: Reals = np.minimum(1.0, compute(x, drawn, marked, total))[back]
    return p.reshape(k1.shape)


def smallest_fisher_difference(
    n1: ArrayLike, n2: ArrayLike, hits: ArrayLike, *, alternative: str = "minlike", alpha: float = 0.05
) -> Reals:
    """The smallest difference of two shares at which Fisher's test gives p <= alpha, for tables of given margins.

    ``n1`` and ``n2`` are the sizes of the two groups, ``hits`` the hits in both together. NaN where no table of
    these margins is significant.

    >>> smallest_fisher_difference([10, 3], [10, 3], [8, 2]).round(2).tolist()
    [0.6, nan]
    """
    n1, n2, hits = np.broadcast_arrays(*(np.asarray(a, dtype=np.int64) for a in (n1, n2, hits)))
    margins = [n1.ravel(), n2.ravel(), hits.ravel()]
    first, back = runs(*margins)
    one, two, both = (margin[first] for margin in margins)
    width = np.minimum(one, both) - np.maximum(0, both - two) + 1
    gaps = np.full(len(one), np.nan)
    order = np.argsort(width, kind="stable")
    # Tables of like width are looked at together, as many as fit into a few megabytes.
    for rows in np.split(order, np.flatnonzero(np.diff(np.cumsum(width[order]) // CELLS_AT_ONCE)) + 1):
        gaps[rows] = _smallest_gaps(one[rows], two[rows], both[rows], alternative=alternative, alpha=alpha)
    return gaps[back].reshape(n1.shape)


def _smallest_gaps(n1: Integers, n2: Integers, hits: Integers, *, alternative: str, alpha: float) -> Reals:
    """The same for tables of like width: every outcome of a table in one row."""
    least, most = np.maximum(0, hits - n2), np.minimum(n1, hits)
    x = least[:, None] + np.arange((most - least).max(initial=0) + 1)
    n1, n2, hits, real = n1[:, None], n2[:, None], hits[:, None], x <= most[:, None]
    # From one outcome to the next the probability changes by a simple ratio; in the end they sum to one.
    before = x[:, :-1]
    odds = (hits - before) * (n1 - before) / np.maximum((before + 1.0) * (n2 - hits + before + 1), 1.0)
    steps = np.log(np.where(real[:, 1:], odds, 1.0))
    log_point = np.concatenate([np.zeros((len(x), 1)), np.cumsum(steps, axis=1)], axis=1)
    log_point = np.where(real, log_point - log_point.max(axis=1, keepdims=True), -np.inf)
    log_point -= np.log(np.exp(log_point).sum(axis=1, keepdims=True))
    p = _p_of_rows(log_point, alternative)
    gaps = np.abs(x / np.maximum(n1, 1) - (hits - x) / np.maximum(n2, 1))
    smallest = np.where(real & (p <= alpha) & (n1 > 0) & (n2 > 0), gaps, np.inf).min(axis=1)
    return np.where(np.isfinite(smallest), smallest, np.nan)


def _p_of_rows(log_point: Reals, alternative: str) -> Reals:
    """The p-value of every outcome, given the logarithms of all probabilities of a row."""
    if alternative == "central":
        point = np.exp(log_point)
        lower, upper = np.cumsum(point, axis=1), np.cumsum(point[:, ::-1], axis=1)[:, ::-1]
        return np.asarray(2 * np.minimum(lower, upper))
    order = np.argsort(log_point, axis=1)
    ordered = np.take_along_axis(log_point, order, axis=1)
    p_ordered = np.cumsum(np.exp(ordered), axis=1)
    # An outcome of one tail has at most one of the other that is as likely.
    alike = ordered[:, 1:] <= ordered[:, :-1] + SAME
    p_ordered[:, :-1] = np.where(alike, p_ordered[:, 1:], p_ordered[:, :-1])
    p = np.empty_like(p_ordered)
    np.put_along_axis(p, order, p_ordered, axis=1)
    return p


def _central(x: Integers, drawn: Integers, marked: Integers, total: Integers) -> Reals:
    upper = hypergeometric_log_upper(x, drawn, marked, total)
    lower = hypergeometric_log_lower(x, drawn, marked, total)
    return np.asarray(2 * np.exp(np.minimum(upper, lower)))


def _minlike(x: Integers, drawn: Integers, marked: Integers, total: Integers) -> Reals:
    # Look at every table from the side where x lies at or above the mode; the other tail is then the lower one.
    mode = (marked + 1) * (drawn + 1) // (total + 2)
    turned = x < mode
    x, marked = np.where(turned, drawn - x, x), np.where(turned, total - marked, marked)
    other = _end_of_lower_tail(x, drawn, marked, total)
    upper = np.exp(hypergeometric_log_upper(x, drawn, marked, total))
    lower = np.exp(hypergeometric_log_lower(other, drawn, marked, total))
    return np.asarray(upper + lower)


def _end_of_lower_tail(x: Integers, drawn: Integers, marked: Integers, total: Integers) -> Integers:
    """The largest outcome below x that is no more likely than x; one below the smallest where there is none."""
    limit = hypergeometric_log_point(x, drawn, marked, total) + SAME
    low = np.maximum(0, drawn + marked - total) - 1
    high = np.minimum(x - 1, (marked + 1) * (drawn + 1) // (total + 2))
    high = np.maximum(low, high)
    active = np.flatnonzero(low < high)
    while active.size:
        middle = (low[active] + high[active] + 1) // 2
        point = hypergeometric_log_point(middle, drawn[active], marked[active], total[active])
        rare = point <= limit[active]
        low[active] = np.where(rare, middle, low[active])
        high[active] = np.where(rare, high[active], middle - 1)
        active = active[low[active] < high[active]]
    return np.asarray(low)


def mean_over_whole(
    method: Callable[..., Numbers | Sequence[Numbers]], up: Sequence[Numbers], down: Sequence[Numbers] = ()
) -> Reals:
    """The weighted mean of what a method gives, one array or several, for the whole tables around means of counts.

    Counts in ``down`` are rounded against those in ``up``, so that sums of both that are whole stay the same.

    >>> mean_over_whole(lambda x: 2 * x, [np.array([1.25, 3.0])]).tolist()
    [2.5, 6.0]
    """
    return np.asarray(sum(weight * np.asarray(method(*counts)) for weight, counts in whole_tables(up, down)))


def whole_tables(up: Sequence[Numbers], down: Sequence[Numbers] = ()) -> Iterator[tuple[Any, list[Integers]]]:
    """Whole counts with the weight of each table."""
    if all(np.issubdtype(part.dtype, np.integer) for part in (*up, *down)):
        yield 1.0, [*up, *down]
        return
    up, down = [_without_noise(part) for part in up], [_without_noise(part) for part in down]
    steps = [1 - np.mod(part, 1) for part in up] + [np.mod(part, 1) for part in down]
    ends = np.sort(np.stack([np.zeros(steps[0].shape), *steps, np.ones(steps[0].shape)]), axis=0)
    widths, middles = np.diff(ends, axis=0), (ends[:-1] + ends[1:]) / 2
    # A step of no width has no table of its own; it stands for the widest, with no weight.
    widest = np.take_along_axis(middles, widths.argmax(axis=0)[None], axis=0)[0]
    for width, middle in zip(widths, middles, strict=True):
        if width.any():
            u = np.where(width > 0, middle, widest)
            counts = [np.floor(part + u) for part in up] + [np.ceil(part - u) for part in down]
            yield width, [part.astype(np.int64) for part in counts]


def _without_noise(counts: Numbers) -> Reals:
    nearest = np.rint(counts)
    return np.where(np.abs(counts - nearest) < NOISE, nearest, counts)
