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
