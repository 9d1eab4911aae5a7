"""From which candidates a design draws, and in which strata."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.designs import DESIGNS
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.pairs import candidates_of
from concurrence.core.rankings import Rankings, check_keys
from concurrence.core.samples import Sample
from concurrence.kernels.ranking import key_order, rank_candidates, stratum_names, union_of_best
from concurrence.sampling.allocation import Whole, allocate

LIST_SIZES = (500, 1000, 2000)
STRATA = ("cells", "bands")
FEWEST = 2  # in a stratum, so that its spread can be estimated

INSIDE, OUTSIDE = 0.5, 0.05  # precision as it is guessed for the allocation, in the lists and outside of all

Names = NDArray[np.str_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """Candidates with the stratum of each; those outside of the design have none (an empty name).

    ``order`` sorts the candidates by their key, so that a draw does not depend on the order of a file.
    """

    design: str
    keys: pl.DataFrame
    order: NDArray[np.int64]
    names: Names
    best: tuple[int, ...]
    rankings: Rankings | None
    strata_by: str | None

    @property
    def strata(self) -> tuple[str, ...]:
        """The names of the strata, sorted."""
        return tuple(str(name) for name in np.unique(self.names) if name)

    @property
    def sizes(self) -> Whole:
        return np.array([(self.names == name).sum() for name in self.strata], dtype=np.int64)

    def allocation(self, total: int, *, least: Whole | None = None) -> Whole:
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

    def rates(self, counts: Whole) -> NDArray[np.float64]:
        """The chance of each candidate to be drawn, where so many of each stratum are."""
        rates = np.zeros(len(self.keys))
        for name, rate in zip(self.strata, counts / self.sizes, strict=True):
            rates[self.names == name] = rate
        return rates

    def _importance(self) -> NDArray[np.float64]:
        """Square-root allocation: what makes the summed variance of all precisions smallest.

        The variance of the precision of a list of n is the sum of v A / (n² r) over the strata: A the members of the
        list in the stratum, r its rate, v the variance of one judgement. The smallest sum over all lists and
        the baseline has r proportional to the square root of v times the sum of A / n², divided by the
        size of the stratum. Outside of all lists true positives are rare, and v is taken to be small.
        """
        lists = [(np.ones(len(self.keys), dtype=bool), len(self.keys))]
        listed = np.zeros(len(self.keys), dtype=bool)
        if self.rankings is not None:
            lists += [(ranks <= n, n) for ranks in self.rankings.ranks for n in self.best]
            listed = union_of_best(self.rankings.ranks, self.best[-1])
        spread = np.where(listed, INSIDE * (1 - INSIDE), OUTSIDE * (1 - OUTSIDE))
        strata = [self.names == name for name in self.strata]
        needs = [spread[h].mean() * sum((inside & h).sum() / n**2 for inside, n in lists) for h in strata]
        return np.sqrt(self.sizes * np.array(needs, dtype=np.float64))


def candidate_table(candidates: Any, key: Sequence[str] | None) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The table of the candidates and its key columns, checked to tell them apart."""
    table, keys = candidates_of(candidates, key)
    if not len(table):
        raise InvalidInputError("There are no candidates to draw from.")
    check_keys(table.select(keys))
    return table, keys


def make_frame(
    keys: pl.DataFrame,
    rankings: Rankings | None,
    *,
    design: str,
    best: Sequence[int] | None = None,
    strata: str = "cells",
) -> Frame:
    """The strata of a design: one for ``simple`` and ``union``, cells or bands for ``strata``."""
    if design not in DESIGNS:
        raise UnknownNameError("sampling design", design, DESIGNS)
    if strata not in STRATA:
        raise UnknownNameError("kind of strata", strata, STRATA)
    if DESIGNS[design].by_rank and rankings is None:
        raise InvalidInputError(f"The design {design!r} needs measures: name score columns with -m.")
    sizes = list_sizes(best, population=len(keys), design=design)
    ranks = np.empty((0, len(keys)), dtype=np.int64) if rankings is None else rankings.ranks
    return Frame(
        design=design,
        keys=keys,
        order=key_order(keys),
        names=stratum_names(ranks, design=design, sizes=sizes, by=strata),
        best=sizes,
        rankings=rankings,
        strata_by=strata if design == "strata" else None,
    )


def frame_of(sample: Sample, candidates: Any) -> Frame:
    """The frame a sample was drawn from, made again from the candidates."""
    table, _ = candidate_table(candidates, sample.key)
    rankings = None
    if sample.measures:
        rankings = rank_candidates(table, list(sample.measures), key=sample.key, seed=sample.rank_seed)
    by = sample.strata_by or "cells"
    return make_frame(table.select(sample.key), rankings, design=sample.design, best=sample.best, strata=by)


def list_sizes(best: Sequence[int] | None, *, population: int, design: str = "simple") -> tuple[int, ...]:
    """The list sizes a sample is meant for; for strata, a single size stands for its quarter, its half and itself."""
    if not best:
        fitting = tuple(n for n in LIST_SIZES if n < population)
        return fitting or tuple(sorted({max(1, population // part) for part in (8, 4, 2)}))
    sizes = sorted(set(best))
    if sizes[0] < 1 or sizes[-1] > population:
        raise InvalidInputError(
            f"List sizes must lie between 1 and {population}, the number of candidates, not {sizes}."
        )
    if design == "strata" and len(sizes) == 1:
        return tuple(sorted({max(1, sizes[0] // part) for part in (4, 2, 1)}))
    return tuple(sizes)
