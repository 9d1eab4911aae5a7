"""How often coders and groups of items that are alike are said to differ.

Five coders err equally often on 80 items: the sentence that one of them stands apart promises to come in at most 5% of
such studies. A judge errs equally often in two groups of items: the permutation test that it leans differently in them
promises its level.
"""

import numpy as np

from benchmarks.rows import Row
from concurrence import agree
from concurrence.api.labels import judge
from concurrence.core import Labels

AREA = "equal_coders_level"
LEVEL = 0.05
STUDIES, TESTS = 200, 200
QUICK = {"STUDIES": 2, "TESTS": 2}
GUESSES, SLIPS = 0.4, 0.1


def equal_coders(random: np.random.Generator) -> Labels:
    """Everybody guesses on the same share of items."""
    truth = random.integers(0, 2, (80, 1))
    guesses = random.random((80, 5)) < GUESSES
    codes = np.where(guesses, random.integers(0, 2, (80, 5)), truth).astype(np.int32)
    return Labels(codes=codes, categories=("a", "b"), coders=tuple("vwxyz"))


def equal_groups(random: np.random.Generator) -> Labels:
    """Two humans and a judge who slip as often in either group of 15 items."""
    truth = random.integers(0, 2, (30, 1))
    slips = random.random((30, 3)) < SLIPS
    codes = np.where(slips, random.integers(0, 2, (30, 3)), truth).astype(np.int32)
    groups = np.array(["law"] * 15 + ["art"] * 15, dtype=object)
    return Labels(codes=codes, categories=("a", "b"), coders=("ann", "bob", "model"), groups=groups)


def stands_apart(labels: Labels) -> bool:
    """Whether somebody is said to stand apart."""
    return any(warning.code == "outlier_coder" for warning in agree(labels, pairs=False).warnings)


def leans_differently(labels: Labels) -> bool:
    """Whether the judge is said to lean differently in the groups; nothing to compare is no difference."""
    bias = judge(labels, "model").bias
    return bias is not None and bias.lean.p_value <= LEVEL


def row(work: str, share: float, replications: int) -> Row:
    """A level that is kept but for three standard errors of the simulation itself."""
    slack = 3 * np.sqrt(LEVEL * (1 - LEVEL) / replications)
    return Row(area=AREA, work=work, quantity="rate", ours=share, peer="level", against=LEVEL, limit=1 + slack / LEVEL)


def run() -> list[Row]:
    """Both sentences on data in which they are wrong."""
    random = np.random.default_rng(0)
    apart = np.mean([stands_apart(equal_coders(random)) for _ in range(STUDIES)])
    leans = np.mean([leans_differently(equal_groups(random)) for _ in range(TESTS)])
    return [
        row("one of five equal coders stands apart", float(apart), STUDIES),
        row("a judge leans differently in two equal groups", float(leans), TESTS),
    ]
