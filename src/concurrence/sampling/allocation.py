"""How many judgements each stratum gets."""

import numpy as np

from concurrence.core.arrays import Integers, Reals
from concurrence.core.errors import InvalidInputError


def allocate(sizes: Integers, importance: Reals, total: int, *, least: Integers) -> Integers:
    """Share ``total`` among strata in proportion to their importance, between ``least`` and their sizes.

    What a full stratum cannot take goes to the others; fractions go to the largest remainders.

    >>> allocate(np.array([10, 100, 1000]), np.array([5.0, 5.0, 5.0]), 100, least=np.zeros(3, int)).tolist()
    [10, 45, 45]
    """
    if not least.sum() <= total <= sizes.sum():
        raise InvalidInputError(
            f"{total} judgements cannot be divided among {len(sizes)} strata: "
            f"they need at least {least.sum()} and hold {sizes.sum()} candidates."
        )
    shares = _fill(sizes, importance, total, least)
    whole = np.clip(np.floor(shares + 1e-9).astype(np.int64), least, sizes)
    missing = total - int(whole.sum())
    while missing > 0:
        room = np.where(whole < sizes, shares - whole, -np.inf)
        takers = np.argsort(-room, kind="stable")[: min(missing, int((whole < sizes).sum()))]
        whole[takers] += 1
        missing = total - int(whole.sum())
    return whole


def _fill(sizes: Integers, importance: Reals, total: int, least: Integers) -> Reals:
    """Raise one water level until all shares, cut off at both ends, add up to the total."""
    low, high = 0.0, float(sizes.max()) / max(float(importance[importance > 0].min(initial=1.0)), 1e-300)
    for _ in range(200):
        level = (low + high) / 2
        if np.clip(level * importance, least, sizes).sum() < total:
            low = level
        else:
            high = level
    return np.clip(low * importance, least, sizes)
