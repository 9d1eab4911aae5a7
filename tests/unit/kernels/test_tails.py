"""The fast tails against whole numbers: sums of binomial coefficients, exact, then one logarithm."""

from fractions import Fraction
from math import comb, inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.kernels import tails


def exact_log(probability):
    if probability == 0:
        return -inf
    return log(probability.numerator) - log(probability.denominator)


def near(value):
    return pytest.approx(value, rel=1e-10, abs=1e-12)


@st.composite
def draws(draw):
    total = draw(st.integers(1, 300))
    drawn, marked = draw(st.integers(0, total)), draw(st.integers(0, total))
    return draw(st.integers(-1, min(drawn, marked) + 1)), drawn, marked, total


def hypergeometric(k, drawn, marked, total):
    if k < 0 or drawn - k < 0:
        return Fraction(0)
    return Fraction(comb(marked, k) * comb(total - marked, drawn - k), comb(total, drawn))


@given(draws())
def test_hypergeometric_is_the_count_of_subsets(case):
    x, drawn, marked, total = case
    points = {k: hypergeometric(k, drawn, marked, total) for k in range(-1, drawn + 1)}
    assert tails.hypergeometric_log_point(*case) == near(exact_log(points.get(x, Fraction(0))))
    assert tails.hypergeometric_log_upper(*case) == near(exact_log(sum(p for k, p in points.items() if k >= x)))
    assert tails.hypergeometric_log_lower(*case) == near(exact_log(sum(p for k, p in points.items() if k <= x)))


@given(st.integers(0, 200), st.data(), st.fractions(0, 1, max_denominator=64))
def test_binomial_is_the_expansion_of_a_power(n, data, p):
    x = data.draw(st.integers(-1, n + 1))
    points = {k: comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)}
    case = (x, n, float(p))
    assert tails.binomial_log_point(*case) == near(exact_log(points.get(x, Fraction(0))))
    # 1 - p is rounded in the argument: the allowance is n roundings of it.
    allowance = pytest.approx
    upper = sum(v for k, v in points.items() if k >= x)
    assert tails.binomial_log_upper(*case) == allowance(exact_log(Fraction(upper)), rel=1e-9, abs=1e-11)


@given(st.integers(0, 400), st.floats(1e-6, 200))
def test_poisson_is_the_limit_of_its_series(x, mean):
    from scipy.special import gammainc, gammaln, xlogy

    assert tails.poisson_log_point(x, mean) == near(xlogy(x, mean) - mean - gammaln(x + 1))
    if x > 0 and (tail := gammainc(x, mean)) > 1e-250:
        assert tails.poisson_log_upper(x, mean) == near(log(tail))


def test_strong_pairs_do_not_underflow():
    assert tails.hypergeometric_log_upper(5000, 5000, 5000, 10**8) == near(
        exact_log(hypergeometric(5000, 5000, 5000, 10**8))
    )
    assert -1e6 < tails.poisson_log_upper(5000, 0.25) < -4e4
    assert np.isfinite(tails.binomial_log_upper(5000, 10**8, 2.5e-9))


@given(draws(), st.floats(0, 1), st.floats(0, 1e6))
def test_compiled_or_not_the_digits_are_the_same(case, share, mean):
    x, drawn, _, total = case
    for formula, arguments in (
        (tails._hypergeometric_point, case),
        (tails._hypergeometric_upper, case),
        (tails._binomial_point, (x, drawn, share)),
        (tails._binomial_upper, (x, total, share, 1 - share)),
        (tails._poisson_point, (x, mean)),
        (tails._poisson_upper, (x, mean)),
    ):
        numbers = [float(argument) for argument in arguments]
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(formula(*numbers), tails._compiled(formula)(*numbers))


def test_the_compiler_is_waited_for_until_it_pays():
    few, many = np.array([3.0]), np.full(1000, 3.0)
    patience = tails._Patience(steps=1000)
    assert patience.lasts_for((few, few * 100))
    assert not patience.lasts_for((many, many))
    assert not patience.lasts_for((few, few))


def test_impossible_arguments_have_no_probability():
    assert np.isnan(tails.hypergeometric_log_upper(1, 5, 2, 4))
    assert np.isnan(tails.binomial_log_upper(1, 5, 1.5))
    assert np.isnan(tails.poisson_log_upper(1, -1))
    assert np.isnan(tails.poisson_log_upper(1, np.inf))
    assert np.isnan(tails.hypergeometric_log_upper(np.nan, 2, 3, 6))


def test_arguments_broadcast():
    assert tails.hypergeometric_log_upper(np.arange(3)[:, None], 4, np.array([2, 5]), 9).shape == (3, 2)


def test_a_table_of_four_cells_is_a_multinomial():
    from scipy.stats import multinomial

    observed, shares = [3, 0, 5, 4], [0.25, 0.1, 0.25, 0.4]
    expected = 12 * np.array(shares)
    assert tails.multinomial_log_point(observed, expected) == near(multinomial.logpmf(observed, 12, shares))
