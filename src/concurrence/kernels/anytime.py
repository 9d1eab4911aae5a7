"""Intervals that hold at every look: the prior-posterior-ratio sequence for finite lists.

While a list is judged in random order, the ratio of the prior to the posterior probability of the true number of marked
ones is a martingale that starts at 1. It exceeds 1/α at some look with a probability of at most α (Ville), so the
numbers whose ratio is at most 1/α hold at every look at once (Waudby-Smith & Ramdas 2020). Several cells are judged
independently, so their ratios may be multiplied; the numbers that all cells together leave possible are those of the
cheapest way to share them out.
"""

from collections.abc import Sequence
from heapq import heapify, heappop, heapreplace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from concurrence.core.arrays import Booleans, Integers, Numbers, Reals

STEPS = 200
PRICE_STEPS, HIGHEST_PRICE = 36, 60.0
GOLDEN, GOLDEN_STEPS = (5**0.5 - 1) / 2, 60
ROUNDING = 1e-9  # a ratio may be 1/α itself, and the last bit of a logarithm must not decide


def anytime_total(size: ArrayLike, judged: ArrayLike, marked: ArrayLike, *, level: float = 0.95) -> tuple[int, int]:
    """The smallest and largest total of marked ones in all cells that every look so far leaves possible.

    ``size``, ``judged`` and ``marked`` are counts of the cells; the prior of each cell is uniform over all its numbers.

    >>> anytime_total([5102], [500], [56])
    (359, 846)
    >>> anytime_total([10], [10], [3])
    (3, 3)
    """
    n, m, k = (np.atleast_1d(np.asarray(part, dtype=np.int64)) for part in (size, judged, marked))
    budget = _budget(level)
    most = _most(n, m, k, budget)
    fewest_unmarked = _most(n, m, m - k, budget)
    return int(n.sum() - fewest_unmarked), int(most)


def anytime_bounds(
    size: ArrayLike, judged: ArrayLike, marked: ArrayLike, *, level: float = 0.95
) -> tuple[Integers, Integers]:
    """The same for many lists at once, each a single cell.

    >>> [int(end) for end in anytime_bounds(5102, 500, 56)]
    [359, 846]
    """
    n, m, k = np.broadcast_arrays(*(np.asarray(part, dtype=np.int64) for part in (size, judged, marked)))
    budget = _budget(level)
    return n - _furthest(n, m, m - k, budget), _furthest(n, m, k, budget)


def _budget(level: float) -> float:
    """The largest logarithm of a ratio that leaves a number possible."""
    return float(-np.log1p(-level)) + ROUNDING


def _furthest(size: Integers, judged: Integers, marked: Integers, budget: float) -> Integers:
    """In each list, the largest number whose ratio is within the budget."""
    low, high = _largest_at_price(size, judged, marked, 0.0), size - (judged - marked)
    while (low < high).any():
        middle = (low + high + 1) // 2
        within = log_prior_posterior_ratio(middle, size, judged, marked) <= budget
        low, high = np.where(within, middle, low), np.where(within, high, middle - 1)
    return low


def anytime_p(first: Sequence[ArrayLike], second: Sequence[ArrayLike]) -> Reals:
    """The p-values, valid at every look, of equal shares in two disjoint lists; each is size, judged, marked.

    It is the smallest level at which no common share is left possible by both: one over the product of the ratios at
    the share that both contradict least. Shares between the possible ones are tried, too, which makes it no smaller.

    >>> float(anytime_p((100, 50, 5), (100, 50, 5))), bool(anytime_p((100, 50, 45), (100, 50, 5)) < 1e-10)
    (1.0, True)
    """
    sides = [[np.asarray(part, dtype=np.float64) for part in side] for side in (first, second)]
    least = np.maximum(*(k / np.maximum(n, 1) for n, _, k in sides))
    most = np.minimum(*((n - m + k) / np.maximum(n, 1) for n, m, k in sides))
    low, high = np.minimum(least, most), np.maximum(least, most)
    for _ in range(GOLDEN_STEPS):
        one, two = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        left = _at_share(one, sides) < _at_share(two, sides)
        low, high = np.where(left, low, one), np.where(left, two, high)
    p = np.exp(-np.maximum(_at_share((low + high) / 2, sides), 0.0))
    return np.where(least > most + 1e-12, 0.0, np.minimum(p, 1.0))


def _at_share(share: Reals, sides: Sequence[Sequence[Reals]]) -> Reals:
    """The logarithm of the product of both ratios at a common share."""
    return np.asarray(sum(log_prior_posterior_ratio(np.clip(share * n, k, n - m + k), n, m, k) for n, m, k in sides))


def anytime_difference(
    first: Sequence[ArrayLike], second: Sequence[ArrayLike], *, level: float = 0.95
) -> tuple[Integers, Integers]:
    """The smallest and largest difference of the numbers marked in two lists of one size that every look leaves open.

    Each list is size, judged, marked. The marked ones of the first and the others of the second are a total of two
    cells, whose limits are those of :func:`anytime_total`, for many pairs of lists at once; where two steps have the
    same price, one of them is always taken.

    >>> [int(end) for end in anytime_difference((200, 200, 90), (200, 200, 60))]
    [30, 30]
    >>> [int(end) for end in anytime_difference((200, 50, 30), (200, 50, 10))]
    [18, 131]
    """
    one, two = ([np.asarray(part, dtype=np.int64) for part in side] for side in (first, second))
    budget = _budget(level)
    most = _most_of_two(one, (two[0], two[1], two[1] - two[2]), budget) - two[0]
    fewest = one[0] - _most_of_two((one[0], one[1], one[1] - one[2]), two, budget)
    return fewest, most


