import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, ks_2samp

from concurrence import agree
from concurrence.agreement.labels.coefficients.inference import (
    reasons_for_doubt,
    standard_error,
    why_undefined,
)
from concurrence.agreement.labels.coefficients.metrics import metric_of
from concurrence.agreement.labels.coefficients.parts import pairwise_kappas, values
from concurrence.agreement.labels.coefficients.posterior import (
    dissent_and_unanimity,
    posterior_interval,
    posterior_weights,
)
from concurrence.agreement.labels.coefficients.resampled import (
    bootstrap_coefficients,
    leave_one_out,
    replicates,
    without_order,
)
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.core import InvalidInputError, Labels
from concurrence.kernels.coefficients import COEFFICIENTS

ROWS = st.lists(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=3, max_size=3), min_size=4, max_size=15)


def made_labels(seed=0, n=60, coders=3, slips=0.3, missing=0.1):
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, n)
    codes = np.where(random.random((n, coders)) < slips, random.integers(0, 3, (n, coders)), truth[:, None])
    codes = np.where(random.random(codes.shape) < missing, -1, codes).astype(np.int32)
    return Labels(codes=codes, categories=("a", "b", "c"), coders=tuple(map(str, range(coders))))


@given(ROWS)
def test_who_gave_a_label_does_not_matter_where_it_should_not(rows):
    study = LabelStudy.of(Labels.from_rows(rows, categories=["a", "b", "c"]))
    merged = without_order(study)
    for row in COEFFICIENTS.values():
        if row.coders == "any" and why_undefined(row, study) is None:
            assert values(row, merged, merged.weights) == pytest.approx(values(row, study, study.weights), nan_ok=True)


@given(ROWS)
def test_kappas_of_a_batch_are_those_of_each_pair(rows):
    study = LabelStudy.of(Labels.from_rows(rows, categories=["a", "b", "c"]))
    one = pairwise_kappas(study, study.weights)
    batch = pairwise_kappas(study, np.stack([study.weights, 2 * study.weights]))
    assert batch == pytest.approx(np.stack([one, one]), nan_ok=True)


def test_alpha_has_the_distribution_of_a_plain_loop():
    labels = made_labels()
    study = LabelStudy.of(labels)
    row = COEFFICIENTS["krippendorff_alpha"]
    fast = replicates([row], study, draws=1500, seed=3)[:, 0]
    random = np.random.default_rng(8)
    plain = []
    for _ in range(1500):
        drawn = LabelStudy.of(labels.select_items(random.integers(0, labels.n_items, labels.n_items)))
        plain.append(float(values(row, drawn, drawn.weights)))
    assert ks_2samp(plain, fast).pvalue > 0.001


@pytest.mark.parametrize("name", sorted(COEFFICIENTS))
def test_jackknife_agrees_with_the_analytic_error(name):
    study = LabelStudy.of(made_labels(n=400, missing=0.0))
    row = COEFFICIENTS[name]
    if why_undefined(row, study) is None:
        found = bootstrap_coefficients(study, [row], draws=10)[name]
        assert found.jackknife_error == pytest.approx(standard_error(row, study), rel=0.05)


def test_influence_stands_in_for_the_jackknife(monkeypatch):
    study = LabelStudy.of(made_labels(n=400, missing=0.0))
    row = COEFFICIENTS["fleiss_kappa"]
    exact = leave_one_out(row, study)
    monkeypatch.setattr("concurrence.agreement.labels.coefficients.resampled.DIRECT_JACKKNIFE", 0)
    assert leave_one_out(row, study) == pytest.approx(exact, abs=1e-4)


def test_the_seed_decides():
    study = LabelStudy.of(made_labels())
    rows = [COEFFICIENTS["fleiss_kappa"]]
    one, other, third = (bootstrap_coefficients(study, rows, draws=50, seed=seed) for seed in (1, 1, 2))
    assert one == other
    assert one != third


def test_no_draws():
    with pytest.raises(InvalidInputError, match="at least 1"):
        bootstrap_coefficients(LabelStudy.of(made_labels()), [COEFFICIENTS["fleiss_kappa"]], draws=0)


