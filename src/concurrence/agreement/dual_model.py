"""The dual model: the amounts of true agreement that explain a 2x2 table of two coders.

Of n items, m are truly agreed upon; on the rest any agreement is coincidence. An amount m is accepted where
chance explains the rest, and the interval is what is accepted. *Homogeneity* fixes how many of the m are
positive by their overall share; the *conservative* interval accepts m where any division of it will do.

References: Krenn, Evert & Zinsmeister (2004).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from concurrence.kernels import tails

Scores = NDArray[np.float64]
Bounds = tuple[int, int] | None

_SCAN = 4096
_MARGIN = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ChanceTest:
    """A test of chance in what is left of the diagonal, as two scores of which neither may be too low.

    ``below(a, d)`` falls where there is less agreement than chance, ``above(a, d)`` where there is more;
    ``least`` is the lowest score that is accepted.
    """

    below: Callable[[Any, Any], Scores]
    above: Callable[[Any, Any], Scores]
    least: float


def fisher_test(n12: int, n21: int, level: float) -> ChanceTest:
    """Fisher's exact test, doubled smaller tail."""

    def below(a: Any, d: Any) -> Scores:
        return tails.hypergeometric_log_lower(a, a + n12, a + n21, a + d + n12 + n21)

    def above(a: Any, d: Any) -> Scores:
        return tails.hypergeometric_log_upper(a, a + n12, a + n21, a + d + n12 + n21)

    return ChanceTest(below=below, above=above, least=log((1 - level) / 2) - 1e-12)


def kappa_test(n12: int, n21: int, level: float) -> ChanceTest:
    """Kappa over its null standard error, which is the signed root of chi-squared."""

    def root(a: Any, d: Any) -> Scores:
        return signed_root(a, n12, n21, d)

    def less(a: Any, d: Any) -> Scores:
        return -signed_root(a, n12, n21, d)

    return ChanceTest(below=root, above=less, least=float(ndtri((1 - level) / 2)) - 1e-12)


def signed_root(n11: Any, n12: Any, n21: Any, n22: Any) -> Scores:
    """The signed root of Pearson's chi-squared; 0 where a margin is empty and nothing speaks against chance."""
    a, b, c, d = (np.asarray(x, dtype=np.float64) for x in (n11, n12, n21, n22))
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    excess = (a * d - b * c) * np.sqrt(a + b + c + d)
    return np.asarray(np.divide(excess, np.sqrt(margins), out=np.zeros_like(margins), where=margins > 0))


def conservative_bounds(table: NDArray[Any], test: ChanceTest) -> Bounds:
    """Smallest and largest m that some division of it explains.

    Both scores are monotone in each diagonal cell; along a constant sum of the cells ``below`` has one hill
    and ``above`` one valley. So three nested bisections do what a double loop over all divisions would.
    """
    n11, n22 = int(table[0][0]), int(table[1][1])
    most = n11 + n22
    first = _first(lambda m: _any_above(n11, n22, m, test), 0, most)
    last = most - _first(lambda m: _any_below(n11, n22, most - m, test), 0, most)
    while first <= last and not _accepts(n11, n22, first, test):
        first += 1
    while last >= first and not _accepts(n11, n22, last, test):
        last -= 1
    return (first, last) if first <= last else None


def homogeneity_bounds(table: NDArray[Any], level: float, *, scan: int = _SCAN) -> Bounds:
    """Smallest and largest m that explains the table where true agreement has the overall share of positives.

    Few items are scanned; many are bisected on the two stretches where the evidence runs one way, and the
    surroundings of each crossing are scanned.
    """
    most = int(table[0][0] + table[1][1])
    candidates = np.arange(most + 1) if most <= scan else _crossings(table, level, most)
    accepted = candidates[_homogeneous(table, candidates, level)]
    return (int(accepted.min()), int(accepted.max())) if len(accepted) else None


def homogeneity_estimate(table: NDArray[Any]) -> float:
    """The share of true agreement under homogeneity; Scott's pi where both coders have the same marginals.

    >>> round(homogeneity_estimate(np.array([[45, 5], [5, 45]])), 6)
    0.8
    """
    p = np.asarray(table, dtype=np.float64) / np.sum(table)
    share = (2 * p[0, 0] + p[0, 1] + p[1, 0]) / 2
    apart, disagreed = (p[0, 1] - p[1, 0]) / 2, p[0, 1] + p[1, 0]
    open_to_skill = 2 * share * (1 - share)
    if open_to_skill <= 0:
        return float("nan")
    inside = max(disagreed**2 - 8 * apart**2 * open_to_skill, 0.0)
    return float(1 - (disagreed + sqrt(inside)) / (2 * open_to_skill))


def _homogeneous(table: NDArray[Any], m: NDArray[np.int64], level: float) -> NDArray[np.bool_]:
    """Whether chance explains what agreement is left after m."""
    lower, upper, possible = _tails(table, m)
    least = log((1 - level) / 2) - 1e-12
    return possible & (lower >= least) & (upper >= least)


