"""Settings of rates: lists of known truth behind judges with errors, judged by people in part.

What is random is which candidates people judge; the list, what is true of it and what the judges say stay the same. The
intervals of a judge's errors and of the corrected share are asked of the same reports.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.trust.settings import Said, Setting, holds
from concurrence.api.evaluation import draw_sample, rate
from concurrence.core.judgements import Judgements
from concurrence.prevalence.estimate import rate_from_counts
from concurrence.prevalence.results import RateReport

ROOM = "prevalence"
LOOKS = 5
ROUGH = {"few_documents", "class_not_judged"}
"""Warnings that say that an interval is not good."""

Simulation = Callable[[np.random.Generator], Said]
Truth = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class World:
    """A list of known truth, judges of all of it, and how many of it people judge.

    ``judges`` are pairs of sensitivity and specificity; ``scores`` has a single judge give a score instead. With
    ``documents``, the rates of documents vary, people judge all candidates of some of these, and ``judged`` counts
    documents. ``draws`` names how people's part is drawn.
    """

    size: int
    judged: int
    share: float
    judges: tuple[tuple[float, float], ...] = ((0.9, 0.9),)
    scores: bool = False
    documents: int = 0
    draws: str = "simple"

    def __str__(self) -> str:
        said = " and ".join(f"{se:.0%}/{sp:.0%}" for se, sp in self.judges)
        by = "a judge with scores" if self.scores else f"judge{'s' * (len(self.judges) > 1)} {said} right"
        if self.documents:
            return f"{self.judged} of {self.documents} documents judged, {self.share:.0%} true, {by}"
        how = "" if self.draws == "simple" else f", {self.draws}"
        return f"{self.judged} of {self.size:,} judged{how}, {self.share:.0%} true, {by}"


@lru_cache(maxsize=4)
def built(world: World) -> tuple[pl.DataFrame, Truth]:
    """The list with what the judges say, and which candidates are true."""
    random = np.random.default_rng(7)
    size = world.size
    document = np.arange(size) % max(world.documents, 1)
    true = random.permutation(np.arange(size) < round(size * world.share))
    if world.documents:
        rates = random.beta(3 * world.share, 3 * (1 - world.share), world.documents)
        true = random.random(size) < rates[document]
    columns = {
        f"judge{k}": np.where(true, random.random(size) < se, random.random(size) >= sp).astype(np.int64)
        for k, (se, sp) in enumerate(world.judges)
    }
    table = pl.DataFrame({"l1": [f"w{i}" for i in range(size)], "l2": "x", "doc": document, **columns})
    score = np.round(true + random.normal(0, 0.7, size), 6)
    return table.with_columns(score=pl.Series(score), f=pl.Series(true + random.normal(0, 1.2, size))), true


def judge_columns(world: World) -> list[str]:
    return ["score"] if world.scores else [f"judge{k}" for k in range(len(world.judges))]


def judgements_of(true: Truth, rows: NDArray[np.int64]) -> Judgements:
    verdicts = np.full(len(true), -1, dtype=np.int8)
    verdicts[rows] = true[rows]
    return Judgements(verdicts=verdicts)


def report_on(world: World, random: np.random.Generator, **options: object) -> RateReport:
    """What the program says after people judged a part, drawn as the world says."""
    table, true = built(world)
    judge = judge_columns(world)
    if world.documents:
        chosen = random.choice(world.documents, world.judged, replace=False)
        rows = np.flatnonzero(np.isin(table["doc"].to_numpy(), chosen))
        return rate(table, judgements_of(true, rows), judge=judge, cluster="doc", **options)
    if world.draws == "simple":
        rows = random.choice(len(true), world.judged, replace=False)
        return rate(table, judgements_of(true, rows), judge=judge, **options)
    cuts = [world.size // 10, world.size // 4, world.size // 2][: 2 if world.draws == "3 strata" else 3]
    how = {"replacement": True} if world.draws == "with replacement" else {"design": "strata", "best": cuts}
    seed = int(random.integers(1 << 31))
    sample = draw_sample(table, size=world.judged, measures=["f"] if "best" in how else [], seed=seed, **how)
    rows = np.array([int(name[1:]) for name in sample.table["l1"]])
    return rate(table, judgements_of(true, rows), judge=judge, sample=sample, **options)


# The figures of a report, each with what is true of the list


def true_figure(world: World, figure: str) -> float:
    table, true = built(world)
    if figure in ("sensitivity", "specificity"):
        right = (table["judge0"].to_numpy() > 0) == true
        return float(right[true if figure == "sensitivity" else ~true].mean())
    return float(true.mean())


def printed_interval(report: RateReport, figure: str) -> object | None:
    if figure in ("sensitivity", "specificity"):
        return report.sensitivity_interval if figure == "sensitivity" else report.specificity_interval
    if figure == "people alone":
        return None if report.people_only is None else report.people_only.interval
    if figure == "corrected share":
        return None if report.rogan_gladen is None else report.rogan_gladen.interval
    return report.interval


def one_figure(random: np.random.Generator, *, world: World, figure: str, **options: object) -> Said:
    report = report_on(world, random, **options)
    interval = printed_interval(report, figure)
    return Said(
        holds=None if interval is None else holds(interval, true_figure(world, figure)),
        trusted=ROUGH.isdisjoint(warning.code for warning in report.warnings),
    )


# Other ways to judge


def at_every_look(random: np.random.Generator, *, world: World, alone: bool = False) -> Said:
    """Whether the intervals for every look hold at all of some looks, while the list is judged in random order."""
    table, true = built(world)
    rows = random.permutation(len(true))[: world.judged]
    held = []
    for last in np.linspace(len(rows) // LOOKS, len(rows), LOOKS).astype(int):
        report = rate(table, judgements_of(true, rows[:last]), judge=judge_columns(world), anytime=True)
        assert report.people_only is not None
        held.append(holds(report.people_only.interval if alone else report.interval, float(true.mean())))
    return Said(holds=all(one is not False for one in held))


def after_the_next(random: np.random.Generator, *, world: World, more: int) -> Said:
    """The rate after people also judged what the program drew for them where the judge is in doubt."""
    table, true = built(world)
    rows = random.choice(len(true), world.judged, replace=False)
    seed = int(random.integers(1 << 31))
    plan = rate(table, judgements_of(true, rows), judge=judge_columns(world), next_items=more, seed=seed).next
    assert plan is not None
    assert plan.items is not None
    drawn = np.array([int(name[1:]) for name in plan.items["l1"]])
    report = rate(table, judgements_of(true, np.concatenate([rows, drawn])), judge=judge_columns(world))
    return Said(holds=holds(report.interval, float(true.mean())))


def with_votes(random: np.random.Generator, *, world: World, coders: int, right: float) -> Said:
    """Coders who may err decide by majority, and their disagreement is carried into the interval."""
    table, true = built(world)
    rows = random.choice(len(true), world.judged, replace=False)
    votes = np.full((coders, len(true)), -1, dtype=np.int8)
    votes[:, rows] = true[rows] ^ (random.random((coders, len(rows))) >= right)
    verdicts = np.full(len(true), -1, dtype=np.int8)
    verdicts[rows] = votes[:, rows].sum(axis=0) > coders / 2
    report = rate(
        table, Judgements(verdicts=verdicts, votes=votes), judge=judge_columns(world), coder_uncertainty="votes"
    )
    return Said(holds=holds(report.interval, float(true.mean())))


def with_probabilities(random: np.random.Generator, *, world: World) -> Said:
    """A coder model that is sure of half of the candidates, and right with the probabilities that it gives."""
    table, true = built(world)
    rows = random.choice(len(true), world.judged, replace=False)
    right = np.where(random.random(len(true)) < 0.5, 1.0, random.uniform(0.6, 1.0, len(true)))
    seems = true ^ (random.random(len(true)) >= right)
    yes, no = np.where(seems, right, 1 - right) * true.mean(), np.where(seems, 1 - right, right) * (1 - true.mean())
    posterior = yes / (yes + no)
    verdicts = np.full(len(true), -1, dtype=np.int8)
    verdicts[rows] = posterior[rows] > 0.5
    judgements = Judgements(verdicts=verdicts, posterior=posterior)
    report = rate(table, judgements, judge=judge_columns(world), coder_uncertainty="posterior")
    return Said(holds=holds(report.interval, float(true.mean())))


# Counts of a judge


def corrected_count(
    random: np.random.Generator, *, tested: int, share: float, errors: tuple[float, float], known_from: int
) -> RateReport:
    """A judge's count, corrected by errors that are known (0) or were counted in so many of each kind."""
    se, sp = errors
    positive = int(random.binomial(tested, share * se + (1 - share) * (1 - sp)))
    if not known_from:
        return rate_from_counts(positive, tested, sensitivity=se, specificity=sp)
    counted = [(int(random.binomial(known_from, right)), known_from) for right in errors]
    return rate_from_counts(positive, tested, sensitivity=counted[0], specificity=counted[1])


