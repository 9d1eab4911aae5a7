"""Strengths from comparisons: intervals of strengths, ties, position and agreement, and what is told apart.

Every coder has strengths around the common ones (``taste`` is their standard deviation), so that the comparisons of one
coder are not independent. The true strengths are those of the comparisons of infinitely many coders.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from benchmarks.trust.settings import Said, Setting, holds
from concurrence.agreement.preferences.analyse import position_bias, strength_differences
from concurrence.agreement.preferences.between_coders import coder_agreement
from concurrence.agreement.preferences.evidence import evidence_of
from concurrence.agreement.preferences.model import ComparisonCounts, fit, is_finite
from concurrence.agreement.preferences.options import PreferenceOptions
from concurrence.core.comparisons import Comparisons

LEVEL = 0.95
ROOM = "preferences"
STRENGTHS = (0.8, 0.3, 0.0, -0.4, -0.7)
EQUAL = (0.0, 0.0, 0.0, 0.0, 0.0)
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(61)


@dataclass(frozen=True, kw_only=True)
class World:
    """Coders who compare every two items ``each`` times, or as often as ``sizes`` says for each coder.

    A size below 1 is the share of the pairs that the coder compares. ``tie`` is Davidson's parameter, ``position`` the
    advantage of the first, and ``habit`` the standard deviation of that advantage between coders.
    """

    coders: int
    taste: float
    each: float = 2
    strengths: tuple[float, ...] = EQUAL
    sizes: tuple[float, ...] | None = None
    tie: float = 0.0
    position: float = 0.0
    habit: float = 0.0
    named: bool = True

    def draw(self, random: np.random.Generator) -> Comparisons:
        """One study, in turned orders."""
        n = len(self.strengths)
        own = np.array(self.strengths) + self.taste * random.standard_normal((self.coders, n))
        habits = self.position + self.habit * random.standard_normal(self.coders)
        every = np.array(list(combinations(range(n), 2)))
        sizes = self.sizes or (self.each,) * self.coders
        pairs = [np.repeat(every, size, 0) if size >= 1 else every[random.random(len(every)) < size] for size in sizes]
        coder = np.repeat(np.arange(self.coders), [len(some) for some in pairs])
        first, second = random.permuted(np.concatenate(pairs), axis=1).T
        odds = own[coder, first] - own[coder, second] + habits[coder]
        shares = np.cumsum(outcome_shares(odds, self.tie), axis=-1)
        outcome = np.minimum((random.random(len(coder))[:, None] > shares).sum(axis=-1), 2 if self.tie else 1)
        return self._comparisons(first, second, outcome, np.ones(len(coder), dtype=np.int64), coder)

    def _comparisons(self, first, second, outcome, count, coder) -> Comparisons:
        return Comparisons(
            items=item_names(len(self.strengths)),
            first=first,
            second=second,
            outcome=outcome,
            count=count,
            coder=coder if self.named else np.zeros_like(coder),
            coders=tuple(map(str, range(self.coders))) if self.named else (),
        )

    def design(self, comparisons: Comparisons, *, position: bool = False) -> ComparisonCounts:
        """The comparisons as the program counts them."""
        return ComparisonCounts.of(comparisons, position=position, ties=bool((comparisons.outcome == 2).any()))

    def truth(self, name: str) -> float:
        """The ``strength`` of the first item, the ``position`` or the ``ties`` that infinitely many coders have."""
        return _truth(self, name)


def item_names(n: int) -> tuple[str, ...]:
    """Names of items."""
    return tuple(f"item {place}" for place in range(n))


def outcome_shares(odds, tie: float):
    """Davidson's model: (..., 3)."""
    weights = np.stack([np.exp(odds / 2), np.exp(-odds / 2), np.full(odds.shape, tie)], axis=-1)
    return weights / weights.sum(axis=-1, keepdims=True)


