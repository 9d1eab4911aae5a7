"""Whether one side falls behind another by less than a margin on the same items, by exact tests."""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, ndtr, xlogy

from concurrence.core.arrays import Reals

MOST_EXACT = 100
"""Up to how many items the test is exact; beyond, its normal approximation is of size .058 at most (at .05)."""
RATES_TRIED = 129
DIGITS = 9


def noninferiority_p_values(behind: ArrayLike, ahead: ArrayLike, n: int, margin: float) -> Reals:
    r"""One-sided p-values that a side is behind on less than ``margin`` more of the items than it is ahead.

    ``behind`` and ``ahead`` count the items, of ``n``. Studies are ordered by Tango's score statistic. The p-value is
    the largest probability of a study as extreme under :math:`p_{behind} - p_{ahead} = margin`, over all
    :math:`p_{ahead}`, with up to 100 items; with more, it is that of a normal distribution.

    References: Tango (1998); Hsueh, Liu and Chen (2001) for the exact test.

    >>> noninferiority_p_values([3, 0], [0, 0], 20, 0.2).round(3).tolist()
    [0.411, 0.021]
    """
    counts = np.asarray(behind, dtype=np.int64), np.asarray(ahead, dtype=np.int64)
    if n > MOST_EXACT:
        return np.asarray(ndtr(score_statistic(*counts, n, margin)))
    return np.asarray(_exact_p_values(n, margin)[counts])


def score_statistic(behind: ArrayLike, ahead: ArrayLike, n: int, margin: float) -> Reals:
    """The difference less the margin, in standard errors at the likeliest rates with that difference."""
    b, c = np.asarray(behind, dtype=np.float64), np.asarray(ahead, dtype=np.float64)
    linear = (2 * n - b + c) * margin - b - c
    rate = (np.sqrt(linear**2 + 8 * n * c * margin * (1 - margin)) - linear) / (4 * n)
    variance = n * (2 * rate + margin * (1 - margin))
    excess = b - c - n * margin
    return np.asarray(np.where(variance > 0, excess / np.sqrt(np.where(variance > 0, variance, 1.0)), 0.0))


@lru_cache(maxsize=256)
def _exact_p_values(n: int, margin: float) -> Reals:
    """The p-value of every study of ``n`` items, by items behind and ahead; NaN where they are more than ``n``."""
    b, c = np.nonzero(np.add.outer(np.arange(n + 1), np.arange(n + 1)) <= n)
    scores = np.round(score_statistic(b, c, n, margin), DIGITS)
    order = np.argsort(scores, kind="stable")
    as_extreme = np.searchsorted(scores[order], scores[order], side="right") - 1
    # the probabilities of studies bend near the ends of the range of rates, where the tried ones are dense
    rates = (1 - margin) / 2 * np.sin(np.linspace(0, np.pi / 2, RATES_TRIED)) ** 2
    largest = np.zeros(len(b))
    ways = gammaln(n + 1) - gammaln(b + 1) - gammaln(c + 1) - gammaln(n - b - c + 1)
    for rate in rates:
        neither = max(1 - margin - 2 * rate, 0.0)
        chances = np.exp(ways + xlogy(b, rate + margin) + xlogy(c, rate) + xlogy(n - b - c, neither))
        largest[order] = np.maximum(largest[order], np.cumsum(chances[order])[as_extreme])
    table = np.full((n + 1, n + 1), np.nan)
    table[b, c] = np.minimum(largest, 1.0)
    return table
