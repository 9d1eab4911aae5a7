"""Which division of the items an amount of true agreement means, and how well chance explains what is left.

For every number m of truly agreed items, the table of two coders is divided: C1 holds the m items, of which so many are
*yes*; C2 the rest, on which any agreement is coincidence. The test of C2 gives m its p-value, and the intervals of the
dual model are where it does not fall below 1 - level.

References: Krenn, Evert & Zinsmeister (2004), Figures 3 and 4.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from concurrence.agreement.labels.dual.true_agreement import TrueAgreement, homogeneity_p, kappa_root
from concurrence.core.values import value
from concurrence.kernels import tails

MOST_ITEMS = 2000
MOST_POINTS = 101

Numbers = tuple[float, ...]


@value
class Divisions:
    """Every ``m`` (or some at even distances) with the p-values of what it leaves to chance.

    ``positive`` is how many of the m are *yes* in the division that Fisher's test finds most like chance, which gives
    ``conservative``; ``positive_homogeneity`` is their overall share of m. ``homogeneity`` is NaN where no coders have
    the shares that m leaves. ``conservative_kappa`` is the largest p of a test of kappa = 0; its division may differ.
    """

    m: tuple[int, ...]
    homogeneity: Numbers
    conservative: Numbers
    conservative_kappa: Numbers
    positive: tuple[int, ...]
    positive_homogeneity: Numbers


def divisions(truth: TrueAgreement) -> Divisions | None:
    """The divisions of a table behind its intervals of true agreement; None for more than 2,000 items.

    >>> from concurrence.agreement.labels.dual.true_agreement import true_agreement
    >>> found = divisions(true_agreement([[40, 15], [20, 25]]))
    >>> accepted = [m for m, p in zip(found.m, found.homogeneity) if p >= 0.05]
    >>> min(accepted), max(accepted)
    (9, 44)
    """
    if truth.n > MOST_ITEMS:
        return None
    table = np.asarray(truth.table)
    (n11, n12), (n21, n22) = truth.table
    most = n11 + n22
    m = np.unique(np.linspace(0, most, min(most + 1, MOST_POINTS)).astype(np.int64))
    each = [_conservative(n11, n12, n21, n22, int(one)) for one in m]
    share = (2 * n11 + n12 + n21) / (2 * truth.n)
    return Divisions(
        m=tuple(m.tolist()),
        homogeneity=tuple(homogeneity_p(table, m).tolist()),
        conservative=tuple(fisher for fisher, _, _ in each),
        conservative_kappa=tuple(kappa for _, kappa, _ in each),
        positive=tuple(positive for _, _, positive in each),
        positive_homogeneity=tuple((share * m).tolist()),
    )


def _conservative(n11: int, n12: int, n21: int, n22: int, m: int) -> tuple[float, float, int]:
    """The largest p of Fisher's test and of kappa = 0 over all divisions of m, and how many are *yes* for the first."""
    positive = np.arange(max(0, m - n22), min(m, n11) + 1)
    a, d = n11 - positive, n22 - (m - positive)
    fisher = _fisher(a, d, n12, n21)
    best = int(fisher.argmax())
    return float(fisher[best]), float(_kappa(a, d, n12, n21).max()), int(positive[best])


def _fisher(a: NDArray[np.int64], d: NDArray[np.int64], n12: int, n21: int) -> NDArray[np.float64]:
    row, column, left = a + n12, a + n21, a + d + n12 + n21
    lower = tails.hypergeometric_log_lower(a, row, column, left)
    upper = tails.hypergeometric_log_upper(a, row, column, left)
    return np.asarray(np.minimum(2 * np.exp(np.minimum(lower, upper)), 1.0))


def _kappa(a: NDArray[np.int64], d: NDArray[np.int64], n12: int, n21: int) -> NDArray[np.float64]:
    root = np.abs(kappa_root(a, d, n12, n21))
    return np.asarray(2 * ndtr(-root))
