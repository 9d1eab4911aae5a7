"""Krippendorff 1995, On the reliability of unitizing continuous data, p. 57 (units also in DKPro Statistics' tests)."""

import numpy as np
import pytest

from concurrence.agreement.spans.alpha_u import alpha_u
from concurrence.agreement.spans.positions import pieces_of
from concurrence.agreement.spans.study import SpanStudy
from concurrence.agreement.spans.token_kappa import token_kappa
from support.expect import printed
from support.span_cases import spans_of, units

LENGTH = 24
FINE = 50_000  # the paper's expected disagreements are those of a continuum that is divided ever finer
UNITS = {
    "A": ([(2, 8), (14, 6)], [(4, 4), (15, 2)]),
    "B": ([(0, 18)], [(0, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 3), (9, 1)]),
    "C": ([(2, 6), (10, 2), (14, 4), (20, 2)], [(0, 2), (4, 4), (10, 4), (16, 2), (20, 2)]),
    "D": ([(0, 2), (2, 8), (10, 4), (14, 6), (20, 4)], [(0, 4), (4, 4), (8, 7), (15, 2), (17, 7)]),
}


def study(example, stretch):
    first, second = UNITS[example]
    rows = [("i", s * stretch, n * stretch, "1") for s, n in first]
    rows += [("j", s * stretch, n * stretch, "1") for s, n in second]
    return SpanStudy.of(spans_of(units(*rows), LENGTH * stretch))


def parts(example, stretch):
    estimator, one = alpha_u(study(example, stretch)), np.ones(1)
    return (*estimator.parts(one), estimator.values(one))


@pytest.mark.parametrize(
    ("example", "observed", "expected", "value"),
    [("A", "0.03125", "0.06990", "0.553"), ("D", "0.38715", "0.41445", "0.066")],
)
def test_examples_a_and_d(example, observed, expected, value):
    found = parts(example, FINE)
    assert (found[0], found[1], found[2]) == (printed(observed), printed(expected), printed(value))
    assert parts(example, 1)[0] == printed(observed)


def test_example_b():
    """The printed D_e (1.17731) has 36 more in its numerator than A and D by the same formula.

    That is what ``gap - unit + 1`` adds where a finely divided continuum has ``gap - unit``.
    """
    observed, expected, value = parts("B", FINE)
    assert observed == printed("2.26736")
    assert expected == printed("1.17731", within=0.0016)
    assert value == printed("-0.926", within=0.003)
    numerator = expected * LENGTH / 2 * (48**2 - 342)
    assert 2 / LENGTH * (numerator + 36) / (48**2 - 342) == printed("1.17731", within=1e-5)


def test_example_c():
    """The printed D_e (0.08642) leaves out that a unit is not compared with itself: 48² instead of 48² - 104."""
    observed, expected, _ = parts("C", FINE)
    assert observed == printed("0.0278")  # printed 0.02777, cut off
    assert expected * (48**2 - 104) / 48**2 == printed("0.08642", within=1e-5)


@pytest.mark.parametrize(("example", "kappa"), [("A", "0.385"), ("B", "0.385"), ("C", "0.314")])
def test_kappa_of_the_digitized_examples(example, kappa):
    one = study(example, 1)
    assert token_kappa(one, pieces_of(one)).values(np.ones(1)) == printed(kappa)
