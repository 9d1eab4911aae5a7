"""Variances of ratings: the mean squares, REML with gaps against statsmodels and a slow twin, what cannot be told."""

import numpy as np
import pytest
from scipy.optimize import minimize

from concurrence.agreement.ratings.intraclass import correlation
from concurrence.agreement.ratings.variance import (
    Gaps,
    complete_components,
    complete_mean_squares,
    gap_mean_squares,
    reml_components,
    reml_items,
)


def made(n, m, seed, *, items=1.0, coders=0.4, error=0.6, missing=0.0):
    random = np.random.default_rng(seed)
    table = (
        5
        + np.sqrt(items) * random.standard_normal((n, 1))
        + np.sqrt(coders) * random.standard_normal((1, m))
        + np.sqrt(error) * random.standard_normal((n, m))
    )
    gone = random.random((n, m)) < missing
    gone[np.arange(n), random.integers(0, m, n)] = False
    table[gone] = np.nan
    return table


def obvious_reml(table):
    """The REML criterion written out: the whole covariance matrix of the ratings."""
    rows, columns = np.nonzero(np.isfinite(table))
    y = table[rows, columns]
    same_item, same_coder = rows[:, None] == rows[None, :], columns[:, None] == columns[None, :]
    ones = np.ones((len(y), 1))

    def criterion(logs):
        items, coders, error = np.exp(logs)
        whole = items * same_item + coders * same_coder + error * np.eye(len(y))
        inverse = np.linalg.inv(whole)
        inner = ones.T @ inverse @ ones
        rest = y - ones[:, 0] * float((ones.T @ inverse @ y)[0] / inner[0, 0])
        return np.linalg.slogdet(whole)[1] + np.log(inner[0, 0]) + rest @ inverse @ rest

    found = minimize(criterion, np.zeros(3), method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-10})
    return np.exp(found.x)


@pytest.mark.parametrize("seed", range(3))
def test_reml_with_gaps_is_that_of_the_whole_matrix(seed):
    table = made(12, 4, seed, missing=0.3)
    found = reml_components(Gaps.of(table))
    assert (found.items, found.coders, found.error) == pytest.approx(obvious_reml(table), rel=1e-3)


def test_reml_of_items_is_that_of_statsmodels():
    MixedLM = pytest.importorskip("statsmodels.regression.mixed_linear_model").MixedLM

    table = made(30, 4, 7, missing=0.25)
    rows, columns = np.nonzero(np.isfinite(table))
    y = table[rows, columns]
    own = np.eye(4)[columns]
    for by_coder, design in ((True, own), (False, np.ones((len(y), 1)))):
        fitted = MixedLM(y, design, groups=rows).fit(reml=True)
        items, error = reml_items(Gaps.of(table), by_coder=by_coder)
        assert items == pytest.approx(float(np.asarray(fitted.cov_re)[0, 0]), rel=1e-3)
        assert error == pytest.approx(float(fitted.scale), rel=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_without_gaps_reml_is_the_analysis_of_variance(seed):
    table = made(15, 5, seed)
    squares = complete_mean_squares(table)
    anova, reml = complete_components(squares), reml_components(Gaps.of(table))
    expected = (anova.items, anova.coders, anova.error)
    assert (reml.items, reml.coders, reml.error) == pytest.approx(expected, rel=1e-4, abs=1e-5)
    for design in "123":
        again = gap_mean_squares(Gaps.of(table), design, reml)
        one, other = (correlation(s, design, 5, mean=False, level=0.95) for s in (squares, again))
        assert (other.value, other.low, other.high) == pytest.approx((one.value, one.low, one.high), abs=1e-4)


def test_coders_who_share_no_item_are_not_connected():
    table = np.array([[1, 2, np.nan, np.nan], [2, 3, np.nan, np.nan], [np.nan, np.nan, 1, 2], [np.nan, np.nan, 4, 4]])
    assert not Gaps.of(table).connected
    table[0, 2] = 1.0
    assert Gaps.of(table).connected


def test_mean_squares_are_those_of_loops():
    table = made(6, 3, 1)
    n, k = table.shape
    grand = table.mean()
    between = sum(k * (row.mean() - grand) ** 2 for row in table) / (n - 1)
    coders = sum(n * (column.mean() - grand) ** 2 for column in table.T) / (k - 1)
    within = sum((table[i, j] - table[i].mean()) ** 2 for i in range(n) for j in range(k)) / (n * (k - 1))
    squares = complete_mean_squares(table)
    assert (squares.between, squares.coders, squares.within) == pytest.approx((between, coders, within))
