"""Exact intervals for proportions, with and without replacement; arrays in, arrays out.

All are equal-tailed at the level they are asked for and hold at least that level, whatever the true
proportion. Where nothing was drawn, the interval is everything.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincinv

from concurrence.core.arrays import Booleans, Integers, Reals
from concurrence.kernels.tails import hypergeometric_log_upper

Bounds = tuple[Reals, Reals]

CLOSE = 1e-15
ROUNDING = 1e-10  # a tail that equals the limit on paper reaches it
MOST_STEPS = 100


def clopper_pearson(k: ArrayLike, n: ArrayLike, *, level: float | Reals = 0.95) -> Bounds:
    """The interval of Clopper and Pearson (1934); ``n`` may be an effective size that is not whole.

    >>> low, high = clopper_pearson(20, 100)
    >>> float(low.round(4)), float(high.round(4))
    (0.1267, 0.2918)
    """
    k, n, level = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in (k, n, level)))
    tail = (1 - level) / 2
    low = np.where(k > 0, betaincinv(np.maximum(k, 1e-300), n - k + 1, tail), 0.0)
    high = np.where(k < n, betaincinv(k + 1, np.maximum(n - k, 1e-300), 1 - tail), 1.0)
    return low, high


def blaker(k: ArrayLike, n: ArrayLike, *, level: float | Reals = 0.95) -> Bounds:
    """The interval of Blaker (2000): inside Clopper and Pearson's, exact all the same.

    >>> low, high = blaker(20, 100)
    >>> float(low.round(4)), float(high.round(4))
    (0.1286, 0.2882)
    """
    k, n, level = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in (k, n, level)))
    rows, alpha = (k.ravel(), n.ravel()), (1 - level).ravel()
    low = _blaker_low(rows[0], rows[1], alpha)
    high = 1 - _blaker_low(rows[1] - rows[0], rows[1], alpha)
    return low.reshape(k.shape), high.reshape(k.shape)


def hypergeometric(
    k: ArrayLike, n: ArrayLike, size: ArrayLike, *, level: float | Reals = 0.95
) -> tuple[Integers, Integers]:
    """The smallest and largest number of marked ones among ``size`` that n drawn with k marked leave possible.

    A number is possible where both tails at ``k`` reach half of what the level leaves; the tails are
    monotone in it, so that two bisections over all points at once find the ends. Divide by ``size`` for a
    proportion.

    >>> [int(bound) for bound in hypergeometric(2, 10, 100)]
    [3, 54]
    >>> [int(bound) for bound in hypergeometric(2, 10, 10)]
    [2, 2]
    """
    k, n, size = np.broadcast_arrays(*(np.asarray(a, dtype=np.int64) for a in (k, n, size)))
    limit = np.broadcast_to(np.log((1 - np.asarray(level, dtype=np.float64)) / 2) - ROUNDING, k.shape)
    low = _fewest_marked(k.ravel(), n.ravel(), size.ravel(), limit.ravel()).reshape(k.shape)
    unmarked = _fewest_marked((n - k).ravel(), n.ravel(), size.ravel(), limit.ravel()).reshape(k.shape)
    return low, size - unmarked


def _fewest_marked(k: Integers, n: Integers, size: Integers, limit: Reals) -> Integers:
    """The smallest number of marked ones under which at least k among n drawn is not too rare."""
    low, high = k.copy(), size - (n - k)
    guess, step = _first_guess(k, n, size)
    open_low, open_high = np.ones(len(k), dtype=bool), np.ones(len(k), dtype=bool)
    active = np.flatnonzero(low < high)
    while active.size:
        middle = np.clip(guess[active], low[active], high[active] - 1)
        possible = _not_too_rare(k[active], size[active], middle, n[active], limit[active])
        yes, no = active[possible], active[~possible]
        high[yes], low[no] = middle[possible], middle[~possible] + 1
        open_high[yes], open_low[no] = False, False
        active = active[low[active] < high[active]]
        # Gallop from the first guess until the bound is enclosed, then halve.
        halved = (low[active] + high[active]) // 2
        outward = np.where(open_low[active], high[active] - step[active], low[active] + step[active])
        guess[active] = np.where(open_low[active] | open_high[active], outward, halved)
        step[active] *= 2
    return low


def _not_too_rare(k: Integers, size: Integers, marked: Integers, n: Integers, limit: Reals) -> Booleans:
    # Half of the distribution lies at or above a whole number below its mean, so that no sum is needed there.
    result = ((k + 1) * size <= n * marked) & (limit < np.log(0.4))
    (rows,) = np.nonzero(~result)
    result[rows] = hypergeometric_log_upper(k[rows], n[rows], marked[rows], size[rows]) > limit[rows]
    return np.asarray(result)


def _first_guess(k: Integers, n: Integers, size: Integers) -> tuple[Integers, Integers]:
    """Where to look first, and how far to go on: Clopper and Pearson's bound, narrowed by what was drawn."""
    drawn = np.maximum(n, 1)
    share = k / drawn
    reach = (share - clopper_pearson(k, drawn)[0]) * np.sqrt(1 - n / np.maximum(size, 1))
    guess, step = np.floor((share - reach) * size), np.ceil(reach * size / 32)
    return guess.astype(np.int64), np.maximum(step, 1).astype(np.int64)


