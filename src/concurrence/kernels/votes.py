"""Majority votes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

TIE, NOBODY = -1, -2


def majority(counts: Sequence[ArrayLike]) -> NDArray[np.int32]:
    """Which category has the most votes, from the votes for each: ``TIE`` where several have, ``NOBODY`` without votes.

    ``counts`` holds a number, or an array over items, for each category.

    >>> majority([[3, 1, 1, 0], [0, 2, 1, 0]]).tolist()
    [0, 1, -1, -2]
    """
    most = np.asarray(counts[0])
    winner = np.zeros(most.shape, dtype=np.int32)
    for category, votes in enumerate(map(np.asarray, counts[1:]), start=1):
        winner = np.where(votes > most, category, np.where(votes == most, TIE, winner)).astype(np.int32)
        most = np.maximum(most, votes)
    return np.where(most > 0, winner, NOBODY).astype(np.int32)
