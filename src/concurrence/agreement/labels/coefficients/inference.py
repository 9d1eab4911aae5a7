"""What a coefficient needs, how certain its value is, and whether it differs from chance.

Intervals rest on the non-null error, tests of chance on the null error; never mixed.
"""

from collections.abc import Callable, Mapping
from math import erfc, sqrt

import numpy as np
from scipy.special import betainc, betaincc, ndtri, stdtr, stdtrit

from concurrence.agreement.labels.coefficients.parts import category_shares, coefficient_parts, credit_matrix, value_of
from concurrence.agreement.labels.coefficients.study import LabelStudy, total
from concurrence.core import Interval
from concurrence.core.arrays import Reals
from concurrence.core.values import value
from concurrence.kernels import chance
from concurrence.kernels.coefficients import COEFFICIENTS, CoefficientRow
from concurrence.kernels.intervals import clopper_pearson

RARE_LABELS = 40.0  # labels outside the commonest category, per coder
RARE_AGREEMENTS = 10.0  # items on which coders agree on another category than the commonest
DISAGREEMENTS = 10.0  # items on which coders differ
PRIOR_ITEMS = 2.0
MOST_PATTERNS = 1024
MOST_CELLS = 1 << 21
POSTERIOR = "posterior"


@value
class NullTest:
    """A two-sided test that the true value is 0, and the error it rests on."""

    method: str
    standard_error: float
    statistic: float
    p_value: float


OWN_ERROR = ("gwet_t", "jackknife")
"""Tests on the error that holds whatever the true value is: not to be read beside tests on the null error."""


def why_undefined(row: CoefficientRow, study: LabelStudy) -> str | None:
    """Why there is no value, in a sentence; ``None`` where there is one."""
    unmet = unmet_need(row, study)
    return unmet or (
        None if np.isfinite(value_of(row, coefficient_parts(row, study, study.weights))) else no_contrast(row)
    )


def unmet_need(row: CoefficientRow, study: LabelStudy) -> str | None:
    """What the coefficient needs and the study lacks, in a sentence."""
    if study.n_coders < 2:
        return f"{row.title} is undefined: there is only one coder."
    if study.anonymous and row.coders != "any":
        return f"{row.title} has no value for counts of labels: it needs to know which coder gave which label."
    if row.coders == "two" and study.n_coders != 2:
        instead = (
            f" With more than two coders, use {' or '.join(COEFFICIENTS[name].title for name in row.for_more)}."
            if row.for_more
            else ""
        )
        return f"{row.title} is defined for two coders, and there are {study.n_coders}.{instead}"
    if row.weighted and study.agreement_weights is None:
        return f"{row.title} needs weights, or a scale that has them."
    if items_used(row, study) == 0:
        return f"{row.title} is undefined: no item has labels from two coders."
    if row.counts_categories and study.n_categories < 2:
        return f"{row.title} is undefined: there is only one category. Declare the categories that coders could choose."
    return None


def no_contrast(row: CoefficientRow) -> str:
    """Why a coefficient that has all it needs is undefined all the same."""
    if row.pairs == "mean":
        return f"{row.title} is undefined: no pair of coders has a defined kappa."
    if row.measures == "area":
        return f"{row.title} is undefined: no category was used by both coders."
    return (
        f"{row.title} is undefined: every label is the same category, so chance alone would give this agreement. "
        "Report observed agreement instead."
    )


def items_used(row: CoefficientRow, study: LabelStudy) -> float:
    """How many items the coefficient rests on."""
    return study.n_complete if row.coders == "two" else study.n_pairable


def items_in_error(row: CoefficientRow, study: LabelStudy) -> float:
    """The number of items in its standard error."""
    if (row.error == "fleiss_cohen_everitt" and study.n_coders == 2) or row.measures == "area":
        return study.n_complete
    if row.measures == "disagreement":
        return study.n_pairable
    return study.n_items if row.error == "jackknife" else study.labelled


def standard_error(row: CoefficientRow, study: LabelStudy, influence: Reals | None = None) -> float:
    """The analytic (non-null) standard error; NaN where there is none.

    The variance is divided by n for two coders who labelled every item, as Fleiss, Cohen & Everitt and
    Gwet's two-coder formulas have it, and by n - 1 otherwise, as Gwet's for many coders.
    """
    n = items_in_error(row, study)
    added = coefficient_parts(row, study, study.weights).influence if influence is None else influence
    two = study.n_coders == 2 and (row.error == "fleiss_cohen_everitt" or bool(study.complete.all()))
    if n <= 1 or added is None:
        return float("nan")
    return float(np.sqrt(total(study.weights, added**2) / (n * (n if two else n - 1))))


