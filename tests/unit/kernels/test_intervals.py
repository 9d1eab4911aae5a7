from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from concurrence.kernels.intervals import blaker, clopper_pearson, hypergeometric

LEVELS = {0.95: Fraction(1, 20), 0.9: Fraction(1, 10), 0.5: Fraction(1, 2)}


@st.composite
def draws(draw, most=40):
    size = draw(st.integers(1, most))
    n = draw(st.integers(0, size))
    return size, n, draw(st.integers(0, n))


def possible_numbers(size, n, k, alpha):
    """All numbers of marked ones that neither tail at k rejects, by counting subsets."""
    every = comb(size, n)

    def chance(marked, hits):
        return Fraction(sum(comb(marked, x) * comb(size - marked, n - x) for x in hits), every)

    numbers = range(k, size - (n - k) + 1)
    return [m for m in numbers if chance(m, range(k, n + 1)) >= alpha / 2 and chance(m, range(k + 1)) >= alpha / 2]


@given(draws(), st.sampled_from(sorted(LEVELS)))
def test_hypergeometric_sets_are_those_of_counting_subsets(drawn, level):
    size, n, k = drawn
    expected = possible_numbers(size, n, k, LEVELS[level])
    low, high = hypergeometric(k, n, size, level=level)
    assert [int(low), int(high)] == [expected[0], expected[-1]]
    assert len(expected) == high - low + 1


@given(draws(200))
def test_clopper_pearson_is_that_of_scipy(drawn):
    _, n, k = drawn
    if n == 0:
        assert [float(b) for b in clopper_pearson(0, 0)] == [0.0, 1.0]
        return
    expected = binomtest(k, n).proportion_ci(0.95, "exact")
    assert np.array(clopper_pearson(k, n)) == pytest.approx(np.array(expected), abs=1e-12)


def acceptability(k, n, p):
    """Blaker's acceptability by adding up every outcome whose smaller tail is no larger than that of k."""
    x = np.arange(n + 1)
    points = binom.pmf(x, n, p)
    tails = np.minimum(np.cumsum(points), np.cumsum(points[::-1])[::-1])
    return points[tails <= tails[k] * (1 + 1e-10)].sum()


@given(st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.95, 0.8]))
def test_blaker_ends_where_acceptability_does(hits, level):
    k, n = hits
    low, high = (float(bound) for bound in blaker(k, n, level=level))
    outside = [p for p in np.linspace(0, 1, 201) if p < low - 1e-9 or p > high + 1e-9]
    assert all(acceptability(k, n, p) <= 1 - level + 1e-9 for p in outside)
    assert low == 0 or acceptability(k, n, low + 1e-9) > 1 - level - 1e-6
    assert high == 1 or acceptability(k, n, high - 1e-9) > 1 - level - 1e-6


@given(draws(300))
def test_blaker_lies_inside_clopper_and_pearson(drawn):
    _, n, k = drawn
    if n:
        (low, high), (cp_low, cp_high) = blaker(k, n), clopper_pearson(k, n)
        assert cp_low - 1e-12 <= low <= k / n <= high <= cp_high + 1e-12


def test_everything_judged_leaves_nothing_open():
    k = np.arange(0, 101, 10)
    low, high = hypergeometric(k, 100, 100)
    assert (low == k).all()
    assert (high == k).all()


def test_nothing_judged_leaves_everything_open():
    assert [int(bound) for bound in hypergeometric(0, 0, 50)] == [0, 50]
    assert [float(bound) for bound in blaker(0, 0)] == [0.0, 1.0]


def test_many_points_agree_with_one_at_a_time():
    rng = np.random.default_rng(1)
    size = rng.integers(1, 3000, 60)
    n = rng.integers(0, size + 1)
    k = rng.integers(0, n + 1)
    together = np.array(hypergeometric(k, n, size))
    assert (together == np.array([hypergeometric(*row) for row in zip(k, n, size, strict=True)]).T).all()