def count_interval(random: np.random.Generator, *, share: float, **study: object) -> Said:
    report = corrected_count(random, share=share, **study)  # type: ignore[arg-type]
    return Said(holds=None if report.interval is None else holds(report.interval, share))


def count_fits(random: np.random.Generator, **study: object) -> Said:
    """Whether a count is not said to contradict the error rates that it was drawn with."""
    report = corrected_count(random, **study)  # type: ignore[arg-type]
    return Said(holds="does_not_fit" not in {warning.code for warning in report.warnings})


# Sentences at their null


def sentence_missing(random: np.random.Generator, *, world: World, code: str) -> Said:
    report = report_on(world, random)
    return Said(holds=code not in {sentence.code for sentence in report.sentences})


@lru_cache(maxsize=4)
def with_true_share(size: int, share: float, errors: float) -> tuple[pl.DataFrame, Truth]:
    """A list whose judge finds as many wrongly as it misses, so that its share is the true one."""
    random = np.random.default_rng(7)
    true = np.arange(size) < round(size * share)
    said = true.copy()
    wrong = round(size * share * errors)
    for kind in (True, False):
        said[random.choice(np.flatnonzero(true == kind), wrong, replace=False)] ^= True
    names = [f"w{i}" for i in range(size)]
    return pl.DataFrame({"l1": names, "l2": "x", "judge0": said.astype(np.int64)}), true


