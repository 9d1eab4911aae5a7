"""Agreement on the order of items: Kendall's coefficient of concordance and the mean rank correlation.

Items that count several times (resampling) are items with the same rank: ranks are computed from weights, so that a
thousand draws are one product.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import chdtrc

from concurrence.core.arrays import Reals


@dataclass(frozen=True, slots=True, kw_only=True)
class RankTest:
    """Kendall's test that the coders' orders are unrelated."""

    statistic: float
    degrees_of_freedom: int
    p_value: float


def midranks(column: Reals, weights: Reals) -> Reals:
    """The rank of each item by one coder, the mean of its places where several are alike: (..., items).

    >>> midranks(np.array([3.0, 1.0, 3.0]), np.ones(3)).tolist()
    [2.5, 1.0, 2.5]
    """
    order = np.argsort(column, kind="stable")
    first = np.flatnonzero(np.diff(column[order], prepend=-np.inf) > 0)
    alike = np.add.reduceat(weights[..., order], first, axis=-1)
    ranks = np.cumsum(alike, axis=-1) - (alike - 1) / 2
    group = np.empty(len(column), dtype=np.int64)
    group[order] = np.repeat(np.arange(len(first)), np.diff(first, append=len(column)))
    chosen: Reals = ranks[..., group]
    return chosen


def kendall_w(ratings: Reals, weights: Reals) -> Reals:
    """Kendall's W with ties: the spread of the rank sums over the largest that it could be. NaN where none vary."""
    ranks = np.stack([midranks(column, weights) for column in ratings.T], axis=-1)
    own = _spread(ranks, weights).sum(axis=-1)
    together = _spread(ranks.sum(axis=-1, keepdims=True), weights)[..., 0]
    whole = ratings.shape[1] * own
    return np.where(whole > 1e-12, together / np.where(whole > 1e-12, whole, 1.0), np.nan)


def _spread(ranks: Reals, weights: Reals) -> Reals:
    """Weighted sums of squared deviations, over the items: (..., coders)."""
    n = weights.sum(axis=-1)[..., None]
    mean = np.einsum("...i,...ic->...c", weights, ranks) / n
    spread: Reals = np.einsum("...i,...ic->...c", weights, (ranks - mean[..., None, :]) ** 2)
    return spread


def kendall_test(value: float, items: int, coders: int) -> RankTest:
    """Chi-squared with n - 1 degrees of freedom: k (n - 1) W."""
    statistic = coders * (items - 1) * value
    return RankTest(statistic=statistic, degrees_of_freedom=items - 1, p_value=float(chdtrc(items - 1, statistic)))


def spearman(first: Reals, second: Reals, weights: Reals) -> Reals:
    """The rank correlation of two coders on the items both rated; NaN where one of them gave all the same."""
    both = np.isfinite(first) & np.isfinite(second)
    kept = weights[..., both]
    ranks = np.stack([midranks(column[both], kept) for column in (first, second)], axis=-1)
    n = kept.sum(axis=-1)[..., None]
    mean = np.einsum("...i,...ic->...c", kept, ranks) / np.where(n > 0, n, 1.0)
    centred = ranks - mean[..., None, :]
    spread = np.einsum("...i,...ic->...c", kept, centred**2).prod(axis=-1)
    product = np.einsum("...i,...i->...", kept, centred.prod(axis=-1))
    return np.where(spread > 1e-12, product / np.sqrt(np.where(spread > 1e-12, spread, 1.0)), np.nan)


def mean_spearman(ratings: Reals, weights: Reals) -> Reals:
    """The mean of the rank correlations of every two coders that have one."""
    each = [spearman(ratings[:, a], ratings[:, b], weights) for a, b in combinations(range(ratings.shape[1]), 2)]
    together = np.stack(each, axis=-1)
    present = np.isfinite(together)
    count = present.sum(axis=-1)
    total = np.where(present, together, 0.0).sum(axis=-1)
    return np.where(count > 0, total / np.where(count > 0, count, 1), np.nan)
