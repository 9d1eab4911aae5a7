"""Comparisons: which of two items was preferred, and by whom."""

from typing import TYPE_CHECKING, Any

import numpy as np

from concurrence.core.arrays import Codes
from concurrence.core.errors import InvalidInputError
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, count_noun
from concurrence.core.values import value

if TYPE_CHECKING:
    import polars as pl

FIRST, SECOND, TIE = 0, 1, 2


@value
class Comparisons(Result):
    """One row per comparison: the places of both items, which was preferred (0 first, 1 second, 2 neither), how often.

    ``coders`` is empty where nobody knows who compared; ``coder`` is then all 0. ``missing`` rows had no winner.

    >>> comparisons = Comparisons.from_rows([("x", "y", "x"), ("y", "z", "tie")])
    >>> comparisons.items, comparisons.outcome.tolist()
    (('x', 'y', 'z'), [0, 2])
    """

    items: tuple[str, ...]
    first: Codes
    second: Codes
    outcome: Codes
    count: Codes
    coder: Codes
    coders: tuple[str, ...] = ()
    missing: int = 0
    warnings: tuple[Sentence, ...] = ()

    def __post_init__(self) -> None:
        sizes = {len(column) for column in (self.first, self.second, self.outcome, self.count, self.coder)}
        if len(sizes) != 1:
            raise InvalidInputError("The columns of comparisons must have the same length.")
        if (np.asarray(self.first) == np.asarray(self.second)).any():
            raise InvalidInputError("An item is compared with itself.")

    @classmethod
    def from_rows(cls, rows: Any) -> "Comparisons":
        """Comparisons from rows of first item, second item, winner (an item or ``tie``), and the coder, if known."""
        rows = [tuple(row) for row in rows]
        items = tuple(dict.fromkeys(name for row in rows for name in row[:2]))
        coders = tuple(dict.fromkeys(row[3] for row in rows if len(row) > 3))
        index, who = ({name: place for place, name in enumerate(names)} for names in (items, coders))
        outcomes = [TIE if row[2] == "tie" else (row[0], row[1]).index(row[2]) for row in rows]
        return cls(
            items=items,
            first=np.array([index[row[0]] for row in rows], dtype=np.int64),
            second=np.array([index[row[1]] for row in rows], dtype=np.int64),
            outcome=np.array(outcomes, dtype=np.int64),
            count=np.ones(len(rows), dtype=np.int64),
            coder=np.array([who[row[3]] if coders else 0 for row in rows], dtype=np.int64),
            coders=coders,
        )

    def to_frame(self) -> "pl.DataFrame":
        """One row per comparison as a table (polars): a, b, winner, count, and the coder where coders are known."""
        import polars as pl

        names = np.array([*self.items, "tie"], dtype=object)
        winner = np.choose(self.outcome, [self.first, self.second, np.full(len(self.first), -1)])
        columns = {"a": names[self.first], "b": names[self.second], "winner": names[winner], "count": self.count}
        coder = {"coder": np.array(self.coders, dtype=object)[self.coder]} if self.coders else {}
        return pl.DataFrame({name: column.tolist() for name, column in (columns | coder).items()})

    def __str__(self) -> str:
        who = f", {count_noun(len(self.coders), 'coder')}" if self.coders else ""
        return f"{count_noun(int(self.count.sum()), 'comparison')} of {count_noun(len(self.items), 'item')}{who}."
