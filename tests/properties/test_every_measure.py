"""What must hold of every measure, today's and tomorrow's."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import Contingency
from concurrence.core.errors import InvalidInputError
from concurrence.measures.formula import parse_formula
from concurrence.measures.table import MEASURES, find_measure
from support.examples import examples

every_measure = pytest.mark.parametrize("measure", MEASURES.values(), ids=lambda m: m.name)
NO_FORMULA = {
    *("fisher_pv", "poisson_pv", "binomial_pv", "MI_conf", "log_ratio_conservative"),
    *("multinomial_likelihood", "hypergeometric_likelihood", "binomial_likelihood", "poisson_likelihood"),
}


@st.composite
def margins(draw, largest=10**6):
    """Two margins and a sample size, neither margin empty nor full."""
    n = draw(st.integers(2, largest))
    return draw(st.integers(1, n - 1)), draw(st.integers(1, n - 1)), n


@st.composite
def signatures(draw):
    """Any table, empty margins and cells included."""
    cells = [draw(st.integers(0, 50) | st.just(0) | st.integers(0, 10**6)) for _ in range(4)]
    cells[3] += not any(cells)
    o11, o12, o21, _ = cells
    return o11, o11 + o12, o11 + o21, sum(cells)


def tables(f, f1, f2, n):
    return Contingency.from_signature(f=f, f1=f1, f2=f2, n=n)


def along(case, points=25):
    """Tables of the same margins with rising joint frequency."""
    f1, f2, n = case
    f = np.unique(np.linspace(max(0, f1 + f2 - n), min(f1, f2), points).round())
    return tables(f, f1, f2, n)


@every_measure
@given(margins())
@examples(15)
def test_signed_measures_follow_the_direction_of_association(measure, case):
    t = along(case)
    scores, direction = measure(t), t.o11 - t.e11
    if measure.signed:
        assert (scores[direction >= 0.5] >= 0).all()
        assert (scores[direction <= -0.5] <= 0).all()


@every_measure
@given(margins())
@examples(15)
def test_more_attraction_never_scores_less_and_two_sided_measures_rise_with_repulsion(measure, case):
    t = along(case)
    scores, direction = measure(t), t.o11 - t.e11
    slack = 1e-9 * (1 + np.abs(np.where(np.isfinite(scores), scores, 0)).max())
    with np.errstate(invalid="ignore"):  # inf - inf
        steps = np.diff(scores)
    attracted = direction[:-1] >= 1
    if measure.monotone:
        assert not (steps[attracted] < -slack).any()
    if measure.side == "two-sided":
        repelled = direction[1:] <= -1
        assert not (steps[repelled] > slack).any()
        assert (scores >= 0).all()


@every_measure
@given(signatures())
@examples(30)
def test_scores_lie_in_the_stated_range_and_are_null_only_where_a_margin_is_empty(measure, signature):
    f, f1, f2, n = signature
    t = tables([f], f1, f2, n)
    value = measure(t)[0]
    if np.isnan(value):
        # 0/0 needs a word that never or always occurs; with both margins proper, every limit exists.
        assert 0 in (f1, f2) or n in (f1, f2)
    else:
        low, high = measure.range
        assert low - 1e-9 <= value <= high + 1e-9


@every_measure
@given(st.lists(signatures(), min_size=1, max_size=6))
@examples(8)
def test_a_batch_scores_like_its_rows(measure, rows):
    f, f1, f2, n = (np.array(column) for column in zip(*rows, strict=True))
    whole = measure(tables(f, f1, f2, n))
    single = [measure(tables(*row)) for row in rows]
    np.testing.assert_allclose(whole, single, rtol=1e-12, equal_nan=True)
    stacked = measure(tables(f[:, None], f1[:, None], f2[:, None], n[:, None]))
    np.testing.assert_allclose(stacked[:, 0], whole, rtol=1e-12, equal_nan=True)


@every_measure
@given(margins(), st.data())
@examples(15)
def test_the_formula_in_the_help_is_the_measure(measure, case, data):
    if measure.name in NO_FORMULA:
        with pytest.raises(InvalidInputError):
            parse_formula(measure.formula)
        return
    f1, f2, n = case
    f = data.draw(st.integers(max(0, f1 + f2 - n), min(f1, f2)))
    t = tables([f], f1, f2, n)
    if (t.observed == 0).any():
        return  # 0 log 0 is a matter of the function
    np.testing.assert_allclose(measure(t), parse_formula(measure.formula)(t), rtol=1e-6, atol=1e-6)


@every_measure
def test_rank_equivalents_rank_alike(measure):
    rng = np.random.default_rng(1)
    n = 5000
    f1, f2 = rng.integers(1, 300, 400), rng.integers(1, 300, 400)
    f = rng.integers(0, np.minimum(f1, f2) + 1)
    t = tables(f, f1, f2, n)
    for other in measure.ranks_like:
        ours, theirs = measure(t), MEASURES[other](t)
        order = np.argsort(ours)
        with np.errstate(invalid="ignore"):
            steps = np.diff(theirs[order])
        assert not (steps < -1e-12).any(), other
        assert measure.name in MEASURES[other].ranks_like


def test_delta_p_is_liddell_in_one_direction():
    rng = np.random.default_rng(2)
    f1, f2 = rng.integers(1, 300, 100), rng.integers(1, 300, 100)
    t = tables(rng.integers(0, np.minimum(f1, f2) + 1), f1, f2, 4000)
    np.testing.assert_allclose(MEASURES["delta_p_12"](t), MEASURES["liddell"](t), rtol=1e-9, atol=1e-12)


@every_measure
def test_every_reference_is_in_the_list_and_every_synonym_finds_its_row(measure):
    known = (Path(__file__).parents[2] / "docs" / "references.bib").read_text("utf-8")
    assert re.search(rf"@\w+{{{measure.reference},", known)
    assert find_measure(measure.name.upper()) is measure
    if measure.ucs:
        assert find_measure(f"am.{measure.ucs}") is measure
        assert find_measure(measure.ucs) is measure or measure.base == "10"
    for alias in measure.aliases:
        assert find_measure(alias) is measure


PERFECT = {"f": 5, "f1": 5, "f2": 5, "n": 100}  # neither word without the other
NEVER = {"f": 0, "f1": 5, "f2": 5, "n": 100}


@pytest.mark.parametrize(
    ("name", "case", "limit"),
    [
        ("odds_ratio", PERFECT, np.inf),
        ("odds_ratio", NEVER, -np.inf),
        ("relative_risk", PERFECT, np.inf),
        ("relative_risk", NEVER, -np.inf),
        ("log_ratio", PERFECT, np.inf),
        ("log_ratio", NEVER, -np.inf),
        ("MI", NEVER, -np.inf),
        ("MI_conf", NEVER, -np.inf),
        ("t_score", NEVER, -np.inf),
        ("logDice", NEVER, -np.inf),
        ("logDice", PERFECT, 14),
        ("NPMI", NEVER, -1),
        ("NPMI", PERFECT, 1),
        ("local_MI", NEVER, 0),
        ("fisher_pv", NEVER, 0),
    ],
)
def test_limits_are_taken(name, case, limit):
    assert MEASURES[name](Contingency.from_signature(**case)) == pytest.approx(limit, abs=1e-12)


@pytest.mark.parametrize("name", ["MI", "t_score", "odds_ratio", "chi_squared", "NPMI", "z_score"])
def test_nothing_over_nothing_is_null(name):
    assert np.isnan(MEASURES[name](Contingency.from_signature(f=0, f1=0, f2=5, n=100)))
