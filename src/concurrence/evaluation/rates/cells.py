"""Cells of a list, by stratum and by what the judges said: counts, and how many true ones each may hold."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.evaluation.design import Design
from concurrence.evaluation.rates.judges import Classes

Reals = NDArray[np.float64]
Whole = NDArray[np.int64]

DRAWS = 20_000
HALF = 0.5
"""Jeffreys's prior: half a judgement of each kind; with more than two classes, one judgement for all of them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassCells:
    """Strata x classes: candidates, judgements, true ones among them."""

    size: Whole
    judged: Whole
    true: Reals

    def with_true(self, true: Reals) -> "ClassCells":
        return ClassCells(size=self.size, judged=self.judged, true=true)

    @property
    def shares(self) -> Reals:
        """The share of true ones in each cell, by those of the class, or of all, where nothing was judged."""
        of_class = _share(
            self.true.sum(axis=0), self.judged.sum(axis=0), _share(self.true.sum(), self.judged.sum(), 0.5)
        )
        return _share(self.true, self.judged, np.broadcast_to(of_class, self.true.shape))


def count_cells(classes: Classes, design: Design, verdicts: Reals) -> ClassCells:
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


def drawn_totals(cells: Iterator[ClassCells] | list[ClassCells], *, replacement: bool, seed: int) -> NDArray[np.int64]:
    """True ones in each cell as they may be (draws x strata x classes), by the posterior with Jeffreys's prior.

    Several sets of cells, as several ways in which coders might have judged, share the draws.
    """
    given = list(cells)
    rng = np.random.default_rng((seed, 7))
    each = max(1, DRAWS // len(given))
    parts = []
    for one in given:
        prior = min(HALF, 1 / one.size.shape[1])
        true, false = one.true + prior, one.judged - one.true + prior
        chance = rng.beta(true, false, size=(each, *one.size.shape))
        if replacement:
            parts.append(rng.binomial(one.size, chance))
        else:
            left = np.maximum(one.size - one.judged, 0)
            parts.append(np.rint(one.true).astype(np.int64) + rng.binomial(left, chance))
    return np.concatenate(parts)


def _share(true: Any, judged: Any, otherwise: Any) -> Reals:
    """The share of true ones, or another where nothing was judged."""
    return np.asarray(np.where(np.asarray(judged) > 0, np.asarray(true) / np.maximum(judged, 1), otherwise))
