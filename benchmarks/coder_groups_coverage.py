"""How often 95 % intervals of the difference between agreement within and between groups of coders cover the true one.

Items divide the groups with a given probability, coders err, labels are missing; the coders stay the same. Where the
interval is trusted (200 items) it promises 93 %; with fewer it falls short, which is printed. The truth is that of very
many items.
"""

import numpy as np

from benchmarks.rows import Row
from concurrence.agreement.labels.coder_groups import ENOUGH_ITEMS, difference_of, group_difference_interval, pair_sums
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.core import Labels

PROMISE = 0.93
REPLICATIONS, MANY_ITEMS = 1500, 200_000
QUICK = {"REPLICATIONS": 3, "MANY_ITEMS": 1000}
PLACES = np.array([0] * 4 + [1] * 4)
ERROR = 0.15

# share of items that divide the groups, share of labels that are missing
SETTINGS = [(0.1, 0.0), (0.1, 0.5), (0.4, 0.0), (0.4, 0.5)]


def simulate_study(random: np.random.Generator, items: int, divided: float, missing: float) -> LabelStudy:
    shape = (items, len(PLACES))
    base = random.integers(0, 2, size=(items, 1))
    true_labels = (base + PLACES * (random.random((items, 1)) < divided)) % 2
    labels = np.where(random.random(shape) < ERROR, 1 - true_labels, true_labels)
    codes = np.where(random.random(shape) < missing, -1, labels)
    return LabelStudy.of(Labels(codes=codes, categories=("a", "b"), coders=tuple("abcdefgh")))


def coverage(items: int, divided: float, missing: float, replications: int) -> float:
    random, options, hits = np.random.default_rng(0), AgreeOptions(), 0
    many = simulate_study(random, MANY_ITEMS, divided, missing)
    truth = float(difference_of(pair_sums(many, PLACES), many.weights))
    for _ in range(replications):
        study = simulate_study(random, items, divided, missing)
        low, high = group_difference_interval(study, pair_sums(study, PLACES), options)
        hits += bool(low <= truth <= high)
    return hits / replications


def run() -> list[Row]:
    """Every setting with enough items and with few."""
    return [
        Row(
            area="coder_groups_coverage",
            work=f"{items} items, {divided:.0%} divided, {missing:.0%} missing",
            quantity="share of replications",
            ours=coverage(items, divided, missing, REPLICATIONS),
            peer="always",
            against=1.0,
            limit=PROMISE if items >= ENOUGH_ITEMS else None,
            limit_is="at least",
        )
        for items in (30, ENOUGH_ITEMS)
        for divided, missing in SETTINGS
    ]
