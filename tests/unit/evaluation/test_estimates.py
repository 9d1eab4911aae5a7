import numpy as np
import pytest
from scipy.stats import hypergeom

from concurrence.core.judgements import Judgements
from concurrence.evaluation.curves import simultaneous_level
from concurrence.evaluation.lists import Counter
from concurrence.kernels import differences, estimates
from concurrence.kernels.estimates import StratumCounts
from concurrence.kernels.strata import SampledList, bands_of_best_rank, membership_cells
from support.ranking_twins import ranking_by_ranks, whole_ranks
from support.simulated_lists import simulated_list

SIZES = np.array([50, 100, 250, 500])
JUDGED = 400


def cells(size, sampled, true):
    return StratumCounts(size=np.array([size]), sampled=np.array([sampled]), true=np.array([true]))


def test_a_stratified_share_is_the_weighted_sum_of_its_cells():
    found = estimates.shares(cells([100, 300], [20, 30], [10, 3]))
    assert found[0] == pytest.approx(0.25 * 0.5 + 0.75 * 0.1)


def test_the_interval_with_one_open_cell_is_the_exact_one():
    # 40 of 40 judged in the first cell; the second leaves 80 open: exact set of the second, plus 25 known.
    low, high = estimates.interval(cells([40, 100], [40, 20], [25, 5]), method="design", level=0.95)
    possible = [k for k in range(101) if hypergeom.sf(4, 100, k, 20) >= 0.025 and hypergeom.cdf(5, 100, k, 20) >= 0.025]
    assert low[0] * 140 == pytest.approx(25 + possible[0])
    assert high[0] * 140 == pytest.approx(25 + possible[-1])


def test_a_census_in_strata_leaves_nothing_open():
    low, high = estimates.interval(cells([10, 20], [10, 20], [5, 2]), method="design", level=0.95)
    assert low[0] == high[0] == pytest.approx(7 / 30)


def test_difference_sets_judged_in_full_are_certain():
    one, two = cells([10, 5], [10, 5], [6, 2]), cells([10, 5], [10, 5], [5, 2])
    assert differences.difference_test(one, two, alternative="minlike")[0] == 0.0
    assert differences.difference_test(one, one, alternative="minlike")[0] == 1.0


def test_the_whole_curve_needs_a_higher_pointwise_level():
    one_point = simultaneous_level(np.array([10.0]), level=0.95)
    curve = simultaneous_level(np.geomspace(1, 100, 60), level=0.95)
    assert one_point == pytest.approx(0.95, abs=0.01)
    assert 0.98 < curve < 0.999


def draw(rng, kind, all_ranks):
    size = all_ranks.shape[1]
    names = {
        "simple": lambda: np.full(size, "all"),
        "union": lambda: np.where((all_ranks <= SIZES[-1]).any(axis=0), "union", ""),
        "bands": lambda: bands_of_best_rank(all_ranks, SIZES[1:]),
        "cells": lambda: membership_cells(all_ranks, SIZES[2:]),
    }[kind]()
    order = sorted(set(names.tolist()) - {""})
    stratum = np.array([order.index(name) if name else -1 for name in names.tolist()])
    sizes = np.bincount(stratum[stratum >= 0])
    share = np.sqrt(sizes) / np.sqrt(sizes).sum()
    drawn = np.minimum(sizes, np.maximum(2, np.floor(JUDGED * share))).astype(int)
    times = np.zeros(size, dtype=np.int64)
    for h in range(len(order)):
        times[rng.choice(np.flatnonzero(stratum == h), drawn[h], replace=False)] = 1
    return SampledList(kind=kind, stratum=stratum, times=times)


@pytest.mark.parametrize("kind", ["simple", "union", "bands", "cells"])
def test_intervals_cover_the_truth_and_tests_keep_their_level(kind):
    # Every candidate has a mirror image with its two scores exchanged, so that both precisions are equal.
    half, scores = simulated_list([1.5, 1.5], size=1500, true=100, seed=4)
    truth, both = np.concatenate([half, half]), np.concatenate([scores, scores[::-1]], axis=1)
    all_ranks = whole_ranks(both, seed=0)
    first, second = ranking_by_ranks(all_ranks[0]), ranking_by_ranks(all_ranks[1])
    real = np.array([truth[all_ranks[0] <= n].mean() for n in SIZES])
    rng, covered, rejected, recalled = np.random.default_rng(2), np.zeros(4), np.zeros(4), np.zeros(4)
    rounds = 120  # benchmarks/trust/evaluation.py draws more
    for _ in range(rounds):
        design = draw(rng, kind, all_ranks)
        verdicts = np.where(design.times > 0, truth, -1).astype(np.int8)
        counter = Counter(n=SIZES, design=design, judgements=Judgements(verdicts=verdicts))
        lists = counter.best(first)
        low, high = estimates.interval(lists, method="design", level=0.95)
        covered += (low <= real + 1e-9) & (real <= high + 1e-9)
        sets = counter.difference(first, second), counter.difference(second, first)
        rejected += differences.difference_test(*sets, alternative="minlike") <= 0.05
        if design.whole_list:
            _, low, high = estimates.recall(lists, counter.whole(), level=0.95, method="design")
            recalled += (low <= real * SIZES / 200 + 1e-9) & (real * SIZES / 200 <= high + 1e-9)
    error = 3 * np.sqrt(0.95 * 0.05 / rounds)
    assert (covered / rounds >= 0.95 - error).all()
    assert (rejected / rounds <= 0.05 + error).all()
    assert kind == "union" or (recalled / rounds >= 0.95 - error).all()
