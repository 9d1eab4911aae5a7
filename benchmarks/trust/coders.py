"""How often the interval of a coder's share of right labels, by the model of Dawid and Skene, holds the true share."""

from functools import partial

import numpy as np

from benchmarks.trust.settings import Said, Setting, holds
from concurrence.agreement.labels.coders.models import dawid_skene
from concurrence.core import Labels


def simulate(
    n: int, right: tuple[float, ...], shares: tuple[float, ...], per_item: int, random: np.random.Generator
) -> Said:
    """Coders who are right this often and err evenly; the interval of the first."""
    size = len(shares)
    truth = random.choice(size, p=shares, size=(n, 1))
    shape = (n, len(right))
    codes = np.where(random.random(shape) < right, truth, (truth + random.integers(1, size, shape)) % size)
    given = np.argsort(random.random(shape), axis=1) < per_item
    labels = Labels(
        codes=np.where(given, codes, -1).astype(np.int32),
        categories=tuple(f"c{k}" for k in range(size)),
        coders=tuple(f"coder {k}" for k in range(len(right))),
    )
    rate = dawid_skene(labels).rates[0]
    return Said(holds=holds(rate.interval, right[0]), trusted=rate.trusted)


def even(size: int) -> tuple[float, ...]:
    """Equally frequent categories."""
    return (1 / size,) * size


WORLDS = {
    "3 coders who are right in 80%, 2 categories, 50 items": (50, (0.8,) * 3, even(2), 3),
    "5 coders who are right in 80%, 2 categories, 50 items": (50, (0.8,) * 5, even(2), 5),
    "5 coders who are right in 60%, 2 categories, 40 items": (40, (0.6,) * 5, even(2), 5),
    "5 coders who are right in 95%, 3 categories, 30 items": (30, (0.95,) * 5, even(3), 5),
    "6 coders who are right in 80%, 3 categories, 40 items": (40, (0.8,) * 6, even(3), 6),
    "8 coders who are right in 90%, 85% in one category, 100 items": (100, (0.9,) * 8, (0.85, 0.15), 8),
    "10 coders, the first right in 60%, the others in 85%, 3 categories, 60 items": (
        60,
        (0.6, *(0.85,) * 9),
        even(3),
        10,
    ),
    "30 coders who are right in 85%, 5 per item, 4 categories, 300 items": (300, (0.85,) * 30, even(4), 5),
}

SETTINGS = tuple(
    Setting(
        room="coders",
        statistic="a coder's share of right labels",
        where=where,
        simulate=partial(simulate, *world),
    )
    for where, world in WORLDS.items()
)
