"""Counting in n-best lists: how many candidates, how many judged, how many true, for every n at once.

Where n cuts a run of equal scores, which of the run are in the list is arbitrary. Over all orders of the run each of
them is in it equally often, with the same share; the counts are the means over all orders, and need not be whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from concurrence.core.arrays import Integers, Numbers, Reals
from concurrence.core.designs import has_whole_lists
from concurrence.core.errors import InvalidInputError
from concurrence.core.judgements import YES, Judgements
from concurrence.kernels.estimates import StratumCounts
from concurrence.kernels.ranking import Cuts, Ranking
from concurrence.kernels.strata import SampledList

STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500, 5000, 10_000)
POINTS = 150
FIRST = 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lists:
    """The n-best lists of one ranking: in which each candidate is, and what they hold; made once per ranking."""

    ranking: Ranking
    at: Cuts
    inner: Numbers
    outer: Numbers
    in_inner: StratumCounts
    in_outer: StratumCounts


@dataclass(frozen=True, kw_only=True, eq=False)
class Counter:
    """Counts candidates of nested lists; made once per evaluation.

    Sizes are counted over all candidates; what is judged and true, over the judged ones alone.
    """

    n: Integers
    design: SampledList
    judgements: Judgements
    _lists: dict[int, Lists] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def _judged(self) -> tuple[Integers, Integers, Integers]:
        """The judged candidates, how often each was judged, and found true."""
        rows = self.design.rows[self.design.stratum[self.design.rows] >= 0]
        times = self.design.times[rows]
        return rows, times, times * (self.judgements.verdicts[rows] == YES)

    def lists(self, ranking: Ranking) -> Lists:
        """The lists of a ranking."""
        if id(ranking) not in self._lists:  # the lists hold their ranking, so that its number stays its own
            at = ranking.cuts(self.n)
            inner, outer = ranking.levels(at.inner, at.outer) if at.some else ranking.levels(self.n) * 2
            inside = self._members(inner)
            more = self._members(outer) if at.some else inside
            self._lists[id(ranking)] = Lists(
                ranking=ranking, at=at, inner=inner, outer=outer, in_inner=inside, in_outer=more
            )
        return self._lists[id(ranking)]

    def best(self, ranking: Ranking) -> StratumCounts:
        """The n-best lists."""
        lists = self.lists(ranking)
        inner = lists.in_inner
        return inner + (lists.in_outer - inner).times(lists.at.share) if lists.at.some else inner

    def difference(self, first: Ranking, second: Ranking) -> StratumCounts:
        """The candidates in the first n-best list that are not in the second."""
        return self.differences(first, second)[0]

    def differences(self, first: Ranking, second: Ranking) -> tuple[StratumCounts, StratumCounts]:
        """The candidates in the first n-best list that are not in the second, and the other way round.

        Where ties are cut, a candidate counts for as much as it is in the first list more often than in the second.
        """
        a, b = self.lists(first), self.lists(second)
        both = self._members(np.maximum(a.inner, b.inner))
        if not (a.at.some or b.at.some):
            return a.in_inner - both, b.in_inner - both
        wide = self._members(np.maximum(a.outer, b.outer))
        one, two = (self._members(np.maximum(*pair)) for pair in ((a.inner, b.outer), (a.outer, b.inner)))
        return _tied_difference(a, b, both, one, two, wide), _tied_difference(b, a, both, two, one, wide)

    def sums(self, ranking: Ranking, amount: Reals) -> Reals:
        """The sum of an amount over each n-best list and stratum."""
        lists = self.lists(ranking)
        rows = np.flatnonzero((amount != 0) & (self.design.stratum >= 0))
        inner, outer = (self._sum(levels[rows], rows, amount[rows]) for levels in (lists.inner, lists.outer))
        return inner + lists.at.share[:, None] * (outer - inner)

    def whole(self) -> StratumCounts:
        """All candidates as one list."""
        size = len(self.design.stratum)
        one = Counter(n=np.array([size]), design=self.design, judgements=self.judgements)
        return one._members(np.zeros(size, dtype=np.uint16))

    def _members(self, levels: Numbers) -> StratumCounts:
        """The candidates from the list on that each enters."""
        rows, times, true = self._judged
        sampled, hits = (np.rint(self._sum(levels[rows], rows, part)).astype(np.int64) for part in (times, true))
        lists, strata = len(self.n), self.design.n_strata
        if strata == 1 and self.design.whole_list:
            sizes = np.bincount(levels, minlength=lists + 1)[:lists].cumsum()[:, None]
        else:
            inside = np.flatnonzero((levels < lists) & (self.design.stratum >= 0))
            cells = levels[inside].astype(np.int64) * strata + self.design.stratum[inside]
            sizes = np.bincount(cells, minlength=lists * strata).reshape(lists, strata).cumsum(axis=0)
        return StratumCounts(size=np.asarray(sizes), sampled=sampled, true=hits)

    def _sum(self, levels: Numbers, rows: Integers, amount: Numbers) -> Reals:
        """Sum amounts of some candidates per list and stratum, each a member from the list on that it enters."""
        lists, strata = len(self.n), self.design.n_strata
        cells = levels.astype(np.int64) * strata + self.design.stratum[rows]
        gained = np.bincount(cells, weights=amount, minlength=(lists + 1) * strata)
        return np.asarray(gained.reshape(lists + 1, strata)[:lists].cumsum(axis=0))


def _tied_difference(
    a: Lists, b: Lists, both: StratumCounts, inner_outer: StratumCounts, outer_inner: StratumCounts, wide: StratumCounts
) -> StratumCounts:
    """The lists of a without those of b, from what the smallest and the largest lists of both share."""
    sure = a.in_inner - inner_outer
    in_run_of_second = (a.in_inner - both) - sure
    in_run_of_first = (a.in_outer - wide) - sure
    in_both_runs = (a.in_outer - outer_inner) - sure - in_run_of_second - in_run_of_first
    return (
        sure
        + in_run_of_second.times(1 - b.at.share)
        + in_run_of_first.times(a.at.share)
        + in_both_runs.times(np.maximum(a.at.share - b.at.share, 0))
    )


def evaluated_sizes(
    n: Sequence[int] | None, rankings: Mapping[str, Ranking], design: SampledList, extra: Sequence[int], limit: int
) -> Integers:
    """The list sizes to look at: ``n``, or a grid of about 150, with the sizes of filters and thresholds."""
    if not has_whole_lists(design.kind):
        return np.array([limit], dtype=np.int64)
    # The largest list of each ranking that lies inside of what was sampled from.
    largest = {
        name: min(limit, len(one) if design.whole_list else one.first_rank(design.stratum < 0) - 1)
        for name, one in rankings.items()
    }
    reach = min(largest.values())
    grid = _grid(reach) if n is None else n
    sizes = np.unique(np.array([*grid, *extra], dtype=np.int64))
    if not sizes.size or sizes[0] < 1:
        raise InvalidInputError("List sizes must be whole numbers from 1 on.")
    if sizes[-1] > len(design.stratum):
        raise InvalidInputError(f"n = {sizes[-1]} is beyond the list, which has {len(design.stratum)} candidates.")
    if sizes[-1] > reach:
        short = min(largest, key=lambda name: largest[name])
        raise InvalidInputError(
            f"n = {sizes[-1]} is beyond what the {design.kind} sample was drawn for: "
            f"the lists of {short} are covered up to n = {largest[short]}."
        )
    return sizes


def _grid(reach: int) -> list[int]:
    step = next((step for step in STEPS if reach / step <= POINTS), STEPS[-1])
    start = FIRST if reach >= 2 * FIRST else step
    sizes = [size for size in range(step, reach + 1, step) if size >= start]
    return sizes or [reach]
