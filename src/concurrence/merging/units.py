"""The labels of one group, ready for counting: items one after the other, categories that were used."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from concurrence.core.arrays import Booleans, Integers, Numbers, Reals
from concurrence.core.labels import Labels

EVERYTHING = "all"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MergingItems:
    """Items that count for a coefficient; ``labels[k]`` is what was said of item ``item[k]``.

    ``categories`` are the codes of those used here, which ``labels`` refers to by position. ``outside`` are
    categories used only on items that do not count. ``n_categories`` is the size of the whole
    category set, which some coefficients look at.
    """

    labels: Integers
    item: Integers
    sizes: Integers
    categories: Integers
    outside: Integers
    n_coders: int
    n_categories: int

    @property
    def paired(self) -> int:
        """Items with at least two labels."""
        return int((self.sizes >= 2).sum())

    def counts(self, rows: Booleans | None = None) -> Reals:
        """Items x categories: how often each was used; of these items alone where ``rows`` says so."""
        width = len(self.categories)
        table = np.bincount(self.item * width + self.labels, minlength=len(self.sizes) * width)
        table = table.reshape(len(self.sizes), width)
        return (table if rows is None else table[rows]).astype(np.float64)

    def agreed(self, classes: Integers) -> float:
        """How many items were agreed on, where an item counts with its share of agreeing pairs of labels."""
        width = int(classes.max(initial=-1)) + 1
        cells = np.bincount(self.item * width + classes[self.labels], minlength=len(self.sizes) * width)
        counts = cells.reshape(len(self.sizes), width).astype(np.float64)
        pairs = (counts * (counts - 1)).sum(axis=1)
        several = self.sizes >= 2
        possible = (self.sizes * (self.sizes - 1)).astype(np.float64)
        return float((pairs[several] / possible[several]).sum())


def group_rows(labels: Labels) -> Iterator[tuple[str, Numbers]]:
    """The groups in the order of their first item, and their rows; one group ``all`` where there are none."""
    if labels.groups is None:
        yield EVERYTHING, np.arange(labels.n_items)
        return
    words, first, number = np.unique(labels.groups.astype(str), return_index=True, return_inverse=True)
    rows = np.split(np.argsort(number, kind="stable"), np.cumsum(np.bincount(number))[:-1])
    for k in np.argsort(first):
        yield str(words[k]), rows[k]


def merging_items(labels: Labels, rows: Numbers, *, at_least: int) -> MergingItems:
    """The items among ``rows`` with at least so many labels."""
    codes = labels.codes[rows]
    given = codes >= 0
    sizes = given.sum(axis=1)
    inside = sizes >= at_least
    seen = np.unique(codes[given])
    item, column = np.nonzero(given[inside])
    values = codes[inside][item, column]
    used, positions = np.unique(values, return_inverse=True)
    return MergingItems(
        labels=positions.astype(np.int64),
        item=item.astype(np.int64),
        sizes=sizes[inside].astype(np.int64),
        categories=used.astype(np.int64),
        outside=np.setdiff1d(seen, used).astype(np.int64),
        n_coders=int(given.any(axis=0).sum()),
        n_categories=len(labels.categories),
    )
