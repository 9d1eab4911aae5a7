"""All pairs of very many coders in one pass over the items.

Two hundred coders are twenty thousand pairs, each sharing few items: going through the pairs would read
every item twenty thousand times, going through the items meets each shared label once.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from concurrence.agreement.study import Study

Array = NDArray[np.float64]

MANY_PAIRS = 105
"""More pairs than this (15 coders) are worth the compiled kernel."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairTotals:
    """Of every two coders: shared items, agreements, and Cohen's and Scott's expected agreement."""

    items: Array
    agreed: Array
    cohen_expected: Array
    scott_expected: Array

    @property
    def observed(self) -> Array:
        """Percent agreement."""
        return np.divide(self.agreed, self.items, out=np.full_like(self.items, np.nan), where=self.items > 0)

    @property
    def kappas(self) -> Array:
        """Cohen's kappa, NaN where undefined."""
        return _corrected(self.observed, self.cohen_expected)

    @property
    def scott(self) -> Array:
        """Scott's pi, NaN where undefined."""
        return _corrected(self.observed, self.scott_expected)


def many_pairs(study: "Study", weights: Array) -> PairTotals:
    """The totals of all pairs, in the order of ``itertools.combinations``: (..., pairs)."""
    flat = weights.reshape(-1, weights.shape[-1])
    kernel, finish = _compiled()[:2]
    upper = np.triu_indices(study.n_coders, 1)
    rows = []
    for draw in flat:
        items, agreed, habits = kernel(*_sparse(study), draw, study.n_coders, study.n_categories)
        rows.append((items[upper], agreed[upper], *(part[upper] for part in finish(items, habits))))
    shape = (*weights.shape[:-1], len(upper[0]))
    items, agreed, cohen, scott = (np.array(part).reshape(shape) for part in zip(*rows, strict=True))
    return PairTotals(items=items, agreed=agreed, cohen_expected=cohen, scott_expected=scott)


def many_pairs_influence(study: "Study") -> Array:
    """What an item of each pattern adds to the mean of the pairwise kappas."""
    kernel, finish, spread = _compiled()
    sizes = study.n_coders, study.n_categories
    items, agreed, habits = kernel(*_sparse(study), study.weights, *sizes)
    expected = finish(items, habits)[0]
    observed = np.divide(agreed, items, out=np.full_like(items, np.nan), where=items > 0)
    kappas = _corrected(observed, expected)
    known = np.isfinite(kappas) & np.triu(np.ones_like(items, dtype=bool), 1)
    added: Array = spread(*_sparse(study), items, observed, expected, kappas, known, habits)
    return added * study.n_items / known.sum() if known.any() else np.full(len(study.codes), np.nan)


def _corrected(observed: Array, expected: Array) -> Array:
    left = np.where(1 - expected < 1e-13, np.nan, 1 - expected)
    return (observed - expected) / left


def _sparse(study: "Study") -> tuple[Any, Any, Any]:
    """The labels of each pattern one after the other: where they start, by whom, which."""
    matrix = study.coder_labels
    coders, labels = np.divmod(matrix.indices, study.n_categories)
    return matrix.indptr, coders.astype(np.int64), labels.astype(np.int64)


def _compiled() -> tuple[Any, Any, Any]:
    """The compiled functions; imported late, since the compiler takes its time to load."""
    from concurrence.agreement import _pair_loops

    return _pair_loops.count_pairs, _pair_loops.expected_agreement, _pair_loops.spread_influence
