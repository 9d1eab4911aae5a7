"""Bands around a whole curve: how much wider than pointwise they must be."""

import numpy as np
from scipy.special import ndtr

from concurrence.core.arrays import Reals

DRAWS = 4000
FINENESS = 0.01


def simultaneous_level(variance_of_totals: Reals, *, level: float, seed: int = 0) -> float:
    """The pointwise level at which the band covers the whole curve at ``level``.

    The estimated number of true positives in nested lists is a sum that grows with n, so its standardised
    errors are those of a random walk seen at the times ``variance_of_totals``. The largest of them is
    simulated; the pointwise level is that of its quantile.

    >>> simultaneous_level(np.array([4.0]), level=0.95) < simultaneous_level(np.array([0.0]), level=0.95)
    True
    """
    times = np.maximum.accumulate(np.nan_to_num(variance_of_totals))
    times = times[times > 0]
    if times.size == 0:
        return level
    # Points closer than this on a log scale are all but the same point of the walk.
    _, first = np.unique(np.floor(np.log(times) / FINENESS), return_index=True)
    times = times[first]
    steps = np.sqrt(np.diff(times, prepend=0.0))
    walks = np.cumsum(np.random.default_rng(seed).standard_normal((DRAWS, len(times))) * steps, axis=1)
    largest = np.abs(walks / np.sqrt(times)).max(axis=1)
    return float(1 - 2 * ndtr(-np.quantile(largest, level)))
