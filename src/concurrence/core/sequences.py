"""Sequences of more than two words, and their tables: a cell for every way in which words match or do not."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from concurrence.core.errors import InvalidInputError
from concurrence.core.rules import LONGEST
from concurrence.core.sentences import count_noun
from concurrence.core.values import value

if TYPE_CHECKING:
    import polars as pl

Counts = NDArray[np.float64]


def key_of(n: int) -> tuple[str, ...]:
    """The columns of the words of a sequence.

    >>> key_of(3)
    ('l1', 'l2', 'l3')
    """
    return tuple(f"l{k}" for k in range(1, n + 1))


def subsets(n: int) -> list[tuple[int, ...]]:
    """The places of a sequence that may match while others are left open: one, two, and so on, but not all.

    >>> subsets(3)
    [(1,), (2,), (3,), (1, 2), (1, 3), (2, 3)]
    """
    return [places for size in range(1, n) for places in combinations(range(1, n + 1), size)]


def margin_name(places: Sequence[int]) -> str:
    """The column that counts the sequences with the same words at some places.

    >>> margin_name((1, 3))
    'f13'
    """
    return "f" + "".join(map(str, places))


def counts_of(n: int) -> tuple[str, ...]:
    """All columns of counts of a sequence, in their order; those of a pair are its frequency signature."""
    singles, others = subsets(n)[:n], subsets(n)[n:]
    return ("f", *map(margin_name, singles), "N", *map(margin_name, others))


def members(columns: Sequence[str], key: Sequence[str]) -> int:
    """How many words make up a candidate: more than two where its key and its counts say so."""
    n = len(key)
    return n if 2 < n <= LONGEST and tuple(key) == key_of(n) and f"f{n}" in columns else 2


@value
class SequenceTable:
    """Observed frequencies of sequences, in cells.

    Bit ``k`` of a cell's number says whether the word at place ``k + 1`` matches. The last cell is the sequence itself,
    the first all sequences that share no word with it at its place.

    >>> table = SequenceTable.of({"f": [2], "f1": [2], "f2": [2], "N": [9]}, 2)
    >>> table.cells.tolist()
    [[7.0, 0.0, 0.0, 2.0]]
    """

    cells: Counts
    size: int

    @classmethod
    def of(cls, counts: Mapping[str, object], n: int) -> "SequenceTable":
        """The table from the columns of counts: cells by inclusion and exclusion of margins."""
        full = tuple(range(1, n + 1))
        names = {(): "N", full: "f", **{places: margin_name(places) for places in subsets(n)}}
        columns = {_number(places): np.asarray(counts[name], dtype=np.float64) for places, name in names.items()}
        cells = np.stack([columns[number] for number in range(2**n)], axis=-1)
        for bit in (1 << k for k in range(n)):
            without = [number for number in range(2**n) if not number & bit]
            cells[..., without] -= cells[..., [number | bit for number in without]]
        return cls(cells=cells, size=n)

    @classmethod
    def from_table(cls, table: "pl.DataFrame", n: int) -> "SequenceTable":
        """The table of counted sequences; one that is missing or impossible is refused."""
        for name in counts_of(n):
            if name not in table.columns:
                columns = ", ".join(table.columns)
                raise InvalidInputError(f"Sequences of {n} words need a column {name!r}; the columns are {columns}.")
        sequences = cls.of({name: table[name].to_numpy() for name in counts_of(n)}, n)
        if (row := sequences.first_impossible()) is not None:
            raise InvalidInputError(f"row {row + 1}: {sequence_error(table.row(row, named=True), n)}")
        return sequences

    def first_impossible(self) -> int | None:
        """The first row of counts that no table can have, if there is one."""
        possible = (self.cells >= 0).all(axis=-1) & (self.n > 0) & (self.cells == np.floor(self.cells)).all(axis=-1)
        return None if possible.all() else int(np.argmin(possible))

    def __str__(self) -> str:
        return f"{count_noun(len(self.cells), 'table')} of sequences of {self.size} words."

    @property
    def n(self) -> Counts:
        """The number of all sequences."""
        total: Counts = self.cells.sum(axis=-1)
        return total

    @property
    def observed(self) -> Counts:
        """How often the sequence occurs."""
        return self.cells[..., -1]

    @property
    def expected(self) -> Counts:
        """All cells as full independence of the places predicts them."""
        cells = self.n[..., None]
        for k in range(self.size):
            there = [number for number in range(2**self.size) if number & (1 << k)]
            share = self.cells[..., there].sum(axis=-1) / self.n
            cells = np.concatenate([cells * (1 - share)[..., None], cells * share[..., None]], axis=-1)
        return cells


def _number(places: Sequence[int]) -> int:
    return sum(1 << (place - 1) for place in places)


def sequence_error(row: Mapping[str, object], n: int) -> str:
    """What is wrong with one impossible row of counts, in words."""
    counts = ", ".join(f"{name}={row[name]}" for name in counts_of(n))
    return f"{counts} are not the counts of a sequence: they must be whole, and no part of the table may be below 0."
