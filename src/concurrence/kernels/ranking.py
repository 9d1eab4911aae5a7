"""Candidates in the order of a measure; ranks are made only where they are needed.

Most questions about a ranking need its scores and one sort of them: where a list size cuts a run of equal scores, and
in which of some lists a candidate is. How ties were broken matters only where they are not averaged over, so the order
of the keys, which takes longer than all the rest, is made when it is first used.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.arrays import Booleans, Integers, Numbers, Reals
from concurrence.core.candidates import check_keys, require_candidate_columns, score_column
from concurrence.core.errors import InvalidInputError
from concurrence.kernels.digits import round_scores
from concurrence.kernels.dispersion import SMALLEST_FIRST

BITS = 63  # of a packed key
ROWS_AT_ONCE = 1 << 20
SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


def rank_candidates(
    table: pl.DataFrame,
    names: Sequence[str],
    *,
    key: Sequence[str] = ("l1", "l2"),
    seed: int | Sequence[int] = 0,
    within: int | None = None,
    ties: "TieBreak | None" = None,
) -> "dict[str, Ranking]":
    """Rank the candidates of a table by columns of scores; with ``within``, only those of the lists up to that size.

    >>> table = pl.DataFrame({"l1": ["a", "b"], "l2": ["x", "y"], "f": [3, 7]})
    >>> rank_candidates(table, ["f"])["f"].ranks.tolist()
    [2, 1]
    """
    require_candidate_columns(table, (*key, *names))
    ties = ties or TieBreak(keys=table.select(key))
    rankings: dict[str, Ranking] = {}
    for name in names:
        ranking = Ranking(scores=ranked_column(table, name), ties=ties, seed=seed, within=within)
        rankings = add_ranking(rankings, name, ranking)
    check_keys(ties.keys)
    return rankings


def add_ranking(rankings: "Mapping[str, Ranking]", name: str, ranking: "Ranking") -> "dict[str, Ranking]":
    """The rankings with one more; a name that is taken is refused."""
    if name in rankings:
        raise InvalidInputError(f"The measure {name!r} is named twice.")
    return {**rankings, name: ranking}


def ranked_column(table: pl.DataFrame, name: str) -> Reals:
    """A column as numbers of which the highest ranks first: those of measures that are best at 0 are turned round.

    >>> ranked_column(pl.DataFrame({"dp": [0.2, 0.9]}), "dp").tolist()
    [-0.2, -0.9]
    """
    scores = score_column(table, name)
    return -scores if is_smallest_first(name) else scores


def dispersion_measure(column: str) -> str:
    """The name of a column, also as UCS writes it.

    >>> dispersion_measure("am.dp.norm")
    'dp_norm'
    """
    return column.lower().removeprefix("am.").replace(".", "_")


def is_smallest_first(column: str) -> bool:
    """Whether the smallest values of a column of scores are the best."""
    return dispersion_measure(column) in SMALLEST_FIRST


def rounded_column(table: pl.DataFrame, name: str) -> pl.Series:
    """A column as it is compared: scores to 12 digits, nothing where they are undefined.

    >>> rounded_column(pl.DataFrame({"f": [0.1 + 0.2, float("nan"), None]}), "f").to_list()
    [0.3, None, None]
    """
    return pl.Series(name, round_scores(score_column(table, name)), nan_to_null=True)


def key_order(keys: pl.DataFrame) -> Integers:
    """The positions that sort candidates by their key, text by code point."""
    packed = _packed(keys)
    if packed is None:
        return keys.select(pl.arg_sort_by(keys.columns)).to_series().to_numpy().astype(np.int64)
    return np.argsort(packed, kind="stable")


def _packed(keys: pl.DataFrame) -> Integers | None:
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
    """How ties are broken: by one random permutation, dealt out to the candidates in the order of their keys.

    So the order of a file does not matter, and measures that rank alike get the same lists.
    """

    keys: pl.DataFrame
    _last: dict[str, NDArray[np.int32]] = field(default_factory=dict, repr=False)

    @cached_property
    def order(self) -> Integers:
        """The positions that sort the candidates by their key."""
        return key_order(self.keys)

    def places(self, seed: int | Sequence[int]) -> NDArray[np.int32]:
        """A number for each candidate, the same for every measure; the lower one goes first."""
        if str(seed) not in self._last:
            places = np.empty(len(self.keys), dtype=np.int32)
            places[self.order] = np.random.default_rng(seed).permutation(len(self.keys))
            self._last.clear()
            self._last[str(seed)] = places
        return self._last[str(seed)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cuts:
    """For each n the largest list up to it and the smallest from it on that no tie makes arbitrary.

    ``share`` says how much of the run between them belongs to the n-best list, 0 where n cuts no run; ``some`` whether
    any n does.
    """

    inner: Numbers
    outer: Numbers
    share: Reals
    some: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranking:
    """The candidates in the order of their scores, the highest first, infinity before all, NaN after all.

    Scores are equal if they are so to 12 digits. Unless the ranking is ``averaged``, equal scores stand in the order
    that ``ties`` and ``seed`` give them, and count as if they differed. ``ranks`` beyond ``within`` are not told apart:
    all are ``within + 1``. ``filter_size`` is how many candidates an unranked filter lets pass: only its list of that
    size means anything.

    >>> ties = TieBreak(keys=pl.DataFrame({"l1": list("abcd")}))
    >>> ranking = Ranking(scores=np.array([2.0, 7.0, np.nan, 2.0]), ties=ties)
    >>> cuts = ranking.cuts(np.array([1, 2, 3, 4]))
    >>> cuts.inner.tolist(), cuts.outer.tolist(), cuts.share.tolist()
    ([1, 1, 3, 4], [1, 3, 3, 4], [0.0, 0.5, 0.0, 0.0])
    """

    scores: Reals
    ties: TieBreak
    seed: int | Sequence[int] = 0
    averaged: bool = True
    within: int | None = None
    filter_size: int | None = None
    _sorted: list[Reals] = field(default_factory=list, repr=False)

    def as_broken(self) -> "Ranking":
        """The same, in which the order of equal scores counts as it stands."""
        return replace(self, averaged=False)

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def best_first(self) -> NDArray[np.int32]:
        """The rows of the candidates up to ``within``, the best first, ties broken."""
        places, size = self.ties.places(self.seed), len(self)
        falling = self._falling()
        if self.within is not None and self.within < size:
            edge = np.partition(falling, self.within - 1)[self.within - 1]
            rows = np.arange(size) if np.isnan(edge) else np.flatnonzero(falling <= edge)
            return rows[np.lexsort((places[rows], falling[rows]))[: self.within]].astype(np.int32)
        by_tie = np.empty(size, dtype=np.int32)
        by_tie[places] = np.arange(size, dtype=np.int32)
        # A stable sort of candidates that already stand in tie order; numpy puts NaN last by itself.
        return by_tie[np.argsort(falling[by_tie], kind="stable")]

    @cached_property
    def ranks(self) -> NDArray[np.int32]:
        """The rank of each candidate from 1 on, ties broken; all beyond ``within`` have the rank after it."""
        ranks = np.full(len(self), len(self.best_first) + 1, dtype=np.int32)
        ranks[self.best_first] = np.arange(1, len(self.best_first) + 1, dtype=np.int32)
        return ranks

    def _falling(self, rows: Integers | slice = slice(None)) -> Reals:
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

    def cuts(self, n: Numbers) -> Cuts:
        """Where list sizes cut runs of equal scores."""
        before, end = self.run_of(n)
        inner = np.where(end == n, n, before)
        share = (n - inner) / np.maximum(end - inner, 1)
        return Cuts(inner=inner, outer=end, share=share, some=bool((inner < end).any()))

    def run_of(self, ranks: Numbers) -> tuple[Numbers, Numbers]:
        """For each rank how many stand before its run of equal scores, and the last rank of the run."""
        if not self.averaged:
            return ranks - 1, ranks
        value = self._ascending[ranks - 1]
        before, end = (np.searchsorted(self._ascending, value, side=side) for side in SIDES)
        return before, end

    def levels(self, *sizes: Numbers) -> tuple[Numbers, ...]:
        """For each candidate how many of the lists, which grow, are too short to hold it; for several sets of lists.

        The lists of a ranking that is ``averaged`` must not cut runs of equal scores.
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
        levels = tuple(np.empty(len(self), dtype=kind) for _ in sizes)
        for start in range(0, len(self), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            places = np.searchsorted(edges, self._falling(rows))
            for column, table in zip(levels, tables, strict=True):
                column[rows] = table[places]
        return levels

    def _levels_as_broken(self, sizes: Numbers) -> Numbers:
        levels = np.full(len(self), len(sizes), dtype=np.min_scalar_type(len(sizes)))
        last = self._ascending[sizes[-1] - 1]
        rows = np.flatnonzero(np.isnan(last) | (self._falling() <= last))
        levels[rows] = np.searchsorted(sizes, self.ranks_of(rows))
        return levels

    def ranks_of(self, rows: Integers) -> Numbers:
        """The ranks of some candidates, from 1; in a ranking that is ``averaged``, the last of their runs."""
        values = self._falling(rows)
        ends = np.searchsorted(self._ascending, values, side="right")
        if self.averaged:
            return ends
        starts = np.searchsorted(self._ascending, values, side="left")
        result = starts + 1
        tied = np.flatnonzero(ends - starts > 1)
        if len(tied):
            result[tied] += self._places_in_runs(rows[tied])
        return result

    def _places_in_runs(self, rows: Integers) -> Numbers:
        """How many of the same score stand before each of some candidates, by the way ties were broken."""
        ties, values = self.ties.places(self.seed), np.unique(self._falling(rows))
        falling = self._falling()
        at = np.searchsorted(values, falling)
        alike = np.flatnonzero(_same(values[np.minimum(at, len(values) - 1)], falling))
        packed = (at[alike].astype(np.int64) << 32) | ties[alike]
        packed.sort()
        own = (np.searchsorted(values, self._falling(rows)).astype(np.int64) << 32) | ties[rows]
        first = np.searchsorted(packed, np.arange(len(values), dtype=np.int64) << 32)
        return np.asarray(np.searchsorted(packed, own) - first[own >> 32])

    def first_rank(self, among: Booleans) -> int:
        """The best rank of some candidates; one past the end where there are none."""
        rows = np.flatnonzero(among)
        if not len(rows):
            return len(self) + 1
        values = self._falling(rows)
        best = np.nanmin(values) if not np.isnan(values).all() else np.nan
        return int(self.ranks_of(rows[_same(values, best)]).min())


def _same(a: Any, b: Any) -> Booleans:
    return np.asarray((a == b) | (np.isnan(a) & np.isnan(b)))
