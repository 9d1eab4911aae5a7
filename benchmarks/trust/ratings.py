"""Agreement on numbers: intraclass correlations, concordance, rank correlations and limits of agreement.

Ratings are normal, with variances of items, coders and error; new items and coders are drawn in every replication, so
the truth has a closed form. Ratings of five grades are cut from them, and their truth is that of 200,000 items.
"""

from dataclasses import dataclass
from functools import cache
from math import asin, pi, sqrt

import numpy as np

from benchmarks.trust.settings import Said, Setting, holds
from concurrence.agreement.ratings.analyse import limits_of_study
from concurrence.agreement.ratings.coefficients import assess_rating_coefficient
from concurrence.agreement.ratings.options import RatingOptions
from concurrence.agreement.ratings.study import RatingStudy
from concurrence.agreement.ratings.table import rating_coefficient

LEVEL = 0.95
ROOM = "ratings"
DRAWS = 500
MANY = 200_000
Z = 1.959963984540054
GRADES = (-1.0, -0.3, 0.3, 1.0)


@dataclass(frozen=True, kw_only=True)
class World:
    """Items x coders: variances, the share of missing ratings, how much higher the first coder rates, and grades."""

    items: int
    coders: int
    of_items: float = 1.0
    of_coders: float = 0.0
    of_error: float = 0.5
    missing: float = 0.0
    shift: float = 0.0
    graded: bool = False

    def draw(self, random: np.random.Generator, items: int | None = None) -> RatingStudy:
        """One study; every item keeps two ratings."""
        n, k = items or self.items, self.coders
        table = sqrt(self.of_items) * random.standard_normal((n, 1)) + sqrt(self.of_error) * random.standard_normal(
            (n, k)
        )
        table = table + sqrt(self.of_coders) * random.standard_normal((1, k))
        table[:, 0] += self.shift
        if self.graded:
            table = np.searchsorted(GRADES, table).astype(np.float64)
        if self.missing:
            is_missing = random.random((n, k)) < self.missing
            is_missing[np.arange(n)[:, None], np.argsort(random.random((n, k)), axis=1)[:, :2]] = False
            table[is_missing] = np.nan
        return RatingStudy(ratings=table, coders=tuple(f"coder {place}" for place in range(k)), anonymous=False)

    def intraclass(self, design: str, *, mean: bool) -> float:
        """The correlation of one rating, or of the mean of all coders."""
        noise = self.of_error + (self.of_coders if design != "3" else 0.0)
        return self.of_items / (self.of_items + noise / (self.coders if mean else 1))

    @property
    def concordance(self) -> float:
        """Lin's coefficient of coders who are these."""
        total = self.of_items + self.of_error
        squared = 2 * self.shift**2 / self.coders  # the mean over pairs, of which 2/k have the first coder
        return 1 - (2 * self.of_error + squared) / (2 * total + squared)

    @property
    def rank_correlation(self) -> float:
        return 6 / pi * asin(self.of_items / (self.of_items + self.of_error) / 2)


@cache
def _of_many(world: World, name: str) -> float:
    study = world.draw(np.random.default_rng(7), MANY)
    return assess_rating_coefficient(rating_coefficient(name), study, RatingOptions(bootstrap=2)).value


def true_value(world: World, name: str) -> float:
    """The value that infinitely many items have."""
    if world.graded:
        return _of_many(world, name)
    if name.startswith("icc"):
        return world.intraclass(name[4], mean=name.endswith("k"))
    if name == "lin_ccc":
        return world.concordance
    rho = world.rank_correlation
    return (1 + (world.coders - 1) * rho) / world.coders if name == "kendall_w" else rho


def coefficient(world: World, name: str):
    """The interval of a coefficient."""
    row = rating_coefficient(name)

    def simulate(random: np.random.Generator) -> Said:
        options = RatingOptions(level=LEVEL, bootstrap=DRAWS, seed=int(random.integers(1 << 30)))
        found = assess_rating_coefficient(row, world.draw(random), options)
        return Said(holds=holds(found.interval, true_value(world, name)), trusted=bool(found.trusted))

    return simulate


