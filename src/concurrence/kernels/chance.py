"""Chance correction: what agreement is expected, how large the error is.

Data are the last axes, every leading axis is a batch: one study, or ten thousand bootstrap draws. Where
nothing is defined the answer is NaN.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def ratio(part: Any, whole: Any) -> Array:
    """``part / whole``, NaN where the whole is nothing."""
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    shape = np.broadcast_shapes(part.shape, whole.shape)
    quotient: Array = np.divide(part, whole, out=np.full(shape, np.nan), where=whole != 0)
    return quotient


def corrected(observed: Any, expected: Any) -> Array:
    """The share of the agreement that chance leaves open and the coders attained.

    >>> float(corrected(0.75, 0.5))
    0.5
    """
    open_to_skill = 1 - np.asarray(expected, dtype=np.float64)
    open_to_skill = np.where(open_to_skill < 1e-13, 0.0, open_to_skill)
    return ratio(np.asarray(observed, dtype=np.float64) - expected, open_to_skill)


def bilinear(left: Array, weights: Array | None, right: Array) -> Array:
    """``Σ left_k w_kl right_l`` over the last axes; without weights the diagonal alone counts."""
    weighed = right if weights is None else right @ weights.T
    total: Array = np.einsum("...k,...k->...", left, weighed)
    return total


def gwet_chance(shares: Array, weights: Array | None) -> Array:
    r"""Gwet's chance agreement: hard items are those on which coders guess.

    .. math:: p_e = \frac{T_w}{k (k - 1)} \sum_q \pi_q (1 - \pi_q)
    """
    n_categories = shares.shape[-1]
    if n_categories < 2:
        return np.full(shares.shape[:-1], np.nan)
    chance: Array = gwet_factor(n_categories, weights) * (shares * (1 - shares)).sum(axis=-1)
    return chance


def gwet_factor(n_categories: int, weights: Array | None) -> float:
    """The factor before Gwet's sum: the total of the weights over k (k - 1)."""
    total = float(n_categories) if weights is None else float(weights.sum())
    return total / (n_categories * (n_categories - 1))


def uniform_chance(n_categories: int, weights: Array | None = None) -> float:
    """Chance where every category is as likely as any other."""
    if n_categories < 1:
        return float("nan")
    return 1 / n_categories if weights is None else float(weights.sum()) / n_categories**2


def between_coders_chance(habits: Array, weights: Array | None = None) -> Array:
    """Mean chance agreement of two different coders, from what each does (..., coders, categories).

    Coders without any label, whose habits are NaN, do not take part.
    """
    known = np.asarray(~np.isnan(habits).any(axis=-1))
    habits = np.where(known[..., None], habits, 0.0)
    n_coders = known.sum(axis=-1)
    pooled = habits.sum(axis=-2)
    own = bilinear(habits, weights, habits).sum(axis=-1)
    return ratio(bilinear(pooled, weights, pooled) - own, n_coders * (n_coders - 1))


def cohen_null_error(expected: Any, n: Any) -> Array:
    """Cohen's standard error of kappa where the true kappa is 0: √(p_e / (n (1 - p_e))).

    References: Cohen (1960).
    """
    expected = np.asarray(expected, dtype=np.float64)
    return np.sqrt(ratio(expected, np.asarray(n) * (1 - expected)))


def siegel_castellan_null_error(shares: Array, n_coders: int, n: float) -> float:
    """Standard error of the pooled kappa where the true value is 0, as many labels on every item.

    References: Siegel & Castellan (1988), after Fleiss (1971).
    """
    expected, cubes = float((shares**2).sum()), float((shares**3).sum())
    if expected >= 1:
        return float("nan")
    spread = expected - (2 * n_coders - 3) * expected**2 + 2 * (n_coders - 2) * cubes
    return float(np.sqrt(2 * max(spread, 0.0) / (n * n_coders * (n_coders - 1))) / (1 - expected))


def fleiss_nee_landis_null_error(shares: Array, n_coders: int, n: float) -> float:
    """Standard error of Fleiss's kappa where the true value is 0, as many labels on every item.

    References: Fleiss, Nee & Landis (1979).
    """
    spread = shares * (1 - shares)
    total = float(spread.sum())
    if total <= 0:
        return float("nan")
    inside = total**2 - float((spread * (1 - 2 * shares)).sum())
    return float(np.sqrt(2 * max(inside, 0.0) / (n * n_coders * (n_coders - 1))) / total)


def fleiss_cohen_everitt_null_error(first: Array, second: Array, weights: Array | None, n: Any) -> float:
    """Standard error of (weighted) kappa where the true kappa is 0, from both coders' category shares.

    References: Fleiss, Cohen & Everitt (1969).
    """
    expected = float(bilinear(first, weights, second))
    if not expected < 1 - 1e-13:
        return float("nan")
    if weights is None:
        spread = expected + expected**2 - float((first * second * (first + second)).sum())
    else:
        both = np.add.outer(weights @ second, weights.T @ first)
        spread = float(first @ (weights - both) ** 2 @ second) - expected**2
    return float(np.sqrt(max(spread, 0.0) / float(n)) / (1 - expected))
