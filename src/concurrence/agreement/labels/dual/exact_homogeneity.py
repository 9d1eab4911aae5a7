"""The homogeneity interval of true agreement with the error of the rates.

The paper's interval takes the share of *yes* among m truly agreed items, and the rates of both coders on the others, as
known from the table. With few disagreements they are not: an amount that leaves 20 items can be refused because the
rates estimated for them are impossible. Here the number m+ of truly agreed *yes* is open. An amount m is accepted where
some m+ fits in both respects: on the items that are left, the coders agree as by chance (Fisher's exact test, which
needs no rates), and their share of *yes* there can be that of the m (binomial test; m+ is rounded to a whole number).
The error is divided between the two tests, so that both hold together.

References: Krenn, Evert & Zinsmeister (2004).
"""

from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc

from concurrence.agreement.labels.dual.bisection import first_true
from concurrence.core.arrays import Integers
from concurrence.kernels import tails

SHARE_OF_RATES = 0.2  # of the error, for the test of the rates
ROUNDING = 1e-12
MOST_DIVISIONS = 40  # of one amount that are tested; where there are more, evenly spaced ones
WIDEST = 4.0  # standard errors of the share of yes, beyond which the test of the rates refuses


def exact_homogeneity_range(table: NDArray[Any], level: float, start: int) -> tuple[int, int] | None:
    """The smallest and the largest amount accepted around ``start``, which is accepted; none where it is not."""
    most = int(table[0][0] + table[1][1])
    if not 0 <= start <= most or not accepts_amount(table, start, level):
        return None
    low = first_true(lambda m: accepts_amount(table, m, level), 0, start)
    high = first_true(lambda m: not accepts_amount(table, m, level), start, most + 1) - 1
    return low, high


def accepts_amount(table: NDArray[Any], m: int, level: float) -> bool:
    """Whether some number of truly agreed *yes* explains the table with m items truly agreed upon."""
    (n11, n12), (n21, n22) = (tuple(int(cell) for cell in row) for row in table)
    left = n11 + n12 + n21 + n22 - m
    positive = _divisions(n11, n12 + n21, n22, m, left)
    if not left:
        return bool(len(positive))
    if m:
        positive = positive[_same_share(positive, m, 2 * n11 + n12 + n21 - 2 * positive, 2 * left, level)]
    a = n11 - positive
    d = n22 - (m - positive)
    least = log((1 - level) * (1 - SHARE_OF_RATES) / 2) - ROUNDING
    margins = a, a + n12, a + n21, a + d + n12 + n21
    upper, lower = tails.hypergeometric_log_upper(*margins), tails.hypergeometric_log_lower(*margins)
    return bool((np.minimum(upper, lower) >= least).any())


def _divisions(n11: int, disagreed: int, n22: int, m: int, left: int) -> Integers:
    """Numbers of truly agreed *yes* that are possible and not far from the overall share."""
    n = m + left
    middle = m / (2 * n) * (2 * n11 + disagreed)
    reach = m / (2 * n) * WIDEST * (sqrt(left / 2) + 1) + 1
    low, high = max(0, m - n22, int(middle - reach)), min(n11, m, int(middle + reach) + 1)
    if high - low < MOST_DIVISIONS:
        return np.arange(low, high + 1)
    return np.unique(np.linspace(low, high, MOST_DIVISIONS).astype(np.int64))


def _same_share(positive: Integers, m: int, yes: Integers, answers: int, level: float) -> NDArray[np.bool_]:
    """Whether so many *yes* of the answers left can have the share that so many of m have, rounded to whole numbers."""
    lowest, highest = (np.clip((positive + half) / m, 0, 1) for half in (-0.5, 0.5))
    below = np.where(yes >= answers, 1.0, betaincc(yes + 1, np.maximum(answers - yes, 1), lowest))
    above = np.where(yes <= 0, 1.0, betainc(np.maximum(yes, 1), answers - yes + 1, highest))
    accepted: NDArray[np.bool_] = 2 * np.minimum(below, above) >= (1 - level) * SHARE_OF_RATES * (1 - ROUNDING)
    return accepted
