"""Settings of rates from judges alone: verdicts drawn by the model of latent classes, whose judges err independently.

Where the program gives no rate (parts that may be alike, judges who may guess, an interval of nearly all rates),
nothing is printed, which is counted apart.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from benchmarks.trust.settings import Said, Setting, holds
from concurrence.core.errors import UndefinedError
from concurrence.core.results import Interval
from concurrence.prevalence.latent import LatentReport, report_patterns, require_identified
from concurrence.prevalence.options import RateOptions
from concurrence.prevalence.verdict_tests import chance_of_fit
from concurrence.prevalence.verdicts import VerdictPatterns

ROOM = "prevalence"
OPTIONS = RateOptions()
DOUBTS = {"does_not_fit"}
"""Warnings that say that rates are not to be relied on. That an interval is wide is no such warning: it holds, and the
narrow ones among intervals that are mostly wide hold less often, as everywhere."""

Simulation = Callable[[np.random.Generator], Said]


@dataclass(frozen=True, kw_only=True)
class World:
    """Parts of a corpus with their rates and sizes, and judges with their sensitivity and specificity."""

    rates: tuple[float, ...]
    sizes: tuple[int, ...]
    judges: tuple[tuple[float, float], ...]

    def __str__(self) -> str:
        judges = " ".join(f"{se:.0%}/{sp:.0%}" for se, sp in dict.fromkeys(self.judges))
        rates = ", ".join(f"{rate:.0%}" for rate in self.rates)
        parts = f"{len(self.rates)} parts of {self.sizes[0]:,}" if len(self.rates) > 1 else f"{self.sizes[0]:,}"
        return f"{len(self.judges)} judges right in {judges}, {parts} with {rates} true"

    @property
    def chances(self) -> np.ndarray:
        """The probability of each pattern of verdicts in each part."""
        yes = np.array(list(product((False, True), repeat=len(self.judges))))
        se, sp = np.array(self.judges).T
        true, false = np.where(yes, se, 1 - se).prod(axis=1), np.where(yes, 1 - sp, sp).prod(axis=1)
        rates = np.array(self.rates)[:, None]
        return np.asarray(rates * true + (1 - rates) * false)


def drawn(world: World, random: np.random.Generator) -> VerdictPatterns:
    """What the judges say of one corpus."""
    counts = [random.multinomial(size, chances) for size, chances in zip(world.sizes, world.chances, strict=True)]
    return VerdictPatterns(
        parts=tuple(f"part {k}" for k in range(len(world.rates))),
        judges=tuple(f"judge {k}" for k in range(len(world.judges))),
        counts=np.array(counts, dtype=np.float64),
    )


def one_figure(random: np.random.Generator, *, world: World, figure: str) -> Said:
    try:
        report = report_patterns(drawn(world, random), OPTIONS)
    except UndefinedError:
        return Said(holds=None)
    return Said(
        holds=holds(interval_of(report, figure), true_figure(world, figure)),
        trusted=DOUBTS.isdisjoint(warning.code for warning in report.warnings),
    )


def true_figure(world: World, figure: str) -> float:
    if figure == "rate":
        return float(np.average(world.rates, weights=world.sizes))
    return {"rate of a part": world.rates[0], "sensitivity": world.judges[0][0], "specificity": world.judges[0][1]}[
        figure
    ]


def interval_of(report: LatentReport, figure: str) -> Interval:
    if figure == "rate":
        return report.interval
    if figure == "rate of a part":
        return next(iter(report.parts.values())).interval
    judge = next(iter(report.judges.values()))
    return judge.sensitivity.interval if figure == "sensitivity" else judge.specificity.interval


def no_answer(random: np.random.Generator, *, world: World) -> Said:
    """Whether verdicts that determine nothing are refused."""
    try:
        require_identified(drawn(world, random), OPTIONS.seed)
    except UndefinedError:
        return Said(holds=True)
    return Said(holds=False)


def model_fits(random: np.random.Generator, *, world: World) -> Said:
    """Whether the model by which verdicts were drawn is not said not to fit."""
    patterns = drawn(world, random)
    try:
        require_identified(patterns, OPTIONS.seed)
    except UndefinedError:
        return Said(holds=None)
    return Said(holds=not chance_of_fit(patterns, patterns.fitted(OPTIONS.seed), OPTIONS.seed) < 0.05)


TWO, THREE = ((0.87, 0.86), (0.81, 0.82)), ((0.90, 0.90), (0.85, 0.85), (0.80, 0.90))
FIVE = ((0.85, 0.90),) * 5
GUESSING = (0.5, 0.5)
WORLDS = (
    World(rates=(0.1, 0.7), sizes=(600, 600), judges=TWO),
    World(rates=(0.1, 0.7), sizes=(100, 100), judges=TWO),
    World(rates=(0.3, 0.5), sizes=(200, 200), judges=TWO),
    World(rates=(0.05, 0.3), sizes=(300, 300), judges=((0.90, 0.95), (0.85, 0.95))),
    World(rates=(0.1, 0.3, 0.5, 0.7), sizes=(100,) * 4, judges=TWO),
    World(rates=(0.3,), sizes=(60,), judges=((0.95, 0.95),) * 3),
    World(rates=(0.3,), sizes=(400,), judges=THREE),
    World(rates=(0.05,), sizes=(400,), judges=THREE),
    World(rates=(0.5,), sizes=(200,), judges=((0.7, 0.7),) * 3),
    World(rates=(0.2,), sizes=(100,), judges=FIVE),
    World(rates=(0.1,), sizes=(1000,), judges=FIVE),
    World(rates=(0.2, 0.6), sizes=(100, 100), judges=THREE),
)
EQUAL = (
    World(rates=(0.3,) * 2, sizes=(200,) * 2, judges=TWO),
    World(rates=(0.3,) * 2, sizes=(30,) * 2, judges=TWO),
    World(rates=(0.3,) * 4, sizes=(100,) * 4, judges=TWO),
    World(rates=(0.1,) * 8, sizes=(50,) * 8, judges=TWO),
)
ONE_GUESSES = (
    World(rates=(0.3,), sizes=(60,), judges=(*THREE[:2], GUESSING)),
    World(rates=(0.1,), sizes=(500,), judges=(*THREE[:2], (0.1, 0.9))),
    World(rates=(0.3,) * 4, sizes=(30,) * 4, judges=(TWO[0], GUESSING)),
)
FITTING = (WORLDS[4], WORLDS[9], WORLDS[10], WORLDS[11])


def _interval(figure: str, world: World) -> Setting:
    return Setting(
        room=ROOM,
        statistic=f"{figure}, without gold",
        where=str(world),
        simulate=partial(one_figure, world=world, figure=figure),
        replications=1000,
    )


def _test(statistic: str, world: World, simulate: Callable[..., Said], replications: int | None = None) -> Setting:
    return Setting(
        room=ROOM,
        statistic=statistic,
        where=str(world),
        simulate=partial(simulate, world=world),
        kind="test",
        replications=replications,
    )


SETTINGS: tuple[Setting, ...] = (
    *(_interval("rate", world) for world in WORLDS),
    *(_interval("rate of a part", world) for world in (*WORLDS[1:4], WORLDS[11])),
    *(_interval("sensitivity", world) for world in (WORLDS[1], WORLDS[3], WORLDS[5], WORLDS[7], WORLDS[9])),
    *(_interval("specificity", world) for world in (WORLDS[1], WORLDS[5], WORLDS[8])),
    *(_test("parts with equal rates are given rates", world, no_answer) for world in EQUAL),
    *(_test("a judge who guesses is taken for one who knows", world, no_answer) for world in ONE_GUESSES),
    *(_test("a model that holds is said not to fit", world, model_fits, 2000) for world in FITTING),
)
