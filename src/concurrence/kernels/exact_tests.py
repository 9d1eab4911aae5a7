"""Fisher's exact test over many 2x2 tables at once, two-sided in both of its definitions."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concurrence.kernels.runs import runs
from concurrence.kernels.tails import (
    hypergeometric_log_lower,
    hypergeometric_log_point,
    hypergeometric_log_upper,
)

Whole = NDArray[np.int64]

ALTERNATIVES = ("minlike", "central")
# Two outcomes that are equally likely on paper may differ by rounding; R draws the line here, too.
SAME = np.log1p(1e-7)


def fisher(
    k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike, *, alternative: str = "minlike"
) -> NDArray[np.float64]:
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
    p: NDArray[np.float64] = np.minimum(1.0, compute(x, drawn, marked, total))[back]
    return p.reshape(k1.shape)


def smallest_fisher_difference(
    n1: ArrayLike, n2: ArrayLike, hits: ArrayLike, *, alternative: str = "minlike", alpha: float = 0.05
) -> NDArray[np.float64]:
    """The smallest difference of two shares at which Fisher's test gives p <= alpha, for tables of given margins.

    ``n1`` and ``n2`` are the sizes of the two groups, ``hits`` the hits in both together. NaN where no table of
    these margins is significant.

    >>> smallest_fisher_difference([10, 3], [10, 3], [8, 2]).round(2).tolist()
    [0.6, nan]
    """
    n1, n2, hits = np.broadcast_arrays(*(np.asarray(a, dtype=np.int64) for a in (n1, n2, hits)))
    margins = [n1.ravel(), n2.ravel(), hits.ravel()]
    first, back = runs(*margins)
    rows = zip(*(margin[first].tolist() for margin in margins), strict=True)
    found = np.array([_smallest_gap(*row, alternative=alternative, alpha=alpha) for row in rows])
    return found.reshape(-1)[back].reshape(n1.shape)


def _smallest_gap(n1: int, n2: int, hits: int, *, alternative: str, alpha: float) -> float:
    """The same for one table: all tables of its margins at once, which is faster than searching among them."""
    if n1 == 0 or n2 == 0:
        return float("nan")
    x = np.arange(max(0, hits - n2), min(n1, hits) + 1)
    # From one table to the next the probability changes by a simple ratio; in the end they sum to one.
    here = x[:-1]
    steps = np.log((hits - here) * (n1 - here) / ((here + 1.0) * (n2 - hits + here + 1)))
    log_point = np.concatenate([[0.0], np.cumsum(steps)])
    log_point -= log_point.max() + np.log(np.exp(log_point - log_point.max()).sum())
    point = np.exp(log_point)
    if alternative == "minlike":
        order = np.argsort(log_point)
        no_likelier = np.searchsorted(log_point[order], log_point + SAME, side="right")
        p = np.cumsum(point[order])[no_likelier - 1]
    else:
        p = 2 * np.minimum(np.cumsum(point), np.cumsum(point[::-1])[::-1])
    gaps = np.abs(x / n1 - (hits - x) / n2)[p <= alpha]
    return float(gaps.min()) if gaps.size else float("nan")


def _central(x: Whole, drawn: Whole, marked: Whole, total: Whole) -> NDArray[np.float64]:
    upper = hypergeometric_log_upper(x, drawn, marked, total)
    lower = hypergeometric_log_lower(x, drawn, marked, total)
    return np.asarray(2 * np.exp(np.minimum(upper, lower)))


def _minlike(x: Whole, drawn: Whole, marked: Whole, total: Whole) -> NDArray[np.float64]:
    # Look at every table from the side where x lies at or above the mode; the other tail is then the lower one.
    mode = (marked + 1) * (drawn + 1) // (total + 2)
    turned = x < mode
    x, marked = np.where(turned, drawn - x, x), np.where(turned, total - marked, marked)
    other = _end_of_lower_tail(x, drawn, marked, total)
    upper = np.exp(hypergeometric_log_upper(x, drawn, marked, total))
    lower = np.exp(hypergeometric_log_lower(other, drawn, marked, total))
    return np.asarray(upper + lower)


def _end_of_lower_tail(x: Whole, drawn: Whole, marked: Whole, total: Whole) -> Whole:
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