def _blaker_low(k: Reals, n: Reals, alpha: Reals) -> Reals:
    """The smallest proportion that Blaker's acceptability does not reject.

    Below Clopper and Pearson's bound nothing is accepted. There, the largest lower tail that is no larger
    than the upper tail ends at ``j``; acceptability jumps above ``alpha`` at the latest where that tail
    gains its next member, and before that it is the sum of both tails, which crosses ``alpha`` once.
    """
    start = clopper_pearson(k, n, level=1 - alpha)[0]
    even = np.asarray(betaincinv(np.maximum(k, 1), n - k + 1, 0.5), dtype=np.float64)
    j = _largest_lower_tail(k, n, start, alpha / 2)
    end = _root(lambda p, i: _upper(k[i], n[i], p) - _lower(j[i] + 1, n[i], p), start, even)
    bound = _root(lambda p, i: _upper(k[i], n[i], p) + _lower(j[i], n[i], p) - alpha[i], start, end)
    return np.where(k > 0, bound, 0.0)


def _largest_lower_tail(k: Reals, n: Reals, p: Reals, limit: Reals) -> Reals:
    low, high = np.full(k.shape, -1.0), np.maximum(k - 1, -1.0)
    while (low < high).any():
        middle = np.ceil((low + high) / 2)
        small = _lower(middle, n, p) <= limit
        low, high = np.where(small, middle, low), np.where(small, high, middle - 1)
    return low


def _upper(k: Reals, n: Reals, p: Reals) -> Reals:
    return np.where(k > 0, betainc(np.maximum(k, 1), n - k + 1, p), 1.0)


def _lower(j: Reals, n: Reals, p: Reals) -> Reals:
    return np.where(j >= 0, betainc(n - j, np.maximum(j, 0) + 1, 1 - p), 0.0)


def _root(function: Callable[[Reals, Integers], Reals], low: Reals, high: Reals) -> Reals:
    """Where each function crosses zero upward between two points, or ``high`` where it does not.

    The method is regula falsi in the form called Illinois; ``function`` gets points and which rows they
    belong to.
    """
    rows = np.arange(len(low))
    a, b, result, side = low.copy(), high.copy(), high.copy(), np.zeros(len(low))
    at_a, at_b = function(a, rows), function(b, rows)
    going = (at_a < 0) & (at_b > 0)
    for _ in range(MOST_STEPS):
        rows = rows[going]
        a, b, at_a, at_b, side = (array[going] for array in (a, b, at_a, at_b, side))
        if not rows.size:
            break
        c = b - at_b * (b - a) / (at_b - at_a)
        at_c = function(c, rows)
        above = at_c > 0
        going = (np.abs(c - np.where(above, b, a)) > CLOSE) & (at_c != 0)
        # An end that stays a second time counts half, so that both ends close in.
        at_a, at_b = np.where(above & (side > 0), at_a / 2, at_a), np.where(~above & (side < 0), at_b / 2, at_b)
        a, at_a = np.where(above, a, c), np.where(above, at_a, at_c)
        b, at_b = np.where(above, c, b), np.where(above, at_c, at_b)
        side = np.where(above, 1.0, -1.0)
        result[rows] = c
    return result
