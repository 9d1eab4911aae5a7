"""How often ``compare`` shows a difference between coders who agree equally well, and how often its interval holds."""

from dataclasses import replace
from functools import cache, partial

import numpy as np

from benchmarks.trust.settings import Said, Setting, holds
from concurrence.agreement.labels.compare import compare_agreement
from concurrence.agreement.labels.options import CompareOptions
from concurrence.core import Labels

DRAWS = 500
"""Of intervals, which are a little wider with the program's 4,000. A test is too eager with so few: it has them all."""
POPULATION = 200_000
Guesses = tuple[float, float, float, float]


def four_coders(n: int, guesses: Guesses, shares: tuple[float, ...], random: np.random.Generator) -> Labels:
    """Four coders who know the category, or guess by its shares this often."""
    truth = random.choice(len(shares), p=shares, size=(n, 1))
    codes = np.where(random.random((n, 4)) < guesses, random.choice(len(shares), p=shares, size=(n, 4)), truth)
    return Labels(
        codes=codes.astype(np.int32), categories=tuple(f"c{k}" for k in range(len(shares))), coders=tuple("abcd")
    )


PAIRED = CompareOptions(a=("a", "b"), b=("c", "d"))
"""The first two coders against the other two."""


def null(n: int, guess: float, shares: tuple[float, ...], random: np.random.Generator) -> Said:
    """Whether no difference is shown, where all guess equally often."""
    labels = four_coders(n, (guess,) * 4, shares, random)
    verdict = compare_agreement(labels, None, PAIRED).sentences[0]
    return Said(holds=None if verdict.code in ("undefined", "undecided") else verdict.code != "difference")


@cache
def true_difference(guesses: Guesses, shares: tuple[float, ...]) -> float:
    """The difference in a large study."""
    labels = four_coders(POPULATION, guesses, shares, np.random.default_rng(0))
    return compare_agreement(labels, None, replace(PAIRED, bootstrap=10)).difference


def covered(n: int, guesses: Guesses, shares: tuple[float, ...], random: np.random.Generator) -> Said:
    """The interval of the difference."""
    result = compare_agreement(four_coders(n, guesses, shares, random), None, replace(PAIRED, bootstrap=DRAWS))
    if result.interval is None:
        return Said(holds=None)
    return Said(holds=holds(result.interval, true_difference(guesses, shares)), trusted=result.trusted)


def independent(sizes: tuple[int, int], agreement: float, random: np.random.Generator) -> Said:
    """Whether no difference is shown between two studies with the same percent agreement, two coders each."""
    first, second = (
        Labels(
            codes=np.stack([np.zeros(n), random.random(n) > agreement], axis=1).astype(np.int32),
            categories=("same", "other"),
            coders=("a", "b"),
        )
        for n in sizes
    )
    verdict = compare_agreement(first, second, CompareOptions(coefficient="percent_agreement")).sentences[0]
    return Said(holds=verdict.code != "difference")


def two_studies(n: int, guess: float, shares: tuple[float, ...], random: np.random.Generator) -> Said:
    """Whether no difference is shown between two studies with the same kappa, of two coders each."""
    first, second = (four_coders(n, (guess,) * 4, shares, random).select_coders(("a", "b")) for _ in range(2))
    verdict = compare_agreement(first, second, CompareOptions()).sentences[0]
    return Said(holds=None if verdict.code in ("undefined", "undecided") else verdict.code != "difference")


EVEN, SKEWED = (0.5, 0.5), (0.9, 0.1)
FOUR = (0.25,) * 4
AT_THE_LIMIT = (
    ("82% in one of 2 categories", 0.2, (0.82, 0.18), 100),
    ("2 even categories and high agreement", 0.04, EVEN, 100),
    ("2 even categories and ten disagreements", 0.1, EVEN, 100),
    ("90% in one of 2 categories and high agreement", 0.05, SKEWED, 220),
)
"""As few items, or items outside of the most common category, as a verdict takes."""

SETTINGS = (
    *(
        Setting(
            room="compare",
            statistic="one side agrees better, percent agreement of two studies",
            where=f"{n} items each, true agreement {agreement:.0%}",
            simulate=partial(independent, (n, n), agreement),
            kind="test",
        )
        for n, agreement in ((10, 0.8), (30, 0.95), (100, 0.7), (4, 0.5), (5, 0.9))
    ),
    *(
        Setting(
            room="compare",
            statistic="one side agrees better, percent agreement of two studies",
            where=f"{sizes[0]} and {sizes[1]} items, true agreement {agreement:.0%}",
            simulate=partial(independent, sizes, agreement),
            kind="test",
        )
        for sizes, agreement in (((5, 200), 0.9), ((20, 200), 0.95))
    ),
    *(
        Setting(
            room="compare",
            statistic="one side agrees better, kappas of two studies",
            where=f"{where}, {n} items each",
            simulate=partial(two_studies, n, guess, shares),
            kind="test",
        )
        for where, guess, shares, n in AT_THE_LIMIT
    ),
    *(
        Setting(
            room="compare",
            statistic="one side agrees better, paired kappas",
            where=f"{where}, {n} items",
            simulate=partial(null, n, guess, shares),
            kind="test",
        )
        for where, guess, shares, n in AT_THE_LIMIT
    ),
    *(
        Setting(
            room="compare",
            statistic="difference of paired kappas",
            where=f"{where}, the second side guesses twice as often, {n} items",
            simulate=partial(covered, n, (guess, guess, 2 * guess, 2 * guess), shares),
        )
        for where, guess, shares, n in AT_THE_LIMIT
    ),
    *(
        Setting(
            room="compare",
            statistic="one side agrees better, paired kappas",
            where=f"{where}, {n} items",
            simulate=partial(null, n, guess, shares),
            kind="test",
        )
        for where, guess, shares in (
            ("2 even categories", 0.3, EVEN),
            ("90% in one of 2 categories", 0.3, SKEWED),
            ("4 even categories", 0.2, FOUR),
        )
        for n in (20, 50, 100)
    ),
    *(
        Setting(
            room="compare",
            statistic="difference of paired kappas",
            where=f"{where}, {n} items",
            simulate=partial(covered, n, guesses, shares),
        )
        for where, guesses, shares in (
            ("2 even categories", (0.2, 0.2, 0.5, 0.5), EVEN),
            ("90% in one of 2 categories", (0.2, 0.2, 0.5, 0.5), SKEWED),
            ("4 even categories", (0.1, 0.1, 0.3, 0.3), FOUR),
        )
        for n in (20, 50, 100, 200)
    ),
)
