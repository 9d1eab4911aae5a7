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
    """Of every two coders: shared items, agreements, Cohen's and Scott's expected agreement, and Cohen's kappa.

    ``added`` is the sum over the pairs of what an item of each pattern adds to their kappas, per shared item.
    """

    items: Array
    agreed: Array
    cohen_expected: Array
    scott_expected: Array
    kappas: Array
    added: Array

    @property
    def observed(self) -> Array:
        """Percent agreement."""
        return np.divide(self.agreed, self.items, out=np.full_like(self.items, np.nan), where=self.items > 0)

    @property
    def scott(self) -> Array:
        """Scott's pi, NaN where undefined."""
        left = np.where(1 - self.scott_expected < 1e-13, np.nan, 1 - self.scott_expected)
        return (self.observed - self.scott_expected) / left


def many_pairs(study: "Study", weights: Array) -> PairTotals:
    """The totals of all pairs, in the order of ``itertools.combinations``: (..., pairs)."""
    if weights is study.weights:
        return study.every_pair
    return pair_totals(study, weights)


def pair_totals(study: "Study", weights: Array) -> PairTotals:
    """The totals of all pairs under some weights of the patterns."""
    from concurrence.agreement._pair_loops import compare_pairs  # late, since the compiler takes its time to load

    upper = np.triu_indices(study.n_coders, 1)
    listed = _listed(study)
    flat = weights.reshape(-1, weights.shape[-1])
    results = [compare_pairs(*listed, draw, study.n_categories) for draw in flat]
    counts = np.array([counts[:, *upper] for counts, _ in results])
    parts = [part.reshape((*weights.shape[:-1], len(upper[0]))) for part in counts.transpose(1, 0, 2)]
    added = np.array([added for _, added in results]).reshape(weights.shape)
    items, agreed, cohen, scott, kappas = parts
    return PairTotals(
        items=items, agreed=agreed, cohen_expected=cohen, scott_expected=scott, kappas=kappas, added=added
    )


def many_pairs_influence(study: "Study") -> Array:
    """What an item of each pattern adds to the mean of the pairwise kappas."""
    totals = study.every_pair
    known = int(np.isfinite(totals.kappas).sum())
    return totals.added * study.n_items / known if known else np.full(len(study.codes), np.nan)


def _listed(study: "Study") -> tuple[Any, ...]:
    """The labels of each pattern one after the other (where they start, by whom, which, whose), and coder by coder."""
    matrix = study.coder_labels
    coders, labels = np.divmod(matrix.indices, study.n_categories)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    places = np.argsort(coders, kind="stable")
    ends = np.cumsum(np.bincount(coders, minlength=study.n_coders))
    return matrix.indptr, coders.astype(np.int64), labels.astype(np.int64), rows, places, ends
