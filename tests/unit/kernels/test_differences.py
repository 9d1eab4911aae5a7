"""Differences of shares: the test and the interval say the same, in every design."""

import numpy as np
import pytest

from concurrence.kernels.differences import agreeing_limits, difference_interval, difference_test
from concurrence.kernels.estimates import StratumCounts


def cells(size, sampled, true):
    return StratumCounts(size=np.array(size), sampled=np.array(sampled), true=np.array(true))


def random_sets(count, strata, *, seed, fewest=2):
    """Two sets of one size with all strata, judged in part, of any shares."""
    random, sets = np.random.default_rng(seed), []
    size = random.integers(fewest, 60, (count, strata))
    for _ in range(2):
        sampled = random.integers(1, size, (count, strata), endpoint=True)
        shares = random.random((count, strata))
        sets.append(cells(size, sampled, random.binomial(sampled, shares)))
    return sets


@pytest.mark.parametrize("strata", [1, 2, 5])
def test_an_interval_leaves_out_0_exactly_where_the_test_tells_two_sets_apart(strata):
    first, second = random_sets(2000, strata, seed=strata)
    p = difference_test(first, second, alternative="minlike")
    _, *limits = difference_interval(first, second, level=0.95)
    if strata == 1:  # there the test is another procedure, which decides
        limits = agreeing_limits(first, second, tuple(limits), p, alpha=0.05)
    low, high = limits
    open_ = first.sampled.sum(axis=-1) + second.sampled.sum(axis=-1) < 2 * first.size.sum(axis=-1)
    apart = (low > 1e-9) | (high < -1e-9)
    assert (apart == (p <= 0.05))[open_].all()
    assert 0.1 < apart.mean() < 0.9


def test_an_interval_that_holds_0_is_widened_and_never_cut():
    first, second = random_sets(500, 1, seed=9)
    p = difference_test(first, second, alternative="minlike")
    _, low, high = difference_interval(first, second, level=0.95)
    wide = agreeing_limits(first, second, (low, high), p, alpha=0.05)
    # Fisher's test is the more careful one for sets of about the same number of judgements
    cut = (wide[0] > low + 1e-12) | (wide[1] < high - 1e-12)
    assert cut.mean() < 0.01


def test_sets_judged_but_for_one_candidate_may_differ_by_it():
    first, second = cells([[30, 0]], [[29, 0]], [[24, 0]]), cells([[30, 0]], [[30, 0]], [[25, 0]])
    _, low, high = difference_interval(first, second, level=0.95)
    assert low[0] == pytest.approx(-1 / 30)
    assert high[0] == pytest.approx(0)
    assert difference_test(first, second, alternative="minlike")[0] > 0.05


def test_what_is_certain_needs_no_test():
    first, second = cells([[10, 5]], [[9, 5]], [[9, 5]]), cells([[10, 5]], [[9, 5]], [[0, 0]])
    assert difference_test(first, second, alternative="minlike")[0] == 0.0
    assert difference_interval(first, second, level=0.95)[1][0] >= 14 / 15 - 1 / 15
