from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from concurrence.kernels.exact_tests import fisher

tables = st.tuples(*[st.integers(0, 25)] * 4)


def by_enumeration(a, b, c, d):
    """Both two-sided p-values of (a, b; c, d), in fractions."""
    total, marked, drawn = a + b + c + d, a + c, a + b
    outcomes = range(max(0, drawn + marked - total), min(marked, drawn) + 1)
    point = {x: Fraction(comb(marked, x) * comb(total - marked, drawn - x), comb(total, drawn)) for x in outcomes}
    minlike = sum(p for p in point.values() if p <= point[a])
    tails = sum(p for x, p in point.items() if x <= a), sum(p for x, p in point.items() if x >= a)
    return float(minlike), float(min(1, 2 * min(tails)))


@given(tables)
def test_fisher_is_that_of_enumeration(cells):
    a, b, c, d = cells
    minlike, central = by_enumeration(a, b, c, d)
    assert fisher(a, a + b, c, c + d) == pytest.approx(minlike, abs=1e-11)
    assert fisher(a, a + b, c, c + d, alternative="central") == pytest.approx(central, abs=1e-11)


def test_fisher_is_that_of_scipy_on_large_tables():
    rng = np.random.default_rng(0)
    n1, n2 = rng.integers(1, 700, (2, 60))
    k1, k2 = rng.binomial(n1, 0.1), rng.binomial(n2, 0.2)
    expected = [fisher_exact([[a, c], [b - a, d - c]])[1] for a, b, c, d in zip(k1, n1, k2, n2, strict=True)]
    assert fisher(k1, n1, k2, n2) == pytest.approx(np.array(expected), abs=1e-9)


def test_an_empty_group_differs_from_nothing():
    assert float(fisher(0, 0, 3, 5)) == 1.0
    assert float(fisher(0, 0, 0, 0)) == 1.0
