"""Krippendorff 2004, Content Analysis (2nd ed.), p. 254: a continuum of 300 from 150."""

import pytest

from concurrence import spans
from support.expect import printed
from support.span_cases import spans_of, units

BOOK = units(
    ("i", 75, 70, "c"),
    ("i", 220, 30, "c"),
    ("j", 70, 80, "c"),
    ("j", 205, 20, "c"),
    ("j", 250, 20, "c"),
    *((coder, start, length, "k") for coder in "ij" for start, length in ((30, 60), (150, 50))),
)


@pytest.mark.parametrize(
    ("label", "observed", "expected", "value"),
    [("c", "0.0144", "0.0532", "0.7286"), ("k", "0.0000", "0.0490", "1.0000")],
)
def test_alpha_u_of_the_book(label, observed, expected, value):
    found = spans(spans_of(BOOK, 300), coefficients=["alpha_u"])["alpha_u"].by_category[label]
    assert (found.observed, found.expected, found.value) == (printed(observed), printed(expected), printed(value))


def test_alpha_u_over_all_categories():
    """DKPro Statistics prints .8591, from observed and expected rounded to four digits (1 - .0144/.1022)."""
    found = spans(spans_of(BOOK, 300), coefficients=["alpha_u"])["alpha_u"]
    assert found.value == printed("0.8591", within=0.0005)
    assert found.value == pytest.approx(1 - found.observed / found.expected)
