"""Limits of agreement: between which differences nearly all pairs of ratings lie (Bland and Altman 1986)."""

from math import sqrt

import numpy as np
from scipy.special import chdtri, nctdtrit, ndtri, stdtr, stdtrit

from concurrence.agreement.ratings.variance import MeanSquares
from concurrence.core import Interval
from concurrence.core.arrays import Reals
from concurrence.core.values import value

EXACT, GRAYBILL_WANG = "exact", "graybill_wang"
ROUNDING = 1e-12  # of the reach of the ratings; what varies less does not vary


@value
class LimitsOfAgreement:
    """The mean difference, its standard deviation, and the limits that hold ``share`` of the differences.

    ``of`` says which differences: those of two named coders (first minus second), or of any two coders.
    """

    of: str
    coders: tuple[str, ...]
    items: int
    mean: float
    sd: float
    low: float
    high: float
    share: float
    mean_interval: Interval | None
    low_interval: Interval | None
    high_interval: Interval | None
    interval_method: str
    level: float
    trusted: bool | None = None


@value
class ShiftTest:
    """Whether coders rate higher or lower than each other on average: t of two coders, F of more."""

    method: str
    statistic: float
    degrees_of_freedom: tuple[float, ...]
    p_value: float


def limits_of_two(ratings: Reals, coders: tuple[str, ...], *, level: float, share: float = 0.95) -> LimitsOfAgreement:
    """The limits of two coders on the items both rated, with exact intervals for normal differences.

    A limit is mean plus or minus z standard deviations; its interval is that of a noncentral t (Carkeet 2015).
    """
    differences = ratings[:, 0] - ratings[:, 1]
    n = len(differences)
    mean, sd = float(differences.mean()), float(differences.std(ddof=1))
    z, tail = float(ndtri((1 + share) / 2)), (1 + level) / 2
    reach = float(stdtrit(n - 1, tail)) * sd / sqrt(n)
    near, far = (float(nctdtrit(n - 1, z * sqrt(n), p)) * sd / sqrt(n) for p in (1 - tail, tail))

    def interval(low: float, high: float) -> Interval:
        return Interval(low=low, high=high, level=level, method=EXACT)

    return LimitsOfAgreement(
        of="two_coders",
        coders=coders,
        items=n,
        mean=mean,
        sd=sd,
        low=mean - z * sd,
        high=mean + z * sd,
        share=share,
        mean_interval=interval(mean - reach, mean + reach),
        low_interval=interval(mean - far, mean - near),
        high_interval=interval(mean + near, mean + far),
        interval_method=EXACT,
        level=level,
        trusted=True,
    )


def limits_of_any_two(
    squares: MeanSquares, coders: tuple[str, ...], items: int, *, level: float, share: float = 0.95
) -> LimitsOfAgreement:
    """The limits for the ratings of one item by any two of the coders: around 0, since either may come first.

    The squared difference of two ratings of an item is twice the mean square within items, a sum of the mean squares of
    coders and of error. The interval is that of Graybill and Wang (1980) for such a sum, which holds with few coders.
    """
    n = squares.per_coder
    parts = ((squares.coders / n, squares.free_coders), (squares.error * (1 - 1 / n), squares.free_error))
    within = sum(part for part, _ in parts)
    sd, z, tail = sqrt(2 * within), float(ndtri((1 + share) / 2)), (1 - level) / 2
    below = sqrt(sum((part * (1 - free / float(chdtri(free, tail)))) ** 2 for part, free in parts))
    above = sqrt(sum((part * (free / float(chdtri(free, 1 - tail)) - 1)) ** 2 for part, free in parts))
    near, far = z * sqrt(2 * max(within - below, 0.0)), z * sqrt(2 * (within + above))
    return LimitsOfAgreement(
        of="any_two_coders",
        coders=coders,
        items=items,
        mean=0.0,
        sd=sd,
        low=-z * sd,
        high=z * sd,
        share=share,
        mean_interval=None,
        low_interval=Interval(low=-far, high=-near, level=level, method=GRAYBILL_WANG),
        high_interval=Interval(low=near, high=far, level=level, method=GRAYBILL_WANG),
        interval_method=GRAYBILL_WANG,
        level=level,
        trusted=True,
    )


def widening(ratings: Reals) -> float:
    """The p-value of Pitman's test that the differences of two coders do not change with the size of the ratings."""
    difference, middle = ratings[:, 0] - ratings[:, 1], ratings.mean(axis=1)
    n = len(ratings)
    if n < 4 or min(difference.std(), middle.std()) <= ROUNDING * float(np.ptp(ratings)):
        return float("nan")
    together = (difference - difference.mean()) * (middle - middle.mean())
    r = float(together.mean() / (difference.std() * middle.std()))
    if 1 - abs(r) < 1e-12:
        return 0.0
    return float(2 * stdtr(n - 2, -abs(r) * sqrt((n - 2) / (1 - r * r))))
