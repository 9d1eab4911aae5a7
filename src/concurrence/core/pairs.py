"""Counted word pairs, and how they were counted."""

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import polars as pl

from concurrence.core.arrays import Reals
from concurrence.core.contingency import SIGNATURE, WORDS, Contingency, check_signatures
from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import frame_of
from concurrence.core.results import Result
from concurrence.core.sentences import count_noun
from concurrence.core.sequences import SequenceTable, members
from concurrence.core.values import value

KEY = ("l1", "l2")

UCS_BASE_10 = {
    "MI": ("MI10", "am.MI"),
    "MI2": ("MI2_10", "am.MI2"),
    "MI3": ("MI3_10", "am.MI3"),
    "local_MI": ("local_MI10", "am.local.MI"),
    "average_MI": ("average_MI10", "am.average.MI"),
}
"""Measures in base 2, their names in base 10, and what UCS calls these."""

LOG2_10 = 3.321928094887362


@value
class Counted(Result):
    """How pairs were counted; a file that mixes rules under one name is the classic mistake of this field."""

    rule: str
    span: int | None = None
    unit: str | None = None
    corpus: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    tokens: int | None = None
    sentences: int | None = None

    def __str__(self) -> str:
        counts = ((self.tokens, "token"), (self.sentences, "sentence"))
        sizes = ", ".join(count_noun(n, noun) for n, noun in counts if n is not None)
        return f"by the rule {self.rule}" + (f" ({sizes})" if sizes else "")


@value
class Pairs(Result):
    """Pairs with their frequency signatures, and any further columns such as scores.

    ``key`` names the columns that identify a candidate: the two members, or more for sequences, which have more counts.
    Every row is checked to be a possible signature.
    """

    table: pl.DataFrame
    counted: Counted | None = None
    key: tuple[str, ...] = KEY
    extras: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in (*self.key, *SIGNATURE):
            if name not in self.table.columns:
                columns = ", ".join(self.table.columns)
                raise InvalidInputError(f"Pairs need a column {name!r}; the columns are {columns}.")
        if self.members > 2:
            SequenceTable.from_table(self.table, self.members)
        else:
            check_signatures(*(self.table[name].cast(pl.Float64).to_numpy() for name in SIGNATURE))

    @property
    def members(self) -> int:
        """How many words make up a candidate: two, or more for sequences."""
        return members(self.table.columns, self.key)

    def to_frame(self) -> pl.DataFrame:
        """The pairs as a table (polars)."""
        return self.table

    def __len__(self) -> int:
        return len(self.table)

    def __str__(self) -> str:
        noun = "pair" if self.members == 2 else "sequence"
        return f"{count_noun(len(self), noun)}{f' {self.counted}' if self.counted else ''}."

    @property
    def contingency(self) -> Contingency:
        f, f1, f2, n = (self.table[name].cast(pl.Float64).to_numpy() for name in SIGNATURE)
        if not self.has_words:
            return Contingency(o11=f, r1=f1, c1=f2, n=n)
        n1, n2 = (self.scores(name) for name in WORDS)
        return Contingency(o11=f, r1=f1, c1=f2, n=n, n1=n1, n2=n2)

    @property
    def has_words(self) -> bool:
        """Whether the frequencies of the single words are there."""
        return all(name in self.table.columns for name in WORDS)

    @classmethod
    def from_frame(cls, frame: Any, *, key: tuple[str, ...] = KEY) -> "Pairs":
        """Pairs from any frame that speaks the Arrow interface: pandas, polars, pyarrow."""
        return cls(table=frame_of(frame), key=key)

    def scores(self, name: str) -> Reals:
        """A column of scores as numbers, NaN where there is none."""
        return column_of_scores(self.table, name, key=self.key)


def candidates_of(scored: Any, key: Sequence[str] | None) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The table of scored pairs, or of any frame, and the columns that identify a candidate."""
    pairs = isinstance(scored, Pairs)
    table, keys = scored.table if pairs else pl.DataFrame(scored), tuple(key or (scored.key if pairs else KEY))
    for name in keys:
        if name not in table.columns:
            raise InvalidInputError(
                f"The candidates have no column {name!r}; their columns are {', '.join(table.columns)}."
            )
    return table, keys


def column_of_scores(table: pl.DataFrame, name: str, *, key: Sequence[str] = KEY) -> Reals:
    """Scores by the name of a measure, NaN where there is none.

    The column may also be written as UCS does: ``am.log.likelihood`` is ``log_likelihood``, and ``am.MI`` is ``MI10``,
    the same in base 10.

    >>> column_of_scores(pl.DataFrame({"l1": ["a", "b"], "am.Dice": [0.5, None]}), "dice")
    array([0.5, nan])
    """
    column = find_column(table, name, key)
    try:
        numbers = table[column].cast(pl.Float64)
    except pl.exceptions.PolarsError as error:
        row = int(table[column].cast(pl.Float64, strict=False).is_null().arg_max() or 0)
        cell = table[column][row]
        raise InvalidInputError(f"The column {column!r} is no score: row {row + 1} holds {cell!r}.") from error
    scores = numbers.fill_null(float("nan")).to_numpy()
    return scores * LOG2_10 if name in UCS_BASE_10 and column == UCS_BASE_10[name][1] else scores


def find_column(table: pl.DataFrame, name: str, key: Sequence[str]) -> str:
    """The column of a measure, under its own name or as UCS writes it."""
    if name in table.columns:
        return name
    others = [column for column in table.columns if column not in (*key, *SIGNATURE)]
    for in_base_10, ucs in UCS_BASE_10.values():
        if name.lower() == in_base_10.lower() and ucs in others:
            return ucs
    for column in others:
        if column.lower().removeprefix("am.").replace(".", "_") == name.lower():
            return column
    columns = f"the other columns are {', '.join(others)}" if others else "there are no other columns"
    raise InvalidInputError(f"There is no column of scores {name!r}; {columns}.")
