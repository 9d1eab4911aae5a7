"""Orders of long lists: ranks are made only where they are needed.

Most questions about a ranking need its scores and one sort of them: where a list size cuts a run of equal scores, and
in which of some lists a candidate is. How ties were broken matters only where they are not averaged over, so the order
of the keys, which takes longer than all the rest, is made when it is asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.rankings import Levels, Ranks
from concurrence.kernels.digits import round_scores

Reals = NDArray[np.float64]
Rows = NDArray[np.int64]

BITS = 63  # of a packed key
PLACE = "row of the list"
ROWS_AT_ONCE = 1 << 20
SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


def key_order(keys: pl.DataFrame) -> NDArray[np.int64]:
    """The positions that sort candidates by their key, text by code point."""
    packed = _packed(keys)
    if packed is None:
        return keys.select(pl.arg_sort_by(keys.columns)).to_series().to_numpy().astype(np.int64)
    return np.argsort(packed, kind="stable")


def places_of(table: pl.DataFrame, keys: pl.DataFrame) -> Rows | None:
    """Where the candidates of a short table stand among the keys of a long list; nothing if one is not there."""
    found = joined_places(table, keys)
    return None if found.null_count() else found.to_numpy().astype(np.int64)


def joined_places(table: pl.DataFrame, keys: pl.DataFrame) -> pl.Series:
    """The same, with a null for each candidate that is not in the list."""
    names = keys.columns
    wanted = table.select(names)
    # The short table is hashed, not the long list.
    some = keys.with_row_index(PLACE).join(wanted.unique(), on=names, how="semi")
    return wanted.join(some, on=names, how="left", maintain_order="left")[PLACE]


def _packed(keys: pl.DataFrame) -> NDArray[np.int64] | None:
    """Keys as one whole number each, in the same order, where they are text and few enough words make them up."""
    if any(column.dtype != pl.String or column.null_count() for column in keys):
        return None
    packed, bits = np.zeros(len(keys), dtype=np.int64), 0
    for column in keys:
        words = column.unique().sort()
        width = max(len(words) - 1, 1).bit_length()
        bits += width
        if bits > BITS:
            return None
        packed <<= width
        packed |= column.cast(pl.Enum(words)).to_physical().to_numpy()
    return packed


@dataclass(frozen=True, kw_only=True, eq=False)
class TieBreak:
    """How ties are broken: by one random permutation, dealt out to the candidates in the order of their keys."""

    keys: pl.DataFrame
    _last: dict[str, NDArray[np.int32]] = field(default_factory=dict, repr=False)

    @cached_property
    def order(self) -> Rows:
        """The positions that sort the candidates by their key."""
        return key_order(self.keys)

    def broken(self, seed: int | Sequence[int]) -> NDArray[np.int32]:
        """A number for each candidate, the same for every measure; the lower one goes first."""
        if str(seed) not in self._last:
            ties = np.empty(len(self.keys), dtype=np.int32)
            ties[self.order] = np.random.default_rng(seed).permutation(len(self.keys))
            self._last.clear()
            self._last[str(seed)] = ties
        return self._last[str(seed)]


@dataclass(frozen=True, kw_only=True, eq=False)
class Order:
    """One order of the candidates by their scores, the highest first, infinity before all, NaN after all.

    It answers what a :class:`~concurrence.core.rankings.Ranking` does. Unless it is ``averaged``, equal scores stand
    in the order that ``ties`` and ``seed`` give them, and count as if they differed.

    >>> order = Order.by_score(np.array([2.0, 7.0, np.nan, 2.0]), TieBreak(keys=pl.DataFrame({"l1": list("abcd")})), seed=0)
    >>> [part.tolist() for part in order.runs(np.array([1, 2, 3, 4]))]
    [[1, 1, 3, 4], [1, 3, 3, 4]]
    """

    scores: Reals
    ties: TieBreak
    seed: int | Sequence[int]
    averaged: bool = True
    _sorted: list[Reals] = field(default_factory=list, repr=False)

    @classmethod
    def by_score(cls, scores: NDArray[Any], ties: TieBreak, *, seed: int | Sequence[int]) -> "Order":
        return cls(scores=np.asarray(scores, dtype=np.float64), ties=ties, seed=seed)

    def as_broken(self) -> "Order":
        """The same, in which the order of equal scores counts as it stands."""
        return replace(self, averaged=False)

    def __len__(self) -> int:
        return len(self.scores)

    def _falling(self, rows: Rows | slice = slice(None)) -> Reals:
        """The scores of some candidates as they are compared, turned round.

        They are made when needed, since all of them would fill memory.
        """
        # Adding zero turns -0.0 into 0.0; sorted upwards, numpy leaves NaN at the end.
        return -round_scores(self.scores[rows]) + 0.0

    @property
    def _ascending(self) -> Reals:
        if not self._sorted:
            self._sorted.append(np.sort(self._falling()))
        return self._sorted[0]

    def runs(self, n: Ranks) -> tuple[Ranks, Ranks]:
        """For each n the largest list up to it and the smallest from it on that cut no run of equal scores."""
        before, end = self.run_of(n)
        return np.where(end == n, n, before), end

    def run_of(self, ranks: Ranks) -> tuple[Ranks, Ranks]:
        """For each rank how many stand before its run of equal scores, and the last rank of the run."""
        if not self.averaged:
            return ranks - 1, ranks
        value = self._ascending[ranks - 1]
        before, end = (np.searchsorted(self._ascending, value, side=side) for side in SIDES)
        return before, end

    def levels(self, *sizes: Ranks) -> tuple[Levels, ...]:
        """For each candidate how many of the lists, which grow, are too short to hold it; for several sets of lists.

        The lists of an order that is ``averaged`` must not cut runs of equal scores.
        """
        if not self.averaged:
            return tuple(self._levels_as_broken(one) for one in sizes)
        filled = [one[one > 0] for one in sizes]
        edges = np.unique(self._ascending[np.concatenate(filled) - 1])
        kind = np.min_scalar_type(max(map(len, sizes)))
        # How many lists end before each edge, and before the end of the list of all.
        ends = [np.searchsorted(self._ascending[part - 1], edges) for part in filled]
        tables = [
            (len(one) - len(part) + np.append(upto, len(part))).astype(kind)
            for one, part, upto in zip(sizes, filled, ends, strict=True)
        ]
        found = tuple(np.empty(len(self), dtype=kind) for _ in sizes)
        for start in range(0, len(self), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            places = np.searchsorted(edges, self._falling(rows))
            for levels, table in zip(found, tables, strict=True):
                levels[rows] = table[places]
        return found

    def _levels_as_broken(self, sizes: Ranks) -> Levels:
        found = np.full(len(self), len(sizes), dtype=np.min_scalar_type(len(sizes)))
        last = self._ascending[sizes[-1] - 1]
        rows = np.flatnonzero(np.isnan(last) | (self._falling() <= last))
        found[rows] = np.searchsorted(sizes, self.ranks_of(rows))
        return found

    def ranks_of(self, rows: Rows) -> Ranks:
        """The ranks of some candidates, from 1; in an order that is ``averaged``, the last of their runs."""
        values = self._falling(rows)
        ends = np.searchsorted(self._ascending, values, side="right")
        if self.averaged:
            return ends
        starts = np.searchsorted(self._ascending, values, side="left")
        result = starts + 1
        tied = np.flatnonzero(ends - starts > 1)
        if len(tied):
            result[tied] += self._places(rows[tied])
        return result

    def _places(self, rows: Rows) -> Ranks:
        """How many of the same score stand before each of some candidates, by the way ties were broken."""
        values = np.unique(self._falling(rows))
        falling = self._falling()
        at = np.searchsorted(values, falling)
        alike = np.flatnonzero(_same(values[np.minimum(at, len(values) - 1)], falling))
        packed = (at[alike].astype(np.int64) << 32) | self.ties.broken(self.seed)[alike]
        packed.sort()
        own = (np.searchsorted(values, self._falling(rows)).astype(np.int64) << 32) | self.ties.broken(self.seed)[rows]
        first = np.searchsorted(packed, np.arange(len(values), dtype=np.int64) << 32)
        return np.asarray(np.searchsorted(packed, own) - first[own >> 32])

    def first_rank(self, among: NDArray[np.bool_]) -> int:
        """The best rank of some candidates; one past the end where there are none."""
        rows = np.flatnonzero(among)
        if not len(rows):
            return len(self) + 1
        values = self._falling(rows)
        best = np.nanmin(values) if not np.isnan(values).all() else np.nan
        return int(self.ranks_of(rows[_same(values, best)]).min())


def _same(a: Any, b: Any) -> NDArray[np.bool_]:
    return np.asarray((a == b) | (np.isnan(a) & np.isnan(b)))
