"""All pairs of very many coders in one pass over the items.

Two hundred coders are twenty thousand pairs, each sharing few items: going through the pairs would read
every item twenty thousand times, going through the items meets each shared label once.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from concurrence.kernels.chance import corrected

if TYPE_CHECKING:
    from concurrence.agreement.coefficients.study import Study

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
        return corrected(self.observed, self.cohen_expected)

    @property
    def scott(self) -> Array:
        """Scott's pi, NaN where undefined."""
        return corrected(self.observed, self.scott_expected)


def many_pairs(study: "Study", weights: Array) -> PairTotals:
    """The totals of all pairs, in the order of ``itertools.combinations``: (..., pairs)."""
    upper = np.triu_indices(study.n_coders, 1)
    rows = [[part[upper] for part in _counted(study, draw)[:4]] for draw in _draws(study, weights)]
    shape = (*weights.shape[:-1], len(upper[0]))
    items, agreed, cohen, scott = (np.array(part).reshape(shape) for part in zip(*rows, strict=True))
    return PairTotals(items=items, agreed=agreed, cohen_expected=cohen, scott_expected=scott)


def many_pairs_influence(study: "Study") -> Array:
    """What an item of each pattern adds to the mean of the pairwise kappas."""
    added: Array = _counted(study, study.weights)[4]
    known = int(np.isfinite(many_pairs(study, study.weights).kappas).sum())
    return added * study.n_items / known if known else np.full(len(study.codes), np.nan)


def _draws(study: "Study", weights: Array) -> list[Array]:
    """One vector of weights after the other; the study's own stays itself."""
    return [weights] if weights is study.weights else list(weights.reshape(-1, weights.shape[-1]))


def _counted(study: "Study", weights: Array) -> tuple[Array, ...]:
    """Shared items, agreements, expected agreements, influence; once for the study itself."""
    from concurrence.agreement.coefficients._pair_loops import all_pairs  # the compiler takes its time to load

    own = weights is study.weights
    if own and "pairs" in study.known:
        known: tuple[Array, ...] = study.known["pairs"]
        return known
    totals: tuple[Array, ...] = all_pairs(*_sparse(study), weights, study.n_coders, study.n_categories, own)
    if own:
        study.known["pairs"] = totals
    return totals


def _sparse(study: "Study") -> tuple[Any, Any, Any]:
    """The labels of each pattern one after the other: where they start, by whom, which."""
    matrix = study.coder_labels
    coders, labels = np.divmod(matrix.indices, study.n_categories)
    return matrix.indptr, coders.astype(np.int64), labels.astype(np.int64)
