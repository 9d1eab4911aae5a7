"""What ``agree`` says of single coders and categories, in studies where all are alike."""

from collections.abc import Callable
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.trust.settings import Said, Setting, holds
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.agreement.labels.diagnosis.categories import category_agreement, extreme_categories
from concurrence.agreement.labels.diagnosis.diagnose import ALPHA, leaning_pairs, left_out_values
from concurrence.agreement.labels.diagnosis.sentences import outsiders
from concurrence.core import Labels
from concurrence.kernels.coefficients import COEFFICIENTS

MAIN = COEFFICIENTS["krippendorff_alpha"]
POPULATION = 200_000
Codes = NDArray[np.int32]
Draw = Callable[[int, np.random.Generator], Codes]


def coders(
    guesses: tuple[float, ...], shares: tuple[float, ...], absent: float, n: int, random: np.random.Generator
) -> Codes:
    """Coders who know the category, or guess by its shares this often; this share of labels is missing."""
    shape = (n, len(guesses))
    truth = random.choice(len(shares), p=shares, size=(n, 1))
    codes = np.where(random.random(shape) < guesses, random.choice(len(shares), p=shares, size=shape), truth)
    return np.where(random.random(shape) < absent, -1, codes).astype(np.int32)


def alike_pairs(n: int, random: np.random.Generator) -> Codes:
    """Two coders and three categories of unequal frequency, on each of which they agree in 70% of the cases."""
    joint = np.array([[0.35, 0.09, 0.06], [0.09, 0.21, 0.0], [0.06, 0.0, 0.14]])
    cells = random.choice(9, p=joint.ravel(), size=n)
    return np.stack(np.divmod(cells, 3), axis=1).astype(np.int32)


def labels_of(codes: Codes) -> Labels:
    """Codes as labels."""
    n_categories = int(codes.max()) + 1
    return Labels(
        codes=codes,
        categories=tuple(f"c{k}" for k in range(n_categories)),
        coders=tuple(f"coder {k}" for k in range(codes.shape[1])),
    )


def accused(draw: Draw, n: int, random: np.random.Generator) -> Said:
    """Whether nobody is said to stand apart, where all coders are alike."""
    labels = labels_of(draw(n, random))
    return Said(holds=not outsiders(left_out_values(labels, LabelStudy.of(labels), MAIN, level=0.95)))


def leans(draw: Draw, n: int, random: np.random.Generator) -> Said:
    """Whether no two coders are said to lean, who use all categories alike."""
    labels = labels_of(draw(n, random))
    found, tested = leaning_pairs(labels, LabelStudy.of(labels))
    return Said(holds=not found if tested else None)


@cache
def true_change(draw: Draw) -> float:
    """How the coefficient changes without the last coder, in a large study."""
    labels = labels_of(draw(POPULATION, np.random.default_rng(0)))
    return left_out_values(labels, LabelStudy.of(labels), MAIN, level=0.95)[-1].change


def change_without(draw: Draw, n: int, random: np.random.Generator) -> Said:
    """The interval of the change without the last coder."""
    labels = labels_of(draw(n, random))
    interval = left_out_values(labels, LabelStudy.of(labels), MAIN, level=0.95)[-1].interval
    return Said(holds=None if interval is None else holds(interval, true_change(draw)))


def ranked(draw: Draw, n: int, random: np.random.Generator) -> Said:
    """Whether no category is called the one with the highest agreement, where all are alike."""
    labels = labels_of(draw(n, random))
    study = LabelStudy.of(labels)
    extremes = extreme_categories(study, category_agreement(study, labels.categories))
    return Said(holds=None if extremes is None else extremes[2] > ALPHA)


def even(n_categories: int) -> tuple[float, ...]:
    """Equally frequent categories."""
    return (1 / n_categories,) * n_categories


EQUAL_CODERS = {
    "3 coders, even": partial(coders, (0.3,) * 3, even(2), 0.0),
    "3 coders, 95% in one category": partial(coders, (0.15,) * 3, (0.95, 0.05), 0.0),
    "6 coders, 90% in one category": partial(coders, (0.2,) * 6, (0.9, 0.1), 0.0),
    "6 coders, 40% missing": partial(coders, (0.3,) * 6, even(3), 0.4),
}
UNEQUAL_CODERS = {
    "4 coders, the last guesses": partial(coders, (0.2, 0.2, 0.2, 0.8), even(3), 0.0),
    "4 coders, the last guesses, 85% in one category": partial(coders, (0.2, 0.2, 0.2, 0.8), (0.85, 0.15), 0.0),
}
ALIKE: dict[str, tuple[Draw, int]] = {
    "2 coders, 2 categories, 20 items": (partial(coders, (0.3,) * 2, even(2), 0.0), 20),
    "2 coders, 3 categories of unequal frequency, 100 items": (alike_pairs, 100),
    "2 coders, 5 categories, 60 items": (partial(coders, (0.3,) * 2, even(5), 0.0), 60),
    "2 coders, 10 categories, 200 items": (partial(coders, (0.2,) * 2, even(10), 0.0), 200),
    "5 coders, 4 categories, 30 items": (partial(coders, (0.2,) * 5, even(4), 0.0), 30),
}

CLOSE_CODERS = {
    "3 coders, 95% in one category": partial(coders, (0.1, 0.1, 0.5), (0.95, 0.05), 0.0),
    "3 coders who nearly always agree": partial(coders, (0.04, 0.04, 0.2), even(2), 0.0),
}
LEANING = {
    "2 categories, 40 items": (partial(coders, (0.3,) * 2, even(2), 0.0), 40),
    "5 categories, 30 items": (partial(coders, (0.25,) * 2, even(5), 0.0), 30),
    "80% in one of 3 categories, 60 items": (partial(coders, (0.4,) * 2, (0.8, 0.1, 0.1), 0.0), 60),
}

SETTINGS = (
    *(
        Setting(
            room="diagnosis",
            statistic="disagreements lean to one side",
            where=f"2 coders, {where}",
            simulate=partial(leans, draw, n),
            kind="test",
        )
        for where, (draw, n) in LEANING.items()
    ),
    *(
        Setting(
            room="diagnosis",
            statistic="change of Krippendorff's alpha without a coder",
            where=f"{where}, the last guesses five times as often, 30 items",
            simulate=partial(change_without, draw, 30),
        )
        for where, draw in CLOSE_CODERS.items()
    ),
    Setting(
        room="diagnosis",
        statistic="a coder stands apart",
        where="6 coders, 40% missing, 55 items",  # each shares some thirty with two others
        simulate=partial(accused, EQUAL_CODERS["6 coders, 40% missing"], 55),
        kind="test",
    ),
    *(
        Setting(
            room="diagnosis",
            statistic="a coder stands apart",
            where=f"{where}, {n} items",
            simulate=partial(accused, draw, n),
            kind="test",
        )
        for where, draw in EQUAL_CODERS.items()
        for n in (30, 80)
    ),
    *(
        Setting(
            room="diagnosis",
            statistic="change of Krippendorff's alpha without a coder",
            where=f"{where}, {n} items",
            simulate=partial(change_without, draw, n),
        )
        for where, draw in UNEQUAL_CODERS.items()
        for n in (30, 80)
    ),
    *(
        Setting(
            room="diagnosis",
            statistic="agreement is highest on one category, lowest on another",
            where=where,
            simulate=partial(ranked, draw, n),
            kind="test",
        )
        for where, (draw, n) in ALIKE.items()
    ),
)
