"""Measures that are no plain formula, against another way to compute them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom, hypergeom, multinomial, poisson

from concurrence import Contingency
from concurrence.measures.table import MEASURES
from support.examples import examples


@st.composite
def tables(draw):
    o11, o12, o21, o22 = (draw(st.integers(1, 60)) for _ in range(4))
    return Contingency.from_signature(f=o11, f1=o11 + o12, f2=o11 + o21, n=o11 + o12 + o21 + o22)


TWINS = {
    "fisher_pv": lambda t: -np.log10(hypergeom.sf(t.o11 - 1, t.n, t.c1, t.r1)),
    "poisson_pv": lambda t: -np.log10(poisson.sf(t.o11 - 1, t.e11)),
    "binomial_pv": lambda t: -np.log10(binom.sf(t.o11 - 1, t.n, t.e11 / t.n)),
    "hypergeometric_likelihood": lambda t: -np.log10(hypergeom.pmf(t.o11, t.n, t.c1, t.r1)),
    "binomial_likelihood": lambda t: -np.log10(binom.pmf(t.o11, t.n, t.e11 / t.n)),
    "poisson_likelihood": lambda t: -np.log10(poisson.pmf(t.o11, t.e11)),
    "multinomial_likelihood": lambda t: -np.log10(multinomial.pmf(t.observed, int(t.n), t.expected / t.n)),
}


@pytest.mark.parametrize("name", TWINS)
@given(tables())
@examples(30)
def test_tails_and_points_are_those_of_scipy(name, t):
    assert MEASURES[name](t) == pytest.approx(float(TWINS[name](t)), rel=1e-8, abs=1e-8)


@given(tables())
@examples(30)
def test_the_bound_of_mi_conf_is_where_the_poisson_tail_is_a_fortieth(t):
    low = 10 ** float(MEASURES["MI_conf"](t)) * float(t.e11)
    assert poisson.sf(float(t.o11) - 1, low) == pytest.approx(0.025, rel=1e-6)


@given(tables())
@examples(30)
def test_the_conservative_log_ratio_is_the_nearer_bound_or_nothing(t):
    o11, o21, r1, r2 = (float(x) for x in (t.o11, t.o21, t.r1, t.r2))
    shares = (beta.ppf(0.025, o11, o21 + 1), beta.ppf(0.975, o11 + 1, o21))
    low, high = (np.log2(r2 / r1 * share / (1 - share)) for share in shares)
    expected = low if low > 0 else high if high < 0 else 0.0
    assert MEASURES["log_ratio_conservative"](t) == pytest.approx(expected, abs=1e-9)
    assert low <= MEASURES["log_ratio"](t) <= high
