"""What a user meets at the edges: tiny samples, groups with habits of their own, very many categories."""

import pytest

from concurrence import agree
from concurrence.agreement.labels.diagnosis.categories import stuart_maxwell
from concurrence.agreement.labels.dual.true_agreement import true_agreement
from concurrence.core import Labels

GROUPED = (
    "item,word,coder,label\n"
    "1,bank,A,shore\n1,bank,B,shore\n2,bank,A,money\n2,bank,B,shore\n3,bank,A,money\n3,bank,B,money\n"
    "1,fly,A,insect\n1,fly,C,insect\n2,fly,A,travel\n2,fly,C,insect\n3,fly,A,other\n3,fly,C,other\n"
    "1,mono,A,x\n1,mono,B,x\n1,solo,A,x\n"
)


def _alone(word):
    header, *rows = GROUPED.splitlines()
    return "\n".join([header, *(row for row in rows if f",{word}," in row)]) + "\n"


@pytest.mark.parametrize("word", ["bank", "fly", "mono"])
def test_a_group_is_analysed_as_if_it_were_read_alone(concur, tmp_path, word):
    (tmp_path / "all.csv").write_text(GROUPED, "utf-8")
    (tmp_path / "one.csv").write_text(_alone(word), "utf-8")
    grouped = concur("agree", tmp_path / "all.csv", "--by", "word", "--confusion", "--json").json["groups"][word]
    single = concur("agree", tmp_path / "one.csv", "--json").json
    for key in ("data", "coefficients", "pairs", "true_agreement", "categories"):
        assert grouped[key] == single[key]


def test_a_group_with_one_coder_does_not_stop_the_others(concur, tmp_path):
    (tmp_path / "all.csv").write_text(GROUPED, "utf-8")
    found = concur("agree", tmp_path / "all.csv", "--by", "word", "--expert", "B", "--json").json["groups"]
    assert found["solo"]["coefficients"]["fleiss_kappa"]["value"] is None
    assert found["solo"]["coefficients"]["fleiss_kappa"]["note"]
    assert found["fly"]["expert"]["coder"] == "B"


def test_groups_share_declared_categories_and_graded_scales(concur, tmp_path):
    (tmp_path / "all.csv").write_text("item,word,coder,label\n1,a,A,1\n1,a,B,3\n2,a,A,1\n2,a,B,1\n1,b,A,2\n1,b,B,2\n")
    for option in (("--categories", "1,2,3"), ("--scale", "ordinal")):
        found = concur("agree", tmp_path / "all.csv", "--by", "word", *option, "--json").json["groups"]
        assert found["a"]["data"]["categories"] == ["1", "2", "3"]


def test_one_item_has_no_standard_error_and_says_so():
    report = agree(Labels.from_rows([["x", "y"]], categories=["x", "y"]))
    for name in ("cohen_kappa", "fleiss_kappa", "gwet_ac1", "krippendorff_alpha"):
        found = report[name]
        assert found.standard_error != found.standard_error
        assert found.interval_method == "posterior"
        assert found.interval.width > 0.9
        assert "too few items" in found.note


def test_one_category_gets_no_interval_that_could_be_trusted(concur, tmp_path):
    (tmp_path / "l.csv").write_text("item,coder,label\n1,a,x\n1,b,x\n2,a,x\n2,b,x\n", "utf-8")
    found = concur("agree", tmp_path / "l.csv", "--json").json
    assert set(found["coefficients"]["percent_agreement"]["intervals"]) == {"exact", "gwet_t"}


def test_coders_without_a_common_item_are_not_said_to_agree(concur, tmp_path):
    (tmp_path / "l.csv").write_text("item,coder,label\n1,a,x\n2,b,y\n", "utf-8")
    assert "never disagreed" not in concur("agree", tmp_path / "l.csv").out


@pytest.mark.parametrize("table", [[[0, 38], [4, 7]], [[0, 15], [5, 16]], [[0, 50], [50, 0]]])
def test_every_missing_bound_of_true_agreement_has_a_note(table):
    found = true_agreement(table)
    assert any(bounds.empty for bounds in (found.homogeneity, found.conservative, found.conservative_kappa))
    assert "no amount of true agreement explains these data" in found.note.lower()


def test_an_expert_of_more_than_two_categories_says_where_the_bounds_are(concur, tmp_path):
    (tmp_path / "w.csv").write_text("item,a,b\n1,x,x\n2,y,z\n3,z,z\n4,y,y\n", "utf-8")
    row = concur("agree", tmp_path / "w.csv", "--wide", "--expert", "a", "--json").json["expert"]["rows"][0]
    assert row["homogeneity"] == {"low": None, "high": None}
    assert "by_category" in row["note"]
    assert set(row["by_category"]) == {"x", "y", "z"}


def test_stuart_maxwell_leaves_out_what_was_never_confused():
    small = [[20, 5], [9, 30]]
    large = [[20, 0, 5, 0], [0, 7, 0, 0], [9, 0, 30, 0], [0, 0, 0, 0]]
    assert stuart_maxwell(large) == stuart_maxwell(small)


def test_very_many_categories_take_no_cubic_time():
    n = 1500
    labels = Labels.from_rows([[f"a{i}", f"b{i}" if i % 2 else f"a{i}"] for i in range(n)])
    tests = {test.name: test for test in agree(labels).diagnosis.homogeneity}
    assert tests["stuart_maxwell"].p_value is None
    assert "Too many categories" in tests["stuart_maxwell"].note


def test_a_negative_label_on_a_ratio_scale_is_named_with_its_line(concur, tmp_path):
    (tmp_path / "w.csv").write_text("item,a,b\n1,1,2\n2,3,-1\n", "utf-8")
    refused = concur("agree", tmp_path / "w.csv", "--wide", "--scale", "ratio")
    assert refused.code == 2
    assert "w.csv, line 3: the label '-1' is negative" in refused.err


def test_a_wrong_ending_names_what_can_be_written(concur, tmp_path):
    (tmp_path / "w.csv").write_text("item,a,b\n1,x,y\n2,x,x\n", "utf-8")
    refused = concur("agree", tmp_path / "w.csv", "--wide", "-o", tmp_path / "out.doc")
    assert refused.code == 2
    assert ".parquet" in refused.err
    assert ".html" in refused.err
    assert not (tmp_path / "out.doc").exists()


@pytest.mark.parametrize(
    "arguments", [("compare", "--a", "1,2", "--b", "1,2"), ("judge", "--judge", "1"), ("agree", "--expert", "1")]
)
def test_counts_of_labels_have_no_coders_to_name(concur, tmp_path, arguments):
    (tmp_path / "c.csv").write_text("item,label,count\n1,a,2\n2,a,1\n2,b,1\n3,b,2\n", "utf-8")
    name, *options = arguments
    refused = concur(name, tmp_path / "c.csv", *options)
    assert refused.code == 2
    assert "counts without coders" in refused.err
