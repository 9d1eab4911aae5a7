"""How often a test by exchanged groups tells equal measures apart: by true positives in lists, by average precision.

Six measures are the same but for noise, and some groups of candidates (verbs) are much larger than others. The test of
true positives in n-best lists keeps its level; made for the contributions to average precision it does not, since one
candidate above moves the precision at all true positives below it. That is why a benchmark does not test by it.
"""

import numpy as np
from numpy.typing import NDArray

from benchmarks.rows import Row
from concurrence.evaluation.benchmark.one_list import flip_test_all_pairs

CANDIDATES, GROUPS, MEASURES, BEST = 1500, 250, 6, 200
REPLICATIONS, DRAWS = 400, 499
QUICK = {"REPLICATIONS": 2, "DRAWS": 19}
LEVEL = 0.05
NOISES = (0.5, 1.5)


def by_group(group: NDArray[np.int64], amount: NDArray[np.float64]) -> NDArray[np.float64]:
    """Measures x groups x one list size."""
    sums = [np.bincount(group, weights=column, minlength=GROUPS) for column in amount.T]
    return np.array(sums)[:, :, None]


def simulate_groups(random: np.random.Generator, noise: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What each group adds to the true positives of each list, and to each average precision."""
    sizes = random.pareto(1.2, GROUPS) + 0.3
    group = random.choice(GROUPS, CANDIDATES, p=sizes / sizes.sum())
    truth = random.standard_normal(GROUPS)[group] + random.standard_normal(CANDIDATES)
    true = random.random(CANDIDATES) < 1 / (1 + np.exp(3.5 - 1.2 * truth))
    lists, averages = np.zeros((CANDIDATES, MEASURES)), np.zeros((CANDIDATES, MEASURES))
    for m in range(MEASURES):
        own = random.standard_normal(CANDIDATES) + random.standard_normal(GROUPS)[group]
        order = np.argsort(-(truth + noise * own))
        rank = np.empty(CANDIDATES, dtype=np.int64)
        rank[order] = np.arange(1, CANDIDATES + 1)
        precision = np.cumsum(true[order]) / np.arange(1, CANDIDATES + 1)
        lists[:, m], averages[:, m] = true & (rank <= BEST), true * precision[rank - 1] / max(true.sum(), 1)
    return by_group(group, lists), by_group(group, averages)


def rejection_rates(noise: float) -> tuple[float, float]:
    """The share of studies in which some two of the equal measures are told apart, by lists and by averages."""
    random, rejections = np.random.default_rng(0), np.zeros(2)
    for _ in range(REPLICATIONS):
        for place, hits in enumerate(simulate_groups(random, noise)):
            p, _ = flip_test_all_pairs(hits, draws=DRAWS, level=1 - LEVEL, seed=0)
            rejections[place] += (p <= LEVEL).any()
    lists, averages = rejections / REPLICATIONS
    return float(lists), float(averages)


def run() -> list[Row]:
    """Both tests at little and at much noise; only that of lists promises its level."""
    slack = 3 * np.sqrt(LEVEL * (1 - LEVEL) / REPLICATIONS)
    rows = []
    for noise in NOISES:
        lists, averages = rejection_rates(noise)
        for statistic, share, limit in (
            (f"{BEST}-best lists", lists, 1 + slack / LEVEL),
            ("average precision", averages, None),
        ):
            rows.append(
                Row(
                    area="exchanges_level",
                    work=f"equal measures told apart by {statistic}, noise {noise:g}",
                    quantity="rate",
                    ours=share,
                    peer="level",
                    against=LEVEL,
                    limit=limit,
                )
            )
    return rows
