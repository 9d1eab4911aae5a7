"""Intervals for every look, against all ways to share out the marked ones."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from concurrence.kernels.anytime import anytime_total, log_ratio


@st.composite
def cells(draw):
    sizes = draw(st.lists(st.integers(1, 14), min_size=1, max_size=3))
    judged = [draw(st.integers(0, size)) for size in sizes]
    return sizes, judged, [draw(st.integers(0, n)) for n in judged]


@given(cells(), st.sampled_from([0.5, 0.8, 0.95]))
def test_the_ends_are_those_of_all_possible_numbers(made, level):
    size, judged, marked = (np.array(part) for part in made)
    ways = product(*(range(k, n - (m - k) + 1) for n, m, k in zip(size, judged, marked, strict=True)))
    kept = [sum(way) for way in ways if log_ratio(np.array(way), size, judged, marked).sum() < -np.log(1 - level)]
    assert anytime_total(size, judged, marked, level=level) == (min(kept), max(kept))


@given(cells())
def test_the_ratio_is_that_of_prior_and_posterior(made):
    size, judged, marked = (part[0] for part in made)
    totals = np.arange(marked, size - (judged - marked) + 1)
    posterior = np.exp(-log_ratio(totals, *(np.full(len(totals), part) for part in (size, judged, marked))))
    assert np.isclose(posterior.sum() / (size + 1), 1)


def test_a_list_judged_in_full_leaves_one_number():
    assert anytime_total([10, 5], [10, 5], [3, 0]) == (3, 3)


def test_nothing_judged_leaves_everything():
    assert anytime_total([10], [0], [0]) == (0, 10)


def test_millions_are_no_harder_than_hundreds():
    low, high = anytime_total([4_000_000, 6_000_000], [500, 500], [400, 20])
    assert low < 4_000_000 * 0.8 + 6_000_000 * 0.04 < high
    assert high - low < 2_500_000
