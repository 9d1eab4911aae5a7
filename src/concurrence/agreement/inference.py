"""Intervals on the non-null error, tests of chance on the null error; never mixed."""

from collections.abc import Callable
from math import erfc, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtr, stdtrit

from concurrence.agreement import paired, pooled
from concurrence.agreement.coefficients import Coefficient
from concurrence.agreement.results import NullTest
from concurrence.agreement.study import Study
from concurrence.kernels import chance
from concurrence.kernels.intervals import clopper_pearson
from concurrence.kernels.tails import binomial_log_lower, binomial_log_upper

Array = NDArray[np.float64]
IntervalAt = Callable[[float], tuple[float, float]]
CHANCE_KNOWN = ("percent_agreement", "bennett_s", "prevalence_adjusted_kappa", "brennan_prediger")


def normal_interval(value: float, error: float) -> IntervalAt:
    """The value and as many standard errors as the normal distribution says, within -1 and 1."""

    def at(level: float) -> tuple[float, float]:
        reach = float(ndtri((1 + level) / 2)) * error
        return max(-1.0, value - reach), min(1.0, value + reach)

    return at


def t_interval(value: float, error: float, free: float, *, lowest: float = -1.0) -> IntervalAt:
    """The value and as many standard errors as Student's t says, within the lowest value and 1."""

    def at(level: float) -> tuple[float, float]:
        reach = float(stdtrit(free, (1 + level) / 2)) * error
        return max(lowest, value - reach), min(1.0, value + reach)

    return at


def exact_interval(agreed: float, n: float, chance: float) -> IntervalAt:
    """Clopper & Pearson's interval of percent agreement, corrected for a chance known beforehand."""

    def at(level: float) -> tuple[float, float]:
        low, high = (float(bound) for bound in clopper_pearson(agreed, n, level=level))
        return (low - chance) / (1 - chance), (high - chance) / (1 - chance)

    return at


def intervals(row: Coefficient, study: Study, value: float, error: float) -> dict[str, IntervalAt]:
    """The intervals of a coefficient by the name of their method, the default first."""
    found = _on_the_error(row, study, value, error) if np.isfinite(error) else {}
    if not has_exact_interval(row, study):
        return found
    chance = 1 / study.n_categories if row.corrects_for_chance else 0.0
    exact = {"exact": exact_interval(*agreements(study), chance)}
    return {**exact, **found} if is_exact_by_default(row, study, error) else {**found, **exact}


def _on_the_error(row: Coefficient, study: Study, value: float, error: float) -> dict[str, IntervalAt]:
    if row.error == "fleiss_cohen_everitt" and study.n_coders == 2:
        return {row.error: normal_interval(value, error)}
    lowest = -1.0 if row.corrects_for_chance else 0.0
    method = "jackknife" if row.error == "jackknife" else "gwet_t"
    return {method: t_interval(value, error, degrees_of_freedom(study), lowest=lowest)}


def null_tests(row: Coefficient, study: Study, value: float, error: float) -> tuple[NullTest, ...]:
    """Tests that the true value is 0, the default first."""
    if row.error == "fleiss_cohen_everitt" and study.n_coders == 2:
        return _two_coder_tests(row, study, value)
    if row.corrects_for_chance and has_exact_interval(row, study) and is_exact_by_default(row, study, error):
        return (_exact_test(study), _t_test("gwet_t", study, value, error))
    if row.name == "fleiss_kappa" and (n_labels := _labels_per_item(study)):
        return (*_balanced_tests(study, value, n_labels), _t_test("gwet_t", study, value, error))
    method = "jackknife" if row.error == "jackknife" else "gwet_t"
    return (_t_test(method, study, value, error),)


def has_exact_interval(row: Coefficient, study: Study) -> bool:
    """Whether agreement is a plain number of successes: two coders, all items, chance known beforehand."""
    return row.name in CHANCE_KNOWN and study.n_coders == 2


def is_exact_by_default(row: Coefficient, study: Study, error: float) -> bool:
    """Whether the exact interval comes first.

    Percent agreement and Brennan & Prediger's coefficient of more than two categories are printed with Gwet's
    interval; it stays in front of the exact one unless it has no width.
    """
    return row.name in ("bennett_s", "prevalence_adjusted_kappa") or study.n_categories <= 2 or not error > 0


def agreements(study: Study) -> tuple[float, float]:
    """Items two coders agree on, and items both labelled."""
    complete = paired.complete(study)
    alike = complete & (study.codes[:, 0] == study.codes[:, 1])
    return float(study.weights[alike].sum()), float(study.weights[complete].sum())


def degrees_of_freedom(study: Study) -> float:
    """One less than the items with a label."""
    return study.labelled - 1


def _two_coder_tests(row: Coefficient, study: Study, value: float) -> tuple[NullTest, ...]:
    first, second, n = paired.coder_shares(study, study.weights)
    if row.name == "scott_pi":
        first = second = (first + second) / 2
    weights = study.agreement_weights if row.weighted else None
    matrix = None if weights is None else weights.matrix
    found = [_z_test("fleiss_cohen_everitt", value, chance.fleiss_cohen_everitt_null_error(first, second, matrix, n))]
    if row.name == "cohen_kappa":
        expected = chance.bilinear(first, None, second)
        found.append(_z_test("cohen_1960", value, float(chance.cohen_null_error(expected, n))))
    if row.name == "scott_pi":
        found.append(_z_test("siegel_castellan_1988", value, chance.siegel_castellan_null_error(first, 2, float(n))))
    return tuple(found)


def _balanced_tests(study: Study, value: float, n_labels: int) -> tuple[NullTest, ...]:
    shares = pooled.category_shares(study, study.weights)
    n = study.labelled
    return (
        _z_test("fleiss_nee_landis_1979", value, chance.fleiss_nee_landis_null_error(shares, n_labels, n)),
        _z_test("siegel_castellan_1988", value, chance.siegel_castellan_null_error(shares, n_labels, n)),
    )


def _labels_per_item(study: Study) -> int:
    """How many labels every labelled item has; 0 where the numbers differ."""
    sizes = study.sizes[study.sizes > 0]
    return int(sizes[0]) if len(sizes) and sizes.min() == sizes.max() else 0


def _z_test(method: str, value: float, error: float) -> NullTest:
    statistic = value / error if error > 0 else float("nan")
    p_value = erfc(abs(statistic) / sqrt(2))
    return NullTest(method=method, standard_error=error, statistic=statistic, p_value=p_value)


def _t_test(method: str, study: Study, value: float, error: float) -> NullTest:
    free = degrees_of_freedom(study)
    statistic = value / error if error > 0 else float("nan")
    p_value = 2 * float(stdtr(free, -abs(statistic))) if free > 0 else float("nan")
    return NullTest(method=method, standard_error=error, statistic=statistic, p_value=p_value)


def _exact_test(study: Study) -> NullTest:
    """Whether coders agree as often as equal categories would by chance; the doubled smaller tail."""
    agreed, n = agreements(study)
    p = 1 / study.n_categories
    lower, upper = float(binomial_log_lower(agreed, n, p)), float(binomial_log_upper(agreed, n, p))
    error = sqrt(p * (1 - p) / n) / (1 - p)
    statistic = (agreed / n - p) / (1 - p) / error
    p_value = min(1.0, 2 * float(np.exp(min(lower, upper))))
    return NullTest(method="exact", standard_error=error, statistic=statistic, p_value=p_value)
