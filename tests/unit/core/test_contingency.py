"""2x2 tables from frequency signatures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.core import Contingency, InvalidInputError


@st.composite
def cells(draw):
    values = draw(st.tuples(*[st.integers(0, 10**6)] * 4).filter(any))
    return np.array(values, dtype=float)


@given(st.lists(cells(), min_size=1, max_size=5))
def test_cells_come_back_from_their_signature(tables):
    o = np.array(tables)
    f, f1, f2, n = o[:, 0], o[:, :2].sum(axis=1), o[:, [0, 2]].sum(axis=1), o.sum(axis=1)
    t = Contingency.from_signature(f=f, f1=f1, f2=f2, n=n)
    assert (t.observed == o).all()
    assert (np.stack([t.o11, t.o12, t.o21, t.o22], axis=-1) == o).all()
    assert t.expected[:, 0] == pytest.approx(t.e11)
    assert t.expected.sum(axis=-1) == pytest.approx(n)
    assert t.expected[:, :2].sum(axis=-1) == pytest.approx(t.r1)
    assert (t.r1 + t.r2 == n).all()
    assert (t.c1 + t.c2 == n).all()


@pytest.mark.parametrize(
    "signature",
    [
        (15, 10, 12, 100),
        (-1, 10, 12, 100),
        (0, 60, 60, 100),
        (0, 0, 0, 0),
        (0.5, 1, 1, 10),
        (1, 1, 1, np.inf),
        (np.nan, 1, 1, 10),
    ],
)
def test_impossible_signatures_are_refused(signature):
    f, f1, f2, n = np.array([[1, 2, 3, 10], signature], dtype=float).T
    with pytest.raises(InvalidInputError, match=r"row 2: f=.* is not a frequency signature"):
        Contingency.from_signature(f=f, f1=f1, f2=f2, n=n)


def test_large_margins_do_not_overflow():
    t = Contingency.from_signature(f=10, f1=3 * 10**9, f2=4 * 10**9, n=10**10)
    assert t.e11 == pytest.approx(1.2e9)
