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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairTotals:
    """Of every two coders who share an item: who they are, shared items, agreements, expected agreement.

    Pairs stand in the order of ``itertools.combinations``; ``expected`` is Cohen's and Scott's.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
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
    """The totals of all pairs that share an item: (..., pairs)."""
    rows = [_counted(study, draw) for draw in _draws(study, weights)]
    first, second = rows[0][:2]
    shape = (*weights.shape[:-1], len(first))
    columns = zip(*(row[2:6] for row in rows), strict=True)
    items, agreed, cohen, scott = (np.array(part).reshape(shape) for part in columns)
    return PairTotals(
        first=first, second=second, items=items, agreed=agreed, cohen_expected=cohen, scott_expected=scott
    )


def pair_confusions(study: "Study") -> NDArray[np.int64]:
    """The confusion tables of all pairs that share an item: (pairs, categories, categories), by neighbours at distance.

    The labels of an item stand one after the other in the order of the coders, so two of them are some places apart.
    """
    first, second = _counted(study, study.weights)[:2]
    keys, k = first * study.n_coders + second, study.n_categories
    rows, coders, labels = study.cells
    tables = np.zeros(len(keys) * k * k)
    for apart in range(1, int(study.sizes.max(initial=0))):
        one = np.flatnonzero(rows[:-apart] == rows[apart:])
        two = one + apart
        pair = np.searchsorted(keys, coders[one] * study.n_coders + coders[two])
        cells = (pair * k + labels[one]) * k + labels[two]
        tables += np.bincount(cells, weights=study.weights[rows[one]], minlength=len(tables))
    return tables.astype(np.int64).reshape(-1, k, k)


def many_pairs_influence(study: "Study") -> Array:
    """What an item of each pattern adds to the mean of the pairwise kappas."""
    added: Array = _counted(study, study.weights)[6]
    known = int(np.isfinite(many_pairs(study, study.weights).kappas).sum())
    return added * study.n_items / known if known else np.full(len(study.codes), np.nan)


def _draws(study: "Study", weights: Array) -> list[Array]:
    """One vector of weights after the other; the study's own stays itself."""
    return [weights] if weights is study.weights else list(weights.reshape(-1, weights.shape[-1]))


def _counted(study: "Study", weights: Array) -> tuple[Any, ...]:
    """Both coders, shared items, agreements, expected agreements, influence; once for the study itself."""
    from concurrence.agreement.coefficients._pair_loops import all_pairs  # the compiler takes its time to load

    own = weights is study.weights
    if own and "pairs" in study.known:
        known: tuple[Any, ...] = study.known["pairs"]
        return known
    totals: tuple[Any, ...] = all_pairs(*_sparse(study), weights, study.n_coders, study.n_categories, own)
    if own:
        study.known["pairs"] = totals
    return totals


def _sparse(study: "Study") -> tuple[Any, Any, Any]:
    """The labels of each pattern one after the other: where they start, by whom, which."""
    matrix = study.coder_labels
    coders, labels = np.divmod(matrix.indices, study.n_categories)
    return matrix.indptr, coders.astype(np.int64), labels.astype(np.int64)
