"""Di Eugenio & Glass (2004): the six tables through ``agree``, and the errors the paper tested with.

Values are those of the formulas; where the paper prints another one, the comment has it.
"""

import pytest

from concurrence import Labels, agree
from published.di_eugenio_glass_2004 import EXAMPLES
from support.expect import printed

THREE_NUMBERS = [  # example, P(A), P(E), kappa Co, kappa S&C, 2P(A)-1
    (1, "0.8333", "0.4911", "0.6725", "0.6633", "0.6667"),  # printed .4912, .6724, .6632, .6666
    (2, "0.8333", "0.5044", "0.6637", "0.6633", "0.6667"),  # kappa printed .6632
    (3, "0.90", "0.905", "-0.0526", "-0.0526", "0.8"),  # kappa printed -.048
    (4, "0.90", "0.5", "0.80", "0.80", "0.8"),
    (5, "0.65", "0.51", "0.2857", "0.2839", "0.3"),  # printed .52, .27, .27
    (6, "0.65", "0.45", "0.3636", "0.2839", "0.3"),  # printed .418, .27
]


@pytest.mark.parametrize(("example", "observed", "expected", "cohen", "pooled", "adjusted"), THREE_NUMBERS)
def test_three_numbers_side_by_side(example, observed, expected, cohen, pooled, adjusted):
    report = agree(Labels.from_table(EXAMPLES[example], categories=["Accept", "Ack"]))
    assert report["cohen_kappa"].observed == printed(observed)
    assert report["cohen_kappa"].expected == printed(expected)
    assert report["cohen_kappa"].value == printed(cohen)
    assert report["scott_pi"].value == printed(pooled)
    assert report["fleiss_kappa"].value == pytest.approx(report["scott_pi"].value)
    assert report["prevalence_adjusted_kappa"].value == printed(adjusted)


@pytest.mark.parametrize("example", [1, 4])
def test_significance_by_the_errors_the_paper_used(example):
    """The paper prints p = 0.5e-5, which is an upper bound."""
    report = agree(Labels.from_table(EXAMPLES[example]))
    cohen = {test.method: test for test in report["cohen_kappa"].tests}
    pooled = {test.method: test for test in report["scott_pi"].tests}
    assert cohen["cohen_1960"].p_value / 2 < 0.5e-5
    assert pooled["siegel_castellan_1988"].p_value / 2 < 0.5e-5
    assert list(cohen) == ["fleiss_cohen_everitt", "cohen_1960"]
    assert list(pooled) == ["fleiss_cohen_everitt", "siegel_castellan_1988"]


def test_skewed_categories_leave_nothing_significant():
    assert agree(Labels.from_table(EXAMPLES[3]))["cohen_kappa"].p_value > 0.5
