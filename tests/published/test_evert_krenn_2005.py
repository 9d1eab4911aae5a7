"""Evert & Krenn (2005), Using small random samples for the manual evaluation of statistical association measures."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import binomtest

import concurrence
from concurrence.evaluation.sentences import FEW, FEW_NEED, MORE, MORE_NEED
from concurrence.kernels.intervals import clopper_pearson
from support.expect import printed

SIZE, TRUE = 14_654, 939  # section 2.3: candidates and true positives of the PNV-FR data set


@pytest.fixture(scope="module")
def whole():
    truth = np.zeros(SIZE, dtype=int)
    truth[np.random.default_rng(0).choice(SIZE, TRUE, replace=False)] = 1
    table = pl.DataFrame({"l1": [f"{i:05d}" for i in range(SIZE)], "l2": "v", "am": np.arange(SIZE)[::-1]})
    gold = table.select("l1", "l2", tp=pl.Series(truth))
    return concurrence.evaluate(table, gold, measures=["am"], n=[1000, 2000, 5000, 8000])


def test_the_baseline_of_the_pp_verb_list(whole):
    assert 100 * whole.baseline.value == printed("6.41")


def test_recall_is_precision_in_other_coordinates(whole):
    """Section 3.1: r = p n / (b S)."""
    curve = whole.measures["am"]
    assert curve.recall == pytest.approx(curve.precision * curve.n / (whole.baseline.value * SIZE))


def test_the_rule_of_thumb():
    """Footnote 20: about 100 judged need a precision of 20 %, about 500 need 10 %."""
    assert (FEW, FEW_NEED, MORE, MORE_NEED) == (100, 0.20, 500, 0.10)


@pytest.mark.parametrize(("n", "rate"), [(500, 0.20), (2000, 0.05)])
def test_reliability_depends_on_the_number_sampled_not_on_the_rate(n, rate):
    """Section 3.5: a 20 % sample of a 500-best list is as reliable as a 5 % sample of a 2000-best list."""
    expected = binomtest(30, 100).proportion_ci()
    assert np.array(clopper_pearson(0.3 * n * rate, n * rate)) == pytest.approx(np.array(expected), abs=1e-9)