def intervals(
    row: CoefficientRow, study: LabelStudy, estimate: float, error: float, level: float
) -> dict[str, Interval]:
    """The intervals of a coefficient by the name of their method, the default first.

    Where agreement is a plain number of successes (two coders, chance known beforehand) there is an exact one. It
    comes first, but for more than two categories, where Gwet's is the one that is printed.
    """
    ends: dict[str, tuple[float, float]] = {}
    if np.isfinite(error):
        normal = row.error == "fleiss_cohen_everitt" and study.n_coders == 2
        tail = (1 + level) / 2
        reach = float(ndtri(tail) if normal else stdtrit(study.labelled - 1, tail)) * error
        method = row.error if normal else "jackknife" if row.error == "jackknife" else "gwet_t"
        lowest = -1.0 if row.corrects_for_chance else 0.0
        ends[method] = max(lowest, estimate - reach), min(1.0, estimate + reach)
    if row.chance.fixed and study.n_coders == 2:
        bounds = clopper_pearson(*agreements(study), level=level)
        by_chance = 1 / study.n_categories if row.corrects_for_chance else 0.0
        low, high = (float(bound - by_chance) / (1 - by_chance) for bound in bounds)
        exact = {"exact": (low, high)}
        ends = {**ends, **exact} if study.n_categories > 2 and error > 0 else {**exact, **ends}
    return {name: Interval(low=low, high=high, level=level, method=name) for name, (low, high) in ends.items()}


def reasons_for_doubt(study: LabelStudy) -> tuple[str, ...]:
    """Which counts are too low for analytic intervals to deserve their level; none where they do.

    From 400 simulated settings (n from 50 to 1,000, prevalence .02 to .5, kappa 0 to .9): coverage is 93% or
    more where all three counts are reached.
    """
    totals = np.asarray(study.weights @ study.counts)
    if totals.sum() == 0:
        return ("there are no labels",)
    common = (np.arange(study.n_categories) == totals.argmax()).astype(np.float64)
    of_common = np.asarray(study.counts @ common)
    pairs = np.where(study.pairable, study.sizes * (study.sizes - 1), 1.0)
    per_pair = np.where(study.pairable, study.weights, 0.0) / pairs
    alike = study.squares - study.sizes
    per_item = float(totals.sum()) / max(study.labelled, 1.0)  # one item that everybody labelled must not count
    outside = float(totals.sum() - totals.max()) / per_item
    counts = (
        (outside, RARE_LABELS, "label", "per coder outside the most common category"),
        (
            float(per_pair @ (alike - of_common * (of_common - 1))),
            RARE_AGREEMENTS,
            "agreement",
            "on the other categories",
        ),
        (float(per_pair @ (pairs - alike)), DISAGREEMENTS, "disagreement", ""),
    )
    return tuple(
        f"{round(count) or 'no'} {noun}{'s' * (round(count) != 1)} {where}".strip()
        for count, needed, noun, where in counts
        if count < needed
    )


