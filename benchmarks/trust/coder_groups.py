"""How often groups of coders who are alike are told apart, and the interval of within less between holds."""

from functools import cache, partial

import numpy as np

from benchmarks.trust.settings import Said, Setting, holds
from concurrence.agreement.labels.coder_groups import (
    ENOUGH_ITEMS,
    difference_of,
    group_difference_interval,
    pair_sums,
    permutation_test,
)
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.core import Labels

POPULATION = 200_000
LEVEL = 0.05
ERROR = 0.15


def draw_study(
    n: int, sizes: tuple[int, int], divided: float, missing: float, random: np.random.Generator, error: float = ERROR
) -> LabelStudy:
    """Two groups of coders; items divide them with a probability, coders err, labels are missing."""
    places = np.repeat([0, 1], sizes)
    shape = (n, len(places))
    truth = (random.integers(0, 2, (n, 1)) + places * (random.random((n, 1)) < divided)) % 2
    codes = np.where(random.random(shape) < error, 1 - truth, truth)
    codes = np.where(random.random(shape) < missing, -1, codes)
    coders = tuple(f"coder {k}" for k in range(len(places)))
    return LabelStudy.of(Labels(codes=codes.astype(np.int32), categories=("a", "b"), coders=coders))


def null(n: int, sizes: tuple[int, int], missing: float, random: np.random.Generator) -> Said:
    """Whether groups that do not differ are not told apart."""
    study = draw_study(n, sizes, 0.0, missing, random)
    p_value, _, method = permutation_test(study, np.repeat([0, 1], sizes), seed=int(random.integers(2**31)))
    return Said(holds=None if method is None else p_value > LEVEL)


@cache
def true_difference(sizes: tuple[int, int], divided: float, missing: float, error: float) -> float:
    """The difference in a large study."""
    study = draw_study(POPULATION, sizes, divided, missing, np.random.default_rng(0), error)
    return float(difference_of(pair_sums(study, np.repeat([0, 1], sizes)), study.weights))


def covered(
    n: int, sizes: tuple[int, int], divided: float, missing: float, error: float, random: np.random.Generator
) -> Said:
    """The interval of agreement within groups less that between them."""
    study = draw_study(n, sizes, divided, missing, random, error)
    places = np.repeat([0, 1], sizes)
    interval = group_difference_interval(study, places, pair_sums(study, places), AgreeOptions())
    trusted = study.n_pairable >= ENOUGH_ITEMS
    return Said(holds=holds(interval, true_difference(sizes, divided, missing, error)), trusted=trusted)


SETTINGS = (
    *(
        Setting(
            room="coder groups",
            statistic="groups of coders differ",
            where=f"{sizes[0]} and {sizes[1]} coders, {n} items, {missing:.0%} missing",
            simulate=partial(null, n, sizes, missing),
            kind="test",
        )
        for sizes, n, missing in (
            ((4, 4), 30, 0.0),
            ((4, 4), 200, 0.5),
            ((3, 5), 30, 0.0),
            ((10, 10), 50, 0.5),
            ((3, 4), 10, 0.0),
            ((2, 5), 20, 0.4),
        )
    ),
    *(
        Setting(
            room="coder groups",
            statistic="agreement within groups less between",
            where=f"4 and 4 coders, {n} items, {divided:.0%} divided, {missing:.0%} missing",
            simulate=partial(covered, n, (4, 4), divided, missing, ERROR),
        )
        for n in (30, 200)
        for divided, missing in ((0.1, 0.0), (0.4, 0.5))
    ),
    *(
        Setting(
            room="coder groups",
            statistic="agreement within groups less between",
            where=f"{sizes[0]} and {sizes[1]} coders who err in {error:.0%}, {n} items, {divided:.0%} divided, "
            f"{missing:.0%} missing",
            simulate=partial(covered, n, sizes, divided, missing, error),
        )
        for sizes, n, divided, missing, error in (
            ((2, 2), 200, 0.02, 0.0, 0.15),
            ((2, 6), 200, 0.1, 0.0, 0.15),
            ((4, 4), 420, 0.1, 0.8, 0.15),
            ((4, 4), 200, 0.02, 0.0, 0.02),
        )
    ),
)
