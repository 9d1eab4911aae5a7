"""A study ready for arithmetic: distinct label patterns, how often each was seen, what disagreement weighs.

Every coefficient depends on the data only through sums over items, so whatever is done to the items is a
vector of weights over the patterns: the study itself (``study.weights``), a bootstrap draw (multinomial
counts), a jackknife (one item less), a subset (zeros elsewhere).
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from concurrence.agreement.labels.coefficients.metrics import AgreementWeights, Metric, comparison_of, require_order
from concurrence.agreement.labels.options import AgreeOptions, Convention
from concurrence.core import InvalidInputError, Labels, UndefinedError
from concurrence.core.arrays import Reals
from concurrence.kernels.cross_table import CrossTable
from concurrence.kernels.implicit import ImplicitTable

MANY_CODERS = 15
"""The pairs of more coders than this are worth the compiled kernel."""
_FEW_CELLS = 1 << 16
_MANY_CELLS = 1 << 18
_FEW_CATEGORIES = 64
_SLICE_CELLS = 1 << 22


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelStudy:
    """Patterns (rows) x coders, the number of items with each pattern, and how labels are compared.

    ``convention`` says what weighs equally where numbers of labels differ: ``items`` (Gwet's) or ``pairs``
    of labels. ``agreement_weights`` is ``None`` where only equal labels agree. ``sizes`` is how many labels an item
    of each pattern has; a pattern is ``pairable`` with two of them and ``complete`` with one of every coder;
    ``labelled`` items have a label at all; pairs of ``many_coders`` are found by going through the items. ``cache``
    holds what is computed once for the study's own weights.
    """

    codes: NDArray[Any]
    weights: Reals
    n_categories: int
    metric: Metric
    agreement_weights: AgreementWeights | None = None
    convention: Convention = "items"
    anonymous: bool = False
    n_coders: int = field(init=False)
    n_items: float = field(init=False)
    labelled: float = field(init=False)
    n_pairable: float = field(init=False)
    n_complete: float = field(init=False)
    sizes: Reals = field(init=False)
    label_scale: Reals = field(init=False)
    pairable: NDArray[np.bool_] = field(init=False)
    complete: NDArray[np.bool_] = field(init=False)
    many_coders: bool = field(init=False)
    cache: dict[Any, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        sizes = np.count_nonzero(self.codes >= 0, axis=1).astype(np.float64)
        weigh_alike = np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes > 0)
        derived = {
            "n_coders": int(self.codes.shape[1]),
            "n_items": float(self.weights.sum()),
            "labelled": float(self.weights[sizes >= 1].sum()),
            "n_pairable": float(self.weights[sizes >= 2].sum()),
            "n_complete": float(self.weights[sizes == self.codes.shape[1]].sum()),
            "sizes": sizes,
            "label_scale": np.maximum(sizes - 1, 0.0) if self.convention == "pairs" else weigh_alike,
            "pairable": sizes >= 2,
            "complete": sizes == self.codes.shape[1],
            "many_coders": self.codes.shape[1] > MANY_CODERS,
        }
        for name, entry in derived.items():
            object.__setattr__(self, name, entry)

    @classmethod
    def of(
        cls,
        labels: Labels,
        *,
        metric: Metric | None = None,
        agreement_weights: AgreementWeights | None = None,
        convention: Convention = "items",
        compress: bool = True,
    ) -> "LabelStudy":
        """The study of some labels.

        With ``compress`` the distinct patterns are always found; without it only where that is cheaper than
        leaving every item as it is, which is best where the study is evaluated once.
        """
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

    def only(self, *coders: int) -> "LabelStudy":
        """The study of these coders (columns) alone."""
        return replace(self, codes=self.codes[:, list(coders)])

    def on_shared_items(self) -> "LabelStudy":
        """The study of the items that both of two coders labelled; with more coders, the study itself."""
        if self.n_coders != 2 or self.anonymous or bool(self.complete.all()):
            return self
        return self.with_patterns(self.codes[self.complete], self.weights[self.complete])

    def in_fixed_order(self) -> "LabelStudy":
        """The same study in an order that does not depend on how it was read, so that draws do not either.

        Patterns go by their labels, and more than two coders by how often they gave which.
        """
        several = self.n_coders > 2 and not self.anonymous
        coders = np.lexsort(self.coder_totals(self.weights).T) if several else np.arange(self.n_coders)
        codes = self.codes[:, coders]
        order = np.lexsort(codes.T[::-1])
        return self.with_patterns(codes[order], self.weights[order])

    def with_patterns(self, codes: NDArray[Any], weights: NDArray[Any]) -> "LabelStudy":
        """The study of other patterns under the same comparison."""
        return replace(self, codes=codes, weights=weights.astype(np.float64))

    def under(self, convention: Convention) -> "LabelStudy":
        """The same study under another convention; what was counted is not counted again."""
        other = replace(self, convention=convention)
        other.__dict__.update({name: getattr(self, name) for name in ("cells", "counts", "squares")})
        return other

    @cached_property
    def counts(self) -> Any:
        """Patterns x categories: how often each label was given; sparse where categories are many."""
        shape = (len(self.codes), self.n_categories)
        if self.codes.size > _MANY_CELLS and self.n_categories <= _FEW_CATEGORIES:
            from concurrence.agreement.labels.coefficients._count_loops import (
                count_labels,  # the compiler takes its time
            )

            return count_labels(np.ascontiguousarray(self.codes), self.n_categories)
        rows, _, labels = self.cells
        if shape[0] * shape[1] <= max(_FEW_CELLS, 4 * len(rows)):
            flat = np.bincount(rows * shape[1] + labels, minlength=shape[0] * shape[1])
            return flat.astype(np.float64).reshape(shape)
        return sparse.csr_array((np.ones(len(rows)), (rows, labels)), shape=shape)

    @cached_property
    def cells(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[Any]]:
        """Pattern, coder and label of everything that was said."""
        places = np.flatnonzero(self.codes >= 0)  # much faster than asking for rows and columns
        return *np.divmod(places, self.codes.shape[1]), self.codes.ravel()[places]

    @cached_property
    def squares(self) -> Reals:
        """Sum of the squared label counts of each pattern."""
        if isinstance(self.counts, np.ndarray):
            return np.asarray(np.einsum("pk,pk->p", self.counts, self.counts))
        return np.asarray(self.counts.power(2).sum(axis=1)).ravel()

    @cached_property
    def coder_labels(self) -> Any:
        """Patterns x (coder, category), 1 where the coder gave the label: a sparse matrix."""
        _, columns, labels = self.cells
        cells = columns * self.n_categories + labels
        starts = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)
        shape = (len(self.codes), self.n_coders * self.n_categories)
        return sparse.csr_array((np.ones(len(cells)), cells, starts), shape=shape)

    @cached_property
    def pair_cells(self) -> Any:
        """Patterns x (pair of coders, category, category), 1 where the two gave the two: a sparse matrix."""
        k, rows, cells = self.n_categories, [], []
        for place, (first, second) in enumerate(combinations(range(self.n_coders), 2)):
            both = np.flatnonzero((self.codes[:, first] >= 0) & (self.codes[:, second] >= 0))
            rows.append(both)
            cells.append((place * k + self.codes[both, first].astype(np.int64)) * k + self.codes[both, second])
        row, cell = np.concatenate(rows), np.concatenate(cells)
        return sparse.csr_array((np.ones(len(row)), (row, cell)), shape=(len(self.codes), len(rows) * k * k))

    def cross_table(self, first: int = 0, second: int = 1) -> CrossTable:
        """How often two coders gave which labels to the same item; once for every two."""
        key = ("cross_table", first, second)
        if key not in self.cache:
            columns = self.codes[:, first], self.codes[:, second]
            self.cache[key] = CrossTable.of_codes(*columns, self.weights, self.n_categories)
        table: CrossTable = self.cache[key]
        return table

    def coder_totals(self, weights: Reals) -> Reals:
        """How often each coder gave each label: (..., coders, categories)."""
        totals = weights @ self.coder_labels
        return np.asarray(totals).reshape((*weights.shape[:-1], self.n_coders, self.n_categories))

    def along(self, slope: Reals) -> Reals:
        """The sum of a slope over the labels of each pattern."""
        if isinstance(self.counts, np.ndarray):
            return np.asarray(np.einsum("pk,k->p", self.counts, slope))
        return np.asarray(self.counts @ slope)

    def quadratic_form(self, matrix: Reals | ImplicitTable) -> Reals:
        """``Σ_kl n_k m_kl n_l`` of each pattern, in slices that fit the memory."""
        if isinstance(matrix, ImplicitTable):
            return self._pairs_of_labels(matrix)
        step = max(1, _SLICE_CELLS // max(1, self.n_categories))
        parts = []
        for start in range(0, len(self.codes), step):
            counts = self.counts[start : start + step]
            counts = counts if isinstance(counts, np.ndarray) else counts.toarray()
            parts.append(np.einsum("pk,pk->p", counts @ matrix, counts))
        return np.concatenate(parts) if parts else np.empty(0)

    def _pairs_of_labels(self, table: ImplicitTable) -> Reals:
        """The same by every two labels of a pattern; in the order of the cells they are some places apart."""
        rows, _, labels = self.cells
        sums: Reals = np.bincount(rows, weights=table[labels, labels], minlength=len(self.codes)).astype(np.float64)
        for apart in range(1, int(self.sizes.max(initial=0))):
            one = np.flatnonzero(rows[:-apart] == rows[apart:])
            entries = table[labels[one], labels[one + apart]]
            sums += 2 * np.bincount(rows[one], weights=entries, minlength=len(self.codes))
        return sums


def label_study(labels: Labels, options: AgreeOptions, *, compress: bool = False) -> LabelStudy:
    """The study of some labels under these options; ``compress`` where it will be evaluated many times."""
    if not isinstance(labels, Labels):
        raise InvalidInputError("agree takes Labels; read a file or a frame with concurrence.read_labels first.")
    if labels.n_coders < 2:
        raise UndefinedError("Agreement takes at least two coders, and here there is only one.")
    metric = weights = None
    if options.scale != "nominal" or options.weights is not None or labels.set_separator is not None:
        require_order(labels, scale=options.scale, weights=options.weights)
        metric, weights = comparison_of(labels, options)
    return LabelStudy.of(
        labels, metric=metric, agreement_weights=weights, convention=options.convention, compress=compress
    )


def total(weights: Reals, features: Any) -> Any:
    """Sum features (patterns, ...) over the patterns, each with its weight: (..., ...).

    One vector of weights goes through einsum: the threads of a matrix product cost more than they give here.
    """
    if weights.ndim == 1 and isinstance(features, np.ndarray):
        return np.einsum("p,p...->...", weights, features)
    return weights @ features


def distinct_patterns(
    codes: NDArray[np.signedinteger[Any]], n_categories: int, *, always: bool = True
) -> tuple[NDArray[np.signedinteger[Any]], Reals]:
    """The distinct rows of a table of codes and how many items have each.

    Where a row fits a small whole number, counting these numbers finds the patterns without sorting. Where
    it does not, rows are sorted, unless ``always`` is false: then every item stands for itself.

    >>> patterns, items = distinct_patterns(np.array([[0, 1], [1, 1], [0, 1]]), 2)
    >>> patterns.tolist(), items.tolist()
    ([[0, 1], [1, 1]], [2.0, 1.0])
    """
    base, n_coders = n_categories + 1, codes.shape[1]
    space = base**n_coders
    few = space <= max(_FEW_CELLS, 2 * len(codes))
    if not few and not always:
        return codes, np.ones(len(codes))
    if space >= 2**62:
        rows, counts = np.unique(codes, axis=0, return_counts=True)
        return rows, counts.astype(np.float64)
    # each row as one number, its labels the digits, missing the digit 0
    numbers = np.full(len(codes), sum(base**place for place in range(n_coders)), dtype=np.intp)
    for place, column in enumerate(codes.T[::-1]):
        numbers += column if place == 0 else np.multiply(column, base**place, dtype=np.intp)
    if few:
        counts = np.bincount(numbers, minlength=1)
        numbers = np.flatnonzero(counts)
        counts = counts[numbers]
    else:
        numbers, counts = np.unique(numbers, return_counts=True)
    places = base ** np.arange(n_coders - 1, -1, -1, dtype=np.intp)
    return (numbers[:, None] // places % base - 1).astype(codes.dtype), counts.astype(np.float64)
