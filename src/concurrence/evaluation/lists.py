"""Counting in n-best lists: how many candidates, how many judged, how many true, for every n at once."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.evaluation.design import Design
from concurrence.evaluation.judgements import YES, Judgements

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """Counts in sets of candidates: the last axis is the stratum, the one before is the list size."""

    size: Counts
    sampled: Counts
    true: Counts

    def __getitem__(self, rows: slice) -> "Cells":
        return Cells(size=self.size[rows], sampled=self.sampled[rows], true=self.true[rows])

    def __sub__(self, other: "Cells") -> "Cells":
        return Cells(size=self.size - other.size, sampled=self.sampled - other.sampled, true=self.true - other.true)

    @property
    def totals(self) -> tuple[Counts, Counts, Counts]:
        """Size, judged and true over all strata."""
        return self.size.sum(axis=-1), self.sampled.sum(axis=-1), self.true.sum(axis=-1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counter:
    """Counts candidates of nested lists; made once per evaluation."""

    n: Counts
    design: Design
    judgements: Judgements

    def best(self, ranks: Counts) -> Cells:
        enters = np.searchsorted(self.n, ranks)
        return self._cells(enters, np.full(len(ranks), len(self.n)))

    def difference(self, first: Counts, second: Counts) -> Cells:
        """The candidates in the first n-best list that are not in the second."""
        enters, leaves = np.searchsorted(self.n, first), np.searchsorted(self.n, second)
        return self._cells(enters, np.maximum(enters, leaves))

    def sums(self, ranks: Counts, amount: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum of an amount over each n-best list and stratum."""
        enters = np.searchsorted(self.n, ranks)
        return self._sum(enters, np.full(len(ranks), len(self.n)), amount)

    def whole(self) -> Cells:
        size = len(self.judgements.verdicts)
        return Counter(n=np.array([size]), design=self.design, judgements=self.judgements).best(np.arange(1, size + 1))

    def _cells(self, enters: Counts, leaves: Counts) -> Cells:
        times = self.design.times
        true = times * (self.judgements.verdicts == YES)
        return Cells(
            size=self._count(enters, leaves, np.ones(len(times), dtype=np.int64)),
            sampled=self._count(enters, leaves, times),
            true=self._count(enters, leaves, true),
        )

    def _count(self, enters: Counts, leaves: Counts, amount: Counts) -> Counts:
        return np.rint(self._sum(enters, leaves, amount)).astype(np.int64)

    def _sum(self, enters: Counts, leaves: Counts, amount: NDArray[Any]) -> NDArray[np.float64]:
        """Sum amounts per list and stratum, a candidate being a member from one list size up to another."""
        strata, lists = self.design.n_strata, len(self.n)
        here = (self.design.stratum >= 0) & (amount != 0) & (enters < leaves)
        stratum, weight = self.design.stratum[here], amount[here]
        cells = (lists + 1) * strata
        gained = np.bincount(enters[here] * strata + stratum, weights=weight, minlength=cells)
        lost = np.bincount(leaves[here] * strata + stratum, weights=weight, minlength=cells)
        return (gained - lost).reshape(lists + 1, strata)[:lists].cumsum(axis=0)