def _most_of_two(first: Sequence[Integers], second: Sequence[Integers], budget: float) -> Integers:
    """For each pair of cells, the largest total whose ratios multiply to no more than the budget allows."""
    pairs = [np.broadcast_arrays(one, two) for one, two in zip(first, second, strict=True)]
    size, judged, marked = (np.stack(pair, axis=-1) for pair in pairs)
    shape = (*size.shape[:-1], 1)

    def paid(price: Reals) -> tuple[Integers, Booleans]:
        at = _largest_by_formula(size, judged, marked, price)
        return at.sum(axis=-1), log_prior_posterior_ratio(at, size, judged, marked).sum(axis=-1) <= budget

    low, high = np.zeros(shape), np.full(shape, HIGHEST_PRICE)
    for _ in range(PRICE_STEPS):
        middle = (low + high) / 2
        affordable = paid(middle)[1][..., None]
        low, high = np.where(affordable, middle, low), np.where(affordable, high, middle)
    total, (beyond, affordable) = paid(low)[0], paid(high)
    return np.where(affordable, beyond, np.maximum(total, beyond - 1))


def log_prior_posterior_ratio(total: Numbers, size: Numbers, judged: Numbers, marked: Numbers) -> Reals:
    """The logarithm of prior over posterior probability of a total in each cell."""
    likelihood = _log_choose(total, marked) + _log_choose(size - total, judged - marked)
    return np.asarray(_log_choose(size + 1, judged + 1) - np.log1p(size) - likelihood)


def _most(size: Integers, judged: Integers, marked: Integers, budget: float) -> int:
    """The largest total whose ratios multiply to no more than the budget allows.

    The logarithm of the ratio is convex in the number of a cell, so steps up cost ever more, and the cheapest steps of
    all cells, taken in order, reach furthest. The price at which the budget runs out is found by bisection.
    """
    mode = _largest_at_price(size, judged, marked, 0.0)
    low, high = 0.0, 1.0
    while _cost(_largest_at_price(size, judged, marked, high), size, judged, marked) <= budget and high < 1e9:
        low, high = high, 2 * high
    for _ in range(STEPS):
        price = (low + high) / 2
        if price in (low, high):
            break
        affordable = _cost(_largest_at_price(size, judged, marked, price), size, judged, marked) <= budget
        low, high = (price, high) if affordable else (low, price)
    at = _largest_at_price(size, judged, marked, low) if low > 0 else mode
    left = budget - _cost(at, size, judged, marked)
    return int(at.sum()) + _single_steps(at, size, judged, marked, left)


def _single_steps(at: Integers, size: Integers, judged: Integers, marked: Integers, left: float) -> int:
    """How many further steps, each the cheapest there is, the rest of the budget pays."""
    prices = [(float(_price(at[c : c + 1] + 1, size[c : c + 1], judged[c : c + 1], marked[c : c + 1])[0]), c)
              for c in range(len(at)) if at[c] < size[c] - (judged - marked)[c]]  # fmt: skip
    heapify(prices)
    counts, steps = at.copy(), 0
    while prices and prices[0][0] <= left:
        price, c = prices[0]
        left, steps = left - price, steps + 1
        counts[c] += 1
        if counts[c] == size[c] - judged[c] + marked[c]:
            heappop(prices)
        else:
            one = slice(c, c + 1)
            heapreplace(prices, (float(_price(counts[one] + 1, size[one], judged[one], marked[one])[0]), c))
    return steps


def _largest_at_price(size: Integers, judged: Integers, marked: Integers, price: float) -> Integers:
    """In each cell, the largest number whose last step costs at most this price."""
    low, high = marked.copy(), size - (judged - marked)
    while (low < high).any():
        middle = (low + high + 1) // 2
        cheap = _price(middle, size, judged, marked) <= price
        low, high = np.where(cheap, middle, low), np.where(cheap, high, middle - 1)
    return low


def _largest_by_formula(size: Integers, judged: Integers, marked: Integers, price: Reals) -> Integers:
    """The same by a formula, for prices above 0: the largest t for which (E - 1)t² + (M + k - E(M - u))t - kM <= 0.

    E is exp(price), M the size and 1, and k and u are the marked and the unmarked ones among the judged.
    """
    unmarked, whole, growth = judged - marked, size + 1.0, np.expm1(price)
    middle = marked + unmarked - growth * (whole - unmarked)  # M + k - E(M - u), without losing digits
    root = np.sqrt(middle**2 + 4 * growth * marked * whole)
    with np.errstate(divide="ignore", invalid="ignore"):
        root_at = np.where(middle > 0, 2 * marked * whole / (middle + root), (root - middle) / (2 * growth))
    most = size - unmarked
    at = np.clip(np.floor(np.nan_to_num(root_at)), marked, most).astype(np.int64)
    # A root is good to some digits; the step it is off is found by its price.
    at = np.where((at > marked) & (_price(at, size, judged, marked) > price), at - 1, at)
    further = (at < most) & (_price(np.minimum(at + 1, most), size, judged, marked) <= price)
    return np.asarray(np.where(further, at + 1, at))


def _price(total: Integers, size: Integers, judged: Integers, marked: Integers) -> Reals:
    """What the step from one less to this total adds to the logarithm of the ratio."""
    rest, unmarked = size - total + 1, judged - marked
    with np.errstate(divide="ignore"):
        return np.asarray(np.log1p(-marked / np.maximum(total, 1)) - np.log1p(-unmarked / np.maximum(rest, 1)))


def _cost(total: Integers, size: Integers, judged: Integers, marked: Integers) -> float:
    return float(log_prior_posterior_ratio(total, size, judged, marked).sum())


def _log_choose(n: Numbers, k: Numbers) -> Reals:
    return np.asarray(gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0))
