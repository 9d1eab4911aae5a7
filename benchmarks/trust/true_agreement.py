"""True agreement of two coders: of n items, m are truly agreed upon, and on the others both decide at their own rates.

Under homogeneity, the share of *yes* among the m is the mean of the two rates. The truth is m / n.
"""

import numpy as np

from benchmarks.trust.settings import Said, Setting, holds
from concurrence.agreement.labels.dual.true_agreement import true_agreement

ROOM = "true agreement"


def draw_table(random: np.random.Generator, n: int, m: int, first: float, second: float) -> np.ndarray:
    """One table: yes and no of both coders."""
    positive = round(m * (first + second) / 2)
    shares = [first * second, first * (1 - second), (1 - first) * second, (1 - first) * (1 - second)]
    both, one, other, neither = random.multinomial(n - m, shares)
    return np.array([[positive + both, one], [other, m - positive + neither]])


def true_share(n: int, m: int, first: float, second: float):
    """Whether the interval to report holds the share of true agreement."""

    def simulate(random: np.random.Generator) -> Said:
        truth = true_agreement(draw_table(random, n, m, first, second))
        return Said(holds=holds(truth.interval, m / n), trusted=bool(truth.trusted))

    return simulate


WORLDS = (
    *((200, 180, 0.10, 0.05), (50, 45, 0.10, 0.05), (50, 5, 0.10, 0.05), (200, 190, 0.10, 0.05), (50, 47, 0.60, 0.20)),
    *(
        (200, 180, 0.30, 0.30),
        (100, 30, 0.50, 0.50),
        (100, 70, 0.30, 0.30),
        (800, 760, 0.30, 0.30),
        (500, 200, 0.60, 0.20),
    ),
)
SETTINGS: tuple[Setting, ...] = tuple(
    Setting(
        room=ROOM,
        statistic="true agreement, homogeneity",
        where=f"{n} items, {m} truly agreed upon, rates {first:g} and {second:g}",
        simulate=true_share(n, m, first, second),
    )
    for n, m, first, second in WORLDS
)
