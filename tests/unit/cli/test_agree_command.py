"""``concur agree``: its JSON, its files, its refusals."""

import json

import pytest

TABLE = ",yes,no\nyes,40,15\nno,20,25\n"
LONG = "item,coder,label\n1,A,yes\n1,B,yes\n1,C,no\n2,A,no\n2,B,no\n2,C,no\n3,A,yes\n3,B,no\n3,C,yes\n4,A,no\n4,B,no\n"
COEFFICIENTS = {
    *("percent_agreement", "cohen_kappa", "scott_pi", "fleiss_kappa", "davies_fleiss_kappa", "mean_pairwise_kappa"),
    *("bennett_s", "prevalence_adjusted_kappa", "gwet_ac1", "gwet_ac2", "brennan_prediger", "weighted_kappa"),
    *("krippendorff_alpha", "bangdiwala_b"),
}
KEYS = {"value", "observed", "expected", "standard_error", "interval", "interval_method", "p_value", "p_value_method"}
METHODS = {
    "posterior",
    "fleiss_cohen_everitt",
    "gwet_t",
    "bootstrap_percentile",
    "bootstrap_bca",
    "jackknife",
    "exact",
    None,
}


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TABLE, "utf-8")
    return path


@pytest.fixture
def long(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(LONG, "utf-8")
    return path


def test_json_has_the_promised_keys(concur, table):
    found = concur("agree", table, "--table", "--json").json
    assert (found["schema"], found["kind"], found["warnings"]) == (2, "AgreementReport", [])
    assert found["provenance"]["command"] == "concur agree"
    assert {"items", "coders", "categories", "labels", "missing", "dropped"} <= set(found["data"])
    assert set(found["coefficients"]) >= COEFFICIENTS
    for entry in found["coefficients"].values():
        assert set(entry) >= {*KEYS, "note", "items", "dropped", "convention"}
        assert entry["interval_method"] in METHODS
        assert (entry["value"] is None) <= (entry["note"] is not None)
    assert found["pairs"][0]["confusion"] == [[40, 15], [20, 25]]
    assert set(found["pairs"][0]) >= {"coders", "items", "percent_agreement", "cohen_kappa", "scott_pi", "confusion"}
    assert found["true_agreement"]["homogeneity"] == {"low": 0.09, "high": 0.44}
    assert found["true_agreement"]["conservative"] == {"low": 0.06, "high": 0.46}
    assert set(found["true_agreement"]) >= {"estimate", "conservative_kappa"}
    assert (found["agreement_table"], found["expert"]) == (None, None)


def test_three_coders_have_pairs_and_no_true_agreement(concur, long):
    found = concur("agree", long, "--json", "--agreement-table", "--expert", "A").json
    assert [pair["coders"] for pair in found["pairs"]] == [["A", "B"], ["A", "C"], ["B", "C"]]
    assert found["true_agreement"] is None
    assert found["coefficients"]["cohen_kappa"]["value"] is None
    assert "two coders" in found["coefficients"]["cohen_kappa"]["note"]
    assert found["coefficients"]["mean_pairwise_kappa"]["sd"] is not None
    assert found["agreement_table"] == {
        "items": ["1", "2", "3", "4"],
        "categories": ["no", "yes"],
        "counts": [[1, 2], [3, 0], [1, 2], [2, 0]],
    }
    assert found["expert"]["coder"] == "A"
    row = found["expert"]["rows"][0]
    assert {"coder", "items", "cohen_kappa", "interval", "homogeneity", "conservative", "size", "group"} <= set(row)


def test_the_answer_comes_first(concur, table):
    shown = concur("agree", table, "--table").out.splitlines()
    assert "agree on 65" in shown[0]
    assert any("true agreement" in line.lower() for line in shown[:12])


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "html", "md", "tex", "svg", "png"])
def test_files_in_the_format_of_their_ending(concur, table, tmp_path, ending):
    path = tmp_path / f"result.{ending}"
    assert concur("agree", table, "--table", "-o", path).code == 0
    assert path.stat().st_size > 200


