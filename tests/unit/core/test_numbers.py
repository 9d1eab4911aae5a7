"""One answer to the question whether a text is a number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import Labels, read_labels
from concurrence.core import InvalidInputError
from concurrence.core.numerals import parse_number, parse_numbers
from concurrence.files.labels.numeric_labels import require_numbers


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_python_writes_is_read(number):
    assert parse_number(repr(number)) == number
    assert parse_number(f" {number!r} ") == number


@pytest.mark.parametrize(
    "text", ["1_000", "1_0.5", "inf", "-inf", "Infinity", "nan", "NaN", "1e400", "", " ", "1,5", "x"]
)
def test_words(text):
    assert parse_number(text) is None
    assert parse_numbers(["1", text]) is None


def test_numbers_of_categories():
    assert np.array_equal(parse_numbers(("01", "1.50", " 2")), [1, 1.5, 2])
    assert parse_numbers(()).shape == (0,)


@pytest.mark.parametrize("word", ["1_000", "inf", "nan"])
def test_order_and_scale_agree_on_what_a_number_is(tmp_path, word):
    path = tmp_path / "labels.csv"
    path.write_text(f"item,coder,label\n1,a,9\n1,b,{word}\n2,a,10\n")
    labels = read_labels(path)
    assert labels.categories == tuple(sorted(("9", "10", word)))
    with pytest.raises(InvalidInputError, match=f"line 3: the label '{word}' is not a number"):
        require_numbers(path, labels.categories, scale="interval")


def test_spaces_around_a_number_stay_and_do_not_make_it_a_word(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("item,coder,label\n1,a, 10\n1,b,9\n")
    labels: Labels = read_labels(path)
    assert labels.categories == ("9", " 10")
    require_numbers(path, labels.categories, scale="interval")
