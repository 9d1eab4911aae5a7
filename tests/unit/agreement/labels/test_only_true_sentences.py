"""Sentences that once said more than the data: each test has the data that broke it."""

import inspect
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import agree, agree_by_group, compare, fit_coder_model
from concurrence.agreement.labels.dual.true_agreement import true_agreement
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


def erring_in_turn(often):
    """Five coders, each alone in its mistakes: on ``often`` items the last, on eight each of the others."""
    truth = np.arange(120) % 2
    codes = np.repeat(truth[:, None], 5, axis=1).astype(np.int32)
    places = np.repeat(np.arange(5), [8, 8, 8, 8, often])
    rows = np.arange(len(places))
    codes[rows, places] = 1 - codes[rows, places]
    return Labels(codes=codes, categories=("a", "b"), coders=tuple("vwxyz"))


def test_only_a_coder_who_errs_more_often_than_the_others_stands_apart():
    """How often chance alone accuses one of equal coders is measured in ``benchmarks/trust/diagnosis.py``."""
    equal = agree(erring_in_turn(8), pairs=False)
    assert len({round(one.change, 12) for one in equal.leave_one_out}) == 1
    assert "outlier_coder" not in {warning.code for warning in equal.warnings}
    unequal = agree(erring_in_turn(50), pairs=False)
    (warning,) = [warning for warning in unequal.warnings if warning.code == "outlier_coder"]
    assert warning.text.startswith("z stands apart: on the 120 items")


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
    from concurrence.report.pages.agreement import agreement_document, coefficient_table

    report = agree(Labels.from_table([[90, 5], [5, 0]], categories=["Accept", "Ack"]))
    table = next(table for table in agreement_document(report).tables if "p (chance)" in table.columns)
    shown = {row[0]: row[table.columns.index("p (chance)")] for row in table.rows}
    for title in ("Cohen's kappa", "Davies & Fleiss's kappa", "Krippendorff's alpha"):
        assert shown[title] == pytest.approx(1.0)  # by Fisher's test
    assert np.isnan(shown["Gwet's AC1"])
    methods = {row["p_value_method"] for row in coefficient_table(report).to_dicts()}
    assert not methods & {"gwet_t", "jackknife"}
    assert [test.method for test in report["krippendorff_alpha"].tests] == ["fisher_exact", "gwet_t"]


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
    assert "(90% interval, assuming homogeneity: true agreement uses the categories at the overall rates)" in said
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


def words():
    """Two words: 9 of 10 agreed, and 10 of 30; the mean of the shares is not the share."""
    rows = [["a", "a"]] * 5 + [["b", "b"]] * 4 + [["a", "b"]] + [["c", "c"]] * 6 + [["d", "d"]] * 4 + [["c", "d"]] * 20
    labels = Labels.from_rows(rows)
    return replace(labels, groups=np.array(["small"] * 10 + ["large"] * 30))


def test_pooled_and_mean_are_two_numbers_with_names():
    found = agree_by_group(words())
    assert found.pooled["percent_agreement"].value == pytest.approx(19 / 40)
    assert found.mean["percent_agreement"] == pytest.approx((9 / 10 + 10 / 30) / 2)
    assert "47.5% of the 40 items (pooled); the mean of the groups' percentages is 61.7%." in str(found)
    parts = [(one["cohen_kappa"], one.data.items) for one in found.groups.values()]
    above = sum(n * (one.observed - one.expected) for one, n in parts)
    assert found.pooled["cohen_kappa"].value == pytest.approx(above / sum(n * (1 - one.expected) for one, n in parts))
    low, high = found.pooled["cohen_kappa"].interval
    assert low < found.pooled["cohen_kappa"].value < high
    assert found.sd["cohen_kappa"] == pytest.approx(np.std([one.value for one, _ in parts], ddof=1))


def test_one_group_has_no_interval_over_groups():
    labels = replace(words(), groups=np.array(["one"] * 40))
    found = agree_by_group(labels)
    assert found.pooled["cohen_kappa"].interval is None
    assert found.pooled["cohen_kappa"].value == pytest.approx(found.mean["cohen_kappa"])


def test_inventories_that_never_meet_are_not_pooled_in_silence():
    rows = [[f"{word}{one}", f"{word}{two}"] for word in "xyz" for one, two in ["11", "22", "12"] * 5]
    assert "pooled_groups" in {warning.code for warning in agree(Labels.from_rows(rows)).warnings}
    assert "pooled_groups" not in {warning.code for warning in agree(Labels.from_table(SENSES)).warnings}


def crowd(n_items=5776, n_coders=6197, per_item=7):
    """Many coders with few labels each, seven on an item."""
    random = np.random.default_rng(0)
    codes = np.full((n_items, n_coders), -1, dtype=np.int8)
    eager = random.permutation(n_coders)
    for item in range(n_items):
        # two who may label nothing else, the rest from the few who label much
        chosen = np.r_[eager[2 * item % n_coders], eager[(2 * item + 1) % n_coders], random.integers(0, 400, per_item)]
        chosen = np.unique(chosen)[:per_item]
        truth = random.integers(0, 3)
        codes[item, chosen] = np.where(random.random(len(chosen)) < 0.6, truth, random.integers(0, 3, len(chosen)))
    return Labels(codes=codes, categories=("a", "b", "c"), coders=tuple(f"w{k}" for k in range(n_coders)))