def _tails(table: NDArray[Any], m: NDArray[np.int64]) -> tuple[Scores, Scores, NDArray[np.bool_]]:
    """Log tails of the agreement left after m, and whether m leaves possible shares at all."""
    (n11, n12), (n21, n22) = (tuple(int(x) for x in row) for row in table)
    n, row, column = n11 + n12 + n21 + n22, n11 + n12, n11 + n21
    left = n - m
    share = (row + column) / (2 * n)
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = (row - share * m) / left, (column - share * m) / left
    possible = (first >= -1e-12) & (first <= 1 + 1e-12) & (second >= -1e-12) & (second <= 1 + 1e-12)
    first, second = np.clip(first, 0, 1), np.clip(second, 0, 1)
    chance = np.clip(first * second + (1 - first) * (1 - second), 0, 1)
    agreed = n11 + n22 - m
    lower, upper = tails.binomial_log_lower(agreed, left, chance), tails.binomial_log_upper(agreed, left, chance)
    everything = left == 0
    return np.where(everything, 0.0, lower), np.where(everything, 0.0, upper), possible | everything


def _crossings(table: NDArray[Any], level: float, most: int) -> NDArray[np.int64]:
    """The surroundings of every m at which acceptance may begin or end."""
    least = log((1 - level) / 2)
    last = _first(lambda m: not bool(_tails(table, np.array([m]))[2][0]), 0, most + 1) - 1
    turn = min(max(_turning_point(table), 0), last)

    def upper_holds(m: int) -> bool:
        return bool(_tails(table, np.array([m]))[1][0] >= least)

    def lower_holds(m: int) -> bool:
        return bool(_tails(table, np.array([m]))[0][0] >= least)

    centres = [
        _first(upper_holds, 0, turn),
        _first(lambda m: not lower_holds(m), 0, turn),
        _first(lower_holds, turn, last),
        _first(lambda m: not upper_holds(m), turn, last),
        turn,
        last,
        0,
    ]
    around = np.add.outer(centres, np.arange(-_MARGIN, _MARGIN + 1)).ravel()
    return np.unique(around[(around >= 0) & (around <= last)])


def _turning_point(table: NDArray[Any]) -> int:
    """Where the surplus of agreement, in standard errors, stops falling with m and rises again."""
    n = float(np.sum(table))
    p = np.asarray(table, dtype=np.float64) / n
    share = (2 * p[0, 0] + p[0, 1] + p[1, 0]) / 2
    apart, disagreed = (p[0, 1] - p[1, 0]) / 2, p[0, 1] + p[1, 0]
    open_to_skill = 2 * share * (1 - share)
    if open_to_skill <= 0 or apart == 0:
        return int(n)
    v = (-disagreed + sqrt(disagreed**2 + 24 * apart**2 * open_to_skill)) / (2 * open_to_skill)
    return int(n * (1 - v))


def _limits(n11: int, n22: int, m: int) -> tuple[int, int]:
    """The smallest and largest first cell that is left after m."""
    left = n11 + n22 - m
    return max(0, left - n22), min(n11, left)


def _any_above(n11: int, n22: int, m: int, test: ChanceTest) -> bool:
    """Whether some division leaves no more agreement than chance allows; an end of the valley is highest."""
    left = n11 + n22 - m
    ends = np.array(_limits(n11, n22, m))
    return bool((test.above(ends, left - ends) >= test.least).any())


def _any_below(n11: int, n22: int, m: int, test: ChanceTest) -> bool:
    """Whether some division leaves no less agreement than chance allows."""
    top = _hilltop(n11, n22, m, test)
    return bool(test.below(np.array([top]), n11 + n22 - m - np.array([top]))[0] >= test.least)


def _accepts(n11: int, n22: int, m: int, test: ChanceTest) -> bool:
    """Whether some division of m leaves what chance explains on both sides."""
    left = n11 + n22 - m
    low, high = _limits(n11, n22, m)
    top = _hilltop(n11, n22, m, test)

    def stands(a: int) -> bool:
        return bool(test.below(np.array([a]), np.array([left - a]))[0] >= test.least)

    if not stands(top):
        return False
    ends = np.array([_first(stands, low, top), high - _first(lambda step: stands(high - step), 0, high - top)])
    return bool((test.above(ends, left - ends) >= test.least).any())


def _hilltop(n11: int, n22: int, m: int, test: ChanceTest) -> int:
    """The first cell at which the remaining table shows least disagreement."""
    left = n11 + n22 - m
    low, high = _limits(n11, n22, m)

    def falls(a: int) -> bool:
        here = np.array([a, a + 1])
        one, two = test.below(here, left - here)
        return bool(two <= one)

    return _first(falls, low, high)


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first number in [low, high) for which a statement holds from there on; ``high`` where none does."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
