import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp, norm

from concurrence.kernels.resampling import (
    acceleration_of,
    bca_interval,
    bootstrap,
    expanded_interval,
    jackknife,
    jackknife_error,
    multinomial_weights,
    percentile_interval,
)

VALUES = np.array([0.0, 1.0, 4.0])
COUNTS = np.array([5.0, 3.0, 2.0])


def mean(weights):
    return weights @ VALUES / weights.sum(axis=-1)


def test_the_same_distribution_as_a_plain_loop():
    items = np.repeat(VALUES, COUNTS.astype(int))
    random = np.random.default_rng(5)
    plain = [random.choice(items, size=len(items)).mean() for _ in range(4000)]
    fast = bootstrap(mean, COUNTS, draws=4000, seed=1)
    assert ks_2samp(plain, fast).pvalue > 0.001
    assert fast.std() == pytest.approx(items.std() / np.sqrt(len(items)), rel=0.05)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(1, 5), st.integers(0, 99))
def test_every_draw_has_as_many_items_as_the_study(counts, draws, seed):
    weights = multinomial_weights(np.array(counts, dtype=float), draws, np.random.default_rng(seed))
    assert weights.shape == (draws, len(counts))
    assert (weights.sum(axis=1) == sum(counts)).all()


def test_the_jackknife_is_a_loop_over_items():
    items = np.repeat(VALUES, COUNTS.astype(int))
    loop = np.array([np.delete(items, i).mean() for i in range(len(items))])
    fast = jackknife(mean, COUNTS)
    assert np.repeat(fast, COUNTS.astype(int)) == pytest.approx(loop)
    error = np.sqrt((len(items) - 1) / len(items) * ((loop - loop.mean()) ** 2).sum())
    assert jackknife_error(fast, COUNTS) == pytest.approx(error)
    assert error == pytest.approx(items.std(ddof=1) / np.sqrt(len(items)))


def test_bca_of_an_unbiased_symmetric_estimate_is_the_percentile_interval():
    replicates = norm.ppf((np.arange(10_000) + 0.5) / 10_000)
    assert bca_interval(replicates, 0.0, 0.0, 0.95) == pytest.approx(percentile_interval(replicates, 0.95), abs=1e-3)


def test_bca_moves_with_the_skew():
    replicates = norm.ppf((np.arange(10_000) + 0.5) / 10_000)
    low, high = bca_interval(replicates, 0.0, 0.1, 0.95)
    assert low > -1.96
    assert high > 1.96


def test_undefined_replicates_are_left_out():
    assert percentile_interval(np.array([np.nan, 1.0, 1.0]), 0.9) == (1.0, 1.0)
    assert np.isnan(percentile_interval(np.array([np.nan]), 0.9)).all()


def test_no_spread_has_no_acceleration():
    assert acceleration_of(np.ones(3), COUNTS) == 0.0


def test_the_expanded_interval_is_wider_for_few_items():
    replicates = np.random.default_rng(0).normal(size=20_000)
    few, many = (expanded_interval(replicates, 0.95, n) for n in (5, 10_000))
    plain = percentile_interval(replicates, 0.95)
    assert many == pytest.approx(plain, abs=0.02)
    assert few[0] < plain[0] < plain[1] < few[1]
    assert few[1] == pytest.approx(2.776 * (5 / 4) ** 0.5, abs=0.3)  # t with 4 degrees of freedom
    assert all(np.isnan(expanded_interval(replicates, 0.95, 1)))
