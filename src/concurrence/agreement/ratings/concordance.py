"""Lin's concordance correlation: how close ratings lie to the line on which both coders say the same."""

from dataclasses import dataclass
from math import atanh, isfinite, nan, sqrt, tanh

import numpy as np
from scipy.special import ndtri, stdtrit

from concurrence.core.arrays import Reals

FISHER_Z, JACKKNIFE = "fisher_z", "jackknife"
ROUNDING = 1e-12  # of the largest distance from the mean; what varies less does not vary


@dataclass(frozen=True, slots=True, kw_only=True)
class Concordance:
    """The coefficient with the mean squared difference that was observed, and that of unrelated ratings."""

    value: float
    observed: float
    expected: float
    standard_error: float
    low: float
    high: float
    method: str | None


def concordance_correlation(ratings: Reals, *, level: float) -> Concordance:
    """Lin's coefficient for two coders, the overall coefficient for more; ``ratings`` has no gaps.

    References: Lin (1989, 2000) for two coders and the interval; Barnhart, Haber and Song (2002) for more, whose error
    is a jackknife over items on Fisher's scale.
    """
    observed, expected = _parts(ratings, np.ones(len(ratings)))
    value = float(_from_parts(observed, expected))
    error, low, high, method = nan, nan, nan, None
    if isfinite(value) and len(ratings) > 2 and value > ROUNDING - 1:
        if 1 - value < ROUNDING:
            error, low, high, method = 0.0, value, value, JACKKNIFE
        elif ratings.shape[1] == 2:
            error, low, high, method = *_lin(ratings, value, level), FISHER_Z
        else:
            error, low, high, method = *_jackknifed(ratings, value, level), JACKKNIFE
    return Concordance(
        value=value,
        observed=float(observed),
        expected=float(expected),
        standard_error=error,
        low=low,
        high=high,
        method=method,
    )


def _parts(ratings: Reals, weights: Reals) -> tuple[Reals, Reals]:
    """Mean squared difference of two coders on an item, and on unrelated items; mean over the pairs of coders.

    ``weights`` (..., items) say how often each item counts. The second is NaN where ratings do not vary.
    """
    k = ratings.shape[1]
    n = weights.sum(axis=-1)
    centred = ratings - ratings.mean()
    means = (weights @ centred) / n[..., None]
    squares = (weights @ centred**2) / n[..., None]
    total = (weights @ centred.sum(axis=1) ** 2) / n
    pairs = k * (k - 1) / 2
    observed = (k * squares.sum(axis=-1) - total) / pairs
    shift = (k * (means**2).sum(axis=-1) - means.sum(axis=-1) ** 2) / pairs
    spread = (squares - means**2).sum(axis=-1) * (k - 1) / pairs
    least = (ROUNDING * float(np.abs(centred).max())) ** 2
    return observed, np.where(spread + shift > least, spread + shift, np.nan)


def _from_parts(observed: Reals, expected: Reals) -> Reals:
    return np.asarray(1 - observed / expected)


def _lin(ratings: Reals, value: float, level: float) -> tuple[float, float, float]:
    """Lin's standard error, and his interval by Fisher's transformation."""
    n = len(ratings)
    spread = np.cov(ratings.T, ddof=0)
    deviations = np.sqrt(np.diag(spread))
    if deviations.min() <= ROUNDING * deviations.max():
        return nan, nan, nan
    r = spread[0, 1] / deviations.prod()
    shift = (ratings[:, 0].mean() - ratings[:, 1].mean()) ** 2 / deviations.prod()
    if abs(r) < 1e-12:
        return nan, nan, nan
    squared = value**2
    variance = (
        (1 - r**2) * squared * (1 - squared) / r**2
        + 2 * value**3 * (1 - value) * shift / r
        - value**4 * shift**2 / (2 * r**2)
    ) / (n - 2)
    error = sqrt(max(variance, 0.0))
    return error, *_by_fisher(value, error / (1 - squared), float(ndtri((1 + level) / 2)))


def _jackknifed(ratings: Reals, value: float, level: float) -> tuple[float, float, float]:
    n = len(ratings)
    left_out = _from_parts(*_parts(ratings, 1.0 - np.eye(n))) if n <= 2000 else _blocks(ratings)
    scaled = np.arctanh(np.clip(left_out, -1 + 1e-12, 1 - 1e-12))
    size = len(scaled)
    error = sqrt((size - 1) / size * float(((scaled - scaled.mean()) ** 2).sum()))
    return error * (1 - value**2), *_by_fisher(value, error, float(stdtrit(size - 1, (1 + level) / 2)))


def _blocks(ratings: Reals) -> Reals:
    """The values without each block of items; at most a thousand blocks."""
    block = np.arange(len(ratings)) % 1000
    return _from_parts(*_parts(ratings, (block[None, :] != np.arange(1000)[:, None]).astype(np.float64)))


def _by_fisher(value: float, error: float, quantile: float) -> tuple[float, float]:
    middle = atanh(value)
    return tanh(middle - quantile * error), tanh(middle + quantile * error)
