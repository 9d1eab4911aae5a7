"""Labels are valid by construction."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.core import InvalidInputError, Labels, UnknownNameError, ordered_categories
from concurrence.core.labels import code_dtype

ROWS = [["yes", "no", None], ["no", None, None], ["no", "no", "yes"]]


def test_counts_of_items_coders_and_labels():
    labels = Labels.from_rows(ROWS)
    assert (labels.n_items, labels.n_coders, labels.n_labels, labels.n_missing) == (3, 3, 6, 3)


def test_codes_cannot_be_changed():
    codes = np.zeros((2, 2), dtype=np.int8)
    labels = Labels(codes=codes, categories=("a",), coders=("x", "y"))
    with pytest.raises(ValueError, match="read-only"):
        labels.codes[0, 0] = -1
    with pytest.raises(ValueError, match="read-only"):
        labels.items[0] = 5


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"codes": np.zeros(3, dtype=int)}, "table of integers"),
        ({"codes": np.zeros((2, 2))}, "table of integers"),
        ({"codes": np.zeros((2, 2), dtype=np.uint8)}, "table of integers"),
        ({"codes": np.full((2, 2), 2)}, "between -1"),
        ({"codes": np.full((2, 2), -2)}, "between -1"),
        ({"codes": np.full((2, 2), 300)}, "between -1"),
        ({"coders": ("x",)}, "2 columns of codes, but 1 coders"),
        ({"coders": ("x", "x")}, "coder 'x' is named twice"),
        ({"categories": ("a", "a")}, "category 'a' is named twice"),
        ({"items": np.arange(3)}, "2 rows of codes, but 3 items"),
        ({"groups": np.arange(3)}, "2 rows of codes, but 3 groups"),
    ],
)
def test_what_labels_cannot_be(changes, words):
    sound = {"codes": np.zeros((2, 2), dtype=int), "categories": ("a", "b"), "coders": ("x", "y")}
    with pytest.raises(InvalidInputError, match=words):
        Labels(**{**sound, **changes})


def test_selecting():
    labels = Labels.from_rows(ROWS, coders=("x", "y", "z"), items=("i", "j", "k"))
    two = labels.select_coders(["z", "x"])
    assert two.coders == ("z", "x")
    assert two.codes[:, 1].tolist() == labels.codes[:, 0].tolist()
    assert labels.select_items(np.array([True, False, True])).items.tolist() == ["i", "k"]
    with pytest.raises(UnknownNameError, match="There is no coder 'w'"):
        labels.select_coders(["w"])


def test_declared_categories_must_hold_all_labels():
    assert Labels.from_rows(ROWS, categories=("yes", "no", "maybe")).categories_declared
    with pytest.raises(UnknownNameError, match="There is no declared category 'no'"):
        Labels.from_rows(ROWS, categories=("yes",))


@pytest.mark.parametrize("table", [[[1, 2]], [[1, -1], [0, 0]], [[1.5, 0], [0, 0]], [1, 2]])
def test_what_a_contingency_table_cannot_be(table):
    with pytest.raises(InvalidInputError, match="contingency table"):
        Labels.from_table(table)


@given(st.integers(1, 60_000))
def test_the_number_of_a_pair_of_codes_fits(k):
    last = np.full(1, k - 1, dtype=code_dtype(k))
    assert int((last * k + last)[0]) == k * k - 1


@given(st.sets(st.one_of(st.integers().map(str), st.floats(allow_nan=False, allow_infinity=False).map(repr))))
def test_numbers_are_ordered_as_numbers(names):
    order = [float(name) for name in ordered_categories(names)]
    assert order == sorted(order)


@pytest.mark.parametrize("odd", ["nan", "inf", "x", "1_000", ""])
def test_one_word_makes_all_of_them_words(odd):
    assert ordered_categories({"10", "9", odd}) == tuple(sorted(["10", "9", odd]))
