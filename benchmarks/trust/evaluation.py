"""Settings of evaluations: lists of known truth, sampled by every design, and rankings of exactly equal precision."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.trust.settings import Said, Setting, holds
from concurrence.core.judgements import Judgements
from concurrence.evaluation.benchmark.one_list import flip_test_all_pairs
from concurrence.evaluation.comparisons import compare_all
from concurrence.evaluation.correction import ListCells, SignedLists, correct_against_rest
from concurrence.evaluation.curves import average_precision, baseline, curve
from concurrence.evaluation.lists import Counter
from concurrence.evaluation.options import EvaluateOptions, choose_method
from concurrence.evaluation.proxy import proxy_estimate
from concurrence.evaluation.results import BETTER, Curve, Method
from concurrence.kernels.ranking import Ranking
from concurrence.kernels.strata import SampledList, judged_at_random
from concurrence.sampling.frame import make_frame
from support.ranking_twins import ranking_of
from support.simulated_lists import equal_rankings, simulated_list

LOOKS = 20


@dataclass(frozen=True, kw_only=True)
class World:
    """A list of known truth with rankings, and the design by which some of it is judged.

    ``equal`` rankings have the same precision at every n; otherwise ``qualities`` are those of the rankings.
    """

    size: int
    true: int
    judged: int
    kind: str = "simple"
    qualities: tuple[float, ...] = (1.5, 1.27)
    equal: int = 0
    cuts: tuple[int, ...] = (500, 1000, 2000)

    def __str__(self) -> str:
        rankings = f"{self.equal} equal rankings, " if self.equal else ""
        return f"{rankings}{self.kind}, {self.judged:,} of {self.size:,} judged, {self.true:,} true"


@lru_cache(maxsize=4)
def built(world: World) -> tuple[NDArray[np.bool_], dict[str, Ranking], NDArray[np.int32], NDArray[np.int64]]:
    """Which candidates are true, the rankings, the stratum of each candidate, and how many of each are drawn."""
    make = partial(equal_rankings, world.equal, 1.4) if world.equal else partial(simulated_list, world.qualities)
    truth, scores = make(size=world.size, true=world.true)
    rankings = {f"m{i}": ranking_of(row) for i, row in enumerate(scores)}
    keys = pl.DataFrame({"l1": [f"{i:06d}" for i in range(len(truth))]})
    design = "strata" if world.kind in ("bands", "cells") else world.kind
    by = "bands" if world.kind == "bands" else "cells"
    frame = make_frame(keys, rankings, design=design, best=world.cuts, strata=by)
    return truth, rankings, frame.stratum, frame.allocation(world.judged)


def drawn(world: World, random: np.random.Generator, sizes: tuple[int, ...]) -> Counter:
    """One sample of a world, as people judge it."""
    truth, _, stratum, allocation = built(world)
    times = np.zeros(len(truth), dtype=np.int32)
    for h, number in enumerate(allocation):
        times[random.choice(np.flatnonzero(stratum == h), number, replace=False)] = 1
    judgements = Judgements(verdicts=np.where(times > 0, truth, -1).astype(np.int8))
    kind = "strata" if world.kind in ("bands", "cells") else world.kind
    return Counter(
        n=np.array(sizes), design=SampledList(kind=kind, stratum=stratum, times=times), judgements=judgements
    )


def method_for(counter: Counter, **options: object) -> Method:
    return choose_method(EvaluateOptions(**options), counter.design)  # type: ignore[arg-type]


@lru_cache(maxsize=4)
def known(world: World, sizes: tuple[int, ...], name: str) -> tuple[Curve, float]:
    """The curve of a ranking where everything is judged, and the baseline."""
    truth, rankings, _, _ = built(world)
    judgements = Judgements(verdicts=truth.astype(np.int8))
    counter = Counter(n=np.array(sizes), design=judged_at_random(judgements), judgements=judgements)
    return curve(rankings[name], counter, counter.whole(), method_for(counter)), float(truth.mean())


def precision(random: np.random.Generator, *, world: World, n: int, **options: object) -> Said:
    counter = drawn(world, random, (n,))
    points = curve(built(world)[1]["m0"], counter, counter.whole(), method_for(counter, **options))
    return Said(holds=holds((points.low[0], points.high[0]), known(world, (n,), "m0")[0].precision[0]))


@lru_cache(maxsize=4)
def verdicts_of_model(world: World, error: float) -> NDArray[np.float64]:
    """What a model that errs this often says of every candidate."""
    truth = built(world)[0]
    return (truth ^ (np.random.default_rng(5).random(len(truth)) < error)).astype(np.float64)


def with_proxy(random: np.random.Generator, *, world: World, n: int, error: float) -> Said:
    """The precision that the verdicts of a model correct."""
    counter = drawn(world, random, (n,))
    found = proxy_estimate(built(world)[1]["m0"], "model", verdicts_of_model(world, error), counter, level=0.95)
    return Said(holds=holds((found.low[0], found.high[0]), known(world, (n,), "m0")[0].precision[0]))


def recall(random: np.random.Generator, *, world: World, n: int) -> Said:
    counter = drawn(world, random, (n,))
    points = curve(built(world)[1]["m0"], counter, counter.whole(), method_for(counter))
    ends = (points.recall_low[0], points.recall_high[0])
    return Said(holds=holds(ends, known(world, (n,), "m0")[0].recall[0]))


def mean_precision(random: np.random.Generator, *, world: World) -> Said:
    counter = drawn(world, random, (100,))
    average = average_precision(built(world)[1]["m0"], counter, level=0.95)
    truth = known(world, (100,), "m0")[0].average_precision.value
    return Said(holds=None if average.interval is None else holds(average.interval, truth), trusted=average.trusted)


def share_of_list(random: np.random.Generator, *, world: World) -> Said:
    counter = drawn(world, random, (100,))
    estimate = baseline(counter.whole(), counter, method_for(counter))
    return Said(holds=holds(estimate.interval, known(world, (100,), "m0")[1]))


def difference(random: np.random.Generator, *, world: World, n: int) -> Said:
    counter = drawn(world, random, (n,))
    (pair,), _ = compare_all(lists_of(world, counter), method_for(counter), titles={})
    a, b = (known(world, (n,), name)[0].precision[0] for name in ("m0", "m1"))
    assert pair.difference is not None
    return Said(holds=holds((pair.difference.low[0], pair.difference.high[0]), a - b))


def lists_of(world: World, counter: Counter) -> SignedLists:
    return SignedLists(rankings=built(world)[1], counter=counter)


def band(random: np.random.Generator, *, world: World, sizes: tuple[int, ...]) -> Said:
    counter = drawn(world, random, sizes)
    points = curve(built(world)[1]["m0"], counter, counter.whole(), method_for(counter, band="simultaneous"))
    truth = known(world, sizes, "m0")[0].precision
    return Said(holds=bool(((points.low <= truth + 1e-9) & (truth <= points.high + 1e-9)).all()))


def looks(random: np.random.Generator, *, world: World, n: int, of_difference: bool) -> Said:
    """Whether the intervals for every look hold at all of some looks, while the sample is judged in random order."""
    whole = drawn(world, random, (n,))
    rows = random.permutation(whole.design.rows)
    (a, b), right = (known(world, (n,), name)[0].precision[0] for name in ("m0", "m1")), []
    for last in np.linspace(len(rows) // LOOKS, len(rows), LOOKS).astype(int):
        times = np.zeros_like(whole.design.times)
        times[rows[:last]] = 1
        design = SampledList(kind=whole.design.kind, stratum=whole.design.stratum, times=times)
        counter = Counter(n=whole.n, design=design, judgements=whole.judgements.restricted(times > 0))
        method = method_for(counter, anytime=True)
        if of_difference:
            (pair,), _ = compare_all(lists_of(world, counter), method, titles={})
            assert pair.difference is not None
            right.append(holds((pair.difference.low[0], pair.difference.high[0]), a - b))
        else:
            points = curve(built(world)[1]["m0"], counter, counter.whole(), method)
            right.append(holds((points.low[0], points.high[0]), a))
    return Said(holds=all(one is not False for one in right))


def headline(random: np.random.Generator, *, world: World, sizes: tuple[int, ...]) -> Said:
    """Whether nothing is said to be better, where all rankings are equally good."""
    counter = drawn(world, random, sizes)
    _, findings = compare_all(lists_of(world, counter), method_for(counter), titles={})
    return Said(holds=not any(one.code == BETTER for one in findings))


def mark(random: np.random.Generator, *, world: World, n: int) -> Said:
    """Whether the single test of one pair at one size does not accuse."""
    counter = drawn(world, random, (n,))
    comparisons, _ = compare_all(lists_of(world, counter), method_for(counter), titles={})
    return Said(holds=bool(comparisons[0].p[0] > 0.05))


def against_baseline(random: np.random.Generator, *, world: World, sizes: tuple[int, ...]) -> Said:
    """Whether rankings at random are not said to be better or worse than the baseline at any size."""
    truth, rankings, _, _ = built(world)
    counter = drawn(world, random, sizes)
    verdicts = np.full(len(truth), -1, dtype=np.int8)  # a fresh truth without any order
    verdicts[counter.design.rows] = random.permutation(truth)[counter.design.rows]
    counter = Counter(n=counter.n, design=counter.design, judgements=Judgements(verdicts=verdicts))
    whole, method = counter.whole(), method_for(counter)
    cells = [
        ListCells(name=name, places=np.arange(len(sizes)), lists=counter.best(ranking),
                  p=curve(ranking, counter, whole, method).p_baseline)
        for name, ranking in rankings.items()
    ]  # fmt: skip
    lists = SignedLists(rankings=rankings, counter=counter)
    corrected = correct_against_rest(cells, whole, lists, by_count=False)
    return Said(holds=bool(min(p.min() for p in corrected) > 0.05))


def benchmark_headline(random: np.random.Generator, *, measures: int, groups: int) -> Said:
    """Whether a benchmark tells no two equal measures apart: groups add true positives to nested lists."""
    hits = random.poisson(0.4, (measures, groups, 1)) + np.zeros((1, 1, 4))
    more = random.poisson(0.3, (measures, groups, 4)).cumsum(axis=2)
    p, _ = flip_test_all_pairs((hits + more).astype(np.float64), draws=999, level=0.95, seed=0)
    return Said(holds=bool(p.min() > 0.05))


def unequal_groups(random: np.random.Generator, *, noise: float) -> Said:
    """The same for measures that differ by noise alone, on candidates of which some groups (verbs) have very many."""
    measures, groups, candidates, best = 6, 250, 1500, 200
    sizes = random.pareto(1.2, groups) + 0.3
    group = random.choice(groups, candidates, p=sizes / sizes.sum())
    quality = random.standard_normal(groups)[group] + random.standard_normal(candidates)
    true = random.random(candidates) < 1 / (1 + np.exp(3.5 - 1.2 * quality))
    hits = np.zeros((measures, groups, 1))
    for place in range(measures):
        own = random.standard_normal(candidates) + random.standard_normal(groups)[group]
        order = np.argsort(-(quality + noise * own))[:best]
        hits[place, :, 0] = np.bincount(group[order], weights=true[order], minlength=groups)
    p, _ = flip_test_all_pairs(hits, draws=499, level=0.95, seed=0)
    return Said(holds=bool(p.min() > 0.05))


PAPER = World(size=14_654, true=939, judged=1465)
BANDS, CELLS = (replace(PAPER, kind=kind) for kind in ("bands", "cells"))
SHORT = World(size=2000, true=400, judged=200, cuts=(100, 200, 400))
CURVE = tuple(range(100, 5001, 100))

EQUAL = {count: World(size=5000, true=1000, judged=1000, equal=count, cuts=(250, 500, 1000)) for count in (2, 5, 10)}
EQUAL_SIZES = tuple(range(100, 2501, 100))
DIFFERENCE = World(size=5000, true=1000, judged=60, kind="difference", cuts=(500,))


def interval(statistic: str, where: str, simulate: Callable[[np.random.Generator], Said]) -> Setting:
    return Setting(room="evaluation", statistic=statistic, where=where, simulate=simulate)


def test(statistic: str, where: str, simulate: Callable[[np.random.Generator], Said]) -> Setting:
    return Setting(room="evaluation", statistic=statistic, where=where, simulate=simulate, kind="test")


def list_settings() -> list[Setting]:
    """Precision, recall and the baseline by design."""
    settings = [
        interval("precision", f"{world}, n = {n}", partial(precision, world=world, n=n))
        for world, n in (
            (PAPER, 500), (PAPER, 2000), (SHORT, 100), (replace(PAPER, kind="union"), 500),
            (BANDS, 500), (CELLS, 500), (replace(SHORT, kind="cells"), 200),
        )
    ]  # fmt: skip
    settings += [
        interval("recall", f"{world}, n = {n}", partial(recall, world=world, n=n))
        for world, n in ((PAPER, 1000), (SHORT, 200), (BANDS, 1000), (CELLS, 1000))
    ]
    settings += [
        interval(f"precision, {name}", f"{world}, n = {n}", partial(precision, world=world, n=n, interval=name))
        for name in ("clopper-pearson", "blaker")
        for world, n in ((PAPER, 500), (SHORT, 100))
    ]
    settings += [
        interval("precision with a proxy", f"{PAPER}, n = {n}, a model that errs in {error:.0%}",
                 partial(with_proxy, world=PAPER, n=n, error=error))
        for n, error in ((500, 0.03), (500, 0.5), (2000, 0.03))
    ]  # fmt: skip
    return settings + [
        interval("baseline", str(world), partial(share_of_list, world=world)) for world in (PAPER, SHORT, BANDS, CELLS)
    ]


def average_settings() -> list[Setting]:
    """Average precision with many and with few true positives in the sample."""
    worlds = (
        PAPER, replace(PAPER, judged=700), replace(PAPER, judged=300), replace(SHORT, judged=120), BANDS, CELLS,
        World(size=5000, true=1000, judged=250, qualities=(1.0, 0.8)), replace(SHORT, kind="bands"),
    )  # fmt: skip
    return [interval("average precision", str(world), partial(mean_precision, world=world)) for world in worlds]


def difference_settings() -> list[Setting]:
    """Differences of two measures, and intervals that hold for a whole curve or at every look."""
    worlds = (
        (PAPER, 1000), (SHORT, 200), (replace(PAPER, kind="union"), 500), (replace(PAPER, kind="bands"), 1000),
        (replace(PAPER, kind="cells"), 2000), (replace(PAPER, kind="cells", judged=400), 500),
        (World(size=1000, true=300, judged=150, kind="bands", qualities=(1.2, 1.2), cuts=(50, 100, 200)), 50),
        (World(size=3000, true=150, judged=300, kind="cells", qualities=(1.5, 1.0), cuts=(100, 300, 600)), 600),
        (DIFFERENCE, 500), (replace(DIFFERENCE, judged=200), 500),
    )  # fmt: skip
    settings = [
        interval("difference in precision", f"{world}, n = {n}", partial(difference, world=world, n=n))
        for world, n in worlds
    ]
    settings += [
        interval(
            "simultaneous band of precision", f"{world}, n = 100 to 5,000", partial(band, world=world, sizes=CURVE)
        )
        for world in (PAPER, BANDS)
    ]
    return [
        *settings,
        interval("precision at every look", f"{SHORT}, n = 200, {LOOKS} looks",
                 partial(looks, world=SHORT, n=200, of_difference=False)),
        interval("difference in precision at every look", f"{DIFFERENCE}, n = 500, {LOOKS} looks",
                 partial(looks, world=DIFFERENCE, n=500, of_difference=True)),
    ]  # fmt: skip


def test_settings() -> list[Setting]:
    """The headline as a test, and single marks, on rankings of exactly equal precision."""
    worlds = (*EQUAL.values(), replace(EQUAL[10], judged=300), replace(EQUAL[5], kind="bands", judged=500))
    settings = [
        test(
            "headline of evaluate",
            f"{world}, {len(EQUAL_SIZES)} sizes",
            partial(headline, world=world, sizes=EQUAL_SIZES),
        )
        for world in worlds
    ]
    settings += [
        test("single mark", f"{world}, n = 500", partial(mark, world=world, n=500))
        for world in (EQUAL[2], replace(EQUAL[2], kind="cells"), replace(EQUAL[2], kind="bands", judged=400),
                      replace(EQUAL[2], kind="difference", judged=100, cuts=(500,)))
    ]  # fmt: skip
    settings += [
        test(
            "sentence about the baseline",
            f"3 orders at random, {world}",
            partial(against_baseline, world=world, sizes=CURVE[:20]),
        )
        for world in (replace(EQUAL[2], equal=3), replace(EQUAL[2], equal=3, kind="bands"))
    ]
    return [
        *settings,
        test(
            "headline of benchmark",
            "10 measures, 200 groups, 4 sizes",
            partial(benchmark_headline, measures=10, groups=200),
        ),
        *(
            test("headline of benchmark", f"6 measures, 250 very unequal groups, noise {noise:g}",
                 partial(unequal_groups, noise=noise))
            for noise in (0.5, 1.5)
        ),
    ]  # fmt: skip


SETTINGS: tuple[Setting, ...] = (*list_settings(), *average_settings(), *difference_settings(), *test_settings())
