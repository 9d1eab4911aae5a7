"""Intervals that hold with few items: these are weighed at random, beside one more of the worst or of the best kind.

References: Gaffke (2005), for means of bounded values.
"""

from collections.abc import Callable

import numpy as np

from concurrence.core import Interval
from concurrence.core.arrays import Reals
from concurrence.kernels.resampling import SLICE_CELLS

DRAWS = 2000
METHOD = "one_more_item"


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
