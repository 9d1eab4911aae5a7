"""Which division of the items an amount of true agreement means: figures of Krenn et al., a loop, the intervals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom

from concurrence.agreement.labels.dual.divisions import divisions
from concurrence.agreement.labels.dual.true_agreement import true_agreement
from concurrence.report.pages.divisions import division_blocks

FIGURE_2 = [[40, 15], [20, 25]]
counts = st.integers(0, 12)


def fisher(a, b, c, d):
    """The doubled smaller tail, from the sum over the distribution."""
    chance = hypergeom(a + b + c + d, a + c, a + b)
    return min(1.0, 2 * min(chance.cdf(a), chance.sf(a - 1)))


def test_figures_3_and_4_are_two_divisions_of_the_same_m():
    found = divisions(true_agreement(FIGURE_2))
    at = found.m.index(40)
    figure_3, figure_4 = fisher(15, 15, 20, 10), fisher(0, 15, 20, 25)
    assert figure_4 < 0.01 < figure_3  # the paper calls the second quite extreme
    assert found.conservative[at] >= figure_3
    (n11, n12), (n21, n22) = FIGURE_2
    yes = found.positive[at]
    assert found.conservative[at] == pytest.approx(fisher(n11 - yes, n12, n21, n22 - 40 + yes))


@given(counts, counts, counts, counts)
def test_every_m_has_the_largest_p_of_a_loop_over_all_divisions(n11, n12, n21, n22):
    if n11 + n12 + n21 + n22 == 0:
        return
    found = divisions(true_agreement([[n11, n12], [n21, n22]]))
    assert list(found.m) == list(range(n11 + n22 + 1))
    for m, p in zip(found.m, found.conservative, strict=True):
        every = range(max(0, m - n22), min(m, n11) + 1)
        slow = max(fisher(n11 - yes, n12, n21, n22 - m + yes) for yes in every)
        assert p == pytest.approx(slow, abs=1e-9)


@pytest.mark.parametrize("table", [FIGURE_2, [[30, 4], [9, 12]], [[5, 20], [3, 60]]])
@pytest.mark.parametrize("name", ["homogeneity", "conservative", "conservative_kappa"])
def test_the_intervals_are_where_the_lines_are_not_below_the_level(table, name):
    truth = true_agreement(table)
    found = divisions(truth)
    accepted = [m for m, p in zip(found.m, getattr(found, name), strict=True) if p >= 0.05 * (1 - 1e-12)]
    low, high = getattr(truth, name)
    assert (min(accepted), max(accepted)) == (round(low * truth.n), round(high * truth.n))


def test_the_chart_says_what_each_m_means():
    chart, table = division_blocks(true_agreement(FIGURE_2))
    rows = chart.specification["layer"][-1]["data"]["values"]
    one = next(row for row in rows if row["m"] == 40 and row["line"] == "same share of yes")
    assert (one["yes"], one["no"]) == (23.0, 17.0)
    assert table.rows[0][:1] == (0,)
    assert "40 15 / 20 25" in table.rows[0]


def test_many_items_have_no_chart():
    assert divisions(true_agreement([[900, 300], [300, 900]])) is None
    assert division_blocks(true_agreement([[900, 300], [300, 900]])) == ()
