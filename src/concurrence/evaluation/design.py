"""How the judged candidates were chosen, and whether a sample file fits what it says of itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.rankings import Rankings
from concurrence.evaluation.judgements import Judgements, rows_of, show_key
from concurrence.kernels.ranking import bands_of_best_rank, membership_cells, union_of_best

DESIGNS = ("simple", "union", "strata")
CENSUS = "census"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Design:
    """The strata of a candidate list, and how often each candidate was drawn.

    ``stratum`` is a number per candidate, -1 outside of what was sampled from. ``times`` says how often a
    candidate was drawn and judged: 0 or 1 without replacement. A simple sample has one stratum. ``waiting``
    counts what was drawn and is not judged yet.
    """

    kind: str
    stratum: NDArray[np.int64]
    times: NDArray[np.int64]
    replacement: bool = False
    waiting: int = 0

    @property
    def n_strata(self) -> int:
        """How many strata there are."""
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


def design_of_sample(
    sample: pl.DataFrame, details: Mapping[str, Any], ranked: Rankings, judgements: Judgements
) -> Design:
    """The design that a sample file describes; a file that contradicts itself or the list is refused.

    ``ranked`` are the rankings by the measures that the design names, ties broken by its seed.
    """
    kind = str(details.get("design", "simple"))
    if kind not in DESIGNS:
        raise UnknownNameError("sampling design", kind, DESIGNS)
    _check_population(details, len(ranked))
    rows = rows_of(sample.with_columns(pl.col(ranked.key).cast(pl.String)), ranked.keys, what="sampled")
    _check_once(rows, ranked)
    names = _stratum_names(kind, details, ranked, sample, rows)
    order = sorted(set(names.tolist()) - {""})
    stratum = np.array([order.index(name) if name else -1 for name in names.tolist()], dtype=np.int64)
    times = _times(sample, rows, len(ranked), replacement=bool(details.get("replacement")))
    _check_weights(sample, rows, stratum, order, details)
    _check_judged(judgements, times, ranked)
    return Design(
        kind=CENSUS if (times > 0).all() and kind == "simple" and judgements.judged.all() else kind,
        stratum=stratum,
        times=np.where(judgements.judged, times, 0),
        replacement=bool(details.get("replacement")),
        waiting=int(((times > 0) & ~judgements.judged).sum()),
    )


def _stratum_names(
    kind: str, details: Mapping[str, Any], ranked: Rankings, sample: pl.DataFrame, rows: NDArray[np.int64]
) -> NDArray[Any]:
    """The stratum of every candidate, an empty name outside of what was sampled from."""
    if kind == "simple":
        return np.full(len(ranked), "all")
    cuts = list_cuts(details)
    if not cuts or not ranked.names:
        raise InvalidInputError(
            f"The {kind} sample does not say its measures and list sizes; its .meta.json is needed."
        )
    if kind == "union":
        return np.where(union_of_best(ranked.ranks, max(cuts)), "union", "")
    for names in (bands_of_best_rank(ranked.ranks, cuts), membership_cells(ranked.ranks, cuts)):
        if _sizes(names) == _stated_sizes(details):
            _check_strata(sample, rows, names, ranked)
            return names
    raise InvalidInputError(
        "The sample's strata do not fit this candidate list: their sizes differ from those of the ranks; "
        "use the scored list that was sampled."
    )


def _sizes(names: NDArray[Any]) -> dict[str, int]:
    values, counts = np.unique(names, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def _stated_sizes(details: Mapping[str, Any]) -> dict[str, int]:
    strata = details.get("strata") or {}
    return {str(name): int(known["size"]) for name, known in strata.items() if int(known["size"])}


def list_cuts(details: Mapping[str, Any]) -> list[int]:
    """The list sizes that a union or stratified design was drawn for."""
    value = details.get("best") or []
    return [int(cut) for cut in (value if isinstance(value, list | tuple) else [value])]


def _check_population(details: Mapping[str, Any], size: int) -> None:
    population = details.get("population")
    if population is not None and int(population) != size:
        raise InvalidInputError(
            f"The sample was drawn from {int(population)} candidates, but this list has {size}; "
            "use the list that was sampled."
        )


def _check_once(rows: NDArray[np.int64], ranked: Rankings) -> None:
    values, counts = np.unique(rows, return_counts=True)
    if (counts > 1).any():
        twice = ranked.keys.row(int(values[counts > 1][0]))
        raise InvalidInputError(
            f"The sample names {show_key(twice)} twice; draws with replacement go in 'multiplicity'."
        )


def _check_strata(sample: pl.DataFrame, rows: NDArray[np.int64], names: NDArray[Any], ranked: Rankings) -> None:
    if "stratum" not in sample.columns:
        return
    stated = np.array(sample["stratum"].cast(pl.String).fill_null("").to_list())
    wrong = np.flatnonzero(stated != names[rows])
    if wrong.size:
        row = int(wrong[0])
        raise InvalidInputError(
            f"The sample puts {show_key(ranked.keys.row(int(rows[row])))} into the stratum {stated[row]!r}, "
            f"but by its ranks it belongs to {str(names[rows[row]])!r}."
        )


def _times(sample: pl.DataFrame, rows: NDArray[np.int64], size: int, *, replacement: bool) -> NDArray[np.int64]:
    times = np.zeros(size, dtype=np.int64)
    if replacement and "multiplicity" in sample.columns:
        drawn = sample["multiplicity"].cast(pl.Int64, strict=False)
        if drawn.null_count() or (drawn < 1).any():
            raise InvalidInputError("The sample's column 'multiplicity' must hold whole numbers from 1 on.")
        times[rows] = drawn.to_numpy()
    else:
        times[rows] = 1
    return times


def _check_weights(
    sample: pl.DataFrame,
    rows: NDArray[np.int64],
    stratum: NDArray[np.int64],
    order: list[str],
    details: Mapping[str, Any],
) -> None:
    if (stratum[rows] < 0).any():
        raise InvalidInputError("The sample holds candidates that its design could not have drawn.")
    if bool(details.get("replacement")) or "probability" not in sample.columns:
        return
    sizes = np.bincount(stratum[stratum >= 0], minlength=len(order))
    drawn = np.bincount(stratum[rows], minlength=len(order))
    expected = (drawn / sizes)[stratum[rows]]
    for name, values in (("probability", expected), ("weight", 1 / expected)):
        if name not in sample.columns:
            continue
        stated = sample[name].cast(pl.Float64, strict=False).fill_null(float("nan")).to_numpy()
        wrong = np.flatnonzero(~np.isclose(stated, values, rtol=1e-6))
        if wrong.size:
            row = int(wrong[0])
            raise InvalidInputError(
                f"The sample's {name}s do not fit its design: in the stratum {order[stratum[rows[row]]]!r} "
                f"{drawn[stratum[rows[row]]]} of {sizes[stratum[rows[row]]]} were drawn, so the {name} is "
                f"{values[row]:.6g}, not {stated[row]:.6g}."
            )


def _check_judged(judgements: Judgements, times: NDArray[np.int64], ranked: Rankings) -> None:
    extra = np.flatnonzero(judgements.judged & (times == 0))
    if extra.size:
        raise InvalidInputError(
            f"{show_key(ranked.keys.row(int(extra[0])))} is judged, but it is not in the sample; "
            "judgements of other candidates would bias the estimates."
        )
