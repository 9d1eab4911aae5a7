"""Which intervals of ratings are trusted: limits of any two coders, concordance, and ranks of few items."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import f, norm

from concurrence.agreement.ratings.analyse import limits_of_study
from concurrence.agreement.ratings.coefficients import assess_rating_coefficient
from concurrence.agreement.ratings.options import RatingOptions
from concurrence.agreement.ratings.study import RatingStudy
from concurrence.agreement.ratings.table import rating_coefficient

OPTIONS = RatingOptions(bootstrap=200)


def study(n, k, *, coders=0.5, seed=0):
    random = np.random.default_rng(seed)
    table = random.standard_normal((n, 1)) + sqrt(coders) * random.standard_normal((1, k))
    table = table + sqrt(0.5) * random.standard_normal((n, k))
    return RatingStudy(ratings=table, coders=tuple("abcdefgh"[:k]), anonymous=False)


def test_limits_of_any_two_coders_have_the_interval_of_graybill_and_wang():
    """The formulas written out with quantiles of F: of the mean squares of coders and of error."""
    n, k = 30, 3
    ratings = study(n, k).ratings
    of_coders = n * ratings.mean(axis=0).var(ddof=1)
    rest = ratings - ratings.mean(axis=0) - ratings.mean(axis=1, keepdims=True) + ratings.mean()
    of_error = (rest**2).sum() / ((n - 1) * (k - 1))
    parts = [(of_coders / n, k - 1), (of_error * (1 - 1 / n), (n - 1) * (k - 1))]
    within, z = sum(part for part, _ in parts), norm.ppf(0.975)
    below = sqrt(sum(((1 - 1 / f.ppf(0.975, free, 1e9)) * part) ** 2 for part, free in parts))
    above = sqrt(sum(((1 / f.ppf(0.025, free, 1e9) - 1) * part) ** 2 for part, free in parts))
    limits, _ = limits_of_study(study(n, k), OPTIONS)
    ends = z * sqrt(2 * (within - below)), z * sqrt(2 * (within + above))
    assert tuple(limits.high_interval) == pytest.approx(ends, rel=1e-4)
    assert limits.high == pytest.approx(z * sqrt(2 * within))
    assert (limits.interval_method, limits.trusted) == ("graybill_wang", True)


def test_limits_of_three_coders_hold_in_most_studies():
    """Satterthwaite's interval missed the limit in about one of five such studies."""
    truth = norm.ppf(0.975) * sqrt(2)
    held = [
        low <= truth <= high
        for low, high in (limits_of_study(study(30, 3, seed=seed), OPTIONS)[0].high_interval for seed in range(200))
    ]
    assert np.mean(held) > 0.9


@pytest.mark.parametrize(("n", "trusted"), [(29, False), (30, True)])
def test_concordance_is_trusted_from_thirty_items_on(n, trusted):
    found = assess_rating_coefficient(rating_coefficient("lin_ccc"), study(n, 2), OPTIONS)
    assert found.trusted is trusted
    assert (found.note is None) is trusted


@pytest.mark.parametrize(("n", "trusted"), [(19, False), (20, True)])
def test_ranks_are_trusted_from_twenty_items_on(n, trusted):
    found = assess_rating_coefficient(rating_coefficient("kendall_w"), study(n, 3), OPTIONS)
    assert found.trusted is trusted
    assert (found.note is None) is trusted
    assert found.interval.width > found.intervals["bootstrap_percentile"].width * 0.8
