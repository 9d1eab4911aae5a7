import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import Contingency
from concurrence.core.errors import ConcurrenceError, InvalidInputError
from concurrence.measures.formula import FUNCTIONS, VARIABLES, parse_definition, parse_formula

TABLE = Contingency.from_signature(f=[10, 0], f1=[20, 5], f2=[30, 6], n=[1000, 1000])


def test_arithmetic_over_the_table():
    np.testing.assert_allclose(
        parse_formula("log2(O11/E11) - -1 * N ** 2 / max(R1, C1)")(TABLE)[0], np.log2(10 / 0.6) + 1e6 / 30
    )
    np.testing.assert_allclose(parse_formula("E11 + E12 + E21 + E22")(TABLE), [1000, 1000])
    assert parse_formula("1")(TABLE).tolist() == [1, 1]


def test_limits_and_undefined_operations():
    values = parse_formula("O / (O * 0)")(TABLE)
    assert values[0] == np.inf
    assert np.isnan(values[1])


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "x = ",
        "= O",
        "1x = O",
        "a b = O",
        "x = __import__('os').system('true')",
        "x = O.__class__",
        "x = (lambda: 1)()",
        "x = [O][0]",
        "x = O if E else N",
        "x = open('f')",
        "x = log(O, E)",
        "x = log(x=O)",
        "x = log(*O)",
        "x = 'text'",
        "x = True",
        "x = 1j",
        "x = O ^ 2",
        "x = O // 2",
        "x = O; E",
        "x = (y := O)",
        "x = Q",
        "x = 9**9**9**9**9 + 1e999",
        "x = " + "(" * 300 + "O" + ")" * 300,
        "x = " + "-" * 500 + "O",
        "x = " + "O+" * 2000 + "O",
    ],
)
def test_anything_but_arithmetic_is_refused_in_a_sentence(text):
    with pytest.raises(InvalidInputError):
        parse_definition(text)


def test_a_tower_of_powers_is_a_number_like_any_other():
    assert np.isinf(parse_formula("9**9**9**9")(TABLE)).all()


def test_a_near_miss_is_named():
    with pytest.raises(InvalidInputError, match=r"no quantity 'O111'\. Did you mean 'O11'"):
        parse_formula("O111")
    with pytest.raises(InvalidInputError, match=r"Powers are written \*\*"):
        parse_formula("O ^ 2")


PIECES = st.sampled_from(
    [*VARIABLES, *FUNCTIONS, *"+-*/().,[]{}:;'\"=<>! 0123456789e", "**", "lambda", "__", "if", "\n", "\0", "é"]
)


@given(st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=40))
def test_no_text_does_anything_else_than_score_or_be_refused(text):
    try:
        function = parse_formula(text)
    except ConcurrenceError:
        return
    assert function(TABLE).shape == (2,)
