"""Which interval a coefficient has, and what is offered beside it."""

import pytest
from scipy.stats import binomtest

from concurrence import agree
from concurrence.core import Labels

BINARY = Labels.from_table([[40, 15], [20, 25]])
THREE = Labels.from_table([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
CHANCE_KNOWN = ("bennett_s", "prevalence_adjusted_kappa", "brennan_prediger")


def exact_share(agreed, n, level=0.95):
    found = binomtest(agreed, n).proportion_ci(level, method="exact")
    return found.low, found.high


def test_one_number_of_two_categories_has_one_interval_under_all_its_names():
    report = agree(BINARY)
    low, high = exact_share(65, 100)
    assert tuple(report["percent_agreement"].interval) == pytest.approx((low, high))
    for name in CHANCE_KNOWN:
        found = report[name]
        assert found.interval_method == found.p_value_method == "exact"
        assert tuple(found.interval) == pytest.approx((2 * low - 1, 2 * high - 1))


def test_percent_agreement_has_no_chance_to_be_tested_against():
    agreed = agree(BINARY)["percent_agreement"]
    assert (agreed.tests, agreed.p_value_method) == ((), None)
    assert agreed.p_value != agreed.p_value


@pytest.mark.parametrize("labels", [BINARY, THREE])
def test_three_names_of_one_number_are_one_result(labels):
    report = agree(labels)
    assert report["bennett_s"] == report["brennan_prediger"] == report["prevalence_adjusted_kappa"]
    assert report["bennett_s"].synonyms == ("prevalence_adjusted_kappa", "brennan_prediger")
    assert sum(row.coefficient == "bennett_s" for row in report.rows()) == 1


def test_three_categories_have_the_exact_interval_and_offer_the_printed_one():
    report = agree(THREE)
    low, high = exact_share(89, 100)
    for name, ends in [("percent_agreement", (low, high)), ("brennan_prediger", (1.5 * low - 0.5, 1.5 * high - 0.5))]:
        found = report[name]
        assert list(found.intervals) == ["exact", "gwet_t", "posterior"]
        assert tuple(found.intervals["exact"]) == pytest.approx(ends)


def test_perfect_agreement_is_not_certain_for_ever():
    report = agree(Labels.from_table([[10, 0, 0], [0, 20, 0], [0, 0, 30]]))
    for name in ("percent_agreement", "brennan_prediger"):
        low, high = report[name].interval
        assert 0.9 < low < high == 1


def test_the_bootstrap_comes_first_and_the_others_stay():
    found = agree(BINARY, bootstrap=50)["brennan_prediger"]
    assert list(found.intervals) == ["bootstrap_bca", "exact", "gwet_t", "bootstrap_percentile"]


def test_json_has_every_interval_by_its_method(concur, tmp_path):
    (tmp_path / "t.csv").write_text(",yes,no\nyes,40,15\nno,20,25\n", "utf-8")
    found = concur("agree", tmp_path / "t.csv", "--table", "--json").json["coefficients"]
    for entry in found.values():
        if entry["value"] is not None:
            assert entry["intervals"][entry["interval_method"]] == entry["interval"]
    assert found["percent_agreement"]["intervals"]["gwet_t"] == pytest.approx([0.55536, 0.74464], abs=1e-5)
