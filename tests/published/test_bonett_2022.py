"""Bonett 2022; R statpsych 2.0, ci.agree2(.05, 75, 70, 60, 45, 2): two G-indices and their difference.

The printed standard errors there are those of the shares of agreement, without the factor 2 of the index.
"""

import pytest

from concurrence import compare
from concurrence.core import Labels
from support.expect import printed


@pytest.mark.parametrize("name", ["prevalence_adjusted_kappa", "bennett_s"])
def test_two_indices_and_their_difference(name):
    first, second = Labels.from_table([[40, 3], [2, 30]]), Labels.from_table([[20, 8], [7, 25]])
    found = compare(first, second, coefficient=name)
    assert (found.a, *found.sides["a"].interval) == (printed("0.8667"), printed("0.6975"), printed("0.9481"))
    assert (found.b, *found.sides["b"].interval) == (printed("0.5"), printed("0.2523"), printed("0.6852"))
    assert (found.difference, *found.interval) == (printed("0.3667"), printed("0.1117"), printed("0.6089"))
    assert found.sides["a"].standard_error / 2 == printed("0.0288")
    assert found.sides["b"].standard_error / 2 == printed("0.0559")
    assert found.standard_error / 2 == printed("0.06289")
    assert not found.paired
