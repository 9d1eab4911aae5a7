"""The pass over items against the obvious walk over pairs."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from concurrence.agreement.labels.coefficients.many_pairs import many_pairs, many_pairs_influence, pair_confusions
from concurrence.agreement.labels.coefficients.parts import coefficient_parts, sharing_pairs, values
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.agreement.labels.diagnosis.cautions import _lowest_tied
from concurrence.core import Labels
from concurrence.kernels.coefficients import COEFFICIENTS

COHEN, SCOTT = COEFFICIENTS["cohen_kappa"], COEFFICIENTS["scott_pi"]
MEAN = COEFFICIENTS["mean_pairwise_kappa"]


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 4, size=(80, 1))
    codes = np.where(rng.random((80, 7)) < 0.6, truth, rng.integers(0, 4, size=(80, 7)))
    codes = np.where(rng.random((80, 7)) < 0.4, -1, codes).astype(np.int32)
    codes[:, 6] = -1  # a coder without a label
    return LabelStudy.of(Labels(codes=codes, categories=tuple("abcd"), coders=tuple("1234567")))


def test_all_pairs_at_once_are_the_pairs_one_by_one(study):
    draws = np.random.default_rng(1).integers(0, 3, size=(2, len(study.codes))).astype(float)
    totals = many_pairs(study, draws)
    pairs = list(zip(totals.first.tolist(), totals.second.tolist(), strict=True))
    assert pairs == list(combinations(range(6), 2)) == sharing_pairs(study)
    for place, pair in enumerate(pairs):
        two = study.only(*pair)
        assert totals.kappas[:, place] == pytest.approx(values(COHEN, two, draws), nan_ok=True)
        assert totals.scott[:, place] == pytest.approx(values(SCOTT, two, draws), nan_ok=True)


def test_an_item_that_counts_twice_is_two_items(study):
    once = study.with_patterns(np.repeat(study.codes, 2, axis=0), np.ones(2 * len(study.codes)))
    twice = study.with_patterns(study.codes, np.full(len(study.codes), 2.0))
    one, other = (many_pairs(some, some.weights) for some in (once, twice))
    assert one.items.tolist() == other.items.tolist()
    assert one.agreed.tolist() == other.agreed.tolist()
    assert one.kappas == pytest.approx(other.kappas)
    assert one.scott == pytest.approx(other.scott)


@given(st.integers(2, 30), st.floats(0, 0.5), st.integers(0, 2**32))
def test_the_first_pairs_that_share_an_item_are_the_first_of_all(n_coders, density, seed):
    rng = np.random.default_rng(seed)
    codes = np.where(rng.random((12, n_coders)) < density, rng.integers(0, 2, (12, n_coders)), -1)
    whole = LabelStudy.of(Labels(codes=codes, categories=("a", "b"), coders=tuple(map(str, range(n_coders)))))
    obvious = [(a, b) for a, b in combinations(range(n_coders), 2) if ((codes[:, a] >= 0) & (codes[:, b] >= 0)).any()]
    for most in (1, 7, 1000):
        assert sharing_pairs(whole, most) == obvious[:most]
    assert sharing_pairs(whole) == obvious
    assert sharing_pairs(whole, 7) == obvious[:7]  # also where all of them are known


@given(
    st.integers(1, 12).flatmap(
        lambda size: st.tuples(st.just(size), st.lists(st.tuples(*[st.integers(0, size - 1)] * 2)))
    )
)
def test_sets_of_tied_numbers_are_the_components_of_their_graph(drawn):
    size, ties = drawn
    one, other = (np.array([tie[side] for tie in ties], dtype=np.int32) for side in (0, 1))
    graph = sparse.coo_array((np.ones(len(ties)), (one, other)), shape=(size, size))
    _, part = connected_components(graph, directed=False)
    lowest = [int(np.flatnonzero(part == part[k])[0]) for k in range(size)]
    assert _lowest_tied(one, other, size).tolist() == lowest


def test_the_influence_is_the_mean_over_pairs(study):
    assert many_pairs_influence(study) == pytest.approx(coefficient_parts(MEAN, study, study.weights).influence)


def test_a_coder_without_labels_takes_no_part(study):
    rest = study.only(*range(6))
    assert float(values(MEAN, study, study.weights)) == pytest.approx(float(values(MEAN, rest, rest.weights)))


def test_all_confusions_at_once_are_the_confusions_one_by_one(study):
    tables = pair_confusions(study)
    for table, pair in zip(tables, sharing_pairs(study), strict=True):
        assert (table == study.cross_table(*pair).dense()).all()