def test_json_and_a_file_together(concur, table, tmp_path):
    path = tmp_path / "result.csv"
    done = concur("agree", table, "--table", "--json", "-o", path)
    assert done.json["coefficients"]["cohen_kappa"]["value"] == pytest.approx(2 / 7)
    assert path.read_text("utf-8").startswith("coefficient,value")
    assert json.loads((tmp_path / "result.csv.meta.json").read_text("utf-8"))["command"] == "concur agree"


def test_weights_from_a_file_in_any_order(concur, table, tmp_path):
    weights = tmp_path / "weights.csv"
    weights.write_text("w,maybe,no,yes\nmaybe,1,.5,.5\nno,.5,1,.25\nyes,.5,.25,1\n", "utf-8")
    found = concur("agree", table, "--table", "--weights", weights, "--json").json["coefficients"]["weighted_kappa"]
    assert found["observed"] == pytest.approx(0.65 + 0.35 * 0.25)
    assert found["value"] == pytest.approx(2 / 7)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("w,yes,no\nyes,1,a\nno,0,1\n", "weights.csv, line 2: 'a' is not a number"),
        ("w,yes,maybe\nyes,1,0\nmaybe,0,1\n", "has no category 'no'"),
        ("w,yes,no\nyes,1,0\nmaybe,0,1\n", "must name the same categories"),
        ("w,yes,no\nyes,1,\nno,0,1\n", "weights.csv, line 2: an empty cell is not a number"),
    ],
)
def test_a_matrix_that_is_none_is_refused(concur, table, tmp_path, content, message):
    weights = tmp_path / "weights.csv"
    weights.write_text(content, "utf-8")
    refused = concur("agree", table, "--table", "--weights", weights)
    assert refused.code == 2
    assert message in refused.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--weights", "linaer"), "Did you mean 'linear'"),
        (("--scale", "interval"), "is not a number"),
        (("--level", "95"), "between 0 and 1"),
        (("--expert", "Z"), "There is no coder 'Z'"),
        (("--cuts", "a,b"), "give numbers separated by commas"),
        (("--weights", "absent.csv"), "does not exist"),
    ],
)
def test_refusals_are_one_sentence(concur, table, options, message):
    refused = concur("agree", table, "--table", *options)
    assert refused.code == 2
    assert message in refused.err
    assert "Traceback" not in refused.err
    assert refused.out == ""


def test_groups_and_their_mean(concur, tmp_path):
    path = tmp_path / "words.csv"
    lines = [
        f"{i},{coder},{label},{word}"
        for word in ("w", "v")
        for i, pair in enumerate(["aa", "ab", "bb"])
        for coder, label in zip("AB", pair, strict=True)
    ]
    path.write_text("item,coder,label,word\n" + "\n".join(lines) + "\n", "utf-8")
    found = concur("agree", path, "--by", "word", "--json").json
    assert list(found["groups"]) == ["w", "v"]
    assert found["groups"]["w"]["coefficients"]["cohen_kappa"]["value"] == found["mean"]["cohen_kappa"]
    shown = concur("agree", path, "--by", "word").out
    assert "mean of groups" in shown


def test_counts_of_labels(concur, tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("item,label,count\n1,x,3\n1,y,1\n2,x,0\n2,y,4\n", "utf-8")
    found = concur("agree", path, "--json").json
    assert found["coefficients"]["fleiss_kappa"]["value"] is not None
    assert found["coefficients"]["davies_fleiss_kappa"]["value"] is None
    assert found["pairs"] == []


def test_help_has_an_example_that_works(concur, table):
    shown = concur("agree", "--help").out
    assert "concur agree table.csv --table" in shown
    assert "\\b" not in shown


@pytest.mark.parametrize(
    ("content", "place"),
    [(LONG, "labels.csv, line 2: the label 'yes'"), (LONG.replace("yes", "1"), "line 4: the label 'no'")],
)
def test_a_label_that_is_no_number_is_named_with_its_line(concur, tmp_path, content, place):
    path = tmp_path / "labels.csv"
    path.write_text(content, "utf-8")
    refused = concur("agree", path, "--scale", "interval")
    assert refused.code == 2
    assert place in refused.err
