"""A compiled pass that counts the labels of each item."""

from typing import Any

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
def count_labels(codes: Any, n_categories: int) -> tuple[Any, Any, Any]:
    """Items x categories, labels per item, and the sum of squared counts per item."""
    n, n_coders = codes.shape
    counts = np.zeros((n, n_categories))
    sizes = np.zeros(n)
    squares = np.zeros(n)
    for row in range(n):
        for column in range(n_coders):
            code = codes[row, column]
            if code >= 0:
                seen = counts[row, code]
                counts[row, code] = seen + 1
                squares[row] += 2 * seen + 1
                sizes[row] += 1
    return counts, sizes, squares
