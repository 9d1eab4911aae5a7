import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from concurrence import agree
from concurrence.agreement.labels.coefficients.study import label_study
from concurrence.agreement.labels.diagnosis.categories import bowker
from concurrence.agreement.labels.diagnosis.diagnose import leaning_pairs, mean_rank_correlation
from concurrence.agreement.labels.diagnosis.disagreements import disagreement_table, item_disagreement
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.core import Labels


def sentences(table, categories=None):
    return " ".join(map(str, agree(Labels.from_table(table, categories=categories)).diagnosis.sentences))


def test_a_common_category_makes_chance_agreement_high():
    said = sentences([[90, 5], [5, 0]], ["Accept", "Ack"])
    assert "agree on 90% of the items, but 95% of the labels are 'Accept', so chance alone would give 90.5%." in said
    assert "no better than guessing (Cohen's kappa -0.05)" in said
    assert "would give 0.80 instead of -0.05" in said
    assert "probably too narrow" in said


def test_coders_who_draw_the_line_elsewhere():
    said = sentences([[70, 25], [0, 55]], ["Accept", "Ack"])
    assert (
        "coder 1 chooses 'Accept' where coder 2 chooses 'Ack' 25 times, the other way round never (p < 0.001)" in said
    )
    assert "a significant difference (McNemar's exact test, p < 0.001)" in said
    assert "cannot exceed 0.67, which is what they reached" in said


def test_symmetry_is_told_as_what_it_is():
    said = sentences([[60, 12], [11, 70]])
    assert "The disagreements do not lean significantly in one direction" in said
    assert "no significant difference (McNemar's exact test, p = 1.000)" in said


def test_what_no_figure_can_show_is_always_said():
    for table in ([[90, 5], [5, 0]], [[50, 0], [0, 50]], [[10, 0], [0, 0]]):
        assert "misread the manual in the same way" in sentences(table)


def test_one_category_proves_nothing():
    assert "agreement proves nothing" in sentences([[30, 0], [0, 0]])


def test_a_coder_who_stands_apart():
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 200)
    codes = np.stack([truth, truth, truth, random.integers(0, 2, 200)], axis=1).astype(np.int32)
    labels = Labels(codes=codes, categories=("a", "b"), coders=("ann", "bob", "cy", "dee"))
    found = agree(labels)
    (outlier,) = [warning for warning in found.warnings if warning.code == "outlier_coder"]
    assert outlier.text.startswith("dee stands apart: on the 200 items")
    best = max(found.leave_one_out, key=lambda entry: entry.change)
    assert (best.coder, best.value) == ("dee", pytest.approx(1.0))


def test_left_out_values_are_those_of_the_others_alone():
    random = np.random.default_rng(3)
    codes = random.integers(-1, 3, (60, 4)).astype(np.int32)
    labels = Labels(codes=codes, categories=("a", "b", "c"), coders=("w", "x", "y", "z"))
    for place, entry in enumerate(agree(labels).leave_one_out):
        shared = labels.select_items((codes[:, place] >= 0) & ((codes >= 0).sum(axis=1) >= 3))
        others = shared.select_coders([c for c in labels.coders if c != entry.coder])
        without, whole = agree(others)[entry.coefficient].value, agree(shared)[entry.coefficient].value
        assert (entry.value, entry.change) == (pytest.approx(without), pytest.approx(without - whole))
        assert entry.items == shared.n_items


def test_ratings_on_a_fine_scale_are_told_by_their_distance():
    random = np.random.default_rng(0)
    truth = random.integers(10, 90, 80)
    rows = [[str(value + random.integers(-5, 6)) for _ in range(3)] for value in truth]
    found = agree(Labels.from_rows(rows), scale="interval")
    said = " ".join(map(str, found.diagnosis.sentences))
    assert "Two ratings of the same item differ by" in said
    assert "on 0% of the items" not in said
    assert found.spearman.mean > 0.9


def test_mean_differences_are_those_of_the_obvious_loop():
    rows = [["1", "3", None], ["2", "2", "5"], ["4", None, "1"]]
    said = " ".join(map(str, agree(Labels.from_rows(rows), scale="interval").diagnosis.sentences))
    same = np.mean([2, 0, 3, 3, 3])
    assert f"differ by {same:.3g} on average" in said


def test_no_two_labels_on_an_item():
    (found,) = agree(Labels.from_rows([["a", None], [None, "b"]])).diagnosis.sentences
    assert found.text == "No item has labels from two coders, so nothing can be said about agreement."
    assert found.warning


