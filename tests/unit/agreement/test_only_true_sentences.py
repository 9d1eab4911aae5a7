"""Sentences that once said more than the data: each test has the data that broke it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.agreement.agree import agree
from concurrence.agreement.compare import compare
from concurrence.agreement.dual.true_agreement import true_agreement
from concurrence.core import Labels


def texts(report):
    return " ".join(map(str, (*report.sentences, *report.diagnosis.sentences)))


def noisy(truth, share, random):
    """The truth, with a share of the labels replaced by guesses."""
    return np.where(random.random(len(truth)) < share, random.integers(0, 2, len(truth)), truth)


def parts_and_an_expert():
    """Three coders with a part each and an expert on all; only the easy items of a small overlap have three labels."""
    random = np.random.default_rng(4)
    truth = random.integers(0, 2, 330)
    hard = np.r_[np.full(300, 0.6), np.full(30, 0.05)]
    codes = np.full((330, 4), -1, dtype=np.int32)
    codes[:, 0] = noisy(truth, hard, random)
    for coder in (1, 2, 3):
        mine = np.r_[np.arange(100 * (coder - 1), 100 * coder), np.arange(300, 330)]
        codes[mine, coder] = noisy(truth[mine], hard[mine], random)
    return Labels(codes=codes, categories=("no", "yes"), coders=("EXPERT", "a", "b", "c"))


def test_the_expert_is_not_accused_for_having_judged_other_items():
    labels = parts_and_an_expert()
    report = agree(labels)
    without = agree(labels.select_coders(["a", "b", "c"]))["fleiss_kappa"].value
    assert without - report["fleiss_kappa"].value > 0.3
    assert "outlier_coder" not in {warning.code for warning in report.warnings}
    expert = next(one for one in report.leave_one_out if one.coder == "EXPERT")
    assert expert.items == 30
    assert expert.interval.low < 0 < expert.interval.high or abs(expert.change) < 0.05


def test_equal_coders_are_seldom_accused():
    accused = 0
    for seed in range(100):
        random = np.random.default_rng(seed)
        truth = random.integers(0, 2, 80)
        codes = np.stack([noisy(truth, 0.4, random) for _ in range(5)], axis=1).astype(np.int32)
        report = agree(Labels(codes=codes, categories=("a", "b"), coders=tuple("vwxyz")), pairs=False)
        accused += any(warning.code == "outlier_coder" for warning in report.warnings)
    assert accused <= 5


def test_confidence_is_not_told_as_prediction():
    said = texts(agree(Labels.from_table([[40, 15], [20, 25]], categories=["yes", "no"])))
    assert "other items" not in said
    assert "would probably" not in said


SENSES = [[9, 8, 7], [8, 5, 6], [7, 6, 4]]


def test_symmetric_disagreements_are_not_called_slips():
    report = agree(Labels.from_table(SENSES))
    assert report["cohen_kappa"].value < 0.1
    said = texts(report)
    assert "slip" not in said
    assert "manual differently" not in said
    assert "The most frequent disagreement is between '1' and '2': 38.1% of all disagreements." in said


def test_too_few_disagreements_are_too_few_per_pair():
    random = np.random.default_rng(0)
    codes = random.integers(0, 2, (9, 6)).astype(np.int32)
    said = texts(agree(Labels(codes=codes, categories=("a", "b"), coders=tuple("uvwxyz"))))
    assert "No pair of coders has ten disagreements, too few to test whether they lean in one direction." in said


def test_one_column_of_p_values_has_one_kind_of_test(concur, tmp_path):
    from concurrence.report.agreement import agreement_document, coefficient_table

    report = agree(Labels.from_table([[90, 5], [5, 0]], categories=["Accept", "Ack"]))
    table = next(table for table in agreement_document(report).tables if "p (null error)" in table.columns)
    shown = {row[0]: row[table.columns.index("p (null error)")] for row in table.rows}
    assert shown["Cohen's kappa"] == pytest.approx(0.599, abs=5e-4)
    for title in ("Davies & Fleiss's kappa", "Krippendorff's alpha", "Gwet's AC1"):
        assert np.isnan(shown[title])
    methods = {row["p_value_method"] for row in coefficient_table(report).to_dicts()}
    assert not methods & {"gwet_t", "jackknife"}
    assert report["krippendorff_alpha"].tests[0].method == "gwet_t"


def test_the_interval_of_the_table_is_that_of_the_sentence():
    report = agree(Labels.from_table([[90, 5], [5, 0]], categories=["Accept", "Ack"]))
    low, high = report["cohen_kappa"].interval
    assert f"Corrected for chance, Cohen's kappa is -0.053 (95% posterior interval {low:.3f} to {high:.3f})." in texts(
        report
    )


@given(st.lists(st.integers(0, 60), min_size=4, max_size=4).filter(sum))
def test_the_estimate_of_true_agreement_lies_in_its_interval(cells):
    found = true_agreement([cells[:2], cells[2:]])
    if found.homogeneity.empty:
        assert np.isnan(found.estimate)
    elif not np.isnan(found.estimate):
        assert found.homogeneity.low <= found.estimate <= found.homogeneity.high


def test_true_agreement_names_level_assumption_and_the_conservative_interval():
    said = texts(agree(Labels.from_table([[40, 15], [20, 25]], categories=["yes", "no"]), level=0.9))
    assert "(90% interval, assuming that it uses the categories at the overall rates: homogeneity)" in said
    assert "without that assumption (conservative)" in said


def halves(shared):
    """Two pairs of coders, each on its own items but for some that both have."""
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 200)
    codes = np.full((200, 4), -1, dtype=np.int32)
    for coder, rows in enumerate([slice(0, 100 + shared)] * 2 + [slice(100, 200)] * 2):
        codes[rows, coder] = noisy(truth[rows], 0.3, random)
    return Labels(codes=codes, categories=("a", "b"), coders=tuple("wxyz"))


def test_sides_without_a_common_item_are_not_paired():
    found = compare(halves(0), a=["w", "x"], b=["y", "z"], draws=200)
    assert not found.paired
    assert [warning.code for warning in found.warnings] == ["no_common_items"]
    assert "independent samples" in found.sentences[0].text
    assert [side.items for side in found.sides.values()] == [100, 100]


def test_sides_are_compared_on_the_items_both_have():
    labels = halves(40)
    found = compare(labels, a=["w", "x"], b=["y", "z"], draws=200)
    assert found.paired
    assert [warning.code for warning in found.warnings] == ["common_items"]
    both = labels.select_items((labels.codes >= 0).all(axis=1))
    assert found.a == agree(both.select_coders(["w", "x"]))["cohen_kappa"].value
    assert [side.items for side in found.sides.values()] == [40, 40]
