"""Di Eugenio & Glass 2004, The kappa statistic: a second look, Figures 1 to 4.

The paper misprints or rounds some figures; what the tables give stands here, with the printed figure beside it.
"""

import pytest

from concurrence.agreement.labels.diagnosis.diagnose import two_coder_indices
from concurrence.agreement.labels.diagnosis.scales import threshold_sentences
from concurrence.core import Interval
from published.di_eugenio_glass_2004 import EXAMPLES
from support.expect import printed

FIGURES = [  # example, kappa Co, kappa S&C, 2P(A)-1
    (1, "0.6725", "0.6633", "0.6667"),  # printed .6724, .6632, .6666
    (2, "0.6637", "0.6633", "0.6667"),  # printed .6632
    (3, "-0.0526", "-0.0526", "0.8"),  # printed -0.048
    (4, "0.80", "0.80", "0.8"),
    (5, "0.2857", "0.2839", "0.3"),  # printed .27, .27
    (6, "0.3636", "0.2839", "0.3"),  # printed .418, .27
]


@pytest.mark.parametrize(("example", "cohen", "siegel_castellan", "adjusted"), FIGURES)
def test_the_three_numbers(example, cohen, siegel_castellan, adjusted):
    found = two_coder_indices(EXAMPLES[example]).three_numbers
    assert found.cohen_kappa == printed(cohen)
    assert found.siegel_castellan_kappa == printed(siegel_castellan)
    assert found.prevalence_adjusted_kappa == printed(adjusted)


def test_example_1_straddles_the_threshold_of_krippendorff():
    found = two_coder_indices(EXAMPLES[1]).three_numbers
    interval = Interval(low=0.56, high=0.78, level=0.95, method="fleiss_cohen_everitt")
    both = {"cohen_kappa": found.cohen_kappa, "scott_pi": found.siegel_castellan_kappa}
    assert "Krippendorff" in threshold_sentences("cohen_kappa", interval, both)[0].text
