"""Holm's correction of p-values for many tests."""

import numpy as np

from concurrence.core.arrays import Reals


def holm(p_values: Reals) -> Reals:
    """P-values corrected for many tests, so that any false one among them is rare (Holm 1979).

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values)
    factors = len(p_values) - np.arange(len(p_values))
    corrected = np.empty(len(p_values))
    corrected[order] = np.maximum.accumulate(np.minimum(p_values[order] * factors, 1.0))
    return corrected
