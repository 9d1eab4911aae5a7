"""The dual model: the amounts of true agreement that explain a 2x2 table of two coders.

Of n items, m are truly agreed upon; on the rest any agreement is coincidence. An amount m is accepted where
chance explains the rest, and the interval is what is accepted. *Homogeneity* fixes how many of the m are
positive by their overall share; the *conservative* interval accepts m where any division of it will do.

References: Krenn, Evert & Zinsmeister (2004).
"""

from collections.abc import Callable
from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc, ndtri

from concurrence.core.arrays import Reals
from concurrence.kernels import tails

Range = tuple[int, int] | None
Test = Callable[[Any, Any, bool], Reals]
"""A score of what is left of the diagonal: it falls where there is less agreement than chance or, asked for the other
side, where there is more; neither may be below 0."""

_SCAN = 4096
_MARGIN = 64
_ROUNDING = 1e-12


def fisher_test(n12: int, n21: int, level: float) -> Test:
    """Fisher's exact test, doubled smaller tail."""
    least = log((1 - level) / 2) - _ROUNDING

    def score(a: Any, d: Any, above: bool) -> Reals:
        tail = tails.hypergeometric_log_upper if above else tails.hypergeometric_log_lower
        return tail(a, a + n12, a + n21, a + d + n12 + n21) - least

    return score


def kappa_test(n12: int, n21: int, level: float) -> Test:
    """Kappa over its null standard error, the signed root of chi-squared; 0 where a margin is empty."""
    least = float(ndtri((1 - level) / 2)) - _ROUNDING

    def score(a: Any, d: Any, above: bool) -> Reals:
        root = kappa_root(a, d, n12, n21)
        return np.asarray(-root if above else root) - least

    return score


def kappa_root(a: Any, d: Any, n12: int, n21: int) -> Reals:
    """Kappa over its null standard error, for diagonals ``a`` and ``d``; 0 where a margin is empty."""
    a, d = np.asarray(a, dtype=np.float64), np.asarray(d, dtype=np.float64)
    margins = (a + n12) * (n21 + d) * (a + n21) * (n12 + d)
    excess = (a * d - float(n12) * n21) * np.sqrt(a + n12 + n21 + d)
    return np.asarray(np.divide(excess, np.sqrt(margins), out=np.zeros_like(margins), where=margins > 0))


def conservative_range(table: NDArray[Any], test: Test) -> Range:
    """Smallest and largest m that some division of it explains.

    Both scores are monotone in each diagonal cell; along a constant sum of the cells the first has one hill
    and the second one valley. So three nested bisections do what a double loop over all divisions would.
    """
    n11, n22 = int(table[0][0]), int(table[1][1])
    most = n11 + n22

    def holds(a: Any, left: int, *, above: bool = False) -> bool:
        cells = np.atleast_1d(a)
        return bool((test(cells, left - cells, above) >= 0).any())

    def hill(left: int) -> tuple[int, int, int]:
        """The limits of the first cell, and where it shows least disagreement."""
        low, high = max(0, left - n22), min(n11, left)
        falls = lambda a: bool(np.diff(test(np.array([a, a + 1]), left - np.array([a, a + 1]), False))[0] <= 0)  # noqa: E731
        return low, _first(falls, low, high), high

    def accepts(left: int) -> bool:
        low, top, high = hill(left)
        if not holds(top, left):
            return False
        begin = _first(lambda a: holds(a, left), low, top)
        end = high - _first(lambda step: holds(high - step, left), 0, high - top)
        return holds([begin, end], left, above=True)

    # more agreement than chance: an end of the valley is highest; less: the top of the hill
    first = _first(lambda m: holds([max(0, n11 - m), min(n11, most - m)], most - m, above=True), 0, most)
    last = most - _first(lambda left: holds(hill(left)[1], left), 0, most)
    while first <= last and not accepts(most - first):
        first += 1
    while last >= first and not accepts(most - last):
        last -= 1
    return (first, last) if first <= last else None


