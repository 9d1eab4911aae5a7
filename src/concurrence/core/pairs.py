"""Counted word pairs, and how they were counted."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from concurrence.core.contingency import Contingency, check_signatures
from concurrence.core.errors import InvalidInputError

SIGNATURE = ("f", "f1", "f2", "N")


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """How pairs were counted; a file that mixes rules under one name is the classic mistake of this field."""

    rule: str
    span: int | None = None
    unit: str | None = None
    corpus: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    tokens: int | None = None
    sentences: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs:
    """Pairs with their frequency signatures, and any further columns such as scores.

    ``key`` names the columns that identify a candidate: the two members, or more for triples. Every row
    is checked to be a possible signature.
    """

    table: pl.DataFrame
    counted: Counted | None = None
    key: tuple[str, ...] = ("l1", "l2")
    extras: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in (*self.key, *SIGNATURE):
            if name not in self.table.columns:
                found = ", ".join(self.table.columns)
                raise InvalidInputError(f"Pairs need a column {name!r}; found are: {found}.")
        check_signatures(*(self.table[name].cast(pl.Float64).to_numpy() for name in SIGNATURE))

    def __len__(self) -> int:
        return len(self.table)

    @property
    def contingency(self) -> Contingency:
        """Their 2x2 tables."""
        f, f1, f2, n = (self.table[name].cast(pl.Float64).to_numpy() for name in SIGNATURE)
        return Contingency(o11=f, r1=f1, c1=f2, n=n)

    def scores(self, name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        """A column of scores as numbers, NaN where there is none."""
        if name not in self.table.columns:
            found = ", ".join(c for c in self.table.columns if c not in (*self.key, *SIGNATURE))
            raise InvalidInputError(f"There is no column of scores {name!r}; found are: {found or 'none'}.")
        return self.table[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()
