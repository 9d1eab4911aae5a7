"""True agreement with the error of the rates: the obvious loop, a table that broke the interval, the sentences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom

from concurrence import agree, true_agreement
from concurrence.agreement.labels.diagnosis.sentences import true_sentence
from concurrence.agreement.labels.dual.exact_homogeneity import accepts_amount, exact_homogeneity_range
from support.examples import examples

BROKEN = [[12, 1], [4, 183]]  # n = 200, 180 of them truly agreed upon, the others at rates of .10 and .05


def obvious(table, m, level):
    """Every division of m, with the tests of scipy."""
    (n11, n12), (n21, n22) = table
    left = n11 + n12 + n21 + n22 - m
    for plus in range(max(0, m - n22), min(n11, m) + 1):
        yes = 2 * n11 + n12 + n21 - 2 * plus
        low, high = (min(max((plus + half) / m, 0), 1) if m else 0.5 for half in (-0.5, 0.5))
        rates = min(binom.cdf(yes, 2 * left, low), binom.sf(yes - 1, 2 * left, high))
        if m and left and 2 * rates < 0.2 * (1 - level):
            continue
        a, d = n11 - plus, n22 - (m - plus)
        chance = hypergeom(a + n12 + n21 + d, a + n12, a + n21)
        if not left or 2 * min(chance.cdf(a), chance.sf(a - 1)) >= 0.8 * (1 - level) * (1 - 1e-9):
            return True
    return False


tables = st.lists(st.integers(0, 14), min_size=4, max_size=4).filter(sum).map(lambda cells: [cells[:2], cells[2:]])


@examples(25)
@given(table=tables, level=st.sampled_from((0.8, 0.95)))
def test_amounts_are_those_of_the_obvious_loop(table, level):
    counts = np.array(table)
    accepted = [m for m in range(table[0][0] + table[1][1] + 1) if obvious(table, m, level)]
    assert accepted == [m for m in range(table[0][0] + table[1][1] + 1) if accepts_amount(counts, m, level)]
    for start in accepted:
        low, high = exact_homogeneity_range(counts, level, start)
        assert set(range(low, high + 1)) <= set(accepted)
        assert start in range(low, high + 1)


def test_the_interval_that_the_rates_made_too_narrow():
    truth = true_agreement(BROKEN)
    assert truth.homogeneity.high < 0.9 < truth.homogeneity_exact.high
    assert (truth.interval_method, truth.interval, truth.trusted) == (
        "homogeneity_exact",
        truth.homogeneity_exact,
        True,
    )
    assert "homogeneity, with the error of the rates" in str(truth)
    assert "estimated from few disagreements" in true_sentence(truth).text


@pytest.mark.parametrize("table", [[[40, 15], [20, 25]], [[400, 60], [80, 300]]])
def test_the_papers_interval_is_reported_where_it_holds(table):
    truth = true_agreement(table)
    assert (truth.interval_method, truth.interval, truth.trusted) == ("homogeneity", truth.homogeneity, True)
    assert "estimated" not in true_sentence(truth).text


def test_nothing_is_trusted_where_nothing_fits():
    truth = true_agreement([[0, 50], [50, 0]])
    assert truth.interval.empty
    assert truth.trusted is None


def test_many_items_take_no_longer():
    table = [[40_000, 3], [5, 160_000]]
    truth = true_agreement(table)
    assert truth.interval_method == "homogeneity_exact"
    assert truth.interval.low <= truth.homogeneity.low <= truth.homogeneity.high <= truth.interval.high


def test_the_block_of_json_has_the_interval_to_report():
    report = agree([("a", "b")[k % 2] for k in range(30)], [("a", "b")[k % 2 if k else 1] for k in range(30)])
    block = report.to_json()["true_agreement"]
    assert {"interval", "interval_method", "trusted", "homogeneity", "homogeneity_exact"} <= set(block)