def test_thousands_of_coders_are_not_paired_with_strangers():
    labels = crowd(n_items=600, n_coders=2000)
    report = agree(labels)
    given = (labels.codes >= 0).astype(np.float32)
    together = np.triu(given.T @ given, 1)
    assert len(report.pairs) == np.count_nonzero(together)
    assert {pair.items for pair in report.pairs} == set(together[together > 0].astype(int).tolist())
    assert [warning.code for warning in report.warnings] == ["sparse_pairs"]
    assert report["mean_pairwise_kappa"].trusted is False
    assert report.leading == "fleiss_kappa"


def test_a_crowd_of_6197_coders_fits_into_a_gigabyte(tmp_path):
    code = (
        "import re\n"
        "from pathlib import Path\n"
        "from concurrence import agree\n"
        "from tests_crowd import crowd\n"
        "report = agree(crowd())\n"
        "peak = re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())\n"
        "print(report.data.labels, peak[1])\n"
    )
    source = inspect.getsource(crowd)
    (tmp_path / "tests_crowd.py").write_text(f"import numpy as np\nfrom concurrence.core import Labels\n\n\n{source}")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    labels, kilobytes = map(int, done.stdout.split())
    assert labels > 40_000
    assert kilobytes < 1_000_000


def test_one_item_that_everybody_labelled_does_not_make_the_data_few():
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 1500)
    codes = np.full((1500, 1291), -1, dtype=np.int8)
    for item in range(1500):
        codes[item, random.choice(1291, 5, replace=False)] = truth[item]
    codes[0] = random.integers(0, 2, 1291)
    wrong = (codes >= 0) & (random.random(codes.shape) < 0.2)
    labels = Labels(codes=np.where(wrong, 1 - codes, codes), categories=("a", "b"), coders=tuple(map(str, range(1291))))
    report = agree(labels, pairs=False)
    assert report.diagnosis.interval_trusted
    assert "conventions_differ" in {warning.code for warning in report.warnings}


def test_conventions_that_agree_are_not_spoken_of():
    rows = [["a", "a", "b"], ["a", "a", None], ["b", "b", "b"], ["a", "b", None]]
    found = agree(Labels.from_rows(rows))
    (told,) = [warning.text for warning in found.warnings if warning.code == "conventions_differ"]
    assert "0.161 if items weigh equally, 0.238 if pairs of labels do" in told
    whole = agree(Labels.from_rows([["a", "a", "b"], ["b", "b", "a"]]))
    assert "conventions_differ" not in {warning.code for warning in whole.warnings}


def test_the_most_frequent_disagreement_is_not_named_where_another_is_as_frequent():
    tied = Labels.from_rows([["a", "b"], ["b", "c"], *[["a", "a"], ["b", "b"], ["c", "c"]] * 10])
    assert "confused" not in {one.code for one in agree(tied).diagnosis.sentences}
    once = Labels.from_rows([["a", "b"], *[["a", "a"], ["b", "b"], ["c", "c"]] * 10])
    assert "The only disagreement is between 'a' and 'b'." in texts(agree(once))
    all_ = Labels.from_rows([["a", "b"], ["b", "a"], *[["a", "a"], ["b", "b"], ["c", "c"]] * 10])
    assert "All disagreements are between 'a' and 'b'." in texts(agree(all_))


def test_with_three_categories_no_number_is_called_twice_agreement_minus_one(concur, tmp_path):
    path = tmp_path / "three.csv"
    path.write_text(",a,b,c\na,10,2,1\nb,3,10,2\nc,1,2,10\n")
    printed = concur("agree", path, "--table").out
    assert "2P(A) - 1" not in printed
    assert "three numbers" not in printed
    assert "Bennett's S" in printed
    path.write_text(",a,b\na,10,2\nb,3,10\n")
    assert "2P(A) - 1 (Bennett's S)" in concur("agree", path, "--table").out


def test_where_an_interval_is_shown_no_sentence_denies_it():
    few = Labels.from_rows([["a", "b"], ["b", "b"], ["a", "b"]])
    report = agree(few)
    low, high = report[report.leading].interval
    said = texts(report)
    assert high > low
    assert "for an interval" not in said
    assert f"{low:.3f} to {high:.3f}" in said


def test_true_agreement_that_is_one_number_is_not_told_as_a_range():
    said = texts(agree(Labels.from_table([[2, 98], [98, 2]])))
    assert "0% to 0%" not in said


def test_a_model_of_coders_names_no_single_best_where_two_are_alike():
    rows = [["a", "a", "b"], ["b", "b", "a"], ["a", "a", "a"], ["b", "b", "b"]] * 5
    told = str(fit_coder_model(Labels.from_rows(rows, coders=("ann", "bob", "cy"))).sentences[0])
    assert told.startswith(
        "By the model, ann (like 1 other) is right most often (100%, 95% interval 83% to 100%, 20 items)"
    )


def test_what_was_read_is_told_with_names_and_whether_categories_were_declared():
    rows = [["y", "n"], ["y", "y"], ["n", "n"]]
    found = texts(agree(Labels.from_rows(rows, coders=("ann", "bob"))))
    assert "Read 3 items labelled by ann, bob; categories (as found): n, y." in found
    declared = texts(agree(Labels.from_rows(rows, coders=("ann", "bob"), categories=("y", "n", "both"))))
    assert "categories (declared): y, n, both." in declared
    assert "labelled by 2 coders" in texts(agree(Labels.from_table([[2, 1], [0, 3]])))
