"""Outputs are compared with the page: words as words, numbers by value, and no less strictly than that."""

import doctest
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.console import same_words
from support.outputs import Checker, same_number, same_output

ROUNDED = st.decimals(0, 1000, places=3).map(str)


@pytest.mark.parametrize(
    ("printed", "actual"),
    [
        ("new,object,2.25,11.92300284124334,2.0", "new,object,2.25,11.923002841243342,2.0"),
        ("{'a': 0.3, 'b': 1.0}", "{'a': 0.30000000000000004, 'b': 0.9999999999999999}"),
        ("p = 1.8359542539093394e-120.", "p = 1.835954253909339e-120."),
        ("1.8359542539093394e-05", "0.000018359542539093397"),
        ("-0.9166666666666666", "-0.9166666666666667"),
        ("kappa  = .286\nn = 12", "kappa = .286 n = 12"),
    ],
)
def test_the_last_bit_of_a_float_makes_no_difference(printed, actual):
    assert same_output(printed, actual)
    assert same_output(actual, printed)
    assert Checker().check_output(printed, actual, doctest.NORMALIZE_WHITESPACE)


@pytest.mark.parametrize(
    ("printed", "actual"),
    [
        ("kappa = .286", "kappa = 0.29"),
        ("kappa = .286", "kappa = .287"),
        ("kappa = .286", "kappa = 0.286"),
        ("kappa = .286", "kappa = .2860"),
        ("kappa = .286", "kappa = .286000001"),
        ("kappa = .286", "kappa = 0.2857142857142857"),
        ("kappa = 0.2857142857142857", "kappa = .286"),
        ("11.92300284124334", "11.92300284129334"),
        ("11.92300284124334", "-11.92300284124334"),
        ("11.92300284124334", "11.92300284124334 12"),
        ("1.8359542539093394e-120", "1.8359542539093394e-121"),
        ("1.8359542539093394e-120", "0.0"),
        ("123456789012345", "123456789012346"),
        ("123456789012345", "123456789012345.0"),
        ("1", "1.0000000000000002"),
        ("0.0", "5e-324"),
        ("1.2.3", "1.2.30000000000000004"),
        ("a0.3", "a0.30000000000000004"),
        ("kappa 0.5", "pi 0.5"),
        ("0.1234567890123", "nan"),
    ],
)
def test_every_other_difference_counts(printed, actual):
    assert not same_output(printed, actual)
    assert not Checker().check_output(printed, actual, doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)


@given(st.floats(1e-300, 1e300))
def test_neighbours_are_one_number_and_others_are_not(value):
    full = 1.2345678901234567 * value  # in full precision whatever was drawn
    assert same_number(repr(full), repr(math.nextafter(full, math.inf)))
    assert not same_number(f"{full:.16e}", f"{full * (1 + 3e-12):.16e}")


@given(ROUNDED, ROUNDED)
def test_rounded_numbers_are_compared_as_text(one, other):
    assert same_output(f"({one})", f"({other})") == (one == other)


def test_a_gap_in_a_guide_stands_for_lines_and_nothing_else_does():
    assert same_words("a b\n...\nd", "a  b\nc\nd\n")
    assert same_words("a b\n...\nd", "a b\nd\n")
    assert same_words("...\nd", "a\nd\n")
    assert same_words("a\n…\n", "a\nd\n")
    assert not same_words("a b\nd", "a b\nc\nd\n")
    assert not same_words("a b\n...\nd", "a b\nc\nd\ne\n")
    assert not same_words("a b\n...\nd", "a b\nc\nbad\n")
    assert not same_words("a\n...\nb\n...\nb\n...", "a\nc\nb\n")
    assert not same_words("a ... d", "a b d")


def test_a_number_after_a_gap_is_looked_for_further_on():
    assert same_words("x\n...\nb,0.123456789012345\n", "x\nb,0.2\nb,0.12345678901234501\n")
    assert same_words("x\n...\nb,0.123456789012345\n...", "x\nb,0.2\nb,0.12345678901234501\nc\n")
    assert not same_words("x\n...\nb,0.123456789012345\n...", "x\nb,0.2\nb,0.1234567890\nc\n")


def test_a_gap_in_a_doctest_may_stand_in_a_line():
    both = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert Checker().check_output("[0.9166666666666666, ..., 3]\n", "[0.9166666666666667, 2, 3]\n", both)
    assert not Checker().check_output("[0.9166666666666666, ..., 3]\n", "[0.9166666666666667, 2, 4]\n", both)
    assert not Checker().check_output("0.9166666666666666 ... 3\n", "0.91666666666666672 3\n", both)
    assert not Checker().check_output("0.9166666666666666 ... 3\n", "0.9166666666666667 2 3\n", 0)
    assert Checker().check_output("a\n<BLANKLINE>\n0.9166666666666666\n", "a\n\n0.9166666666666667\n", both)
