"""Coefficients of agreement on labels: the interval that ``agree`` prints, and its test that coders agree by chance.

Every item has a true category. On a nominal scale a coder gives it with a fixed probability, and otherwise any
category as often as it occurs; on a graded scale coders err by a normal deviate, rounded to the next category and kept
on the scale. The true value is that of all label patterns with their probabilities.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from scipy.special import ndtr

from benchmarks.trust.settings import Said, Setting, holds
from concurrence.agreement.labels.assess import StudyEvidence, interval_to_report
from concurrence.agreement.labels.coefficients.inference import reasons_for_doubt, standard_error, unmet_need
from concurrence.agreement.labels.coefficients.metrics import comparison_of
from concurrence.agreement.labels.coefficients.null_tests import null_tests
from concurrence.agreement.labels.coefficients.parts import coefficient_parts, value_of, values
from concurrence.agreement.labels.coefficients.posterior import posterior_weights
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.core import Labels
from concurrence.kernels.coefficients import coefficient

PATTERNS = 5000
"""With more patterns than this the true value is that of a study of 200,000 items."""
LARGE_STUDY = 200_000
DRAWS = 3000
"""The program draws a posterior up to 20,000 times, which covers some .0005 more and takes five times as long."""


@dataclass(frozen=True, kw_only=True)
class World:
    """Coders and what they label; ``noise`` is 1 - the probability of the true category, or the spread of errors."""

    scale: str = "nominal"
    categories: int = 2
    coders: int = 2
    noise: float = 0.2
    shares: str = "even"  # "even", "skewed" (each category .35 as common as the one before), "rare" (.95 in the first)
    labelled_by: int | None = None  # so many of the coders, chosen for every item at random
    gaps: float = 0.0  # the share of items that lost the label of one coder
    weights: str | None = None


def true_shares(world: World) -> np.ndarray:
    """How common the categories are in truth."""
    places = np.arange(world.categories)
    if world.shares == "rare":
        shares = np.where(places == 0, 0.95, 0.05 / max(world.categories - 1, 1))
    elif world.shares == "even":
        shares = np.ones(world.categories)
    elif world.scale == "nominal":
        shares = 0.35**places
    else:
        shares = np.exp(-0.5 * ((places - 0.35 * places[-1]) / (world.categories / 5)) ** 2)
    return shares / shares.sum()


@cache
def chances(world: World) -> np.ndarray:
    """True category x label: how a coder labels."""
    shares, k = true_shares(world), world.categories
    if world.scale == "nominal":
        return (1 - world.noise) * np.eye(k) + world.noise * shares
    edges = np.concatenate([[-np.inf], np.arange(k - 1) + 0.5, [np.inf]])
    return np.diff(ndtr((edges[None, :] - np.arange(k)[:, None]) / world.noise), axis=1)


def draw_codes(world: World, n: int, random: np.random.Generator) -> np.ndarray:
    """Items x coders."""
    truth = random.choice(world.categories, size=n, p=true_shares(world))
    below = np.cumsum(chances(world), axis=1)[truth]
    codes = (random.random((n, world.coders, 1)) > below[:, None, :-1]).sum(axis=2).astype(np.int16)
    if world.labelled_by is not None:
        place = random.random(codes.shape).argsort(axis=1)
        codes[place >= world.labelled_by] = -1
    lost = random.random(n) < world.gaps
    codes[lost, random.integers(world.coders, size=n)[lost]] = -1
    return codes


@cache
def template(world: World) -> tuple[Labels, LabelStudy]:
    """No items, but the categories of the world and how its labels are compared."""
    labels = Labels(
        items=(),
        coders=tuple(map(str, range(world.coders))),
        categories=tuple(str(k + 1) for k in range(world.categories)),
        codes=np.empty((0, world.coders), dtype=np.int16),
        categories_declared=True,
    )
    metric, weights = comparison_of(labels, AgreeOptions(scale=world.scale, weights=world.weights))
    return labels, LabelStudy.of(labels, metric=metric, agreement_weights=weights)


def draw_study(world: World, n: int, random: np.random.Generator) -> LabelStudy:
    """A study of so many items, equal patterns together."""
    codes, counts = np.unique(draw_codes(world, n, random), axis=0, return_counts=True)
    return template(world)[1].with_patterns(codes, counts)


@cache
def true_value(name: str, world: World) -> float:
    """The coefficient over all patterns with their probabilities, or over a large study."""
    row = coefficient(name)
    if world.categories**world.coders > PATTERNS or world.labelled_by is not None:
        study = draw_study(world, LARGE_STUDY, np.random.default_rng(0))
        return float(values(row, study, study.weights))
    codes = np.array(list(product(range(world.categories), repeat=world.coders)), dtype=np.int16)
    likelihoods = chances(world)[:, codes].prod(axis=2)
    study = template(world)[1].with_patterns(codes, true_shares(world) @ likelihoods * 1e9)
    return float(values(row, study, study.weights))


def evidence_of(study: LabelStudy) -> StudyEvidence:
    """What ``agree`` rests intervals on, but for fewer draws."""
    doubts = reasons_for_doubt(study)
    posterior = posterior_weights(study, draws=DRAWS) if doubts else None
    return StudyEvidence(level=0.95, doubts=doubts, posterior=posterior)


def interval_setting(name: str, n: int, world: World) -> Setting:
    """The interval that is printed for a coefficient."""
    row = coefficient(name)

    def simulate(random: np.random.Generator) -> Said:
        study = draw_study(world, n, random).on_shared_items()
        evidence = evidence_of(study)
        parts = None if unmet_need(row, study) else coefficient_parts(row, study, study.weights)
        if parts is None or not np.isfinite(value := float(value_of(row, parts))):
            return Said(holds=None)
        error = standard_error(row, study, parts.influence)
        report = interval_to_report(row, study, value, error, evidence)
        if report.interval is None:
            return Said(holds=None)
        return Said(holds=holds(report.interval, true_value(name, world)), trusted=bool(report.trusted))

    return Setting(room="labels", statistic=_statistic(name, world), where=_where(n, world), simulate=simulate)


def null_setting(name: str, n: int, world: World) -> Setting:
    """The test that coders agree by chance alone, for coders who do."""
    row = coefficient(name)

    def simulate(random: np.random.Generator) -> Said:
        study = draw_study(world, n, random)
        value = float(values(row, study, study.weights))
        if not np.isfinite(value):
            return Said(holds=None)
        tests = null_tests(row, study, value, standard_error(row, study), seed=int(random.integers(2**31)))
        return Said(holds=tests[0].p_value > 0.05)

    statistic = f"{_statistic(name, world)} = 0"
    return Setting(room="labels", kind="test", statistic=statistic, where=_where(n, world), simulate=simulate)


def _statistic(name: str, world: World) -> str:
    title = coefficient(name).title
    weights = f", {world.weights} weights" if world.weights else ""
    return title if world.scale == "nominal" else f"{title}, {world.scale} scale{weights}"


def _where(n: int, world: World) -> str:
    by = "" if world.labelled_by is None else f", {world.labelled_by} per item"
    gaps = f", {world.gaps:.0%} of the items with a gap" if world.gaps else ""
    shares = "" if world.shares == "even" else f", {world.shares} categories"
    return f"{n:,} items, {world.coders} coders{by}, {world.categories} categories{shares}, noise {world.noise:g}{gaps}"


def _intervals() -> Iterator[Setting]:
    for n, noise, shares in product((20, 50, 200), (0.05, 0.2, 0.5), ("even", "rare")):
        yield interval_setting("cohen_kappa", n, World(noise=noise, shares=shares))
    for n, k, noise in product((20, 50), (3, 5, 10), (0.05, 0.3)):
        yield interval_setting("cohen_kappa", n, World(categories=k, noise=noise, shares="skewed"))
    for n, coders, noise, shares in product((20, 50), (3, 5, 10), (0.1, 0.4), ("even", "rare")):
        yield interval_setting("fleiss_kappa", n, World(coders=coders, noise=noise, shares=shares))
    for n, coders in product((30, 100), (3, 5, 10)):
        yield interval_setting("fleiss_kappa", n, World(coders=coders, categories=5, noise=0.2, shares="skewed"))
    for scale, k, n, noise in product(("ordinal", "interval"), (5, 7, 10), (20, 30, 100), (0.3, 0.8)):
        yield interval_setting("krippendorff_alpha", n, World(scale=scale, categories=k, noise=noise))
    for scale, coders, n in product(("ordinal", "interval"), (3, 4, 8), (20, 50)):
        world = World(scale=scale, categories=5, coders=coders, noise=0.5, shares="skewed")
        yield interval_setting("krippendorff_alpha", n, world)
    for k, n, noise in product((2, 5), (10, 20, 100), (0.05, 0.3)):
        yield interval_setting("percent_agreement", n, World(categories=k, noise=noise))
    for n, noise in product((20, 60), (0.1, 0.4)):
        yield interval_setting("gwet_ac1", n, World(noise=noise, shares="rare"))
        yield interval_setting("gwet_ac2", n, World(scale="ordinal", categories=5, noise=noise))
        yield interval_setting("weighted_kappa", n, World(scale="ordinal", categories=5, noise=noise))
        yield interval_setting("scott_pi", n, World(noise=noise, shares="skewed", categories=3))
        yield interval_setting("bangdiwala_b", n, World(noise=noise, shares="skewed", categories=3))
        yield interval_setting("bennett_s", n, World(noise=noise, shares="skewed", categories=3))
        yield interval_setting("davies_fleiss_kappa", n, World(noise=noise, shares="skewed", categories=3, coders=4))
        yield interval_setting("mean_pairwise_kappa", n, World(noise=noise, shares="skewed", categories=3, coders=4))
    for n, gaps in product((30, 100), (0.05, 0.3)):
        yield interval_setting("cohen_kappa", n, World(noise=0.2, shares="skewed", gaps=gaps))
        yield interval_setting("fleiss_kappa", n, World(noise=0.2, shares="skewed", gaps=gaps, coders=3))
        yield interval_setting("krippendorff_alpha", n, World(noise=0.2, shares="skewed", gaps=gaps, coders=3))
    for name, n in product(("mean_pairwise_kappa", "fleiss_kappa", "krippendorff_alpha"), (200, 1000)):
        yield interval_setting(name, n, World(noise=0.2, coders=20, labelled_by=3))


def _tests() -> Iterator[Setting]:
    for n, shares in product((10, 40, 90, 200), ("even", "rare")):
        yield null_setting("cohen_kappa", n, World(noise=1.0, shares=shares))
    for n, k in product((20, 60, 150), (3, 5)):
        yield null_setting("cohen_kappa", n, World(noise=1.0, categories=k, shares="skewed"))
    for n, coders in product((15, 60, 150), (3, 6)):
        yield null_setting("fleiss_kappa", n, World(noise=1.0, coders=coders, shares="rare"))
    for n in (20, 80):
        yield null_setting("weighted_kappa", n, World(noise=1.0, categories=4, weights="quadratic"))


SETTINGS = (*_intervals(), *_tests())