def true_share_kept(random: np.random.Generator, *, size: int, judged: int, share: float, errors: float) -> Said:
    """Whether nobody is told not to report a judge's share that is the true one."""
    table, true = with_true_share(size, share, errors)
    rows = random.choice(size, judged, replace=False)
    report = rate(table, judgements_of(true, rows), judge="judge0")
    return Said(holds="naive_outside" not in {sentence.code for sentence in report.sentences})


GOOD, FAIR, POOR, GUESSING = (0.95, 0.95), (0.9, 0.9), (0.7, 0.8), (0.5, 0.5)
SIMPLE = (
    World(size=578, judged=300, share=0.30, judges=(GOOD,)),
    World(size=5000, judged=200, share=0.15, judges=((0.90, 0.95),)),
    World(size=5000, judged=200, share=0.50, judges=((0.80, 0.80),)),
    World(size=20_000, judged=300, share=0.05, judges=((0.90, 0.97),)),
    World(size=200, judged=30, share=0.50, judges=(FAIR,)),
    World(size=1000, judged=40, share=0.10, judges=(POOR,)),
    World(size=1000, judged=20, share=0.30, judges=(GOOD,)),
    World(size=2000, judged=100, share=0.03, judges=((0.9, 0.98),)),
    World(size=2000, judged=100, share=0.90, judges=(POOR,)),
    World(size=2000, judged=150, share=0.30, judges=(GUESSING,)),
    World(size=2000, judged=150, share=0.30, judges=((0.99, 0.99),)),
)
SEVERAL = (
    World(size=2000, judged=60, share=0.20, judges=(FAIR, POOR)),
    World(size=2000, judged=200, share=0.20, judges=(FAIR, POOR, (0.8, 0.8))),
    World(size=2000, judged=60, share=0.20, scores=True),
    World(size=2000, judged=300, share=0.05, scores=True),
)
DESIGNS = (
    World(size=3000, judged=150, share=0.15, draws="3 strata"),
    World(size=3000, judged=300, share=0.05, draws="3 strata"),
    World(size=3000, judged=120, share=0.40, judges=(POOR,), draws="4 strata"),
    World(size=500, judged=100, share=0.30, draws="with replacement"),
)
BY_DOCUMENT = (
    World(size=3000, judged=10, share=0.30, documents=150),
    World(size=3000, judged=20, share=0.30, documents=150),
    World(size=3000, judged=20, share=0.10, judges=(GOOD,), documents=150),
    World(size=3000, judged=60, share=0.30, judges=(POOR,), documents=150),
)
ERRORS_OF = (SIMPLE[1], SIMPLE[4], SIMPLE[7], DESIGNS[0], DESIGNS[1])
CORRECTED = (*SIMPLE[:6], *SIMPLE[7:9], DESIGNS[0], DESIGNS[2])
ALONE = (SIMPLE[1], SIMPLE[4], SIMPLE[7], *DESIGNS, *BY_DOCUMENT[:2])


