"""Intervals for every look, against all ways to share out the marked ones."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import betabinom

from concurrence.kernels.anytime import (
    _largest_at_price,
    _largest_by_formula,
    anytime_bounds,
    anytime_p,
    anytime_total,
    log_prior_posterior_ratio,
)


@st.composite
def cells(draw):
    sizes = draw(st.lists(st.integers(1, 14), min_size=1, max_size=3))
    judged = [draw(st.integers(0, size)) for size in sizes]
    return sizes, judged, [draw(st.integers(0, n)) for n in judged]


@given(cells(), st.sampled_from([0.5, 0.8, 0.95]))
def test_the_ends_are_those_of_all_possible_numbers(made, level):
    size, judged, marked = (np.array(part) for part in made)
    ways = product(*(range(k, n - (m - k) + 1) for n, m, k in zip(size, judged, marked, strict=True)))
    limit = -np.log(1 - level) + 1e-9
    kept = [sum(way) for way in ways if log_prior_posterior_ratio(np.array(way), size, judged, marked).sum() <= limit]
    assert anytime_total(size, judged, marked, level=level) == (min(kept), max(kept))


def test_a_number_whose_ratio_is_the_limit_itself_stays_possible():
    """One of four is judged and not marked: the ratios of 0 to 3 marked ones are 1/2, 2/3, 1 and 2."""
    assert anytime_total([4], [1], [0], level=0.5) == (0, 3)
    assert [int(end) for end in anytime_bounds(4, 1, 0, level=0.5)] == [0, 3]


@given(cells())
def test_the_ratio_is_that_of_prior_and_posterior(made):
    size, judged, marked = (part[0] for part in made)
    totals = np.arange(marked, size - (judged - marked) + 1)
    posterior = np.exp(
        -log_prior_posterior_ratio(totals, *(np.full(len(totals), part) for part in (size, judged, marked)))
    )
    assert np.isclose(posterior.sum() / (size + 1), 1)


def test_a_list_judged_in_full_leaves_one_number():
    assert anytime_total([10, 5], [10, 5], [3, 0]) == (3, 3)


def test_nothing_judged_leaves_everything():
    assert anytime_total([10], [0], [0]) == (0, 10)


def test_millions_are_no_harder_than_hundreds():
    low, high = anytime_total([4_000_000, 6_000_000], [500, 500], [400, 20])
    assert low < 4_000_000 * 0.8 + 6_000_000 * 0.04 < high
    assert high - low < 2_500_000


@given(cells(), st.sampled_from([0.5, 0.8, 0.95]))
def test_many_lists_at_once_have_the_ends_of_each(made, level):
    size, judged, marked = (np.array(part) for part in made)
    low, high = anytime_bounds(size, judged, marked, level=level)
    each = [anytime_total([n], [m], [k], level=level) for n, m, k in zip(size, judged, marked, strict=True)]
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == each


@given(st.integers(1, 14), st.integers(0, 14), st.integers(0, 14), st.integers(0, 14), st.integers(0, 14))
def test_the_p_value_is_no_smaller_than_that_of_all_common_numbers(size, first, marked, second, other):
    m, n = min(first, size), min(second, size)
    j, k = min(marked, m), min(other, n)
    common = np.arange(max(j, k), min(size - m + j, size - n + k) + 1)
    p = float(anytime_p((size, m, j), (size, n, k)))
    if not len(common):
        assert p == 0
        return
    held = [np.full(len(common), part) for part in (size, m, j, n, k)]
    ratios = log_prior_posterior_ratio(common, *held[:3]) + log_prior_posterior_ratio(common, held[0], *held[3:])
    exact = min(1.0, float(np.exp(-ratios.min())))
    assert exact - 1e-9 <= p <= 1
    assert p <= max(exact * 3, 0.2) or exact > 0.05  # shares between whole numbers cost little


def test_lists_that_differ_get_a_small_p_value_and_equal_ones_do_not():
    assert anytime_p((500, 100, 60), (500, 100, 30)) < 0.01
    assert anytime_p((500, 100, 30), (500, 100, 30)) == 1


def test_equal_lists_are_rarely_told_apart_at_any_of_twenty_looks():
    rng = np.random.default_rng(3)
    order = np.array([[rng.permutation(200) for _ in range(2)] for _ in range(400)])
    marked = np.cumsum(order < 60, axis=-1)  # of 200 in each list, 60 are marked
    places = np.arange(10, 201, 10)
    seen = marked[:, :, places - 1]
    p = anytime_p((200, places, seen[:, 0]), (200, places, seen[:, 1]))
    assert (p.min(axis=1) <= 0.05).mean() <= 0.05
    assert (p.min(axis=1) <= 0.5).mean() <= 0.5


@given(st.integers(1, 10**6), st.floats(0, 1), st.floats(0, 1), st.floats(1e-9, 30))
def test_the_number_reached_by_formula_is_that_of_the_search(size, judged, marked, price):
    n = int(judged * size)
    cell = [np.array([part]) for part in (size, n, int(marked * n))]
    assert _largest_by_formula(*cell, np.array([price])) == _largest_at_price(*cell, price)


def test_the_ratio_is_that_of_beta_binomials():
    """The martingale of Waudby-Smith & Ramdas (2020) as their code (confseq_wor, BBHG_confseq) defines it."""
    size, judged, marked = 60, 25, 9
    totals = np.arange(marked, size - judged + marked + 1)
    prior = betabinom.logpmf(totals, size, 1, 1)
    posterior = betabinom.logpmf(totals - marked, size - judged, 1 + marked, 1 + judged - marked)
    assert log_prior_posterior_ratio(totals, size, judged, marked) == pytest.approx(prior - posterior, abs=1e-9)
    open_ = totals[prior - posterior < np.log(20)]
    assert anytime_total([size], [judged], [marked]) == (open_[0], open_[-1])
