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