@cache
def _truth(world: World, name: str) -> float:
    n, spread = len(world.strengths), np.sqrt(2 * world.taste**2 + world.habit**2)
    first, second = np.array([(a, b) for a in range(n) for b in range(n) if a != b]).T
    middle = np.array(world.strengths)[first] - np.array(world.strengths)[second] + world.position
    shares = (outcome_shares(middle[:, None] + spread * NODES, world.tie) * WEIGHTS[:, None]).sum(1) / WEIGHTS.sum()
    kinds = 3 if world.tie else 2
    rows = [np.repeat(side, kinds) for side in (first, second)]
    count = np.round(1e9 * shares[:, :kinds]).astype(np.int64).ravel()
    outcome, coder = np.tile(np.arange(kinds), len(first)), np.zeros(kinds * len(first), dtype=np.int64)
    design = world.design(world._comparisons(*rows, outcome, count, coder), position=name == "position")
    fitted = fit(design, design.together, reduced=False)
    if name == "strength":
        return float(fitted.strengths[0])
    return float(fitted.contrast(name) @ fitted.parameters)


def _evidence(world: World, random: np.random.Generator):
    design = world.design(world.draw(random))
    finite = is_finite(design, design.together)
    return evidence_of(design, fit(design, design.together, reduced=not finite))


def strength(world: World):
    """The interval of the first item."""

    def simulate(random: np.random.Generator) -> Said:
        evidence = _evidence(world, random)
        error = float(evidence.errors(evidence.fitted.strength_contrasts[0], evidence.method))
        interval = evidence.interval(float(evidence.fitted.strengths[0]), error, LEVEL, evidence.method)
        return Said(holds=holds(interval, world.truth("strength")), trusted=evidence.trusted)

    return simulate


def ties(world: World):
    """The interval of the logarithm of Davidson's parameter, which is the program's before it is carried back."""

    def simulate(random: np.random.Generator) -> Said:
        evidence = _evidence(world, random)
        contrast = evidence.fitted.contrast("ties")
        value, error = float(contrast @ evidence.fitted.parameters), float(evidence.errors(contrast, evidence.method))
        interval = evidence.interval(value, error, LEVEL, evidence.method)
        return Said(holds=holds(interval, world.truth("ties")), trusted=evidence.trusted)

    return simulate


def position(world: World, *, test: bool = False):
    """The interval of the advantage of the first, or whether its test is silent."""

    def simulate(random: np.random.Generator) -> Said:
        bias = position_bias(world.design(world.draw(random), position=True), PreferenceOptions())
        if test:
            return Said(holds=None if np.isnan(bias.p_value) else bias.p_value >= 1 - LEVEL)
        return Said(holds=holds(bias.interval, world.truth("position")), trusted=bool(bias.trusted))

    return simulate


def apart(world: World):
    """Whether no two of the equal items are called apart."""

    def simulate(random: np.random.Generator) -> Said:
        evidence = _evidence(world, random)
        names = item_names(len(world.strengths))
        said = any(pair.apart for pair in strength_differences(names, evidence, LEVEL))
        return Said(holds=not said if evidence.trusted else None)

    return simulate


@cache
def _true_agreement(spread: float) -> float:
    """Two coders agree on a pair beyond chance by (2p - 1)²; items have normal strengths."""
    shares = outcome_shares(spread * np.sqrt(2) * NODES, 0.0)
    return float((WEIGHTS * (shares[:, 0] - shares[:, 1]) ** 2).sum() / WEIGHTS.sum())


def agreement(items: int, coders: int, spread: float):
    """Agreement of coders of equal taste on all pairs of items that are a sample of items."""

    def simulate(random: np.random.Generator) -> Said:
        strengths = tuple(spread * random.standard_normal(items))
        world = World(coders=coders, taste=0.0, each=1, strengths=strengths)
        found = coder_agreement(world.design(world.draw(random)), coders_known=True, level=LEVEL)
        if found.interval is None:
            return Said(holds=None)
        return Said(holds=holds(found.interval, _true_agreement(spread)), trusted=bool(found.trusted))

    return simulate


