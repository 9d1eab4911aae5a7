"""The row of an association measure: its function and its properties."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from concurrence.core import Contingency
from concurrence.core.arrays import Reals
from concurrence.core.sequences import SequenceTable

Function = Callable[[Contingency], Reals]
SequenceFunction = Callable[[SequenceTable], Reals]

CORNERS = np.array([1.0, -1.0, -1.0, 1.0])
"""The signs of the cells 11, 12, 21, 22 where they move together."""

# Limits are meant: a perfect association divides by an empty cell and is infinite, 0/0 is NaN.
limits = np.errstate(divide="ignore", invalid="ignore")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One row of the table of measures: a pure vectorised function and its properties.

    ``name`` is that of the function unless the field writes it otherwise; people read the ``title``, which is the
    ``symbol`` where nothing else is given.
    ``signed``: the score has the sign of O - E. ``side``: a one-sided measure is high for attraction alone, a
    two-sided one for repulsion too. ``ucs``: its name in the UCS toolkit. ``aliases``: other names that find it.
    ``ranks_like``: other measures that give the same ranking, always or under the condition ``ranks_like_where``.
    ``formula`` is written as ``--define`` understands it, where the measure is a formula. ``sequences`` scores
    more than two words, where a generalisation has been published. Of the same margins, more attraction never scores
    less, unless the measure is not ``monotone``.
    """

    function: Function
    name: str = ""
    title: str = ""
    symbol: str
    formula: str
    reference: str
    base: str | None = None
    side: str = "one-sided"
    signed: bool = False
    range: tuple[float, float] = (-inf, inf)
    ucs: str | None = None
    aliases: tuple[str, ...] = ()
    ranks_like: tuple[str, ...] = ()
    ranks_like_where: str | None = None
    kind: str = ""
    sequences: SequenceFunction | None = None
    monotone: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.function.__name__)
        object.__setattr__(self, "title", self.title or self.symbol)

    def __call__(self, t: Contingency) -> Reals:
        return self.function(t)

    def as_json(self) -> dict[str, Any]:
        """All but the function, for help and machine-readable lists."""
        summary = (self.function.__doc__ or "").strip().splitlines()[0]
        fields = ("name", "title", "kind", "symbol", "formula", "base", "side", "signed", "range", "reference", "ucs")
        return {
            **{field: getattr(self, field) for field in fields},
            "aliases": list(self.aliases),
            "ranks_like": list(self.ranks_like),
            "ranks_like_where": self.ranks_like_where,
            "sequences": self.sequences is not None,
            "summary": summary,
        }
