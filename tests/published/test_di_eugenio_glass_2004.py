"""Di Eugenio & Glass 2004, The kappa statistic: a second look, Figures 1 to 4.

The paper misprints or rounds some figures; what the tables give stands here, with the printed figure beside it.
"""

import pytest

from concurrence.agreement.diagnosis import two_coder_indices
from concurrence.agreement.scales import Estimate, straddling_warnings
from expect import printed

EXAMPLES = [
    ([[70, 25], [0, 55]], "0.6725", "0.6633", "0.6667"),  # printed .6724, .6632, .6666
    ([[70, 15], [10, 55]], "0.6637", "0.6633", "0.6667"),  # printed .6632
    ([[90, 5], [5, 0]], "-0.0526", "-0.0526", "0.8"),  # printed -0.048
    ([[45, 5], [5, 45]], "0.80", "0.80", "0.8"),
    ([[40, 15], [20, 25]], "0.2857", "0.2839", "0.3"),  # printed .27, .27
    ([[40, 35], [0, 25]], "0.3636", "0.2839", "0.3"),  # printed .418, .27
]


@pytest.mark.parametrize(("table", "cohen", "siegel_castellan", "adjusted"), EXAMPLES)
def test_the_three_numbers(table, cohen, siegel_castellan, adjusted):
    found = two_coder_indices(table)
    assert found.cohen_kappa == printed(cohen)
    assert found.siegel_castellan_kappa == printed(siegel_castellan)
    assert found.prevalence_adjusted_kappa == printed(adjusted)


def test_example_1_straddles_the_threshold_of_krippendorff():
    found = two_coder_indices(EXAMPLES[0][0])
    known = {
        "cohen_kappa": Estimate(value=found.cohen_kappa, standard_error=0.056),
        "scott_pi": Estimate(value=found.siegel_castellan_kappa, standard_error=0.061),
    }
    assert "krippendorff" in straddling_warnings(known)[0]
