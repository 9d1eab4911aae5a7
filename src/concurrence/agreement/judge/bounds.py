"""Intervals and tests of changes that hold with few items, and agree with each other.

A lower bound is a low quantile of what is estimated where items are weighed at random and one more of the worst kind
is among them; an upper bound has one more of the best kind. An interval leaves out 0 just where its p-value is at most
one less its level. For differences of -1, 0 and 1 that is the exact sign test (McNemar's).

References: Gaffke (2005) for means of bounded differences; McNemar (1947).
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincinv

from concurrence.agreement.labels.shifts import MeanShift
from concurrence.core import Interval
from concurrence.core.arrays import Reals
from concurrence.kernels.resampling import SLICE_CELLS

DRAWS = 2000
METHOD = "one_more_item"
NODES, HALVINGS = 200, 50


def bounded_change(
    statistic: Callable[[Reals], Reals], counts: Reals, worst: Reals, best: Reals, *, level: float, seed: int
) -> tuple[Interval | None, float]:
    """The interval of a change and the two-sided p-value of none; None and NaN where nothing is defined.

    ``statistic`` takes weights (draws, patterns): of the patterns that were seen ``counts`` times, then of those that
    one more item of the ``worst`` kind may have, by their shares, then of the ``best`` kind.
    """
    random, shapes = np.random.default_rng(seed), np.concatenate([counts, worst, best])
    seen, bad = len(counts), len(counts) + len(worst)
    step = max(1, SLICE_CELLS // len(shapes))
    lower, upper = [], []
    for start in range(0, DRAWS, step):
        weights = random.standard_gamma(shapes, size=(min(step, DRAWS - start), len(shapes)))
        without_best, without_worst = weights.copy(), weights
        without_best[:, bad:], without_worst[:, seen:bad] = 0, 0
        lower.append(statistic(without_best))
        upper.append(statistic(without_worst))
    return interval_of_bounds(np.concatenate(lower), np.concatenate(upper), level)


def interval_of_bounds(lower: Reals, upper: Reals, level: float) -> tuple[Interval | None, float]:
    """The interval whose ends are quantiles of two kinds of draws, and the p-value that agrees with it."""
    lower, upper = (np.sort(draws[np.isfinite(draws)]) for draws in (lower, upper))
    n = min(len(lower), len(upper))
    if not n:
        return None, float("nan")
    beyond = min(int(np.sum(lower <= 0)), int(np.sum(upper >= 0)))
    place = max(0, int((1 - level) / 2 * (n + 1) - 1 + 1e-9))  # so that the end is above 0 just where p is small
    interval = Interval(low=float(lower[place]), high=float(upper[-1 - place]), level=level, method=METHOD)
    return interval, min(1.0, 2 * (beyond + 1) / (n + 1))


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
