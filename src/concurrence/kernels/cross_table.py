"""The labels of two coders against each other, without the cells where nothing is.

Two coders with half a million different numbers fill at most half a million cells of a table that has 250 thousand
million.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from concurrence.core.arrays import Integers, Numbers, Reals

_FEW_CELLS = 1 << 16


@dataclass(frozen=True, kw_only=True, eq=False)
class CrossTable:
    """``items`` with the category ``first`` of one coder and ``second`` of the other; each cell once, by rows."""

    size: int
    first: Integers
    second: Integers
    items: Reals

    @classmethod
    def of_codes(cls, one: Numbers, two: Numbers, weights: Reals, size: int) -> "CrossTable":
        """From the labels of two coders, -1 where there is none, each item with its weight."""
        both = (one >= 0) & (two >= 0)
        cells, weights = one[both].astype(np.int64) * size + two[both], weights[both]
        if size**2 <= max(_FEW_CELLS, len(cells)):
            items = _sums(cells, weights, 1)
            places = np.flatnonzero(items)
            items = items[places]
        else:
            places, where = np.unique(cells, return_inverse=True)
            items = _sums(where, weights, len(places))
        return cls(size=size, first=places // max(size, 1), second=places % max(size, 1), items=items)

    @classmethod
    def of(cls, table: "CrossTable | ArrayLike") -> "CrossTable":
        """From a square table of counts, rows the first coder."""
        if isinstance(table, CrossTable):
            return table
        counts = np.asarray(table, dtype=np.float64)
        first, second = np.nonzero(counts)
        return cls(size=len(counts), first=first, second=second, items=counts[first, second])

    @cached_property
    def n(self) -> float:
        """All items."""
        return float(self.items.sum())

    @cached_property
    def totals(self) -> Reals:
        """How often each coder gave each category: (2, categories)."""
        sides = (self.first, self.second)
        return np.stack([_sums(side, self.items, self.size) for side in sides])

    @cached_property
    def diagonal(self) -> Reals:
        """How often both gave the category."""
        alike = self.first == self.second
        return _sums(self.first[alike], self.items[alike], self.size)

    def apart(self) -> "CrossTable":
        """The cells of disagreement alone."""
        differ = self.first != self.second
        return CrossTable(
            size=self.size, first=self.first[differ], second=self.second[differ], items=self.items[differ]
        )

    def at(self, first: int, second: int) -> float:
        """One cell."""
        return float(self.items[(self.first == first) & (self.second == second)].sum())

    def dense(self) -> Integers:
        """The whole table."""
        table = np.zeros((self.size, self.size), dtype=np.int64)
        table[self.first, self.second] = self.items.astype(np.int64)
        return table

    def directions(self) -> tuple[Integers, Integers, Reals, Reals]:
        """Every two categories that were confused, the lower first, and the items in either direction."""
        apart = self.apart()
        lower, upper = np.minimum(apart.first, apart.second), np.maximum(apart.first, apart.second)
        pairs, place = np.unique(lower * self.size + upper, return_inverse=True)
        one, other = (
            _sums(place, apart.items * way, len(pairs))
            for way in (apart.first < apart.second, apart.first > apart.second)
        )
        return *np.divmod(pairs, max(self.size, 1)), one, other


def _sums(places: Integers, items: Reals, size: int) -> Reals:
    """The items at each place."""
    return np.bincount(places, weights=items, minlength=size).astype(np.float64, copy=False)
