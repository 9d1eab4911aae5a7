"""Equal to statsmodels, scikit-learn and krippendorff where those are right."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from concurrence import Labels, agree, read_labels
from concurrence.kernels.choices import SCALES
from support.examples import examples
from support.expect import PUBLISHED
from support.lazy_modules import LazyModule

inter_rater, sklearn_metrics, krippendorff = map(
    LazyModule, ("statsmodels.stats.inter_rater", "sklearn.metrics", "krippendorff")
)

pytestmark = pytest.mark.usefixtures("few_draws")

tables = hnp.arrays(np.int64, (3, 3), elements=st.integers(0, 30)).filter(lambda t: t.sum() > 5)


def null_error(ours):
    """The error of the test on one; the exact tests of few items have none."""
    return next(test.standard_error for test in ours.tests if test.method == "fleiss_cohen_everitt")


@examples(40)
@given(tables)
def test_kappa_and_both_errors_are_those_of_statsmodels(table):
    ours = agree(Labels.from_table(table), coefficients=["cohen_kappa"])["cohen_kappa"]
    assume(np.isfinite(ours.value) and min(ours.standard_error, null_error(ours)) > 1e-6)
    theirs = inter_rater.cohens_kappa(table)
    assert ours.value == pytest.approx(theirs.kappa, abs=1e-10)
    assert ours.standard_error == pytest.approx(np.sqrt(theirs.var_kappa), abs=1e-7)
    assert null_error(ours) == pytest.approx(np.sqrt(theirs.var_kappa0), abs=1e-7)


def test_kappa_of_the_neurologists_of_winnipeg_is_that_of_statsmodels():
    labels = read_labels(PUBLISHED / "MSPatients_winnipeg.csv")
    table = np.zeros((len(labels.categories),) * 2)
    np.add.at(table, tuple(labels.codes.T), 1)
    ours, theirs = agree(labels)["cohen_kappa"], inter_rater.cohens_kappa(table)
    assert ours.value == pytest.approx(theirs.kappa, abs=1e-10)
    assert ours.standard_error == pytest.approx(np.sqrt(theirs.var_kappa), abs=1e-10)


@examples(40)
@given(tables, st.sampled_from(["linear", "quadratic"]))
def test_weighted_kappa_and_its_errors_are_those_of_statsmodels(table, weights):
    ours = agree(Labels.from_table(table), weights=weights, coefficients=["weighted_kappa"])["weighted_kappa"]
    assume(np.isfinite(ours.value) and min(ours.standard_error, null_error(ours)) > 1e-6)
    theirs = inter_rater.cohens_kappa(table, wt="linear" if weights == "linear" else "quadratic")
    assert ours.value == pytest.approx(theirs.kappa, abs=1e-10)
    assert ours.standard_error == pytest.approx(np.sqrt(theirs.var_kappa), abs=1e-7)
    assert null_error(ours) == pytest.approx(np.sqrt(theirs.var_kappa0), abs=1e-7)


@examples(30)
@given(hnp.arrays(np.int32, (12, 2), elements=st.integers(0, 3)), st.sampled_from([None, "linear", "quadratic"]))
def test_kappa_is_that_of_scikit_learn(codes, weights):
    labels = Labels(codes=codes, categories=tuple("0123"), coders=("a", "b"))
    name = "weighted_kappa" if weights else "cohen_kappa"
    ours = agree(labels, weights=weights, coefficients=[name])[name]
    assume(np.isfinite(ours.value))
    theirs = sklearn_metrics.cohen_kappa_score(*codes.T, weights=weights, labels=range(4))
    assert ours.value == pytest.approx(theirs, abs=1e-10)


@examples(60)
@given(hnp.arrays(np.int32, (9, 4), elements=st.integers(-1, 3)), st.sampled_from(SCALES[:4]))
def test_alpha_is_that_of_krippendorff(codes, scale):
    labels = Labels(codes=codes, categories=tuple("1234"), coders=tuple("abcd"))
    ours = agree(labels, scale=scale, coefficients=["krippendorff_alpha"])["krippendorff_alpha"]
    assume(np.isfinite(ours.value))
    data = np.where(codes < 0, np.nan, codes + 1.0).T
    seen = sorted(set((codes[codes >= 0] + 1).tolist()))
    theirs = krippendorff.alpha(reliability_data=data, level_of_measurement=scale, value_domain=seen)
    assert ours.value == pytest.approx(theirs, abs=1e-9)


@examples(30)
@given(hnp.arrays(np.int64, (8, 3), elements=st.integers(0, 5)))
def test_fleiss_kappa_is_that_of_statsmodels(codes):
    labels = Labels(codes=codes.astype(np.int32), categories=tuple("012345"), coders=tuple("abc"))
    ours = agree(labels, coefficients=["fleiss_kappa"])["fleiss_kappa"]
    assume(np.isfinite(ours.value))
    counts = np.stack([(codes == k).sum(axis=1) for k in range(6)], axis=1)
    assert ours.value == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-10)
