"""Bounds of planned looks: published constants, and what walks do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.kernels.looks import constant_bounds, crossing, information, spending_bounds
from support.examples import examples

EVENLY = [0.2, 0.4, 0.6, 0.8, 1.0]


@pytest.mark.parametrize(
    ("looks", "pocock", "obrien_fleming"),
    [(1, 1.960, 1.960), (2, 2.178, 1.977), (3, 2.289, 2.004), (4, 2.361, 2.024), (5, 2.413, 2.040), (10, 2.555, 2.087)],
)
def test_the_constants_of_pocock_and_of_obrien_and_fleming(looks, pocock, obrien_fleming):
    """Jennison & Turnbull (2000), Group Sequential Methods, Tables 2.1 and 2.3, two-sided .05."""
    times = np.arange(1, looks + 1) / looks
    assert constant_bounds(times, alpha=0.05, shape="pocock")[0] == pytest.approx(pocock, abs=6e-4)
    falling = constant_bounds(times, alpha=0.05, shape="obrien-fleming")
    assert falling[-1] == pytest.approx(obrien_fleming, abs=6e-4)
    assert falling == pytest.approx(falling[-1] / np.sqrt(times))


@pytest.mark.parametrize(
    ("shape", "printed"),
    [("pocock", [2.438, 2.427, 2.410, 2.397, 2.386]), ("obrien-fleming", [4.877, 3.357, 2.680, 2.290, 2.031])],
)
def test_the_bounds_of_spending_functions(shape, printed):
    """Five looks at even times, two-sided .05: the values in use for Lan & DeMets's two functions."""
    assert spending_bounds(EVENLY, alpha=0.05, shape=shape) == pytest.approx(printed, abs=6e-4)


@examples(20)
@given(
    st.lists(st.floats(0.02, 1), min_size=1, max_size=6),
    st.sampled_from(["pocock", "obrien-fleming"]),
    st.sampled_from([0.01, 0.05, 0.2]),
)
def test_all_looks_together_err_as_rarely_as_promised(steps, shape, alpha):
    times = np.cumsum(steps) / np.sum(steps)
    for bounds in (spending_bounds, constant_bounds):
        assert crossing(times, bounds(times, alpha=alpha, shape=shape)) == pytest.approx(alpha, abs=1e-6)


def test_walks_cross_as_often_as_the_grid_says():
    bounds = np.full(5, 2.0)
    steps = np.random.default_rng(1).standard_normal((200_000, 5)) * np.sqrt(0.2)
    walks = np.abs(steps.cumsum(axis=1) / np.sqrt(EVENLY))
    seen = (walks > bounds).any(axis=1).mean()
    assert crossing(EVENLY, bounds) == pytest.approx(seen, abs=0.003)


def test_in_a_finite_list_information_is_that_of_the_variance():
    rng, population, sizes = np.random.default_rng(2), 60, [10, 20, 50]
    truth = np.arange(population) < 20
    orders = rng.permuted(np.tile(truth, (20_000, 1)), axis=1)
    variances = np.array([orders[:, :n].mean(axis=1).var() for n in sizes])
    assert information(sizes, population=population) == pytest.approx(variances[-1] / variances, rel=0.04)
