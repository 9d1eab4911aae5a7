"""Chance correction: what agreement is expected, how large the error is.

Data are the last axes, every leading axis is a batch: one study, or ten thousand bootstrap draws. Where
nothing is defined the answer is NaN.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from concurrence.core.arrays import Reals
from concurrence.kernels.implicit import ImplicitTable, Table

ROUNDING = 1e-14
"""A difference of sums of shares that is no larger is nothing but rounding."""


def ratio(part: Any, whole: Any, *, empty: float = np.nan) -> Reals:
    """``part / whole``, NaN (or ``empty``) where the whole is nothing."""
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    shape = np.broadcast_shapes(part.shape, whole.shape)
    quotient: Reals = np.divide(part, whole, out=np.full(shape, empty), where=whole != 0)
    return quotient


def corrected(observed: Any, expected: Any) -> Reals:
    """The share of the agreement that chance leaves open and the coders attained.

    >>> float(corrected(0.75, 0.5))
    0.5
    """
    open_to_skill = 1 - np.asarray(expected, dtype=np.float64)
    open_to_skill = np.where(open_to_skill < 1e-13, 0.0, open_to_skill)
    return ratio(np.asarray(observed, dtype=np.float64) - expected, open_to_skill)


def bilinear(left: Reals, weights: Table | None, right: Reals) -> Reals:
    """``Σ left_k w_kl right_l`` over the last axes; without weights the diagonal alone counts."""
    weighed = right if weights is None else right @ weights.T
    total: Reals = np.einsum("...k,...k->...", left, weighed)
    return total


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """A rule for what chance alone would give.

    ``expect(habits, weights)`` answers the expected agreement and how it grows with each share. ``habits`` are the
    shares of the categories: ``pooled`` over all labels (..., categories), or for each of the ``coders``
    (..., coders, categories). ``fixed`` chance is known before anything is labelled.
    """

    name: str
    expect: Callable[[Reals, Table | None], tuple[Reals, Reals]]
    habits: Literal["pooled", "coders"] = "pooled"
    fixed: bool = False


def expect_nothing(shares: Reals, _: Table | None) -> tuple[Reals, Reals]:
    """Nothing is taken off for chance."""
    return np.zeros(shares.shape[:-1]), np.zeros_like(shares)


def expect_uniform(shares: Reals, weights: Table | None) -> tuple[Reals, Reals]:
    """Every category is as likely as any other."""
    size = shares.shape[-1]
    chance = np.nan if size == 0 else 1 / size if weights is None else float(weights.sum()) / size**2
    return np.full(shares.shape[:-1], chance), np.zeros_like(shares)


def expect_pooled(shares: Reals, weights: Table | None) -> tuple[Reals, Reals]:
    """Two labels are drawn from the habits that all coders share."""
    if weights is None:
        return bilinear(shares, None, shares), 2 * shares
    others: Reals = shares @ weights.T
    slope = 2 * others if weights.T is weights else others + shares @ weights
    return np.asarray(np.einsum("...k,...k->...", shares, others)), slope


def expect_gwet(shares: Reals, weights: Table | None) -> tuple[Reals, Reals]:
    """Coders guess on hard items alone: T_w / (k (k - 1)) Σ π (1 - π), T_w the sum of the weights."""
    size = shares.shape[-1]
    total = float(size) if weights is None else float(weights.sum())
    factor = total / (size * (size - 1)) if size > 1 else np.nan
    return np.asarray(factor * (shares * (1 - shares)).sum(axis=-1)), factor * (1 - 2 * shares)


def expect_between_coders(habits: Reals, weights: Table | None) -> tuple[Reals, Reals]:
    """Mean chance agreement of two different coders; those without any label, whose habits are NaN, sit out."""
    has_labels = np.asarray(~np.isnan(habits).any(axis=-1))
    habits = np.where(has_labels[..., None], habits, 0.0)
    n_coders = has_labels.sum(axis=-1)
    # of two, the other one: a sum and a difference would round
    others = habits[..., ::-1, :] if habits.shape[-2] == 2 else habits.sum(axis=-2, keepdims=True) - habits
    others = others if weights is None else others @ weights.T
    pairs = n_coders * (n_coders - 1)
    chance = ratio(np.einsum("...ck,...ck->...", habits, others), pairs)
    return chance, 2 * others / np.where(pairs > 0, pairs, 1)[..., None, None] * has_labels[..., None]


NOTHING = Chance(name="nothing", expect=expect_nothing, fixed=True)
UNIFORM = Chance(name="uniform", expect=expect_uniform, fixed=True)
POOLED = Chance(name="pooled", expect=expect_pooled)
GWET = Chance(name="gwet", expect=expect_gwet)
CODERS = Chance(name="coders", expect=expect_between_coders, habits="coders")
DRAWN = Chance(name="drawn", expect=expect_pooled)
"""As ``POOLED``, but the two labels are drawn without replacement."""


def cohen_null_error(expected: Any, n: Any) -> Reals:
    """Cohen's standard error of kappa where the true kappa is 0: √(p_e / (n (1 - p_e))).

    References: Cohen (1960).
    """
    expected = np.asarray(expected, dtype=np.float64)
    return np.sqrt(ratio(expected, np.asarray(n) * (1 - expected)))


def siegel_castellan_null_error(shares: Reals, n_coders: int, n: float) -> float:
    """Standard error of the pooled kappa where the true value is 0, as many labels on every item.

    References: Siegel & Castellan (1988), after Fleiss (1971).
    """
    expected, cubes = float((shares**2).sum()), float((shares**3).sum())
    if expected >= 1:
        return float("nan")
    spread = expected - (2 * n_coders - 3) * expected**2 + 2 * (n_coders - 2) * cubes
    return float(np.sqrt(2 * max(spread, 0.0) / (n * n_coders * (n_coders - 1))) / (1 - expected))


def fleiss_nee_landis_null_error(shares: Reals, n_coders: int, n: float) -> float:
    """Standard error of Fleiss's kappa where the true value is 0, as many labels on every item.

    References: Fleiss, Nee & Landis (1979).
    """
    spread = shares * (1 - shares)
    total = float(spread.sum())
    if total <= 0:
        return float("nan")
    inside = total**2 - float((spread * (1 - 2 * shares)).sum())
    return float(np.sqrt(2 * max(inside, 0.0) / (n * n_coders * (n_coders - 1))) / total)


def fleiss_cohen_everitt_null_error(first: Reals, second: Reals, weights: Table | None, n: Any) -> float:
    """Standard error of (weighted) kappa where the true kappa is 0, from both coders' category shares.

    References: Fleiss, Cohen & Everitt (1969).
    """
    expected = float(bilinear(first, weights, second))
    if not expected < 1 - 1e-13:
        return float("nan")
    if weights is None:
        spread = expected + expected**2 - float((first * second * (first + second)).sum())
    elif isinstance(weights, ImplicitTable):
        one, two = second @ weights, first @ weights
        spread = float(bilinear(first, weights**2, second) - first @ one**2 - second @ two**2) + expected**2
        spread = spread if spread > ROUNDING else 0.0
    else:
        both = np.add.outer(weights @ second, weights.T @ first)
        spread = float(first @ (weights - both) ** 2 @ second) - expected**2
    return float(np.sqrt(max(spread, 0.0) / float(n)) / (1 - expected))
