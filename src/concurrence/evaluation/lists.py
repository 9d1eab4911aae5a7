"""Counting in n-best lists: how many candidates, how many judged, how many true, for every n at once.

Where n cuts a run of equal scores, which of the run are in the list is arbitrary. Over all orders of the run each of
them is in it equally often, with the same share; the counts are the means over all orders, and need not be whole.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.core.rankings import Ranking
from concurrence.evaluation.design import Design
from concurrence.evaluation.judgements import YES, Judgements

Counts = NDArray[np.int64]
Numbers = NDArray[Any]
"""Whole counts, or means of counts."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """Counts in sets of candidates: the last axis is the stratum, the one before is the list size."""

    size: Numbers
    sampled: Numbers
    true: Numbers

    def __getitem__(self, rows: slice) -> "Cells":
        return Cells(size=self.size[rows], sampled=self.sampled[rows], true=self.true[rows])

    def __sub__(self, other: "Cells") -> "Cells":
        return Cells(size=self.size - other.size, sampled=self.sampled - other.sampled, true=self.true - other.true)

    def __add__(self, other: "Cells") -> "Cells":
        return Cells(size=self.size + other.size, sampled=self.sampled + other.sampled, true=self.true + other.true)

    def times(self, share: NDArray[np.float64]) -> "Cells":
        """The counts of each list, multiplied by its share."""
        by = share[:, None]
        return Cells(size=self.size * by, sampled=self.sampled * by, true=self.true * by)

    @property
    def totals(self) -> tuple[Numbers, Numbers, Numbers]:
        """Size, judged and true over all strata."""
        return self.size.sum(axis=-1), self.sampled.sum(axis=-1), self.true.sum(axis=-1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cuts:
    """For each n the largest list up to it and the smallest from it on that no tie makes arbitrary.

    ``share`` says how much of the run between them belongs to the n-best list; 0 where n cuts no run.
    """

    inner: Counts
    outer: Counts
    share: NDArray[np.float64]

    @property
    def any(self) -> bool:
        return bool((self.inner < self.outer).any())


def cuts(n: Counts, run_ends: Counts) -> Cuts:
    """Where list sizes cut runs of equal scores.

    >>> found = cuts(np.array([1, 2, 4]), np.array([1, 4, 4, 4]))
    >>> found.inner.tolist(), found.outer.tolist(), found.share.round(2).tolist()
    ([1, 1, 4], [1, 4, 4], [0.0, 0.33, 0.0])
    """
    outer = run_ends[n - 1]
    inner = np.where(outer == n, n, np.searchsorted(run_ends, outer))
    return Cuts(inner=inner, outer=outer, share=(n - inner) / np.maximum(outer - inner, 1))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counter:
    """Counts candidates of nested lists; made once per evaluation."""

    n: Counts
    design: Design
    judgements: Judgements

    def best(self, ranking: Ranking) -> Cells:
        """The n-best lists."""
        at = cuts(self.n, ranking.run_ends)
        inner = self._list(ranking, at.inner)
        return inner + (self._list(ranking, at.outer) - inner).times(at.share) if at.any else inner

    def difference(self, first: Ranking, second: Ranking) -> Cells:
        """The candidates in the first n-best list that are not in the second.

        Where ties are cut, a candidate counts for as much as it is in the first list more often than in the second.
        """
        a, b = cuts(self.n, first.run_ends), cuts(self.n, second.run_ends)
        if not (a.any or b.any):
            return self._without(first, self.n, second, self.n)
        sure = self._without(first, a.inner, second, b.outer)
        in_run_of_second = self._without(first, a.inner, second, b.inner) - sure
        in_run_of_first = self._without(first, a.outer, second, b.outer) - sure
        in_both_runs = self._without(first, a.outer, second, b.inner) - sure - in_run_of_second - in_run_of_first
        return (
            sure
            + in_run_of_second.times(1 - b.share)
            + in_run_of_first.times(a.share)
            + in_both_runs.times(np.maximum(a.share - b.share, 0))
        )

    def sums(self, ranking: Ranking, amount: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum of an amount over each n-best list and stratum."""
        at = cuts(self.n, ranking.run_ends)
        never = np.full(len(amount), len(self.n))
        inner, outer = (
            self._sum(np.searchsorted(sizes, ranking.ranks), never, amount) for sizes in (at.inner, at.outer)
        )
        return inner + at.share[:, None] * (outer - inner)

    def whole(self) -> Cells:
        size = len(self.judgements.verdicts)
        every = Ranking.untied(np.arange(1, size + 1))
        return Counter(n=np.array([size]), design=self.design, judgements=self.judgements).best(every)

    def _list(self, ranking: Ranking, sizes: Counts) -> Cells:
        return self._cells(np.searchsorted(sizes, ranking.ranks), np.full(len(ranking.ranks), len(sizes)))

    def _without(self, first: Ranking, sizes: Counts, second: Ranking, other: Counts) -> Cells:
        """The candidates in lists of the first that are not in those of the second; sizes grow along both."""
        enters, leaves = np.searchsorted(sizes, first.ranks), np.searchsorted(other, second.ranks)
        return self._cells(enters, np.maximum(enters, leaves))

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
