"""Strata of a list of candidates: how ranks define them, and what was drawn and judged in each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.arrays import Integers, Numbers, Reals
from concurrence.core.candidates import candidate_rows, quote_key
from concurrence.core.designs import is_by_rank
from concurrence.core.errors import InvalidInputError
from concurrence.core.judgements import Judgements
from concurrence.core.samples import Sample
from concurrence.kernels.ranking import TieBreak, rank_candidates

CENSUS = "census"
OUTSIDE = "-"


def strata_of(
    ranks: Sequence[Numbers], *, population: int, design: str, sizes: Sequence[int], by: str | None
) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """The strata of a sampling design by name, sorted, and the number of each candidate's; -1 outside of all.

    ``ranks`` are those of each measure, told apart at least up to the largest of the ``sizes``.

    >>> ranks = np.array([[1, 3, 2], [1, 2, 3]])
    >>> strata_of(ranks, population=3, design="strata", sizes=[1, 2], by="cells")
    (('-/2', '1/1', '2/-'), array([1, 0, 2], dtype=int32))
    >>> strata_of(ranks, population=3, design="difference", sizes=[2], by=None)
    (('-/2', '2/-'), array([-1,  0,  1], dtype=int32))
    """
    if design == "simple":
        return ("all",), np.zeros(population, dtype=np.int32)
    stratum = np.full(population, -1, dtype=np.int32)
    if design == "difference":
        n = max(sizes)
        in_first, in_second = (one <= n for one in ranks)
        stratum[in_second & ~in_first] = 0
        stratum[in_first & ~in_second] = 1
        return (f"{OUTSIDE}/{n}", f"{n}/{OUTSIDE}"), stratum
    rows = np.flatnonzero(np.logical_or.reduce([one <= max(sizes) for one in ranks]))
    if design == "union":
        stratum[rows] = 0
        return ("union",), stratum
    inside, rest = np.array([one[rows] for one in ranks]), rows.size < population
    cells = (bands_of_best_rank if by == "bands" else membership_cells)(inside, sizes)
    outside = OUTSIDE if by == "bands" else "/".join([OUTSIDE] * len(ranks))
    names = sorted({*np.unique(cells).tolist(), *([outside] if rest else [])})
    stratum[:] = names.index(outside) if rest else -1
    stratum[rows] = np.searchsorted(names, cells)
    return tuple(names), stratum


def bands_of_best_rank(ranks: Numbers, cuts: Sequence[int]) -> NDArray[np.str_]:
    """Strata by the best rank that any measure gives: ``500``, ``1000``, …, and ``-`` outside of all lists.

    >>> bands_of_best_rank(np.array([[1, 700, 3000], [900, 600, 2500]]), [500, 1000]).tolist()
    ['500', '1000', '-']
    """
    return _names(cuts)[_smallest_lists(ranks.min(axis=-2), cuts)]


def membership_cells(ranks: Numbers, cuts: Sequence[int]) -> NDArray[np.str_]:
    """Strata by the smallest list of each measure that holds a candidate, such as ``500/-``.

    >>> membership_cells(np.array([[1, 700, 3000], [900, 600, 2500]]), [500, 1000]).tolist()
    ['500/1000', '1000/1000', '-/-']
    """
    # Few of the possible cells are there; each is named once.
    by_measure, numbers = _smallest_lists(ranks, cuts), np.zeros(ranks.shape[-1], dtype=np.int64)
    for level in by_measure:
        numbers = np.unique(numbers * (len(cuts) + 1) + level, return_inverse=True)[1]
    _, first, cell = np.unique(numbers, return_index=True, return_inverse=True)
    names = _names(cuts)[by_measure[:, first]]
    return np.array(["/".join(column) for column in names.T.tolist()], dtype=np.str_)[cell]


def _smallest_lists(ranks: Numbers, cuts: Sequence[int]) -> Integers:
    """The smallest list of ``cuts`` that holds each rank: 0 for the first, ``len(cuts)`` outside of all."""
    return np.searchsorted(np.sort(np.asarray(cuts)), ranks, side="left").astype(np.int64)


def _names(cuts: Sequence[int]) -> NDArray[np.str_]:
    return np.array([*(str(cut) for cut in sorted(cuts)), OUTSIDE])


@dataclass(frozen=True, kw_only=True, eq=False)
class SampledList:
    """The strata of a candidate list, and how often each candidate was drawn.

    ``stratum`` is a number per candidate, -1 outside of what was sampled from. ``times`` says how often a
    candidate was drawn and judged: 0 or 1 without replacement. A simple sample has one stratum. ``waiting``
    counts what was drawn and is not judged yet, ``beside`` what was judged and not drawn, which is ignored.
    """

    kind: str
    stratum: Numbers
    times: Numbers
    replacement: bool = False
    waiting: int = 0
    beside: int = 0

    @cached_property
    def rows(self) -> Integers:
        """The candidates that were drawn and judged."""
        return np.flatnonzero(self.times)

    @cached_property
    def n_strata(self) -> int:
        """Exact methods hold where there is one: every candidate in it had the same chance of being drawn."""
        return int(self.stratum.max(initial=0)) + 1

    @cached_property
    def whole_list(self) -> bool:
        """Whether every candidate could be drawn, so that baseline and recall can be estimated."""
        return bool((self.stratum >= 0).all())

    @property
    def judged_in_full(self) -> bool:
        """Whether everything that was sampled from is judged."""
        return bool((self.times[self.stratum >= 0] > 0).all())

    @cached_property
    def _per_draw(self) -> Reals:
        """What one judgement stands for: stratum size over number drawn; nothing outside of what was sampled from."""
        rows = self.rows[self.stratum[self.rows] >= 0]
        sizes = np.bincount(self.stratum + 1, minlength=self.n_strata + 1)[1:]
        drawn = np.bincount(self.stratum[rows], weights=self.times[rows], minlength=self.n_strata)
        return np.append(np.divide(sizes, drawn, out=np.zeros(len(sizes)), where=drawn > 0), 0.0)

    def weights(self) -> Reals:
        """What each candidate stands for, 0 for those that were not judged."""
        return np.asarray(self._per_draw[self.stratum] * self.times)

    def weights_of(self, rows: Integers) -> Reals:
        """What each of some candidates stands for."""
        return np.asarray(self._per_draw[self.stratum[rows]] * self.times[rows])


def judged_at_random(judgements: Judgements) -> SampledList:
    """The judged candidates as a simple random sample of the list, or as a census where all are judged."""
    judged = judgements.judged
    kind = CENSUS if judged.all() else "simple"
    return SampledList(kind=kind, stratum=np.zeros(len(judged), dtype=np.int32), times=judged.astype(np.int32))


def sampled_list(sample: Sample, table: pl.DataFrame, ties: TieBreak, judgements: Judgements) -> SampledList:
    """The list that a sample was drawn from, its strata made again from the ranks; another list is refused."""
    measures, within = sample.measures if is_by_rank(sample.design) else (), max(sample.best, default=1)
    key = ties.keys.columns
    rankings = rank_candidates(table, measures, key=key, seed=sample.rank_seed, within=within, ties=ties)
    if sample.population != len(table):
        raise InvalidInputError(
            f"The sample was drawn from {sample.population} candidates, but this list has {len(table)}; "
            "use the list that was sampled."
        )
    rows = candidate_rows(sample.table, ties.keys, what="sampled")
    if sample.design != "simple" and not (sample.best and rankings):
        raise InvalidInputError(
            f"The {sample.design} sample does not say which measures and list sizes it was drawn for."
        )
    ranks = [ranking.ranks for ranking in rankings.values()]
    names, stratum = strata_of(
        ranks, population=len(table), design=sample.design, sizes=sample.best, by=sample.strata_by
    )
    _check_strata(sample, rows, names, stratum, ties.keys)
    times = np.zeros(len(table), dtype=np.int32)
    times[rows] = sample.table["multiplicity"].cast(pl.Int64).to_numpy() if sample.replacement else 1
    judged = judgements.judged & (times > 0)
    if not judged.any():
        raise InvalidInputError("None of the sampled candidates is judged; give the judgements of this sample.")
    complete = sample.design == "simple" and judged.all()
    return SampledList(
        kind=CENSUS if complete else sample.design,
        stratum=stratum,
        times=np.where(judged, times, 0),
        replacement=sample.replacement,
        waiting=int(((times > 0) & ~judged).sum()),
        beside=int((judgements.judged & (times == 0)).sum()),
    )


def _check_strata(
    sample: Sample, rows: Integers, names: Sequence[str], stratum: NDArray[np.int32], keys: pl.DataFrame
) -> None:
    """Refuse scores that would have given other strata than those that were drawn from."""
    drawn_from = sample.table["stratum"].cast(pl.String).to_list()
    by_scores = [names[number] if number >= 0 else "" for number in stratum[rows]]
    for row, before, now in zip(rows.tolist(), drawn_from, by_scores, strict=True):
        if before != now:
            raise InvalidInputError(
                f"The sample puts {quote_key(keys.row(row))} into the stratum {before!r}, "
                f"but by the scores in this list it belongs to {now!r}; use the list that was sampled."
            )
    sizes = dict(zip(names, np.bincount(stratum + 1, minlength=len(names) + 1)[1:].tolist(), strict=True))
    if sizes != {name: one.size for name, one in sample.strata.items() if one.size}:
        raise InvalidInputError(
            "The sample's strata do not fit this candidate list: their sizes differ from those of the ranks; "
            "use the list that was sampled."
        )
