"""Judges: verdicts at the boundary of the alternative-annotator test, changes, groups, and agreement with the humans.

Coders know an item with a probability of their own and otherwise guess at the rates of the categories: the kappa of two
is the product of their probabilities, whatever the rates are.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations

import numpy as np
from scipy.optimize import brentq

from benchmarks.trust.settings import Said, Setting, holds
from concurrence.agreement.judge.alternative_annotator import alternative_test
from concurrence.agreement.judge.drift import Drift, judge_drift
from concurrence.agreement.judge.groups import group_tests, judge_groups, shares_alike
from concurrence.agreement.judge.plan import outcomes_of_items
from concurrence.agreement.judge.same_mistakes import same_mistakes_sentences, shared_mistakes
from concurrence.agreement.labels.coefficients.study import label_study
from concurrence.agreement.labels.mean_agreement import mean_agreement
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.agreement.labels.shifts import side_differences
from concurrence.core import Labels
from concurrence.kernels.coefficients import coefficient

ROOM = "judge"
ALPHA = 0.05
EVEN = (0.5, 0.5)
OPTIONS = AgreeOptions()
KAPPA = coefficient("cohen_kappa")

Simulation = Callable[[np.random.Generator], Said]


def labels_of(
    random: np.random.Generator, known: Sequence[float], shares: Sequence[float], n: int, copies: float = 0.0
) -> Labels:
    """Coders who know items with these probabilities; the last one may copy labels of the one before."""
    size = len(shares)
    truth = random.choice(size, p=shares, size=n)
    guesses = random.choice(size, p=shares, size=(n, len(known)))
    codes = np.where(random.random((n, len(known))) < known, truth[:, None], guesses)
    codes[:, -1] = np.where(random.random(n) < copies, codes[:, -2], codes[:, -1])
    names = tuple(f"coder {k}" for k in range(len(known)))
    return Labels(codes=codes.astype(np.int32), categories=tuple(map(str, range(size))), coders=names)


# The alternative-annotator test


@cache
def boundary_skill(humans: int, skill: float, shares: tuple[float, ...], epsilon: float) -> float:
    """How often a judge knows an item who falls behind each human by just the allowance."""

    def excess(known: float) -> float:
        outcomes, chances = outcomes_of_items([*[skill] * humans, known], shares)
        return float((chances @ outcomes).mean()) - epsilon

    return float(brentq(excess, 0.0, skill))


def verdict_at_boundary(
    n: int, humans: int, epsilon: float, skill: float = 1.0, shares: tuple[float, ...] = EVEN
) -> Simulation:
    def simulate(random: np.random.Generator) -> Said:
        known = [*[skill] * humans, boundary_skill(humans, skill, shares, epsilon)]
        labels = labels_of(random, known, shares, n)
        verdict = alternative_test(labels, labels.coders[-1], epsilon=epsilon, min_items=min(30, n)).verdict
        return Said(holds=None if verdict is None else not verdict)

    return simulate


def p_value_at_boundary(n: int, humans: int, epsilon: float, skill: float = 1.0) -> Simulation:
    def simulate(random: np.random.Generator) -> Said:
        known = [*[skill] * humans, boundary_skill(humans, skill, EVEN, epsilon)]
        labels = labels_of(random, known, EVEN, n)
        test = alternative_test(labels, labels.coders[-1], epsilon=epsilon, min_items=min(30, n))
        return Said(holds=test.humans[0].exact_p_value > ALPHA)

    return simulate


# Changes since an earlier run


def drift_of(
    random: np.random.Generator, known: Sequence[float], shares: Sequence[float], n: int, copies: float
) -> Drift:
    """Two humans, the earlier run and the later one, which repeats some labels."""
    labels = labels_of(random, known, shares, n, copies)
    return judge_drift(labels, KAPPA, labels.coders[-1], labels.coders[-2], OPTIONS)[0]


def change_of_agreement(
    n: int, before: float, now: float, shares: tuple[float, ...], copies: float = 0.0
) -> Simulation:
    """The humans know .9 of the items, so the true change of kappa is .9 (now - before) of what is not repeated."""
    truth = 0.9 * (1 - copies) * (now - before)

    def simulate(random: np.random.Generator) -> Said:
        change = drift_of(random, (0.9, 0.9, before, now), shares, n, copies).agreement
        return Said(holds=None if change.interval is None else holds(change.interval, truth))

    return simulate


def no_change(what: str, n: int, shares: tuple[float, ...], copies: float = 0.5, known: float = 0.8) -> Simulation:
    def simulate(random: np.random.Generator) -> Said:
        drift = drift_of(random, (0.9, 0.9, known, known), shares, n, copies)
        p_value = drift.agreement.p_value if what == "agreement" else drift.homogeneity.p_value
        return Said(holds=p_value is None or not p_value <= ALPHA)

    return simulate


def change_of_share(n: int, lean: float) -> Simulation:
    """The later run gives the first category to some items that it would have given to none before."""

    def simulate(random: np.random.Generator) -> Said:
        labels = labels_of(random, (0.9, 0.9, 0.8, 0.8), (0.2, 0.8), n, copies=0.9)
        codes = labels.codes.copy()
        codes[:, -1] = np.where(random.random(n) < lean, 0, codes[:, -1])
        leaning = Labels(codes=codes, categories=labels.categories, coders=labels.coders)
        drift = judge_drift(leaning, KAPPA, labels.coders[-1], labels.coders[-2], OPTIONS)[0]
        interval = drift.leans["0"].interval
        return Said(holds=None if interval is None else holds(interval, 0.8 * lean))

    return simulate


def same_label(n: int, copies: float) -> Simulation:
    """Two runs that know .8 of the items of two equally frequent categories."""
    truth = copies + (1 - copies) * (0.5 + 0.5 * 0.8**2)

    def simulate(random: np.random.Generator) -> Said:
        return Said(holds=holds(drift_of(random, (0.9, 0.9, 0.8, 0.8), EVEN, n, copies).same_interval, truth))

    return simulate


# Agreement, groups, several judges


def mean_kappa(n: int, known: tuple[float, ...], shares: tuple[float, ...], *, among: bool = False) -> Simulation:
    """The mean over judge and humans, or ``among`` the humans, whose last one is the judge."""
    judge = len(known) - 1
    pairs = list(combinations(range(judge), 2)) if among else [(judge, k) for k in range(judge)]
    truth = float(np.mean([known[a] * known[b] for a, b in pairs]))

    def simulate(random: np.random.Generator) -> Said:
        labels = labels_of(random, known, shares, n)
        mean = mean_agreement(KAPPA, label_study(labels, OPTIONS, compress=True), labels, pairs, OPTIONS)
        return Said(holds=None if mean.interval is None else holds(mean.interval, truth))

    return simulate


def in_groups(random: np.random.Generator, n: int, shares: tuple[float, ...], groups: int = 2) -> Labels:
    labels = labels_of(random, (0.9, 0.9, 0.7), shares, n)
    names = np.array([f"group {k % groups}" for k in range(n)], dtype=object)
    return Labels(codes=labels.codes, categories=labels.categories, coders=labels.coders, groups=names)


def equal_groups(what: str, n: int, shares: tuple[float, ...], groups: int = 2) -> Simulation:
    def simulate(random: np.random.Generator) -> Said:
        labels = in_groups(random, n, shares, groups)
        differences, counted = side_differences(labels, 2, [0, 1], OPTIONS.scale)
        alike = shares_alike(labels, 2, [0, 1])
        same, lean = group_tests(alike[counted], differences[counted], np.asarray(labels.groups)[counted], OPTIONS.seed)
        return Said(holds=not (same if what == "same" else lean).p_value <= ALPHA)

    return simulate


def lean_in_group(n: int, shares: tuple[float, ...]) -> Simulation:
    """Judge and humans give every category equally often, so that nothing leans."""

    def simulate(random: np.random.Generator) -> Said:
        result, _ = judge_groups(in_groups(random, n, shares), KAPPA, 2, [0, 1], OPTIONS)
        interval = result.groups["group 0"].leans["1"].interval
        return Said(holds=None if interval is None else holds(interval, 0.0))

    return simulate


def independent_judges(n: int, known: tuple[float, ...], shares: tuple[float, ...], judges: int = 2) -> Simulation:
    def simulate(random: np.random.Generator) -> Said:
        labels = labels_of(random, known, shares, n)
        tests = shared_mistakes(labels, labels.coders[-judges:])
        return Said(holds=not same_mistakes_sentences(tests, ALPHA))

    return simulate


def _test(statistic: str, where: str, simulate: Simulation) -> Setting:
    return Setting(room=ROOM, statistic=statistic, where=where, simulate=simulate, kind="test")


def _interval(statistic: str, where: str, simulate: Simulation) -> Setting:
    return Setting(room=ROOM, statistic=statistic, where=where, simulate=simulate)


VERDICT = "alternative-annotator test, a judge at its boundary passes"
P_VALUE = "alternative-annotator test, exact p-value against one human"
CHANGE = "change of mean kappa since an earlier run"
NO_CHANGE = "no change of mean kappa is called one"
NO_SHARES = "no change of the categories' shares is called one"
COPIES = "independent judges are said to make the same mistakes"
SKEWED = (0.9, 0.1)
THREE = (0.5, 0.3, 0.2)

SETTINGS: tuple[Setting, ...] = (
    _test(VERDICT, "20 items, 3 unanimous humans, epsilon .2", verdict_at_boundary(20, 3, 0.2)),
    _test(VERDICT, "29 items, 2 unanimous humans, epsilon .2", verdict_at_boundary(29, 2, 0.2)),
    _test(VERDICT, "25 items, 3 humans at kappa .64, epsilon .2", verdict_at_boundary(25, 3, 0.2, 0.8)),
    _test(VERDICT, "40 items, 3 unanimous humans, epsilon .1", verdict_at_boundary(40, 3, 0.1)),
    _test(VERDICT, "50 items, 5 humans at kappa .49, epsilon .2", verdict_at_boundary(50, 5, 0.2, 0.7)),
    _test(VERDICT, "100 items, 3 unanimous humans, epsilon .1", verdict_at_boundary(100, 3, 0.1)),
    _test(VERDICT, "200 items, 3 unanimous humans, epsilon .1", verdict_at_boundary(200, 3, 0.1)),
    _test(VERDICT, "60 items, 3 humans, three categories, epsilon .15", verdict_at_boundary(60, 3, 0.15, 0.8, THREE)),
    _test(P_VALUE, "20 items, 3 unanimous humans, epsilon .2", p_value_at_boundary(20, 3, 0.2)),
    _test(P_VALUE, "30 items, 3 unanimous humans, epsilon .1", p_value_at_boundary(30, 3, 0.1)),
    _test(P_VALUE, "25 items, 4 humans at kappa .49, epsilon .1", p_value_at_boundary(25, 4, 0.1, 0.7)),
    _test(P_VALUE, "150 items, 3 unanimous humans, epsilon .1", p_value_at_boundary(150, 3, 0.1)),
    _test(NO_CHANGE, "20 items, two categories, 2 humans", no_change("agreement", 20, EVEN)),
    _test(NO_CHANGE, "60 items, three categories, 2 humans", no_change("agreement", 60, THREE, 0.2)),
    _test(NO_CHANGE, "100 items, 10% of one category, 2 humans", no_change("agreement", 100, SKEWED, 0.2)),
    _test(NO_SHARES, "20 items, two categories", no_change("shares", 20, EVEN, 0.2)),
    _test(NO_SHARES, "40 items, three categories", no_change("shares", 40, THREE, 0.2)),
    _interval(CHANGE, "30 items, two categories, true change .27", change_of_agreement(30, 0.5, 0.8, EVEN)),
    _interval(CHANGE, "60 items, 10% of one category, no change", change_of_agreement(60, 0.8, 0.8, SKEWED, 0.5)),
    _interval(CHANGE, "150 items, three categories, true change .27", change_of_agreement(150, 0.5, 0.8, THREE)),
    _interval("change of a category's share", "40 items, true change .04", change_of_share(40, 0.05)),
    _interval("change of a category's share", "200 items, true change .016", change_of_share(200, 0.02)),
    _interval("share of labels as before", "25 items, true share .91", same_label(25, 0.5)),
    _interval(
        "mean kappa of judge and humans", "30 items, 2 humans, true value .72", mean_kappa(30, (0.9, 0.9, 0.8), EVEN)
    ),
    _interval(
        "mean kappa of judge and humans",
        "50 items, 3 humans, 10% of one category, true value .56",
        mean_kappa(50, (0.8, 0.8, 0.8, 0.7), SKEWED),
    ),
    _interval(
        "mean kappa of judge and humans",
        "150 items, 5 humans, three categories, true value .64",
        mean_kappa(150, (*[0.8] * 5, 0.8), THREE),
    ),
    _interval(
        "mean kappa among the humans",
        "60 items, 4 humans, true value .64",
        mean_kappa(60, (*[0.8] * 4, 0.8), EVEN, among=True),
    ),
    _interval("how a judge leans in a group", "15 items in the group, no lean", lean_in_group(30, EVEN)),
    _interval("how a judge leans in a group", "40 items, 10% of the category, no lean", lean_in_group(80, SKEWED)),
    _test("equal groups are said to differ in agreement", "2 groups of 15 items", equal_groups("same", 30, EVEN)),
    _test("equal groups are said to differ in leaning", "5 groups of 8 items", equal_groups("lean", 40, THREE, 5)),
    _test(COPIES, "30 items, 2 humans, two categories", independent_judges(30, (0.8, 0.8, 0.7, 0.7), EVEN)),
    _test(COPIES, "100 items, 3 humans, 10% of one category", independent_judges(100, (*[0.8] * 4, 0.6), SKEWED)),
    _test(
        COPIES,
        "150 items, 3 judges, 3 humans of different skill",
        independent_judges(150, (0.9, 0.7, 0.5, *[0.7] * 3), THREE, 3),
    ),
)