def posterior_weights(study: LabelStudy, *, draws: int = 20_000, seed: int = 0) -> tuple[LabelStudy, Reals] | None:
    """The study with every possible pattern, and draws of how common the patterns are.

    With few items or a rare category the estimate is not normally distributed: at 10% prevalence and 50 items an
    analytic 95% interval of Cohen's kappa covers the true value in 51% to 88% of the samples. A posterior over the
    label patterns does not rest on that; ``benchmarks/coverage.py`` measures both.

    Two items' worth of prior is spread over all patterns; for two coders and two categories that is Jeffreys's
    prior, one half in every cell. There is none where labels are missing or where the patterns are too many to be
    listed; resampling serves there.
    """
    n_patterns = study.n_categories**study.n_coders
    some = study.n_items > 0 and study.n_categories > 1 and not study.anonymous
    if not some or n_patterns > MOST_PATTERNS or not study.complete.all():
        return None
    places = study.n_categories ** np.arange(study.n_coders - 1, -1, -1)
    codes = np.arange(n_patterns)[:, None] // places % study.n_categories
    weights = np.bincount(study.codes @ places, weights=study.weights, minlength=n_patterns)
    affordable = min(draws, max(MOST_CELLS // n_patterns, 2000))
    random = np.random.default_rng(seed)
    drawn = random.standard_gamma(weights + PRIOR_ITEMS / n_patterns, size=(affordable, n_patterns))
    return study.with_patterns(codes, weights), drawn


def interval_of_draws(draws: Reals, estimate: float, level: float, *, method: str = POSTERIOR) -> Interval:
    """The middle of the draws, stretched to hold the estimate where that lies at the edge of what is possible."""
    low, high = np.nanquantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Interval(low=min(float(low), estimate), high=max(float(high), estimate), level=level, method=method)


def agreements(study: LabelStudy) -> tuple[float, float]:
    """Items two coders agree on, and items both labelled."""
    alike = study.complete & (study.codes[:, 0] == study.codes[:, 1])
    return float(study.weights[alike].sum()), study.n_complete


def null_tests(row: CoefficientRow, study: LabelStudy, estimate: float, error: float) -> tuple[NullTest, ...]:
    """The tests of the row that exist for this study, the default first; an exact one where its interval is."""
    later = study.n_categories > 2 and error > 0
    names = sorted(row.null_tests, key=lambda name: later and name == "exact")
    tests = (NULL_TESTS[name](name, row, study, estimate, error) for name in names)
    return tuple(test for test in tests if test is not None)


def _z_test(name: str, row: CoefficientRow, study: LabelStudy, estimate: float, _: float) -> NullTest | None:
    """The value over its error where the true value is 0, by the normal distribution.

    The errors of two coders come from the habits of both; those of Fleiss's kappa need the same number of labels on
    every item.
    """
    if row.pairs == "both":
        if study.n_coders != 2:
            return None
        shared = np.where(study.complete, study.weights, 0.0)
        n, labels = float(shared.sum()), 2
        first, second = study.coder_totals(shared) / n
        shares = (first + second) / 2
        if row.chance.habits == "pooled":
            first = second = shares
    else:
        sizes = study.sizes[study.sizes > 0]
        if not len(sizes) or sizes.min() != sizes.max():
            return None
        first = second = shares = category_shares(study, study.weights)
        n, labels = study.labelled, int(sizes[0])
    error = {
        "fleiss_cohen_everitt": lambda: chance.fleiss_cohen_everitt_null_error(
            first, second, credit_matrix(row, study), n
        ),
        "cohen_1960": lambda: float(chance.cohen_null_error(chance.bilinear(first, None, second), n)),
        "siegel_castellan_1988": lambda: chance.siegel_castellan_null_error(shares, labels, n),
        "fleiss_nee_landis_1979": lambda: chance.fleiss_nee_landis_null_error(shares, labels, n),
    }[name]()
    statistic = estimate / error if error > 0 else float("nan")
    return NullTest(method=name, standard_error=error, statistic=statistic, p_value=erfc(abs(statistic) / sqrt(2)))


def _t_test(name: str, row: CoefficientRow, study: LabelStudy, estimate: float, error: float) -> NullTest | None:
    """The value over its own error, by Student's t."""
    if row.error == "fleiss_cohen_everitt" and study.n_coders == 2:
        return None
    free = study.labelled - 1
    statistic = estimate / error if error > 0 else float("nan")
    p_value = 2 * float(stdtr(free, -abs(statistic))) if free > 0 else float("nan")
    return NullTest(method=name, standard_error=error, statistic=statistic, p_value=p_value)


def _exact_test(name: str, _: CoefficientRow, study: LabelStudy, estimate: float, __: float) -> NullTest | None:
    """Whether coders agree as often as equal categories would by chance; the doubled smaller tail."""
    if study.n_coders != 2:
        return None
    agreed, n = agreements(study)
    p = 1 / study.n_categories
    lower = 1.0 if agreed == n else float(betaincc(agreed + 1, n - agreed, p))
    upper = 1.0 if agreed == 0 else float(betainc(agreed, n - agreed + 1, p))
    null_error = sqrt(p * (1 - p) / n) / (1 - p)
    p_value = min(1.0, 2 * min(lower, upper))
    return NullTest(method=name, standard_error=null_error, statistic=estimate / null_error, p_value=p_value)


NULL_TESTS: Mapping[str, Callable[[str, CoefficientRow, LabelStudy, float, float], NullTest | None]] = {
    "fleiss_cohen_everitt": _z_test,
    "cohen_1960": _z_test,
    "siegel_castellan_1988": _z_test,
    "fleiss_nee_landis_1979": _z_test,
    "gwet_t": _t_test,
    "jackknife": _t_test,
    "exact": _exact_test,
}
