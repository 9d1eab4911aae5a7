"""From which candidates a design draws, in which strata, and how many judgements each stratum gets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.arrays import Integers, Reals
from concurrence.core.candidates import check_keys
from concurrence.core.designs import DESIGNS, STRATA
from concurrence.core.errors import InvalidInputError, UnknownNameError, option_or_keyword
from concurrence.core.pairs import candidates_of
from concurrence.core.samples import Sample
from concurrence.kernels.ranking import Ranking, TieBreak, key_order, rank_candidates
from concurrence.kernels.strata import strata_of

LIST_SIZES = (500, 1000, 2000)
FEWEST = 2  # in a stratum, so that its spread can be estimated

INSIDE, OUTSIDE = 0.5, 0.05  # precision as it is guessed for the allocation, in the lists and outside of all

MANY = 4  # a stratum below this part of the list is sorted by itself


@dataclass(frozen=True, kw_only=True, eq=False)
class Candidates:
    """Candidates with distinct keys, sorted once, on demand."""

    table: pl.DataFrame
    key: tuple[str, ...]
    rankings: dict[tuple[str, int], Ranking] = field(default_factory=dict)
    """The rankings by a measure with a seed for ties, where the whole list was ranked before."""

    @cached_property
    def ties(self) -> TieBreak:
        """How ties among them are broken."""
        return TieBreak(keys=self.table.select(self.key))

    def rank(self, measures: Sequence[str], *, seed: int, best: Sequence[int]) -> dict[str, Ranking]:
        """Their rankings by some measures, inside the largest list."""
        if all((name, seed) in self.rankings for name in measures):
            return {name: self.rankings[name, seed] for name in measures}
        within = max(best, default=None)
        return rank_candidates(self.table, measures, key=self.key, seed=seed, within=within, ties=self.ties)


@dataclass(frozen=True, kw_only=True, eq=False)
class Frame:
    """Candidates with the stratum of each, a number; those outside of the design have -1.

    ``ties`` sorts the candidates by their key, so that a draw does not depend on the order of a file.
    """

    design: str
    ties: TieBreak
    strata: tuple[str, ...]
    stratum: NDArray[np.int32]
    best: tuple[int, ...]
    rankings: Mapping[str, Ranking]
    strata_by: str | None

    def __len__(self) -> int:
        return len(self.stratum)

    @property
    def keys(self) -> pl.DataFrame:
        return self.ties.keys

    @cached_property
    def sizes(self) -> Integers:
        return _sizes(self.stratum, len(self.strata))

    def members(self, stratum: int) -> Integers:
        """The candidates of a stratum in the order of their keys."""
        if self.strata[stratum] == "all":
            return self.ties.order
        rows = np.flatnonzero(self.stratum == stratum)
        if len(rows) < len(self) // MANY:
            return rows[key_order(self.keys[rows])]
        return np.asarray(self.ties.order[self.stratum[self.ties.order] == stratum])

    def allocation(self, total: int, *, least: Integers | None = None) -> Integers:
        """How many of ``total`` judgements each stratum gets."""
        sizes = self.sizes
        if total > sizes.sum():
            where = DESIGNS[self.design].pool
            raise InvalidInputError(f"Cannot draw {total} candidates: there are only {sizes.sum()} in {where}.")
        if least is None:
            least = np.minimum(sizes, FEWEST) if len(sizes) > 1 else np.zeros(1, dtype=np.int64)
        if self.design == "strata" and least.sum() > total:
            raise InvalidInputError(
                f"{len(sizes)} strata need at least {least.sum()} judgements, but only {total} were asked for; "
                "use fewer measures or list sizes, or --strata bands."
            )
        return allocate(sizes, self._importance(), total, least=least)

    def rates(self, counts: Integers) -> Reals:
        """The chance of each candidate to be drawn, where so many of each stratum are."""
        return np.append(counts / self.sizes, 0.0)[self.stratum]

    def _importance(self) -> Reals:
        """Square-root allocation: what makes the summed variance of all precisions smallest.

        The variance of the precision of a list of n is the sum of v A / (n² r) over the strata: A the members of the
        list in the stratum, r its rate, v the variance of one judgement. The smallest sum over all lists and
        the baseline has r proportional to the square root of v times the sum of A / n², divided by the
        size of the stratum. Outside of all lists true positives are rare, and v is taken to be small.
        """
        if len(self.strata) == 1:
            return np.ones(1)  # it gets everything
        sizes, needs = self.sizes, self.sizes / len(self) ** 2
        for ranking in self.rankings.values():
            for n in self.best:
                needs = needs + _sizes(self.stratum[ranking.ranks <= n], len(self.strata)) / n**2
        # In designs with several strata, each lies inside of some list or outside of all.
        inside = [INSIDE if set(name) - set("-/") else OUTSIDE for name in self.strata]
        spread = [np.full(size, p * (1 - p)).mean() for size, p in zip(sizes, inside, strict=True)]
        return np.asarray(np.sqrt(sizes * (spread * needs)))


def _sizes(stratum: NDArray[np.int32], strata: int) -> Integers:
    return np.bincount(stratum[stratum >= 0], minlength=strata).astype(np.int64)


def candidate_list(candidates: Any, key: Sequence[str] | None) -> Candidates:
    """Candidates with their key columns, which must be distinct; a list that was checked before is returned as is."""
    if isinstance(candidates, Candidates):
        return candidates
    table, keys = candidates_of(candidates, key)
    if not len(table):
        raise InvalidInputError("There are no candidates to draw from.")
    checked = Candidates(table=table, key=keys)
    check_keys(checked.ties.keys)
    return checked


def make_frame(
    keys: pl.DataFrame,
    rankings: Mapping[str, Ranking],
    *,
    design: str,
    best: Sequence[int] | None = None,
    strata: str = "cells",
    ties: TieBreak | None = None,
) -> Frame:
    """The strata of a design: one for ``simple`` and ``union``, cells or bands for ``strata``, two sets otherwise."""
    check_design(design, strata)
    if DESIGNS[design].by_rank and not rankings:
        option = option_or_keyword("-m" if DESIGNS[design].whole_lists else "--between", "measures")
        raise InvalidInputError(f"The design {design!r} needs measures: name score columns with {option}.")
    sizes = list_sizes(best, population=len(keys), design=design)
    if not DESIGNS[design].whole_lists:
        _check_pair(rankings, sizes)
    ranks = [ranking.ranks for ranking in rankings.values()] if DESIGNS[design].by_rank else []
    names, stratum = strata_of(ranks, population=len(keys), design=design, sizes=sizes, by=strata)
    return Frame(
        design=design,
        ties=ties or TieBreak(keys=keys),
        strata=names,
        stratum=stratum,
        best=sizes,
        rankings=rankings,
        strata_by=strata if design == "strata" else None,
    )


def _check_pair(rankings: Mapping[str, Ranking], sizes: Sequence[int]) -> None:
    """Difference sets are those of two measures that have different lists of one size."""
    if len(rankings) != 2:
        option = option_or_keyword("--between A,B", 'measures=("A", "B")')
        raise InvalidInputError(
            f"Difference sets lie between two measures, not {len(rankings)}; name two score columns: {option}."
        )
    (a, one), (b, two) = rankings.items()
    if ((one.ranks <= sizes[0]) == (two.ranks <= sizes[0])).all():
        raise InvalidInputError(
            f"{a} and {b} have the same {sizes[0]:,} best candidates, so there is nothing to judge between them."
        )


def check_design(design: str, strata: str) -> None:
    """Refuse a design or a kind of strata that is not in the table."""
    if design not in DESIGNS:
        raise UnknownNameError("sampling design", design, DESIGNS)
    if strata not in STRATA:
        raise UnknownNameError("kind of strata", strata, STRATA)


def sampling_frame(sample: Sample, candidates: Any) -> Frame:
    """The frame a sample was drawn from, made again from the candidates."""
    whole, by = candidate_list(candidates, sample.key), sample.strata_by or "cells"
    sizes = list_sizes(sample.best, population=len(whole.table), design=sample.design)
    rankings = whole.rank(sample.measures, seed=sample.rank_seed, best=sizes)
    return make_frame(whole.ties.keys, rankings, design=sample.design, best=sample.best, strata=by, ties=whole.ties)


def list_sizes(best: Sequence[int] | None, *, population: int, design: str = "simple") -> tuple[int, ...]:
    """The list sizes a sample is meant for; for strata, a single size stands for its quarter, its half and itself."""
    if design in DESIGNS and not DESIGNS[design].whole_lists and len(set(best or ())) != 1:
        option = option_or_keyword("--best 500", "best=[500]")
        raise InvalidInputError(f"Two measures are compared at one list size: give exactly one, such as {option}.")
    if not best:
        fitting = tuple(n for n in LIST_SIZES if n < population)
        return fitting or tuple(sorted({max(1, population // part) for part in (8, 4, 2)}))
    sizes = sorted(set(best))
    if sizes[0] < 1 or sizes[-1] > population:
        raise InvalidInputError(
            f"List sizes must lie between 1 and {population:,}, the number of candidates; "
            f"{next(n for n in sizes if not 1 <= n <= population):,} does not."
        )
    if design == "strata" and len(sizes) == 1:
        return tuple(sorted({max(1, sizes[0] // part) for part in (4, 2, 1)}))
    return tuple(sizes)


def allocate(sizes: Integers, importance: Reals, total: int, *, least: Integers) -> Integers:
    """Share ``total`` among strata in proportion to their importance, between ``least`` and their sizes.

    What a full stratum cannot take goes to the others; fractions go to the largest remainders.

    >>> allocate(np.array([10, 100, 1000]), np.array([5.0, 5.0, 5.0]), 100, least=np.zeros(3, int)).tolist()
    [10, 45, 45]
    """
    if not least.sum() <= total <= sizes.sum():
        raise InvalidInputError(
            f"{total} judgements cannot be divided among {len(sizes)} strata: "
            f"they need at least {least.sum()} and hold {sizes.sum()} candidates."
        )
    shares = _fill(sizes, importance, total, least)
    whole = np.clip(np.floor(shares + 1e-9).astype(np.int64), least, sizes)
    missing = total - int(whole.sum())
    while missing > 0:
        room = np.where(whole < sizes, shares - whole, -np.inf)
        takers = np.argsort(-room, kind="stable")[: min(missing, int((whole < sizes).sum()))]
        whole[takers] += 1
        missing = total - int(whole.sum())
    return whole


def _fill(sizes: Integers, importance: Reals, total: int, least: Integers) -> Reals:
    """Raise one water level until all shares, cut off at both ends, add up to the total."""
    low, high = 0.0, float(sizes.max()) / max(float(importance[importance > 0].min(initial=1.0)), 1e-300)
    for _ in range(200):
        level = (low + high) / 2
        if np.clip(level * importance, least, sizes).sum() < total:
            low = level
        else:
            high = level
    return np.clip(low * importance, least, sizes)
