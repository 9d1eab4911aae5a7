"""How often ``contrast`` calls a word different by its documents where both sides use it equally often."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.trust.settings import Said, Setting
from concurrence.api.contrast import evidence_by_documents
from concurrence.kernels.document_tests import document_p_values, mean_rate_differences

Sides = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The lengths of the documents of either side."""

DRAWS = 99
LEVEL = 0.05
COMMON, RARE = 0.002, 0.0005
"""Occurrences per token."""


def equal(n: int, length: int) -> NDArray[np.int64]:
    """So many documents of one length."""
    return np.full(n, length, dtype=np.int64)


def one_huge(n: int, length: int, huge: int) -> NDArray[np.int64]:
    """Documents of one length, and one that is much longer."""
    return np.array([huge, *[length] * (n - 1)], dtype=np.int64)


def random_lengths(n: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Documents from fifty tokens up, log-normal: some are a hundred times as long as others."""
    return np.maximum(random.lognormal(7, 1.5, n), 50).astype(np.int64)


def simulate(sides: Sides | None, rate: float, burst: float | None, random: np.random.Generator) -> Said:
    """One word, as frequent in either side, whose rate differs by document as a gamma variable of shape ``burst``.

    A row without a p-value, since its documents point the other way, accuses of nothing.
    """
    a, b = sides or (random_lengths(20, random), random_lengths(20, random))
    sizes, is_a = np.concatenate([a, b]), np.arange(len(a) + len(b)) < len(a)
    rates = np.full(len(sizes), rate) if burst is None else rate * random.gamma(burst, 1 / burst, size=len(sizes))
    counts = random.poisson(rates * sizes)
    documents = np.flatnonzero(counts)
    if not len(documents):
        return Said(holds=None)
    cells = (np.zeros(len(documents), dtype=np.int64), documents, counts[documents], sizes, is_a)
    seed = int(random.integers(2**31))
    p_values = document_p_values(*cells, n_words=1, draws=DRAWS, seed=seed)
    f_a, f_b = counts[is_a].sum() / a.sum(), counts[~is_a].sum() / b.sum()
    evidence = evidence_by_documents(p_values, mean_rate_differences(*cells, 1), np.array([f_a - f_b]))
    return Said(holds=not evidence["p_documents"][0] <= LEVEL)


WORLDS: dict[str, Sides | None] = {
    "20 and 20 documents of 2,000 tokens": (equal(20, 2000), equal(20, 2000)),
    "5 and 5 documents of 2,000 tokens": (equal(5, 2000), equal(5, 2000)),
    "20 documents of 3,000 and 20 of 500 tokens": (equal(20, 3000), equal(20, 500)),
    "10 documents of 500 and 40 of 3,000 tokens": (equal(10, 500), equal(40, 3000)),
    "10 documents of 3,000 and 40 of 500 tokens": (equal(10, 3000), equal(40, 500)),
    "5 documents of 500 and 20 of 3,000 tokens": (equal(5, 500), equal(20, 3000)),
    "20 and 20 documents of very unequal lengths": None,
    "20 and 20 documents of 1,000 tokens, one of 100,000": (one_huge(20, 1000, 100_000), equal(20, 1000)),
    "3 and 4 documents of 2,000 tokens": (equal(3, 2000), equal(4, 2000)),
    "3 documents of 500 and 4 of 3,000 tokens": (equal(3, 500), equal(4, 3000)),
    "1 document and 20 documents of 2,000 tokens": (equal(1, 2000), equal(20, 2000)),
    "1 document of 20,000 and 30 of 1,000 tokens": (equal(1, 20_000), equal(30, 1000)),
}
BURSTS = {"very bursty": 0.3, "not bursty": None}

SETTINGS = tuple(
    Setting(
        room="contrast",
        statistic="p-value by documents",
        where=f"{world}, a {how} {'rare' if rate == RARE else 'common'} word",
        simulate=partial(simulate, sides, rate, burst),
        kind="test",
    )
    for world, sides in WORLDS.items()
    for how, burst in BURSTS.items()
    for rate in (RARE if "of 500" in world else COMMON,)
)