def _interval(statistic: str, where: object, simulate: Simulation, replications: int | None = None) -> Setting:
    return Setting(room=ROOM, statistic=statistic, where=str(where), simulate=simulate, replications=replications)


def _test(statistic: str, where: object, simulate: Simulation, nominal: float = 0.95) -> Setting:
    return Setting(room=ROOM, statistic=statistic, where=str(where), simulate=simulate, kind="test", nominal=nominal)


def figure_settings() -> list[Setting]:
    """Every figure with an interval that a report prints."""
    asked = {
        "rate": (*SIMPLE, *SEVERAL, *DESIGNS, *BY_DOCUMENT),
        "people alone": ALONE,
        "sensitivity": ERRORS_OF,
        "specificity": ERRORS_OF,
        "corrected share": CORRECTED,
    }
    return [
        _interval(figure, world, partial(one_figure, world=world, figure=figure))
        for figure, worlds in asked.items()
        for world in worlds
    ]


def other_ways() -> list[Setting]:
    """Looks, further judgements, and coders who may err."""
    looked, planned = SIMPLE[1], World(size=5000, judged=100, share=0.10, judges=((0.95, 0.85),))
    voted = World(size=2000, judged=150, share=0.30)
    return [
        _interval("rate at every look", f"{looked}, {LOOKS} looks", partial(at_every_look, world=looked), 1000),
        _interval("people alone at every look", f"{SIMPLE[4]}, {LOOKS} looks",
                  partial(at_every_look, world=SIMPLE[4], alone=True), 1000),
        _interval("rate after judging where the judge is in doubt", f"{planned}, then 100 more",
                  partial(after_the_next, world=planned, more=100)),
        _interval("rate after judging where the judge is in doubt", f"{SIMPLE[7]}, then 50 more",
                  partial(after_the_next, world=SIMPLE[7], more=50)),
        _interval("rate with the coders' votes", f"{voted}, 5 coders right in 95%",
                  partial(with_votes, world=voted, coders=5, right=0.95)),
        _interval("rate with a coder model's probabilities", voted, partial(with_probabilities, world=voted)),
    ]  # fmt: skip


def count_settings() -> list[Setting]:
    """Counts of a judge whose errors are known, or were counted."""
    studies = (
        (150, 0.20, (0.96, 0.89), 0), (50, 0.05, (0.90, 0.95), 0), (1000, 0.50, (0.70, 0.80), 0),
        (1000, 0.30, (0.90, 0.70), 200), (200, 0.30, (0.90, 0.90), 50), (100, 0.05, (0.80, 0.95), 30),
        (500, 0.02, (0.95, 0.98), 100), (500, 0.90, (0.80, 0.80), 40), (1000, 0.30, (0.65, 0.65), 60),
    )  # fmt: skip
    settings = []
    for tested, share, errors, known_from in studies:
        how = f"counted in {known_from} of each" if known_from else "known"
        where = f"{tested:,} tested, {share:.0%} true, errors {how}, {errors[0]:.0%}/{errors[1]:.0%} right"
        study = partial(count_interval, tested=tested, share=share, errors=errors, known_from=known_from)
        settings.append(_interval("corrected count", where, study))
    return settings


def test_settings() -> list[Setting]:
    """Warnings where there is nothing to warn of."""
    kept = "a true share of the judge is called wrong"
    contradicted = "a judge's count is said to contradict its error rates"
    uneven = "a simple sample is said not to be one"
    return [
        _test(kept, "60 of 1,000 judged, 20% true, judge with as many wrong as missed",
              partial(true_share_kept, size=1000, judged=60, share=0.2, errors=0.2)),
        _test(kept, "200 of 2,000 judged, 10% true, judge with as many wrong as missed",
              partial(true_share_kept, size=2000, judged=200, share=0.1, errors=0.1)),
        _test(contradicted, "150 tested, none true, errors known",
              partial(count_fits, tested=150, share=0.0, errors=(0.9, 0.9), known_from=0)),
        _test(contradicted, "300 tested, none true, errors counted in 50 of each",
              partial(count_fits, tested=300, share=0.0, errors=(0.9, 0.9), known_from=50)),
        _test(uneven, SIMPLE[5], partial(sentence_missing, world=SIMPLE[5], code="uneven_classes"), 0.999),
        _test(uneven, SIMPLE[7], partial(sentence_missing, world=SIMPLE[7], code="uneven_classes"), 0.999),
    ]  # fmt: skip


SETTINGS: tuple[Setting, ...] = (*figure_settings(), *other_ways(), *count_settings(), *test_settings())
