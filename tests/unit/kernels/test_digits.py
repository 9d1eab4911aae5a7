"""Scores are compared to 12 significant digits, each as Python would print it."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from concurrence.kernels.digits import DIGITS, ROWS_AT_ONCE, round_score, round_scores

EXTREME = [0.0, -0.0, np.inf, -np.inf, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1e-300, 1e300]
any_float = st.floats(allow_nan=False)


def slow(values):
    return [float(f"{value:.11e}") for value in values]


@given(st.lists(st.floats(1e-11, 9e32) | st.floats(-9e32, -1e-11), min_size=1, max_size=50))
@example([123456789012.5, 123456789013.5, 999999999999.5, 0.1 + 0.2, 9.9999999999995])
def test_scores_are_rounded_as_python_prints_them(values):
    assert round_scores(values).tolist() == slow(values)


@given(st.lists(any_float | st.sampled_from(EXTREME), min_size=2, max_size=20))
@example([9.9999999999999e-30, 1e-29, 9.9999999999949e-30])
@example([9.9999999999999e200, 1e201])
def test_however_large_or_small_scores_compare_as_they_do_in_print(values):
    rounded, printed = round_scores(values), np.array(slow(values))
    for row, other in zip(rounded, printed, strict=True):
        assert ((row > rounded) == (other > printed)).all()
        assert ((row == rounded) == (other == printed)).all()
    assert rounded == pytest.approx(printed, rel=1e-15, abs=0)


@given(st.lists(any_float | st.just(math.nan), max_size=20))
def test_what_is_rounded_stays_as_it_is(values):
    once = round_scores(values)
    assert round_scores(once).tolist() == pytest.approx(once.tolist(), rel=0, abs=0, nan_ok=True)
    assert np.isnan(once).tolist() == np.isnan(values).tolist()


def test_what_is_no_number_and_the_smallest_and_largest_stay():
    values = np.array([np.nan, *EXTREME] * 3)
    assert np.array_equal(round_scores(values), [np.nan, *slow(EXTREME)] * 3, equal_nan=True)
    assert np.signbit(round_scores(-0.0))


@given(st.integers(1, 10**DIGITS - 1), st.integers(-30, 20))
def test_neighbours_of_a_number_of_twelve_digits_are_that_number(digits, exponent):
    value = float(f"{digits}e{exponent}")
    near = [np.nextafter(value, 0), value, np.nextafter(value, np.inf)]
    assert len(set(round_scores(near))) == 1
    assert round_scores(value) == pytest.approx(value, rel=1e-15)


@given(st.integers(10 ** (DIGITS - 1), 10**DIGITS - 2), st.integers(-30, 20))
def test_numbers_that_differ_in_the_twelfth_digit_differ(digits, exponent):
    assert round_scores(float(f"{digits}e{exponent}")) < round_scores(float(f"{digits + 1}e{exponent}"))


def test_long_arrays_and_batches_are_rounded_whole():
    values = np.random.default_rng(0).lognormal(0, 20, (2, ROWS_AT_ONCE + 3))
    rounded = round_scores(values)
    assert rounded.shape == values.shape
    assert rounded[:, [0, ROWS_AT_ONCE - 1, ROWS_AT_ONCE, -1]].ravel().tolist() == pytest.approx(
        slow(values[:, [0, ROWS_AT_ONCE - 1, ROWS_AT_ONCE, -1]].ravel()), rel=1e-15, abs=0
    )
    assert (np.diff(rounded.ravel()[np.argsort(values.ravel())]) >= 0).all()


def test_one_score_is_rounded_like_many():
    values = [0.1 + 0.2, -2 / 3, 1e22, *EXTREME]
    assert [round_score(value) for value in values] == round_scores(values).tolist()
