"""Difference sets judged in part: does the interval of the difference hold, at one look, at planned looks and at many.

Two sets of known truth are judged in random order. At one look, the interval should hold in 95%; at some of 50 looks,
the interval for every look should miss in at most 5%, as should those at the levels of five planned looks. Newcombe's
at the level of a single look misses far more often.
"""

import numpy as np
from numpy.typing import NDArray

from benchmarks.rows import Row
from concurrence.api.plans import plan_looks
from concurrence.kernels.anytime import anytime_difference
from concurrence.kernels.differences import difference_interval
from concurrence.kernels.estimates import StratumCounts

AREA = "differences"
LEVEL = 0.95
SAMPLES, LISTS, LOOKS = 4000, 400, 50
QUICK = {"SAMPLES": 20, "LISTS": 2}
SETTINGS = ((200, 60, 40, 30), (200, 120, 80, 60), (1000, 100, 300, 300), (1000, 60, 50, 20))
"""The size of each set, how many of each are judged, how many of the first and of the second are true."""


def run() -> list[Row]:
    rng = np.random.default_rng(1)
    rows = [_one_look(*setting, rng) for setting in SETTINGS]
    return [*rows, *_many_looks(rng)]


def _one_look(size: int, n_judged: int, first: int, second: int, rng: np.random.Generator) -> Row:
    true_counts = [rng.hypergeometric(true, size - true, n_judged, SAMPLES) for true in (first, second)]
    _, low, high = difference_interval(*(_cells(size, n_judged, counts) for counts in true_counts), level=LEVEL)
    truth = (first - second) / size
    coverage = float(((low <= truth + 1e-12) & (truth <= high + 1e-12)).mean())
    work = f"sets of {size:,}, {n_judged} judged in each, {first} and {second} true"
    return Row(
        area=AREA, work=work, quantity="coverage", ours=coverage, peer="promised", against=LEVEL, limit=0.98,
        limit_is="at least",
    )  # fmt: skip


def _many_looks(rng: np.random.Generator) -> list[Row]:
    size, first, second, most = 1000, 300, 250, 500
    places = np.linspace(10, most, LOOKS).astype(int)
    planned = np.array([100, 200, 300, 400, 500])
    levels = [look.level for look in plan_looks(planned.tolist(), population=size).looks]
    misses = dict.fromkeys(("every", "planned", "one"), 0)
    truth = first - second
    for _ in range(LISTS):
        one, two = (np.cumsum(rng.permutation(np.arange(size) < true)) for true in (first, second))
        k1, k2 = one[places - 1], two[places - 1]
        low, high = anytime_difference((size, places, k1), (size, places, k2), level=LEVEL)
        misses["every"] += bool(((truth < low) | (truth > high)).any())
        misses["one"] += _misses(size, places, k1, k2, truth, [LEVEL] * LOOKS)
        misses["planned"] += _misses(size, planned, one[planned - 1], two[planned - 1], truth, levels)
    labels = {
        "every": (f"{LOOKS} looks, the interval for every look", 1.0),
        "planned": ("5 planned looks, at the planned levels", 1 + 3 * float(np.sqrt(0.95 / 0.05 / LISTS))),
        "one": (f"{LOOKS} looks, for comparison the interval of one look", None),
    }
    return [
        Row(area=AREA, work=f"{work}: lists on which some look misses", quantity="share of lists",
            ours=misses[name] / LISTS, peer="the error it promises", against=1 - LEVEL, limit=limit)
        for name, (work, limit) in labels.items()
    ]  # fmt: skip


def _misses(
    size: int,
    n_judged: NDArray[np.int64],
    k1: NDArray[np.int64],
    k2: NDArray[np.int64],
    truth: int,
    levels: list[float],
) -> bool:
    """Whether some of the intervals, each at its level, does not hold the difference."""
    for n, a, b, level in zip(n_judged, k1, k2, levels, strict=True):
        _, low, high = difference_interval(_cells(size, n, np.array([a])), _cells(size, n, np.array([b])), level=level)
        if not low[0] - 1e-12 <= truth / size <= high[0] + 1e-12:
            return True
    return False


def _cells(size: int, n_judged: int, true: NDArray[np.int64]) -> StratumCounts:
    return StratumCounts(
        size=np.full((len(true), 1), size), sampled=np.full((len(true), 1), n_judged), true=true[:, None]
    )
