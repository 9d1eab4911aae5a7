import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp

from concurrence.agreement.analysis import agree
from concurrence.agreement.coefficients import COEFFICIENTS
from concurrence.agreement.paired import pairwise_kappas
from concurrence.agreement.resampled import bootstrap_coefficients, leave_one_out, resample, without_order
from concurrence.agreement.small_samples import posterior_intervals, trust_analytic
from concurrence.agreement.study import Study
from concurrence.core import InvalidInputError, Labels

ROWS = st.lists(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=3, max_size=3), min_size=4, max_size=15)


def made_labels(seed=0, n=60, coders=3, slips=0.3, missing=0.1):
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, n)
    codes = np.where(random.random((n, coders)) < slips, random.integers(0, 3, (n, coders)), truth[:, None])
    codes = np.where(random.random(codes.shape) < missing, -1, codes).astype(np.int32)
    return Labels(codes=codes, categories=("a", "b", "c"), coders=tuple(map(str, range(coders))))


@given(ROWS)
def test_who_gave_a_label_does_not_matter_where_it_should_not(rows):
    study = Study.of(Labels.from_rows(rows, categories=["a", "b", "c"]))
    merged = without_order(study)
    for row in COEFFICIENTS.values():
        if row.coders == "any" and row.why_undefined(study) is None:
            assert row.values(merged, merged.weights) == pytest.approx(row.values(study, study.weights), nan_ok=True)


@given(ROWS)
def test_kappas_of_a_batch_are_those_of_each_pair(rows):
    study = Study.of(Labels.from_rows(rows, categories=["a", "b", "c"]))
    one = pairwise_kappas(study, study.weights)
    batch = pairwise_kappas(study, np.stack([study.weights, 2 * study.weights]))
    assert batch == pytest.approx(np.stack([one, one]), nan_ok=True)


def test_alpha_has_the_distribution_of_a_plain_loop():
    labels = made_labels()
    study = Study.of(labels)
    row = COEFFICIENTS["krippendorff_alpha"]
    fast = resample(row, study, draws=1500, seed=3)
    random = np.random.default_rng(8)
    plain = []
    for _ in range(1500):
        drawn = Study.of(labels.select_items(random.integers(0, labels.n_items, labels.n_items)))
        plain.append(float(row.values(drawn, drawn.weights)))
    assert ks_2samp(plain, fast.replicates).pvalue > 0.001


@pytest.mark.parametrize("name", sorted(COEFFICIENTS))
def test_jackknife_agrees_with_the_analytic_error(name):
    study = Study.of(made_labels(n=400, missing=0.0))
    row = COEFFICIENTS[name]
    if row.why_undefined(study) is None:
        found = resample(row, study, draws=10, seed=0)
        assert found.jackknife_error == pytest.approx(row.standard_error(study), rel=0.05)


def test_influence_stands_in_for_the_jackknife(monkeypatch):
    study = Study.of(made_labels(n=400, missing=0.0))
    row = COEFFICIENTS["fleiss_kappa"]
    exact = leave_one_out(row, study)
    monkeypatch.setattr("concurrence.agreement.resampled.DIRECT_JACKKNIFE", 0)
    assert leave_one_out(row, study) == pytest.approx(exact, abs=1e-4)


def test_the_seed_decides():
    study = Study.of(made_labels())
    one, other, third = (
        bootstrap_coefficients(study, ["fleiss_kappa"], draws=50, seed=seed)["fleiss_kappa"] for seed in (1, 1, 2)
    )
    assert (one.replicates == other.replicates).all()
    assert (one.replicates != third.replicates).any()


def test_no_draws():
    with pytest.raises(InvalidInputError, match="at least 1"):
        bootstrap_coefficients(Study.of(made_labels()), ["fleiss_kappa"], draws=0)


def test_a_report_with_bootstrap_intervals():
    report = agree(made_labels(), bootstrap=200)
    found = report["krippendorff_alpha"]
    assert found.interval_method == "bootstrap_bca"
    low, high = found.confidence_interval()
    assert low < found.value < high
    wide = found.confidence_interval(0.99)
    assert wide.low <= low


def test_perfect_agreement_keeps_its_estimate_inside():
    study = Study.of(Labels.from_table([[20, 0], [0, 10]]))
    interval = posterior_intervals(study, ["cohen_kappa"])["cohen_kappa"]
    assert interval.high == 1
    assert 0.6 < interval.low < 0.95


@pytest.mark.parametrize(
    ("table", "trusted"),
    [([[70, 25], [20, 85]], True), ([[3, 2], [3, 42]], False), ([[80, 0], [0, 80]], False), ([[0, 0], [0, 90]], False)],
)
def test_when_the_analytic_interval_can_be_trusted(table, trusted):
    trust = trust_analytic(Study.of(Labels.from_table(table)))
    assert trust.analytic is trusted
    assert (trust.sentence is None) is trusted


def test_no_posterior_where_labels_are_missing():
    assert posterior_intervals(Study.of(made_labels()), ["fleiss_kappa"]) == {}
