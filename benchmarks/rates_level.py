"""Rates from two judges alone: how often equal parts mislead, and how often different parts give the true rate.

Two parts of a list have the same rate, so that nothing can be told: a study that gives an answer all the same, and a
wrong one, promises to be one of twenty. Where the rates differ, intervals promise to hold the true one in 93%.
"""

import numpy as np
import polars as pl

from benchmarks.rows import Row
from concurrence import UndefinedError, rate_without_gold

AREA = "rates_level"
LEVEL, PROMISE = 0.05, 0.93
REPLICATIONS = 100
QUICK = {"REPLICATIONS": 2}
JUDGES = ((0.87, 0.86), (0.81, 0.82))  # how many of the true ones each finds, how many of the false ones it rejects


def verdicts(random: np.random.Generator, rates: tuple[float, float], size: int) -> pl.DataFrame:
    """Two judges on two parts of a list."""
    true = np.concatenate([random.random(size) < rate for rate in rates])
    labels = [
        np.where(true, random.random(2 * size) < finds, random.random(2 * size) >= rejects) for finds, rejects in JUDGES
    ]
    return pl.DataFrame({"a": labels[0].astype(int), "b": labels[1].astype(int), "part": np.repeat(["A", "B"], size)})


def holds(table: pl.DataFrame, truth: float) -> bool | None:
    """Whether the interval holds the true rate; nothing where the data are said not to tell."""
    try:
        low, high = rate_without_gold(table, judges=["a", "b"], by="part").interval
    except UndefinedError:
        return None
    return bool(low <= truth <= high)


def row(work: str, quantity: str, ours: float, peer: str, against: float, limit: float, limit_is: str) -> Row:
    return Row(
        area=AREA, work=work, quantity=quantity, ours=ours, peer=peer, against=against, limit=limit, limit_is=limit_is
    )


def run() -> list[Row]:
    """Parts with the same rate and parts with different ones."""
    random = np.random.default_rng(0)
    equal = [holds(verdicts(random, (0.3, 0.3), 200), 0.3) for _ in range(REPLICATIONS)]
    apart = [holds(verdicts(random, (0.1, 0.7), 600), 0.4) for _ in range(REPLICATIONS)]
    slack = 3 * np.sqrt(LEVEL * (1 - LEVEL) / REPLICATIONS)
    error_rate, coverage = (
        np.mean([outcome is False for outcome in equal]),
        np.mean([outcome is True for outcome in apart]),
    )
    return [
        row("equal parts with a wrong answer", "rate", float(error_rate), "level", LEVEL, 1 + slack / LEVEL, "at most"),
        row(
            "different parts with the true rate",
            "coverage",
            float(coverage),
            "always",
            1.0,
            PROMISE - slack,
            "at least",
        ),
    ]
