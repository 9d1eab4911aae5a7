"""The compiled pass over items against the obvious walk over pairs."""

from itertools import combinations

import numpy as np
import pytest

from concurrence.agreement.coefficients.many_pairs import many_pairs, many_pairs_influence, pair_confusions
from concurrence.agreement.coefficients.parts import evaluate, sharing_pairs, values
from concurrence.agreement.coefficients.study import Study
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
    return Study.of(Labels(codes=codes, categories=tuple("abcd"), coders=tuple("1234567")))


def test_all_pairs_at_once_are_the_pairs_one_by_one(study):
    draws = np.random.default_rng(1).integers(0, 3, size=(2, len(study.codes))).astype(float)
    totals = many_pairs(study, draws)
    pairs = list(zip(totals.first.tolist(), totals.second.tolist(), strict=True))
    assert pairs == list(combinations(range(6), 2)) == sharing_pairs(study)
    for place, pair in enumerate(pairs):
        two = study.only(*pair)
        assert totals.kappas[:, place] == pytest.approx(values(COHEN, two, draws), nan_ok=True)
        assert totals.scott[:, place] == pytest.approx(values(SCOTT, two, draws), nan_ok=True)


def test_the_influence_is_the_mean_over_pairs(study):
    assert many_pairs_influence(study) == pytest.approx(evaluate(MEAN, study, study.weights).influence)


def test_a_coder_without_labels_takes_no_part(study):
    rest = study.only(*range(6))
    assert float(values(MEAN, study, study.weights)) == pytest.approx(float(values(MEAN, rest, rest.weights)))


def test_all_confusions_at_once_are_the_confusions_one_by_one(study):
    tables = pair_confusions(study)
    for table, pair in zip(tables, sharing_pairs(study), strict=True):
        assert (table == study.confusion(*pair)).all()
