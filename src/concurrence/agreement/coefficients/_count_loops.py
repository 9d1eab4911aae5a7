"""A compiled pass that counts the labels of each item."""

from typing import Any

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
def count_labels(codes: Any, n_categories: int) -> Any:
    """Items x categories: how often each label was given."""
    n, n_coders = codes.shape
    counts = np.zeros((n, n_categories))
    for row in range(n):
        for column in range(n_coders):
            if codes[row, column] >= 0:
                counts[row, codes[row, column]] += 1
    return counts
