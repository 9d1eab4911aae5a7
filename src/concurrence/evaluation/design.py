"""How the judged candidates were chosen, and whether a sample file fits what it says of itself."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.errors import InvalidInputError
from concurrence.core.rankings import Rankings
from concurrence.core.samples import Sample
from concurrence.evaluation.judgements import Judgements, rows_of, show_key
from concurrence.kernels.ranking import stratum_names

CENSUS = "census"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Design:
    """The strata of a candidate list, and how often each candidate was drawn.

    ``stratum`` is a number per candidate, -1 outside of what was sampled from. ``times`` says how often a
    candidate was drawn and judged: 0 or 1 without replacement. A simple sample has one stratum. ``waiting``
    counts what was drawn and is not judged yet, ``beside`` what was judged and not drawn, which nothing rests on.
    """

    kind: str
    stratum: NDArray[np.int64]
    times: NDArray[np.int64]
    replacement: bool = False
    waiting: int = 0
    beside: int = 0

    @property
    def n_strata(self) -> int:
        return int(self.stratum.max(initial=0)) + 1

    @property
    def whole_list(self) -> bool:
        """Whether every candidate could be drawn, so that baseline and recall can be estimated."""
        return bool((self.stratum >= 0).all())

    @property
    def exact(self) -> bool:
        """Whether exact methods hold: every candidate has the same chance inside what was sampled from."""
        return self.n_strata == 1

    def weights(self) -> NDArray[np.float64]:
        """What each judged candidate stands for: stratum size over number drawn."""
        inside = self.stratum >= 0
        sizes = np.bincount(self.stratum[inside], minlength=self.n_strata)
        drawn = np.bincount(self.stratum[inside], weights=self.times[inside], minlength=self.n_strata)
        per_draw = np.divide(sizes, drawn, out=np.zeros(len(sizes)), where=drawn > 0)
        return np.where(inside, per_draw[np.maximum(self.stratum, 0)], 0.0) * self.times

    def largest_list(self, ranks: NDArray[np.int64]) -> int:
        """The largest n whose n-best list lies inside what was sampled from."""
        outside = ranks[self.stratum < 0]
        return int(outside.min()) - 1 if outside.size else len(ranks)


def judged_at_random(judgements: Judgements) -> Design:
    """The judged candidates as a simple random sample of the list, or as a census where all are judged."""
    judged = judgements.judged
    kind = CENSUS if judged.all() else "simple"
    return Design(kind=kind, stratum=np.zeros(len(judged), dtype=np.int64), times=judged.astype(np.int64))


def design_of_sample(sample: Sample, ranked: Rankings, judgements: Judgements) -> Design:
    """The design of a sample, its strata made again from the ranks; a sample of another list is refused.

    ``ranked`` are the rankings by the measures that the design names, ties broken by its seed.
    """
    if sample.population != len(ranked):
        raise InvalidInputError(
            f"The sample was drawn from {sample.population} candidates, but this list has {len(ranked)}; "
            "use the list that was sampled."
        )
    rows = rows_of(sample.table.with_columns(pl.col(ranked.key).cast(pl.String)), ranked.keys, what="sampled")
    if sample.design != "simple" and not (sample.best and ranked.names):
        raise InvalidInputError(
            f"The {sample.design} sample does not say which measures and list sizes it was drawn for."
        )
    names = stratum_names(ranked.ranks, design=sample.design, sizes=sample.best, by=sample.strata_by)
    _check_strata(sample, rows, names, ranked)
    order = sorted(set(names.tolist()) - {""})
    times = np.zeros(len(ranked), dtype=np.int64)
    times[rows] = sample.table["multiplicity"].cast(pl.Int64).to_numpy() if sample.replacement else 1
    judged = judgements.judged & (times > 0)
    if not judged.any():
        raise InvalidInputError("None of the sampled candidates is judged; give the judgements of this sample.")
    complete = sample.design == "simple" and judged.all()
    return Design(
        kind=CENSUS if complete else sample.design,
        stratum=np.array([order.index(name) if name else -1 for name in names.tolist()], dtype=np.int64),
        times=np.where(judged, times, 0),
        replacement=sample.replacement,
        waiting=int(((times > 0) & ~judged).sum()),
        beside=int((judgements.judged & (times == 0)).sum()),
    )


def _check_strata(sample: Sample, rows: NDArray[np.int64], names: NDArray[Any], ranked: Rankings) -> None:
    """Refuse scores that would have given other strata than those that were drawn from."""
    stated = np.array(sample.table["stratum"].cast(pl.String).to_list(), dtype=names.dtype)
    wrong = np.flatnonzero(stated != names[rows])
    if wrong.size:
        row = int(wrong[0])
        raise InvalidInputError(
            f"The sample puts {show_key(ranked.keys.row(int(rows[row])))} into the stratum {str(stated[row])!r}, "
            f"but by the scores in this list it belongs to {str(names[rows[row]])!r}; use the list that was sampled."
        )
    sizes = {str(name): int((names == name).sum()) for name in np.unique(names) if name}
    if sizes != {name: stratum.size for name, stratum in sample.strata.items() if stratum.size}:
        raise InvalidInputError(
            "The sample's strata do not fit this candidate list: their sizes differ from those of the ranks; "
            "use the list that was sampled."
        )
