"""A compiled pass that counts the labels of each item."""

from typing import Any

import numpy as np

from concurrence.kernels.machine_code import machine_code


@machine_code
def count_labels(codes: Any, n_categories: int) -> Any:
    """Items x categories: how often each label was given."""
    n, n_coders = codes.shape
    counts = np.zeros((n, n_categories))
    for row in range(n):
        for column in range(n_coders):
            if codes[row, column] >= 0:
                counts[row, codes[row, column]] += 1
    return counts