def test_disagreement_of_items():
    labels = Labels.from_rows([["a", "a", "a"], ["a", "a", "b"], ["a", "b", "c"], ["a", None, None]])
    assert item_disagreement(labels) == pytest.approx([0, 2 / 3, 1, np.nan], nan_ok=True)
    frame = disagreement_table(labels)
    assert frame["item"].to_list() == ["3", "2"]
    assert frame["given"].to_list() == ["a × 1, b × 1, c × 1", "a × 2, b × 1"]
    assert frame["1"].to_list() == ["a", "a"]


def test_the_command(concur, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(",Accept,Ack\nAccept,90,5\nAck,5,0\n")
    done = concur("agree", path, "--table", "--json", "--disagreements", tmp_path / "items.csv")
    found = done.json
    assert found["diagnosis"]["prevalence_index"] == pytest.approx(0.9)
    assert found["diagnosis"]["three_numbers"]["prevalence_adjusted_kappa"] == pytest.approx(0.8)
    assert found["categories"]["Ack"]["specific_agreement"] == 0
    assert found["pairs"][0]["proportions"] == [[0.9, 0.05], [0.05, 0.0]]
    kappa = found["coefficients"]["cohen_kappa"]
    assert (kappa["trusted"], kappa["interval_method"]) == (True, "posterior")
    assert "probably too narrow" in kappa["note"]
    assert [warning["code"] for warning in found["warnings"]] == ["interval_untrusted"]
    low, high = kappa["interval"]
    assert kappa["intervals"]["fleiss_cohen_everitt"] != kappa["interval"]
    assert low < kappa["value"] < high
    for scale in found["scales"].values():
        for bands in scale.values():
            assert sum(bands.values()) == pytest.approx(1)
    assert len((tmp_path / "items.csv").read_text().splitlines()) == 11


def test_bootstrap_on_the_command_line(concur, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(",a,b\na,40,15\nb,20,25\n")
    done = concur("agree", path, "--table", "--json", "--bootstrap", "300", "--seed", "7")
    kappa = done.json["coefficients"]["cohen_kappa"]
    assert kappa["interval_method"] == "bootstrap_bca"
    assert kappa["bootstrap"]["draws"] == 300
    assert done.json["provenance"]["seed"] == 7
    assert "seed: 7" in done.err
    again = concur("agree", path, "--table", "--json", "--bootstrap", "300", "--seed", "7")
    assert again.json["coefficients"] == done.json["coefficients"]


@given(st.lists(st.tuples(st.sampled_from("1234"), st.sampled_from("1234")), min_size=4, max_size=30))
def test_spearman_is_that_of_scipy(rows):
    found = mean_rank_correlation(Labels.from_rows(rows, categories=["1", "2", "3", "4"])).mean
    columns = list(zip(*rows, strict=True))
    if len(set(columns[0])) > 1 and len(set(columns[1])) > 1:
        assert found == pytest.approx(spearmanr(*[[float(label) for label in column] for column in columns]).statistic)
    else:
        assert np.isnan(found)


def test_words_have_no_rank_correlation():
    assert mean_rank_correlation(Labels.from_rows([["a", "b"]])) is None


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), min_size=12, max_size=60))
def test_leaning_is_bowkers_test_of_the_whole_table(rows):
    labels = Labels.from_rows([list(row) for row in rows], categories=tuple("abcd"))
    study = label_study(labels, AgreeOptions())
    leans, tested = leaning_pairs(labels, study)
    table = study.cross_table().dense()
    assert tested == int(table.sum() - np.trace(table) >= 10)
    expected = bowker(table).p_value if tested else None
    assert bool(leans) == bool(tested and expected <= 0.05)
    for lean in leans:
        one, other = (labels.categories.index(name) for name in lean.categories)
        assert (lean.this_way, lean.other_way) == (table[one, other], table[other, one])
        assert lean.p_value == pytest.approx(expected)


def test_a_change_without_a_coder_has_an_interval_where_ten_items_have_a_rarer_label():
    for rare, known in ((9, False), (10, True)):
        codes = np.zeros((200, 3), dtype=np.int32)
        codes[:rare] = 1
        codes[:4, 2] = 0
        labels = Labels(codes=codes, categories=("a", "b"), coders=("x", "y", "z"))
        assert [one.interval is not None for one in agree(labels, pairs=False).leave_one_out] == [known] * 3
