"""Bootstrap and jackknife from patterns with multinomial weights.

A statistic is a function of weights over patterns, (..., patterns) -> (...,): whatever is resampled is a
vector of weights, so a thousand draws are one product. Draws are made in slices that fit the memory.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from concurrence.core.arrays import Reals
from concurrence.core.options import Progress

Statistic = Callable[[Reals], Reals]

SLICE_CELLS = 1 << 23


def bootstrap(statistic: Statistic, counts: Reals, *, draws: int, seed: int, progress: Progress | None = None) -> Reals:
    """The statistic of resampled items: (draws, ...).

    Items are drawn with replacement, as many as there are; of a pattern that was seen ``counts`` times a draw
    has a multinomial number. ``progress`` is told how many draws are done, and of how many.
    """
    random = np.random.default_rng(seed)
    step = max(1, SLICE_CELLS // max(len(counts), 1))
    parts = []
    for start in range(0, draws, step):
        parts.append(statistic(multinomial_weights(counts, min(step, draws - start), random)))
        if progress is not None:
            progress(min(start + step, draws), draws)
    return np.concatenate(parts)


def multinomial_weights(counts: Reals, draws: int, random: np.random.Generator) -> Reals:
    """How often each pattern occurs in each draw: (draws, patterns)."""
    total = round(float(counts.sum()))
    if len(counts) == total:
        chosen = random.integers(0, total, size=(draws, total)) + np.arange(draws)[:, None] * total
        drawn = np.bincount(chosen.ravel(), minlength=draws * total).reshape(draws, total)
    else:
        drawn = random.multinomial(total, counts / counts.sum(), size=draws)
    return drawn.astype(np.float64)


def jackknife(statistic: Statistic, counts: Reals) -> Reals:
    """The statistic without one item of each pattern: (patterns, ...); weigh value i by ``counts[i]``."""
    step = max(1, SLICE_CELLS // max(len(counts), 1))
    parts = []
    for start in range(0, len(counts), step):
        stop = min(start + step, len(counts))
        fewer = np.repeat(counts[None, :], stop - start, axis=0)
        fewer[np.arange(stop - start), np.arange(start, stop)] -= 1
        parts.append(statistic(fewer))
    return np.concatenate(parts)


def jackknife_error(values: Reals, counts: Reals) -> float:
    """The standard error from leave-one-out values of patterns seen ``counts`` times."""
    n = float(counts.sum())
    mean = float(counts @ values) / n
    return float(np.sqrt((n - 1) / n * (counts @ (values - mean) ** 2)))


def percentile_interval(replicates: Reals, level: float) -> tuple[float, float]:
    """The middle of the replicates, undefined ones left out."""
    finite = replicates[np.isfinite(replicates)]
    if len(finite) == 0:
        return float("nan"), float("nan")
    low, high = np.quantile(finite, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def expanded_interval(replicates: Reals, level: float, n: int) -> tuple[float, float]:
    """Percentiles moved outward for few items: as a t interval is to a normal one, and for the n - 1 of a variance.

    References: Hesterberg (2015).
    """
    return percentile_interval(replicates, expanded_level(level, n)) if n >= 2 else (float("nan"), float("nan"))


def expanded_level(level: float, n: int) -> float:
    """The share of a normal distribution that a t interval of so many items reaches.

    >>> round(expanded_level(0.95, 20), 4), round(expanded_level(0.95, 1000), 4)
    (0.9682, 0.9504)
    """
    reach = float(np.sqrt(n / (n - 1)) * stdtrit(n - 1, (1 + level) / 2)) if n > 1 else float("inf")
    return 1 - 2 * float(ndtr(-reach))


def bca_interval(replicates: Reals, value: float, acceleration: float, level: float) -> tuple[float, float]:
    """Percentiles corrected for bias and for an error that grows with the value.

    References: Efron (1987).
    """
    finite = replicates[np.isfinite(replicates)]
    if len(finite) == 0 or not np.isfinite(value):
        return float("nan"), float("nan")
    tied = np.abs(finite - value) < 1e-12  # what differs by rounding alone
    below = (np.sum((finite < value) & ~tied) + 0.5 * np.sum(tied)) / len(finite)
    if below in (0.0, 1.0):
        return percentile_interval(replicates, level)
    bias = ndtri(below)
    ends = bias + ndtri([(1 - level) / 2, (1 + level) / 2])
    corrected = ndtr(bias + ends / (1 - acceleration * ends))
    low, high = np.quantile(finite, corrected)
    return float(low), float(high)


def acceleration_of(influence: Reals, counts: Reals) -> float:
    """How fast the error grows with the value, from the influence of an item of each pattern."""
    centred = influence - float(counts @ influence) / float(counts.sum())
    spread = float(counts @ centred**2)
    return 0.0 if spread <= 0 else float(counts @ centred**3) / (6 * spread**1.5)
