"""The dual model: the fast searches against the loops of its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom

from concurrence.agreement.labels.dual import true_agreement as dual
from concurrence.agreement.labels.dual.true_agreement import true_agreement
from concurrence.core import InvalidInputError
from support.examples import examples


def naive_homogeneity(table, level):
    (n11, n12), (n21, n22) = table
    n, row, column = n11 + n12 + n21 + n22, n11 + n12, n11 + n21
    accepted = []
    for m in range(n11 + n22 + 1):
        if m == n:
            accepted.append(m)
            continue
        positive = (row + column) / (2 * n) * m
        p1, p2 = (row - positive) / (n - m), (column - positive) / (n - m)
        if not (-1e-12 <= p1 <= 1 + 1e-12 and -1e-12 <= p2 <= 1 + 1e-12):
            continue
        p1, p2 = min(max(p1, 0), 1), min(max(p2, 0), 1)
        chance, x = p1 * p2 + (1 - p1) * (1 - p2), n11 + n22 - m
        if 2 * min(binom.cdf(x, n - m, chance), binom.sf(x - 1, n - m, chance)) >= 1 - level - 1e-9:
            accepted.append(m)
    return (accepted[0], accepted[-1]) if accepted else None


def naive_conservative(table, level, accepts):
    (n11, n12), (n21, n22) = table
    accepted = [
        m
        for m in range(n11 + n22 + 1)
        if any(accepts(n11 - p, n12, n21, n22 - m + p, level) for p in range(max(0, m - n22), min(n11, m) + 1))
    ]
    return (accepted[0], accepted[-1]) if accepted else None


def fisher_accepts(a, b, c, d, level):
    chance = hypergeom(a + b + c + d, a + b, a + c)
    return min(1, 2 * min(chance.cdf(a), chance.sf(a - 1))) >= 1 - level - 1e-9


def chi_squared_accepts(a, b, c, d, level):
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    return margins == 0 or (a + b + c + d) * (a * d - b * c) ** 2 / margins <= {0.95: 3.841458820694124}[level] + 1e-9


small_tables = (
    st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(sum).map(lambda c: ((c[0], c[1]), (c[2], c[3])))
)
larger_tables = (
    st.lists(st.integers(0, 60), min_size=4, max_size=4).filter(sum).map(lambda c: ((c[0], c[1]), (c[2], c[3])))
)


@examples(40)
@given(larger_tables, st.sampled_from([0.9, 0.95, 0.99]))
def test_homogeneity_is_that_of_the_loop(table, level):
    assert dual.homogeneity_range(np.array(table), level) == naive_homogeneity(table, level)


@examples(150)
@given(st.lists(st.integers(0, 900), min_size=4, max_size=4).filter(sum), st.sampled_from([0.8, 0.95]))
def test_bisected_homogeneity_is_that_of_the_scan(cells, level):
    table = np.array(cells).reshape(2, 2)
    assert dual.homogeneity_range(table, level, scan=0) == dual.homogeneity_range(table, level)


@examples(40)
@given(small_tables)
def test_conservative_bounds_are_those_of_the_double_loop(table):
    bounds = dual.conservative_range(np.array(table), 0.95, dual.fisher_score)
    assert bounds == naive_conservative(table, 0.95, fisher_accepts)


@examples(60)
@given(larger_tables)
def test_conservative_bounds_of_the_kappa_test_are_those_of_the_double_loop(table):
    bounds = dual.conservative_range(np.array(table), 0.95, dual.kappa_score)
    assert bounds == naive_conservative(table, 0.95, chi_squared_accepts)


@given(st.integers(0, 200), st.integers(0, 200), st.integers(0, 200))
def test_the_estimate_is_scott_pi_where_marginals_are_equal(both, apart, neither):
    share = (both + apart) / (n := both + 2 * apart + neither) if both + apart + neither else 0
    if 0 < share < 1:
        expected = share**2 + (1 - share) ** 2
        pi = ((both + neither) / n - expected) / (1 - expected)
        assert dual.homogeneity_estimate(np.array([[both, apart], [apart, neither]])) == pytest.approx(pi, abs=1e-9)


def test_no_amount_of_true_agreement_explains_perfect_disagreement():
    found = true_agreement([[0, 50], [50, 0]])
    assert found.homogeneity.empty
    assert found.conservative.empty
    assert "no amount of true agreement explains" in str(found)


def test_perfect_agreement_reaches_all_items():
    found = true_agreement([[30, 0], [0, 20]])
    assert found.homogeneity.high == found.conservative.high == found.conservative_kappa.high == 1
    assert found.estimate == pytest.approx(1)


def test_one_category_leaves_everything_open():
    found = true_agreement([[30, 0], [0, 0]])
    assert np.isnan(found.estimate)
    assert tuple(found.homogeneity) == (0, 1)


@pytest.mark.parametrize("table", [[[1, 2, 3]], [[1, 2], [3, -1]], [[1.5, 2], [3, 1]], [[0, 0], [0, 0]]])
def test_what_is_no_table_is_refused(table):
    with pytest.raises(InvalidInputError):
        true_agreement(table)


def test_the_other_error_of_the_kappa_test_gives_another_interval():
    table = [[123, 23], [33, 676]]
    assert true_agreement(table, kappa_error="non-null").conservative_kappa != true_agreement(table).conservative_kappa


@pytest.mark.parametrize("n", [10**5, 10**6, 10**7])
def test_the_searches_ask_about_few_of_many_amounts(monkeypatch, n):
    asked = []

    def counted(function):
        def count(*arguments):
            asked.append(np.broadcast(*arguments).size)
            return function(*arguments)

        return count

    for name in ("hypergeometric_log_lower", "hypergeometric_log_upper"):
        monkeypatch.setattr(dual.tails, name, counted(getattr(dual.tails, name)))
    monkeypatch.setattr(dual, "betainc", counted(dual.betainc))
    true_agreement([[3 * n // 10, 6 * n // 100], [4 * n // 100, 6 * n // 10]])
    assert 0 < sum(asked) < 10 * np.log2(n) ** 2