def upper_limit(world: World):
    """The interval of the upper limit: of two named coders, or of any two of more."""

    def simulate(random: np.random.Generator) -> Said:
        limits, _ = limits_of_study(world.draw(random), RatingOptions(level=LEVEL))
        truth = Z * sqrt(2 * (world.of_error + (world.of_coders if world.coders > 2 else 0.0)))
        return Said(holds=holds(limits.high_interval, truth + world.shift), trusted=bool(limits.trusted))

    return simulate


def rank_test(world: World):
    """Whether Kendall's test is silent where the orders of the coders are unrelated."""
    row = rating_coefficient("kendall_w")

    def simulate(random: np.random.Generator) -> Said:
        found = assess_rating_coefficient(row, world.draw(random), RatingOptions(level=LEVEL, bootstrap=2))
        return Said(holds=None if np.isnan(found.p_value) else found.p_value >= 1 - LEVEL)

    return simulate


COEFFICIENTS = (
    ("icc_1_1", World(items=8, coders=3)),
    ("icc_1_1", World(items=30, coders=4, missing=0.3)),
    ("icc_3_1", World(items=8, coders=3, of_coders=0.3)),
    ("icc_3_k", World(items=20, coders=8, of_items=0.3, of_coders=0.3)),
    ("icc_3_1", World(items=60, coders=5, of_coders=0.1, missing=0.25)),
    ("icc_3_1", World(items=40, coders=3, graded=True)),
    ("icc_2_1", World(items=10, coders=2, of_coders=0.3)),
    ("icc_2_1", World(items=30, coders=3, of_coders=1.0, of_error=0.7)),
    ("icc_2_1", World(items=100, coders=3, of_items=3.0, of_coders=0.3, of_error=0.3)),
    ("icc_2_1", World(items=50, coders=12, of_coders=0.1)),
    ("icc_2_k", World(items=50, coders=4, of_coders=0.5)),
    ("icc_2_1", World(items=60, coders=10, of_coders=0.2, of_error=0.8, missing=0.5)),
    ("icc_2_1", World(items=15, coders=4, of_coders=0.3, missing=0.3)),
    ("lin_ccc", World(items=10, coders=2, shift=0.3)),
    ("lin_ccc", World(items=20, coders=2, of_error=0.2, shift=0.5)),
    ("lin_ccc", World(items=30, coders=2, of_error=0.25)),
    ("lin_ccc", World(items=50, coders=4, of_error=0.4, shift=0.5)),
    ("lin_ccc", World(items=20, coders=6, of_error=0.3)),
    ("kendall_w", World(items=10, coders=3)),
    ("kendall_w", World(items=20, coders=3, of_error=0.25)),
    ("kendall_w", World(items=30, coders=10)),
    ("kendall_w", World(items=50, coders=4, of_error=1.0)),
    ("mean_spearman", World(items=25, coders=3)),
    ("mean_spearman", World(items=60, coders=5, missing=0.3)),
)
LIMITS = (
    World(items=8, coders=2, shift=0.4),
    World(items=40, coders=2, shift=0.4),
    World(items=30, coders=3, of_coders=0.5),
    World(items=40, coders=6, of_coders=0.2, of_error=0.7),
    World(items=30, coders=12, of_coders=0.3),
    World(items=60, coders=5, of_coders=0.1, missing=0.3),
)
ORDERS = (World(items=6, coders=3, of_items=0.0), World(items=20, coders=4, of_items=0.0))


def described(world: World) -> str:
    """The world in words."""
    parts = [f"{world.items} items", f"{world.coders} coders"]
    parts.append(f"variances {world.of_items:g} {world.of_coders:g} {world.of_error:g}")
    parts += [f"first coder higher by {world.shift:g}"] if world.shift else []
    parts += [f"{world.missing:.0%} missing"] if world.missing else []
    return ", ".join([*parts, *(["five grades"] if world.graded else [])])


SETTINGS: tuple[Setting, ...] = (
    *(
        Setting(
            room=ROOM,
            statistic=rating_coefficient(name).title,
            where=described(world),
            simulate=coefficient(world, name),
        )
        for name, world in COEFFICIENTS
    ),
    *(
        Setting(room=ROOM, statistic="upper limit of agreement", where=described(world), simulate=upper_limit(world))
        for world in LIMITS
    ),
    *(
        Setting(room=ROOM, statistic="Kendall's test", where=described(world), simulate=rank_test(world), kind="test")
        for world in ORDERS
    ),
)