def homogeneity_range(table: NDArray[Any], level: float, *, scan: int = _SCAN) -> Range:
    """Smallest and largest m that explains the table where true agreement has the overall share of positives.

    Few items are scanned; many are bisected on the two stretches where the evidence runs one way, and the
    surroundings of each crossing are scanned.
    """
    most, least = int(table[0][0] + table[1][1]), (1 - level) / 2 * (1 - _ROUNDING)
    candidates = np.arange(most + 1) if most <= scan else _crossings(table, least, most)
    lower, upper, possible = _tails(table, candidates)
    accepted = candidates[possible & (lower >= least) & (upper >= least)]
    return (int(accepted.min()), int(accepted.max())) if len(accepted) else None


def homogeneity_p(table: NDArray[Any], m: NDArray[np.int64]) -> Reals:
    """The p-value (doubled smaller tail) of the agreement that each m leaves; NaN where m leaves impossible shares."""
    lower, upper, possible = _tails(table, m)
    return np.where(possible, np.minimum(2 * np.minimum(lower, upper), 1.0), np.nan)


def homogeneity_estimate(table: NDArray[Any]) -> float:
    """The share of true agreement under homogeneity; Scott's pi where both coders have the same marginals.

    >>> round(homogeneity_estimate(np.array([[45, 5], [5, 45]])), 6)
    0.8
    """
    apart, disagreed, open_to_skill = _shape(table)
    if open_to_skill <= 0:
        return float("nan")
    inside = max(disagreed**2 - 8 * apart**2 * open_to_skill, 0.0)
    return float(1 - (disagreed + sqrt(inside)) / (2 * open_to_skill))


def _shape(table: NDArray[Any]) -> tuple[float, float, float]:
    """Half the difference of the coders' shares of *yes*, the share of disagreement, and 2 p (1 - p)."""
    p = np.asarray(table, dtype=np.float64) / np.sum(table)
    share = (2 * p[0, 0] + p[0, 1] + p[1, 0]) / 2
    return (p[0, 1] - p[1, 0]) / 2, p[0, 1] + p[1, 0], 2 * share * (1 - share)


def _tails(table: NDArray[Any], m: NDArray[np.int64]) -> tuple[Reals, Reals, NDArray[np.bool_]]:
    """Both tails of the agreement left after m, and whether m leaves possible shares at all."""
    (n11, n12), (n21, n22) = (tuple(int(x) for x in row) for row in table)
    n, row, column = n11 + n12 + n21 + n22, n11 + n12, n11 + n21
    left, agreed = n - m, n11 + n22 - m
    share = (row + column) / (2 * n)
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = (row - share * m) / left, (column - share * m) / left
    slack = _ROUNDING
    possible = (first >= -slack) & (first <= 1 + slack) & (second >= -slack) & (second <= 1 + slack)
    first, second = np.clip(first, 0, 1), np.clip(second, 0, 1)
    chance = np.clip(first * second + (1 - first) * (1 - second), 0, 1)
    lower = np.where(agreed == left, 1.0, betaincc(agreed + 1, np.maximum(left - agreed, 1), chance))
    upper = np.where(agreed == 0, 1.0, betainc(np.maximum(agreed, 1), left - agreed + 1, chance))
    return lower, upper, possible | (left == 0)


def _crossings(table: NDArray[Any], least: float, most: int) -> NDArray[np.int64]:
    """The surroundings of every m at which acceptance may begin or end."""

    def holds(m: int, side: int) -> bool:
        return bool(_tails(table, np.array([m]))[side][0] >= least)

    last = _first(lambda m: not bool(_tails(table, np.array([m]))[2][0]), 0, most + 1) - 1
    # where the surplus of agreement, in standard errors, stops falling with m and rises again
    apart, disagreed, open_to_skill = _shape(table)
    turn = last
    if open_to_skill > 0 and apart != 0:
        v = (-disagreed + sqrt(disagreed**2 + 24 * apart**2 * open_to_skill)) / (2 * open_to_skill)
        turn = min(max(int(np.sum(table) * (1 - v)), 0), last)
    centres = [
        _first(lambda m: holds(m, 1), 0, turn),
        _first(lambda m: not holds(m, 0), 0, turn),
        _first(lambda m: holds(m, 0), turn, last),
        _first(lambda m: not holds(m, 1), turn, last),
        *(turn, last, 0),
    ]
    around = np.add.outer(centres, np.arange(-_MARGIN, _MARGIN + 1)).ravel()
    return np.unique(around[(around >= 0) & (around <= last)])


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first number in [low, high) for which a statement holds from there on; ``high`` where none does."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
