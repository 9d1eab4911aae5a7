"""Rows that repeat their neighbour need not be computed again."""

import numpy as np
from numpy.typing import ArrayLike

from concurrence.core.arrays import Integers


def runs(*columns: ArrayLike) -> tuple[Integers, Integers]:
    """Where runs of equal rows begin, and for each row the number of its run.

    Along nested lists most counts stay the same from one size to the next, and finding that out is far
    cheaper than sorting for unique rows.

    >>> first, back = runs([1, 1, 2, 1], [5, 5, 5, 5])
    >>> first.tolist(), back.tolist()
    ([0, 2, 3], [0, 0, 1, 2])
    """
    arrays = [np.asarray(column) for column in columns]
    new = np.ones(len(arrays[0]), dtype=bool)
    if len(new):
        new[1:] = np.logical_or.reduce([array[1:] != array[:-1] for array in arrays])
    return np.flatnonzero(new), np.cumsum(new) - 1


def distinct(numbers: Integers, size: int) -> Integers:
    """The different ones of so many numbers from 0 below ``size``, in order; counted, not sorted, where that is less.

    >>> distinct(np.array([3, 0, 3]), 4).tolist()
    [0, 3]
    """
    return np.flatnonzero(np.bincount(numbers)) if size <= len(numbers) else np.unique(numbers)