def test_a_report_with_bootstrap_intervals():
    report = agree(made_labels(), bootstrap=200)
    found = report["krippendorff_alpha"]
    assert found.interval_method == "bootstrap_bca"
    low, high = found.interval
    assert low < found.value < high
    assert agree(made_labels(), bootstrap=200, level=0.99)["krippendorff_alpha"].interval.low <= low


def test_perfect_agreement_keeps_its_estimate_inside():
    study = LabelStudy.of(Labels.from_table([[20, 0], [0, 10]]))
    interval = posterior_interval(study, values(COEFFICIENTS["cohen_kappa"], *posterior_weights(study)), 1.0, 0.95)
    assert interval.high == 1
    assert 0.6 < interval.low < 0.95


@pytest.mark.parametrize(
    ("table", "trusted"),
    [([[70, 25], [20, 85]], True), ([[3, 2], [3, 42]], False), ([[80, 0], [0, 80]], False), ([[0, 0], [0, 90]], False)],
)
def test_when_the_analytic_interval_can_be_trusted(table, trusted):
    assert (reasons_for_doubt(LabelStudy.of(Labels.from_table(table))) == ()) is trusted
    kappa = agree(Labels.from_table(table))["cohen_kappa"]
    if kappa.defined:
        assert kappa.trusted
        assert kappa.interval_method == ("fleiss_cohen_everitt" if trusted else "posterior")


def test_the_posterior_takes_labels_that_are_missing():
    study = LabelStudy.of(made_labels())
    whole, draws = posterior_weights(study)
    assert whole.n_items == study.labelled
    assert (whole.codes < 0).any()
    assert draws.shape[1] == len(whole.codes)


def test_no_posterior_where_patterns_are_too_many():
    numbers = np.random.default_rng(1).integers(0, 40, size=(20, 1)) + np.random.default_rng(2).integers(0, 3, (20, 2))
    labels = Labels.from_rows(numbers.astype(str).tolist(), categories=[str(n) for n in range(42)])
    assert posterior_weights(LabelStudy.of(labels)) is None
    report = agree(labels, scale="interval")
    alpha = report["krippendorff_alpha"]
    assert (alpha.interval_method, alpha.trusted) == ("log_t", False)
    assert alpha.intervals["gwet_t"].low > alpha.interval.low
    assert "interval_untrusted" in [warning.code for warning in report.warnings]


def test_one_more_item_of_dissent_keeps_labels_near():
    table = np.diag([5, 5, 5, 5, 5]) + np.diag([1, 0, 1, 0], k=1)
    labels = Labels.from_table(table, categories=["1", "2", "3", "4", "5"])
    metric = metric_of("interval", labels.categories)
    study = LabelStudy.of(labels, metric=metric)
    whole, _ = posterior_weights(study, draws=10)
    dissent, unanimity = dissent_and_unanimity(whole, np.arange(len(whole.codes)))
    apart = np.abs(whole.codes[:, 0] - whole.codes[:, 1])
    assert dissent.sum() == pytest.approx(1)
    assert unanimity[apart == 0].tolist() == [0.2] * 5
    assert dissent[apart == 0].sum() == unanimity[apart > 0].sum() == 0
    assert dissent[apart == 1].sum() > 0.8
    assert dissent[apart == 4].sum() < 1e-3


@pytest.mark.parametrize(("agreed", "n"), [(0, 12), (7, 20), (19, 20), (30, 30)])
def test_the_posterior_interval_of_percent_agreement_is_clopper_and_pearsons(agreed, n):
    study = LabelStudy.of(Labels.from_table([[agreed - agreed // 2, n - agreed], [0, agreed // 2]]))
    draws = values(COEFFICIENTS["percent_agreement"], *posterior_weights(study, draws=200_000))
    interval = posterior_interval(study, draws, agreed / n, 0.95)
    exact = binomtest(agreed, n).proportion_ci(method="exact")
    assert interval.low == pytest.approx(exact.low, abs=0.01)
    assert interval.high == pytest.approx(exact.high, abs=0.01)


def test_an_interval_on_19_of_20_items_holds_a_kappa_near_1():
    """A prior of two items ended the interval at .976; with a true kappa of .98 one study in six looks like this."""
    kappa = agree(Labels.from_table([[10, 1], [0, 9]]))["cohen_kappa"]
    assert kappa.interval_method == "posterior"
    assert kappa.interval.high > 0.99
