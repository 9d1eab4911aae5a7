"""A study ready for arithmetic: distinct label patterns, how often each was seen, what disagreement weighs.

Every coefficient depends on the data only through sums over items, so whatever is done to the items is a
vector of weights over the patterns: the study itself (``study.weights``), a bootstrap draw (multinomial
counts), a jackknife (one item less), a subset (zeros elsewhere).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from itertools import combinations
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from concurrence.agreement.metrics import AgreementWeights, Metric
from concurrence.agreement.patterns import distinct_patterns
from concurrence.core import InvalidInputError, Labels

Array = NDArray[np.float64]
Convention = Literal["items", "pairs"]

Answer = TypeVar("Answer")

_FEW_CELLS = 1 << 16
_MANY_CELLS = 1 << 18
_FEW_CATEGORIES = 64
_SLICE_CELLS = 1 << 22


@dataclass(frozen=True, kw_only=True, eq=False)
class Study:
    """Patterns (rows) x coders, the number of items with each pattern, and how labels are compared.

    ``convention`` says what weighs equally where numbers of labels differ: ``items`` (Gwet's) or ``pairs``
    of labels. ``agreement_weights`` is ``None`` where only equal labels agree.
    """

    codes: NDArray[Any]
    weights: Array
    n_categories: int
    metric: Metric
    agreement_weights: AgreementWeights | None = None
    convention: Convention = "items"
    anonymous: bool = False

    @classmethod
    def of(
        cls,
        labels: Labels,
        *,
        metric: Metric | None = None,
        agreement_weights: AgreementWeights | None = None,
        convention: Convention = "items",
        compress: bool = True,
    ) -> "Study":
        """The study of some labels.

        With ``compress`` the distinct patterns are always found; without it only where that is cheaper than
        leaving every item as it is, which is best where the study is evaluated once.
        """
        if convention not in ("items", "pairs"):
            raise InvalidInputError(f"The convention is 'items' or 'pairs', not {convention!r}.")
        codes, weights = distinct_patterns(labels.codes, len(labels.categories), always=compress)
        return cls(
            codes=codes,
            weights=weights,
            n_categories=len(labels.categories),
            metric=metric or Metric(kind="nominal", title="nominal metric"),
            agreement_weights=agreement_weights,
            convention=convention,
            anonymous=labels.anonymous,
        )

    def only(self, *coders: int) -> "Study":
        """The study of these coders (columns) alone."""
        return replace(self, codes=self.codes[:, list(coders)])

    @property
    def n_coders(self) -> int:
        """How many coders there are."""
        return int(self.codes.shape[1])

    @cached_property
    def labelled(self) -> float:
        """How many items have a label at all."""
        return float(self.weights[self.sizes >= 1].sum())

    @cached_property
    def n_items(self) -> float:
        """How many items there are, labelled or not."""
        return float(self.weights.sum())

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Where there is a label."""
        return self.codes >= 0

    @cached_property
    def complete(self) -> NDArray[np.bool_]:
        """Whether every coder labelled items of the pattern."""
        return np.asarray(self.sizes == self.n_coders)

    @cached_property
    def sizes(self) -> Array:
        """How many labels an item of each pattern has."""
        if self._counted is not None:
            return self._counted[1]
        return np.asarray(self.present.sum(axis=1), dtype=np.float64)

    @cached_property
    def pairable(self) -> NDArray[np.bool_]:
        """Whether an item of the pattern has at least two labels."""
        return self.sizes >= 2

    @cached_property
    def counts(self) -> Any:
        """Patterns x categories: how often each label was given; sparse where categories are many."""
        if self._counted is not None:
            return self._counted[0]
        shape = (len(self.codes), self.n_categories)
        rows, _, labels = self.cells
        if shape[0] * shape[1] <= max(_FEW_CELLS, 4 * len(rows)):
            flat = np.bincount(rows * shape[1] + labels, minlength=shape[0] * shape[1])
            return flat.astype(np.float64).reshape(shape)
        return sparse.csr_array((np.ones(len(rows)), (rows, labels)), shape=shape)

    @cached_property
    def cells(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[Any]]:
        """Pattern, coder and label of everything that was said."""
        rows, columns = np.nonzero(self.present)
        return rows, columns, self.codes[rows, columns]

    @cached_property
    def _counted(self) -> tuple[Array, Array, Array] | None:
        """Counts, sizes and squares in one compiled pass, where there is much to count into few categories."""
        many = self.codes.size > _MANY_CELLS and self.n_categories <= _FEW_CATEGORIES
        if not many:
            return None
        from concurrence.agreement._count_loops import count_labels

        counted: tuple[Array, Array, Array] = count_labels(np.ascontiguousarray(self.codes), self.n_categories)
        return counted

    @cached_property
    def known(self) -> dict[Any, Any]:
        """What functions marked ``once_per_study`` have found of the study itself."""
        return {}

    @cached_property
    def coder_labels(self) -> Any:
        """Patterns x (coder, category), 1 where the coder gave the label: a sparse matrix."""
        _, columns, labels = self.cells
        cells = columns * self.n_categories + labels
        starts = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)
        shape = (len(self.codes), self.n_coders * self.n_categories)
        return sparse.csr_array((np.ones(len(cells)), cells, starts), shape=shape)

    def confusion(self, first: int = 0, second: int = 1) -> NDArray[np.int64]:
        """How often two coders gave which labels to the same item; rows the first coder."""
        k = self.n_categories
        one, two = self.codes[:, first], self.codes[:, second]
        both = (one >= 0) & (two >= 0)
        cells = one[both].astype(np.int64) * k + two[both]
        counted = np.bincount(cells, weights=self.weights[both], minlength=k * k)
        return counted.astype(np.int64).reshape(k, k)

    @cached_property
    def _pair_cells(self) -> Any:
        """Patterns x (pair of coders, category, category), 1 where the two gave the two: a sparse matrix."""
        k, rows, cells = self.n_categories, [], []
        for place, (first, second) in enumerate(combinations(range(self.n_coders), 2)):
            both = np.flatnonzero(self.present[:, first] & self.present[:, second])
            rows.append(both)
            cells.append((place * k + self.codes[both, first].astype(np.int64)) * k + self.codes[both, second])
        row, cell = np.concatenate(rows), np.concatenate(cells)
        shape = (len(self.codes), len(rows) * k * k)
        return sparse.csr_array((np.ones(len(row)), (row, cell)), shape=shape)

    def pair_tables(self, weights: Array) -> Array:
        """The contingency tables of every two coders: (..., pairs, categories, categories)."""
        flat = np.asarray(weights @ self._pair_cells)
        return flat.reshape((*weights.shape[:-1], -1, self.n_categories, self.n_categories))

    def coder_totals(self, weights: Array) -> Array:
        """How often each coder gave each label: (..., coders, categories)."""
        totals = weights @ self.coder_labels
        return np.asarray(totals).reshape((*weights.shape[:-1], self.n_coders, self.n_categories))

    @cached_property
    def squares(self) -> Array:
        """Sum of the squared label counts of each pattern."""
        if self._counted is not None:
            return self._counted[2]
        if isinstance(self.counts, np.ndarray):
            return np.asarray(np.einsum("pk,pk->p", self.counts, self.counts))
        return np.asarray(self.counts.power(2).sum(axis=1)).ravel()

    def along(self, slope: Array) -> Array:
        """The sum of a slope over the labels of each pattern."""
        if isinstance(self.counts, np.ndarray):
            return np.asarray(np.einsum("pk,k->p", self.counts, slope))
        return np.asarray(self.counts @ slope)

    def quadratic_form(self, matrix: Array) -> Array:
        """``Σ_kl n_k m_kl n_l`` of each pattern, in slices that fit the memory."""
        step = max(1, _SLICE_CELLS // max(1, self.n_categories))
        parts = []
        for start in range(0, len(self.codes), step):
            counts = self.counts[start : start + step]
            counts = counts if isinstance(counts, np.ndarray) else counts.toarray()
            parts.append(np.einsum("pk,pk->p", counts @ matrix, counts))
        return np.concatenate(parts) if parts else np.empty(0)


def once_per_study(function: Callable[[Study, Array], Answer]) -> Callable[[Study, Array], Answer]:
    """Compute a function of the study's own weights once; other weights are computed as they come."""

    @wraps(function)
    def remembering(study: Study, weights: Array) -> Answer:
        if weights is not study.weights:
            return function(study, weights)
        if function not in study.known:
            study.known[function] = function(study, weights)
        answer: Answer = study.known[function]
        return answer

    return remembering


def total(weights: Array, features: Any) -> Any:
    """Sum features (patterns, ...) over the patterns, each with its weight: (..., ...).

    One vector of weights goes through einsum: the threads of a matrix product cost more than they give here.
    """
    if weights.ndim == 1 and isinstance(features, np.ndarray):
        return np.einsum("p,p...->...", weights, features)
    return weights @ features
