"""Distinct patterns of labels: a million items of two coders are but a few dozen kinds of item."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.signedinteger[Any]]
Weights = NDArray[np.float64]

_FEW = 1 << 16


def distinct_patterns(codes: Codes, n_categories: int, *, always: bool = True) -> tuple[Codes, Weights]:
    """The distinct rows of a table of codes and how many items have each.

    Where a row fits a small whole number, counting these numbers finds the patterns without sorting. Where
    it does not, rows are sorted, unless ``always`` is false: then every item stands for itself.

    >>> patterns, items = distinct_patterns(np.array([[0, 1], [1, 1], [0, 1]]), 2)
    >>> patterns.tolist(), items.tolist()
    ([[0, 1], [1, 1]], [2.0, 1.0])
    """
    base, n_coders = n_categories + 1, codes.shape[1]
    space = base**n_coders
    if space <= max(_FEW, 2 * len(codes)):
        counted = np.bincount(_row_numbers(codes, base), minlength=1)
        seen = np.flatnonzero(counted)
        return _rows_of(seen, base, n_coders).astype(codes.dtype), counted[seen].astype(np.float64)
    if not always:
        return codes, np.ones(len(codes))
    if space < 2**62:
        numbers, counts = np.unique(_row_numbers(codes, base), return_counts=True)
        return _rows_of(numbers, base, n_coders).astype(codes.dtype), counts.astype(np.float64)
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    return rows, counts.astype(np.float64)


def _row_numbers(codes: Codes, base: int) -> NDArray[np.intp]:
    """Each row as one number, its labels the digits (missing is 0)."""
    shift = sum(base**place for place in range(codes.shape[1]))
    numbers = np.full(len(codes), shift, dtype=np.intp)
    for place, column in enumerate(codes.T[::-1]):
        numbers += column if place == 0 else np.multiply(column, base**place, dtype=np.intp)
    return numbers


def _rows_of(numbers: NDArray[np.intp], base: int, n_coders: int) -> NDArray[np.intp]:
    places = base ** np.arange(n_coders - 1, -1, -1, dtype=np.intp)
    return numbers[:, None] // places % base - 1
