"""Values: equal by content, and the same after a way through JSON."""

import json
from dataclasses import field
from typing import Any, TypeVar

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from typing_extensions import TypeAliasType

from concurrence.core import Interval
from concurrence.core.sentences import Sentence, join_words, warnings_first
from concurrence.core.values import from_json, same, to_json, value


@value
class Inner:
    share: float
    ends: Interval


@value
class Outer:
    name: str
    numbers: NDArray[np.float64]
    inner: dict[str, Inner]
    rows: tuple[tuple[str, int], ...]
    maybe: Inner | None = None
    sentences: tuple[Sentence, ...] = ()


def outer(share=0.5, numbers=(1.0, np.nan)):
    inner = Inner(share=share, ends=Interval(low=0.1, high=float("nan"), level=float("nan"), method="unknown"))
    told = (Sentence(code="few", text="Too few.", warning=True),)
    return Outer(name="x", numbers=np.array(numbers), inner={"a": inner}, rows=(("b", 2),), maybe=inner, sentences=told)


def test_values_are_equal_by_what_they_hold():
    assert outer() == outer()
    assert outer(share=float("nan")) == outer(share=float("nan"))
    assert outer() != outer(share=0.25)
    assert outer() != outer(numbers=(1.0, 2.0))
    assert outer() != "x"


def test_values_cannot_be_changed_or_hashed():
    with pytest.raises(AttributeError):
        outer().name = "y"
    with pytest.raises(TypeError):
        hash(outer())


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        (float("nan"), float("nan"), True),
        ({"a": [1, (2,)]}, {"a": [1, (2,)]}, True),
        ({"a": 1}, {"b": 1}, False),
        ((1, 2), [1, 2], False),
        (np.array([1, 2]), np.array([1, 2]), True),
        (np.array([[1, 2]]), np.array([1, 2]), False),
        (pl.DataFrame({"a": [1.0]}), pl.DataFrame({"a": [1.0]}), True),
        (pl.DataFrame({"a": [1]}), pl.DataFrame({"a": [2]}), False),
    ],
)
def test_contents_are_compared(a, b, equal):
    assert same(a, b) is equal


def test_json_and_back():
    there = json.loads(json.dumps(to_json(outer())))
    assert there["inner"]["a"] == {"share": 0.5, "ends": [0.1, None]}
    assert there["sentences"] == [{"code": "few", "text": "Too few.", "warning": True}]
    assert from_json(Outer, there) == outer()


def test_an_array_is_known_under_every_name_of_its_type():
    scalar = TypeVar("scalar", bound=np.generic)
    grid = TypeAliasType("grid", np.ndarray[tuple[Any, ...], np.dtype[scalar]], type_params=(scalar,))
    numbers = TypeAliasType("numbers", grid[np.float64])
    for kind in (NDArray[np.float64], np.ndarray, grid[np.float64], numbers, numbers | None):
        assert same(from_json(kind, [1.0, None]), np.array([1.0, np.nan])), kind
    assert from_json(TypeAliasType("names", tuple[str, ...]), ["a", "b"]) == ("a", "b")


def test_warnings_come_first():
    told = [Sentence(code="a", text="A."), Sentence(code="b", text="B.", warning=True)]
    assert [sentence.code for sentence in warnings_first(told)] == ["b", "a"]
    assert [join_words([]), join_words(["x", "y"])] == ["", "x and y"]


def test_a_field_of_several_types_says_which_by_itself():
    @value
    class Tagged:
        which: Interval | Sentence | None = field(
            metadata={"from_json": lambda data: from_json(Sentence if isinstance(data, dict) else Interval, data)}
        )

    @value
    class Untold:
        which: Interval | Sentence | None = None

    sentence = Sentence(code="a", text="b")
    assert from_json(Tagged, {"which": to_json(sentence)}) == Tagged(which=sentence)
    with pytest.raises(TypeError, match="does not say which type"):
        from_json(Untold, {"which": to_json(sentence)})
