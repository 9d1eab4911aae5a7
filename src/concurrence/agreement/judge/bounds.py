"""Intervals and tests of changes that hold with few items, and agree with each other.

A lower bound is a low quantile of what is estimated where items are weighed at random and one more of the worst kind
is among them; an upper bound has one more of the best kind. An interval leaves out 0 just where its p-value is at most
one less its level. For differences of -1, 0 and 1 that is the exact sign test (McNemar's).

References: Gaffke (2005) for means of bounded differences; McNemar (1947).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincinv

from concurrence.agreement.labels.one_more_item import DRAWS, interval_of_bounds
from concurrence.agreement.labels.shifts import MeanShift
from concurrence.core.arrays import Reals
from concurrence.kernels.resampling import SLICE_CELLS

NODES, HALVINGS = 200, 50


def mean_shift_bounds(
    differences: Reals, names: Sequence[str], reach: float, *, level: float, seed: int
) -> dict[str, MeanShift]:
    """The mean of each column of differences that lie between ``-reach`` and ``reach``, with its interval."""
    rows, counts = np.unique(differences, axis=0, return_counts=True)
    random, step = np.random.default_rng(seed), max(1, SLICE_CELLS // max(len(rows), 1))
    lower, upper = [], []
    for start in range(0, DRAWS, step):
        draws = min(step, DRAWS - start)
        weights = random.standard_gamma(counts, size=(draws, len(rows)))
        one_more = random.standard_exponential((draws, 1))
        sums, total = weights @ rows, weights.sum(axis=1, keepdims=True) + one_more
        lower.append((sums - reach * one_more) / total)
        upper.append((sums + reach * one_more) / total)
    sides = np.concatenate(lower), np.concatenate(upper)
    intervals = [interval_of_bounds(sides[0][:, k], sides[1][:, k], level)[0] for k in range(len(names))]
    means = differences.mean(axis=0).tolist()
    return {
        name: MeanShift(value=mean, interval=interval)
        for name, mean, interval in zip(names, means, intervals, strict=True)
    }


def share_change_interval(more: ArrayLike, less: ArrayLike, n: int, level: float) -> tuple[Reals, Reals]:
    """The ends of the interval of (more - less) / n, where of ``n`` items so many changed to something and from it.

    0 is left out just where the exact two-sided sign test is significant.

    >>> [float(end.round(3)) for end in share_change_interval(4, 0, 20, 0.95)]
    [-0.045, 0.437]
    """
    b, c = np.asarray(more, dtype=np.float64), np.asarray(less, dtype=np.float64)
    return _lower_share(b, c, n, (1 - level) / 2), -_lower_share(c, b, n, (1 - level) / 2)


def _lower_share(b: Reals, c: Reals, n: int, tail: float) -> Reals:
    """The quantile of U - V with (U, V, W) from the Dirichlet distribution with b, c + 1 and n - b - c.

    U + V has a beta distribution, and so has U / (U + V), independently; without ``b`` the quantile is that of -V.
    """
    of_any, rest = np.maximum(b, 1.0)[..., None], n - b - c
    nodes = np.append((np.arange(NODES) + 0.5) / NODES, 1 - tail)
    shares = betaincinv((b + c + 1)[..., None], np.maximum(rest, 1.0)[..., None], nodes)
    shares = np.where(rest[..., None] > 0, shares, 1.0)
    low, high = np.full(b.shape, -1.0), np.full(b.shape, 1.0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        upward = np.clip((1 + middle[..., None] / shares[..., :-1]) / 2, 0.0, 1.0)
        is_low = betainc(of_any, (c + 1)[..., None], upward).mean(axis=-1) <= tail
        low, high = np.where(is_low, middle, low), np.where(is_low, high, middle)
    return np.asarray(np.where(b > 0, low, -shares[..., -1]))
