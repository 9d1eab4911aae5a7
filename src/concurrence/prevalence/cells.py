"""Cells of a list by stratum and verdict of the judges: counts, and the distribution of true ones in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import betaln, gammaln

from concurrence.core.arrays import Integers, Reals
from concurrence.kernels.strata import SampledList
from concurrence.prevalence.judges import Classes

DRAWS = 20_000
HALF = 0.5
"""Jeffreys's prior: half a judgement of each kind; with more than two classes, one judgement for all of them."""
FEW_STRATA = 3
"""With more strata, the prior weighs no more than with so many, since each cell would pull its share toward a half."""
LEAN = 0.5
"""With more than two classes, how much of the prior moves to the other kind at each end, which it pulls outward."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassCells:
    """Strata x classes: candidates, judgements, true ones among them."""

    size: Integers
    judged: Integers
    true: Reals

    def with_true(self, true: Reals) -> "ClassCells":
        return ClassCells(size=self.size, judged=self.judged, true=true)

    @property
    def shares(self) -> Reals:
        """The share of true ones in each cell; without judgements, that of its class, or of all."""
        of_class = _share(
            self.true.sum(axis=0), self.judged.sum(axis=0), _share(self.true.sum(), self.judged.sum(), 0.5)
        )
        return _share(self.true, self.judged, np.broadcast_to(of_class, self.true.shape))


def count_cells(classes: Classes, design: SampledList, verdicts: Reals) -> ClassCells:
    """The cells of a list; ``verdicts`` are what people said, as a number from 0 to 1."""
    shape = design.n_strata, len(classes.names)
    cell = design.stratum.astype(np.int64) * shape[1] + classes.of
    rows = design.rows
    times = design.times[rows].astype(np.float64)
    size = np.bincount(cell, minlength=shape[0] * shape[1])
    judged, true = (
        np.bincount(cell[rows], weights=amount, minlength=len(size)).reshape(shape)
        for amount in (times, times * verdicts[rows])
    )
    return ClassCells(size=size.reshape(shape), judged=judged.astype(np.int64), true=true.astype(np.float64))


def total_chances(cells: ClassCells, *, replacement: bool, lean: float = 0.0) -> Reals:
    """The probability of every number of true ones in the list, by the posterior with Jeffreys's prior.

    ``lean`` moves this share of the prior from false to true ones, or back where it is negative.

    >>> cells = ClassCells(size=np.array([[3, 2]]), judged=np.array([[3, 0]]), true=np.array([[1.0, 0.0]]))
    >>> total_chances(cells, replacement=False).round(3).tolist()
    [0.0, 0.375, 0.25, 0.375, 0.0, 0.0]
    """
    whole = reduce(
        _chances_of_sum,
        (
            np.pad(_left_chances(left, true, false), (so_far, 0))
            for left, true, false, so_far in _posterior(cells, replacement, lean)
        ),
    )
    return np.pad(whole, (0, int(cells.size.sum()) + 1 - len(whole)))


def drawn_totals(cells: Sequence[ClassCells], *, replacement: bool, seed: int, lean: float = 0.0) -> Integers:
    """How many true ones there may be in the list, drawn from the same posterior over several sets of cells.

    The sets, as several ways in which coders might have judged, share the draws.
    """
    rng = np.random.default_rng((seed, 7))
    each = max(1, DRAWS // len(cells))
    return np.concatenate(
        [
            sum(
                so_far + rng.binomial(left, rng.beta(true, false, size=each))
                for left, true, false, so_far in _posterior(one, replacement, lean)
            )
            for one in cells
        ]
    )


def lean_of(cells: ClassCells) -> float:
    """How far the prior leans at the ends: not with the two classes of a judge who says yes or no.

    Each of more classes has few judgements, and a prior in the middle pulls all their shares the same way.
    """
    return LEAN if cells.size.shape[1] > 2 else 0.0


def _posterior(cells: ClassCells, replacement: bool, lean: float) -> list[tuple[int, float, float, int]]:
    """For each cell: how many are not judged, the two counts of the beta distribution, and how many are true so far."""
    strata, classes = cells.size.shape
    prior = min(HALF, 1 / classes) * min(1.0, FEW_STRATA / strata)
    yes, no = prior * (1 + lean), prior * (1 - lean)
    sets = zip(cells.size.ravel(), cells.judged.ravel(), cells.true.ravel(), strict=True)
    return [
        (int(size), true + yes, judged - true + no, 0)
        if replacement
        else (max(int(size - judged), 0), true + yes, judged - true + no, round(true))
        for size, judged, true in sets
    ]


def _left_chances(left: int, true: float, false: float) -> Reals:
    """The beta-binomial distribution of the true ones among those left."""
    k = np.arange(left + 1.0)
    choose = gammaln(left + 1.0) - gammaln(k + 1) - gammaln(left - k + 1)
    return np.asarray(np.exp(choose + betaln(k + true, left - k + false) - betaln(true, false)))


def _chances_of_sum(one: Reals, other: Reals) -> Reals:
    size = len(one) + len(other) - 1
    fast = next_fast_len(size, real=True)
    return np.asarray(np.maximum(irfft(rfft(one, fast) * rfft(other, fast), fast)[:size], 0.0))


def _share(true: Any, judged: Any, otherwise: Any) -> Reals:
    """The share of true ones, or another where nothing was judged."""
    return np.asarray(np.where(np.asarray(judged) > 0, np.asarray(true) / np.maximum(judged, 1), otherwise))
