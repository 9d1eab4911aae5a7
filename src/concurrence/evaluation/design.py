"""How the judged candidates were chosen, and whether a sample file fits what it says of itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.arrays import Integers, Numbers, Reals
from concurrence.core.errors import InvalidInputError
from concurrence.core.rankings import Rankings
from concurrence.core.samples import Sample
from concurrence.evaluation.judgements import Judgements, candidate_rows, show_key
from concurrence.kernels.orders import Order
from concurrence.kernels.ranking import strata_of

CENSUS = "census"


@dataclass(frozen=True, kw_only=True, eq=False)
class SampledList:
    """The strata of a candidate list, and how often each candidate was drawn.

    ``stratum`` is a number per candidate, -1 outside of what was sampled from. ``times`` says how often a
    candidate was drawn and judged: 0 or 1 without replacement. A simple sample has one stratum. ``waiting``
    counts what was drawn and is not judged yet, ``beside`` what was judged and not drawn, which nothing rests on.
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
        return int(self.stratum.max(initial=0)) + 1

    @cached_property
    def whole_list(self) -> bool:
        """Whether every candidate could be drawn, so that baseline and recall can be estimated."""
        return bool((self.stratum >= 0).all())

    @cached_property
    def judged_in_full(self) -> bool:
        """Whether everything that was sampled from is judged."""
        return bool((self.times[self.stratum >= 0] > 0).all())

    @property
    def exact(self) -> bool:
        """Whether exact methods hold: every candidate has the same chance inside what was sampled from."""
        return self.n_strata == 1

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

    def largest_list(self, ranking: Order) -> int:
        """The largest n whose n-best list lies inside what was sampled from."""
        return len(ranking) if self.whole_list else ranking.first_rank(self.stratum < 0) - 1


def judged_at_random(judgements: Judgements) -> SampledList:
    """The judged candidates as a simple random sample of the list, or as a census where all are judged."""
    judged = judgements.judged
    kind = CENSUS if judged.all() else "simple"
    return SampledList(kind=kind, stratum=np.zeros(len(judged), dtype=np.int32), times=judged.astype(np.int32))


def design_of_sample(sample: Sample, ranked: Rankings, judgements: Judgements) -> SampledList:
    """The design of a sample, its strata made again from the ranks; a sample of another list is refused.

    ``ranked`` are the rankings by the measures that the design names, ties broken by its seed.
    """
    if sample.population != len(ranked):
        raise InvalidInputError(
            f"The sample was drawn from {sample.population} candidates, but this list has {len(ranked)}; "
            "use the list that was sampled."
        )
    rows = candidate_rows(sample.table.with_columns(pl.col(ranked.key).cast(pl.String)), ranked.keys, what="sampled")
    if sample.design != "simple" and not (sample.best and ranked.names):
        raise InvalidInputError(
            f"The {sample.design} sample does not say which measures and list sizes it was drawn for."
        )
    names, stratum = strata_of(ranked.ranks, design=sample.design, sizes=sample.best, by=sample.strata_by)
    _check_strata(sample, rows, names, stratum, ranked)
    times = np.zeros(len(ranked), dtype=np.int32)
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
    sample: Sample, rows: Integers, names: Sequence[str], stratum: NDArray[np.int32], ranked: Rankings
) -> None:
    """Refuse scores that would have given other strata than those that were drawn from."""
    stated = sample.table["stratum"].cast(pl.String).to_list()
    found = [names[number] if number >= 0 else "" for number in stratum[rows]]
    for row, said, held in zip(rows.tolist(), stated, found, strict=True):
        if said != held:
            raise InvalidInputError(
                f"The sample puts {show_key(ranked.keys.row(row))} into the stratum {said!r}, "
                f"but by the scores in this list it belongs to {held!r}; use the list that was sampled."
            )
    sizes = dict(zip(names, np.bincount(stratum + 1, minlength=len(names) + 1)[1:].tolist(), strict=True))
    if sizes != {name: one.size for name, one in sample.strata.items() if one.size}:
        raise InvalidInputError(
            "The sample's strata do not fit this candidate list: their sizes differ from those of the ranks; "
            "use the list that was sampled."
        )
