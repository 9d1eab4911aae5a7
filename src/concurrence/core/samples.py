"""What people will judge: a random sample of candidates, and how it was drawn."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_type_hints

import numpy as np
import polars as pl

from concurrence.core.candidates import check_keys
from concurrence.core.designs import DESIGNS
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.results import Result
from concurrence.core.values import from_json, to_json, value

COLUMNS = ("part", "stratum", "probability", "weight")
EVERYBODY = "all"  # the part that every coder gets


@value
class Stratum:
    """How many candidates a stratum has, and how many of them were drawn."""

    size: int
    sampled: int

    @property
    def rate(self) -> float:
        return self.sampled / self.size


@value
class Sample(Result):
    """Candidates in the order in which they will be judged, each with its probability of being drawn.

    ``table`` has the key columns, ``part`` (1, 2, … or ``all``), ``stratum``, ``probability``, ``weight``, and
    with replacement ``multiplicity``. ``best`` are the list sizes the sample was drawn for, ``measures`` the
    rankings behind its strata, whose ties ``rank_seed`` broke. A table that does not fit its design is refused.
    """

    table: pl.DataFrame
    design: str
    population: int
    strata: dict[str, Stratum]
    key: tuple[str, ...] = ("l1", "l2")
    best: tuple[int, ...] = ()
    measures: tuple[str, ...] = ()
    rank_seed: int = 0
    strata_by: str | None = None
    replacement: bool = False

    def __post_init__(self) -> None:
        if self.design not in DESIGNS:
            raise UnknownNameError("sampling design", self.design, DESIGNS)
        for name in (*self.key, *COLUMNS, *(("multiplicity",) if self.replacement else ())):
            if name not in self.table.columns:
                raise InvalidInputError(
                    f"A sample needs a column {name!r}; its columns are {', '.join(self.table.columns)}."
                )
        check_keys(self.table.select(self.key))
        _check_strata(self)
        _check_probabilities(self)

    def __len__(self) -> int:
        return len(self.table)

    def to_frame(self) -> pl.DataFrame:
        """The sample as a table (polars)."""
        return self.table

    def __str__(self) -> str:
        of = "" if len(self) == self.size else f" ({len(self):,} distinct)"
        parts = sorted(self.table["part"].value_counts().rows())
        sizes = ", ".join(f"{number:,} in part {part}" for part, number in parts) if len(parts) > 1 else ""
        return f"{self.size:,} of {self.population:,} candidates{of}, design {self.design}{sizes and f': {sizes}'}."

    @property
    def size(self) -> int:
        """How many were drawn, repetitions included."""
        return sum(stratum.sampled for stratum in self.strata.values())

    @property
    def details(self) -> dict[str, Any]:
        """Everything but the table, as stored next to the file."""
        own = {entry.name: to_json(getattr(self, entry.name)) for entry in fields(self) if entry.name != "table"}
        rate = self.size / self.population if self.population else None
        return {**own, "rate": rate, "size": self.size, "list_sizes": list(self.best)}

    @classmethod
    def from_details(cls, table: pl.DataFrame, details: Mapping[str, Any]) -> "Sample":
        """A sample from its table and the details stored next to it."""
        kinds = get_type_hints(cls)
        try:
            settings = {
                name: from_json(kind, details[name]) for name, kind in kinds.items() if details.get(name) is not None
            }
            best = tuple(map(int, settings.get("best", ())))
            return cls(**{**settings, "table": table, "best": best})
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, InvalidInputError):
                raise
            raise InvalidInputError(f"The sample's design is incomplete: {error!r}.") from error


def _check_strata(sample: Sample) -> None:
    times = pl.col("multiplicity").sum() if sample.replacement else pl.len().alias("n")
    drawn = sample.table.group_by("stratum").agg(times)
    counts = {str(name): int(n) for name, n in drawn.rows()}
    for name in counts.keys() | sample.strata.keys():
        if name not in sample.strata:
            raise InvalidInputError(f"The sample has rows in stratum {name!r}, which is not part of its design.")
        expected = sample.strata[name]
        if (rows := counts.get(name, 0)) != expected.sampled:
            raise InvalidInputError(
                f"The sample has {rows} rows in stratum {name!r}, but its design says {expected.sampled}."
            )
        if not sample.replacement and expected.sampled > expected.size:
            raise InvalidInputError(
                f"Stratum {name!r} has only {expected.size} candidates; {expected.sampled} cannot be drawn."
            )
    if sum(stratum.size for stratum in sample.strata.values()) > sample.population:
        raise InvalidInputError("The strata of the sample hold more candidates than the list.")


def _check_probabilities(sample: Sample) -> None:
    given = sample.table["probability"].cast(pl.Float64).to_numpy()
    weights = sample.table["weight"].cast(pl.Float64).to_numpy()
    names = sample.table["stratum"].cast(pl.String).to_list()
    expected = np.array([inclusion(sample.strata[name], replacement=sample.replacement) for name in names])
    wrong = ~np.isclose(given, expected, rtol=1e-9) | ~np.isclose(given * weights, 1, rtol=1e-9)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidInputError(
            f"Row {row + 1} of the sample: probability {given[row]:.6g} and weight {weights[row]:.6g} do not match "
            f"the design, which gives {expected[row]:.6g} and {1 / expected[row]:.6g}."
        )


def inclusion(stratum: Stratum, *, replacement: bool) -> float:
    """The probability that a given candidate of a stratum is in the sample at all."""
    if not replacement:
        return stratum.rate
    return float(-np.expm1(stratum.sampled * np.log1p(-1 / stratum.size))) if stratum.size > 1 else 1.0
