"""Candidate lists of known truth, on which intervals and tests are tried; for tests and benchmarks."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

PAPER_SIZE, PAPER_TRUE = 14_654, 939  # the PP-verb list of Evert & Krenn (2005)


def simulated_list(
    qualities: Sequence[float],
    *,
    size: int = PAPER_SIZE,
    true: int = PAPER_TRUE,
    shared: float = 0.7,
    seed: int = 0,
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Which candidates are true, and the scores of measures that tell them apart more or less well.

    A score is normal; true positives lie ``quality`` standard deviations higher. ``shared`` is how much of
    the noise the measures have in common, which makes their lists overlap.

    >>> truth, scores = simulated_list([1.5, 0.0], size=1000, true=100)
    >>> int(truth.sum()), scores.shape
    (100, (2, 1000))
    """
    rng = np.random.default_rng(seed)
    truth = np.zeros(size, dtype=bool)
    truth[rng.choice(size, true, replace=False)] = True
    common = rng.standard_normal(size)
    own = rng.standard_normal((len(qualities), size))
    noise = np.sqrt(shared) * common + np.sqrt(1 - shared) * own
    return truth, noise + np.asarray(qualities, dtype=np.float64)[:, None] * truth


def equal_rankings(
    count: int, quality: float, *, size: int = PAPER_SIZE, true: int = PAPER_TRUE, shared: float = 0.7, seed: int = 0
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """A list on which so many rankings have the same precision at every n, and yet hold different candidates.

    It is a smaller list as often as there are rankings, with their scores handed on by one each time.

    >>> truth, scores = equal_rankings(3, 1.0, size=300, true=30)
    >>> order = np.argsort(-scores, axis=1)[:, :50]
    >>> len(set(truth[order].sum(axis=1).tolist()))
    1
    """
    part, scores = simulated_list([quality] * count, size=size // count, true=true // count, shared=shared, seed=seed)
    turns = [np.roll(scores, turn, axis=0) for turn in range(count)]
    return np.tile(part, count), np.concatenate(turns, axis=1)