STUDIES = (
    ("5 coders of different taste", World(coders=5, taste=1.0, each=6, strengths=STRENGTHS)),
    ("7 coders of different taste", World(coders=7, taste=1.0, each=6, strengths=STRENGTHS)),
    ("9 coders of different taste", World(coders=9, taste=0.7, each=2, strengths=STRENGTHS)),
    ("3 coders of different taste", World(coders=3, taste=1.0, each=6, strengths=STRENGTHS)),
    ("2 coders of different taste", World(coders=2, taste=1.0, each=6, strengths=STRENGTHS)),
    ("5 coders of equal taste", World(coders=5, taste=0.0, strengths=STRENGTHS)),
    ("3 coders of equal taste, equal items", World(coders=3, taste=0.0)),
    ("12 coders of slightly different taste", World(coders=12, taste=0.3, each=6, strengths=STRENGTHS)),
    ("30 coders of different taste", World(coders=30, taste=1.0, each=1, strengths=STRENGTHS)),
    (
        "8 coders who made 18 to 1 comparisons of each pair",
        World(coders=8, taste=1.0, sizes=(18, 12, 9, 6, 6, 3, 3, 1), strengths=STRENGTHS),
    ),
    (
        "12 coders, two of whom made nearly all comparisons",
        World(coders=12, taste=1.0, sizes=(30, 30, *(1,) * 10), strengths=STRENGTHS),
    ),
    (
        "30 coders who compared four tenths of the pairs",
        World(coders=30, taste=0.7, sizes=(0.4,) * 30, strengths=STRENGTHS),
    ),
    (
        "nobody named, 10 comparisons of each pair",
        World(coders=10, taste=0.0, each=1, strengths=STRENGTHS, named=False),
    ),
    ("one coder", World(coders=1, taste=0.0, each=8, strengths=STRENGTHS)),
)
FIELDS = (
    ("3 coders of equal taste", World(coders=3, taste=0.0)),
    ("5 coders of equal taste", World(coders=5, taste=0.0)),
    ("5 coders of different taste", World(coders=5, taste=1.0, each=6)),
    ("7 coders of different taste", World(coders=7, taste=1.0, each=6)),
    ("9 coders of different taste", World(coders=9, taste=0.7)),
    (
        "8 coders who made 18 to 1 comparisons of each pair",
        World(coders=8, taste=1.0, sizes=(18, 12, 9, 6, 6, 3, 3, 1)),
    ),
    ("8 items, 6 coders of different taste", World(coders=6, taste=1.0, strengths=(0.0,) * 8)),
    ("nobody named, 10 comparisons of each pair", World(coders=10, taste=0.0, each=1, named=False)),
)
TURNS = World(coders=8, taste=0.5, each=4, strengths=STRENGTHS, position=0.4, habit=0.6)
TIED = World(coders=8, taste=0.7, each=4, strengths=STRENGTHS, tie=0.7)
SETTINGS: tuple[Setting, ...] = (
    *(
        Setting(
            room=ROOM, statistic="strength", where=f"{len(world.strengths)} items, {where}", simulate=strength(world)
        )
        for where, world in STUDIES
    ),
    Setting(room=ROOM, statistic="ties", where="8 coders of different taste", simulate=ties(TIED)),
    Setting(room=ROOM, statistic="position", where="8 coders of different habits", simulate=position(TURNS)),
    *(
        Setting(
            room=ROOM,
            statistic="agreement between coders",
            where=f"{n} items, {coders} coders, strengths with standard deviation {spread:g}",
            simulate=agreement(n, coders, spread),
        )
        for n, coders, spread in ((8, 20, 0.7), (20, 20, 0.7), (20, 50, 0.7), (20, 3, 2.0), (30, 5, 0.7))
    ),
    *(
        Setting(room=ROOM, statistic="apart, of equal items", where=where, simulate=apart(world), kind="test")
        for where, world in FIELDS
    ),
    Setting(
        room=ROOM,
        statistic="position",
        where="8 coders of different habits, no advantage on the whole",
        simulate=position(World(coders=8, taste=0.5, habit=0.6, strengths=STRENGTHS), test=True),
        kind="test",
    ),
)
