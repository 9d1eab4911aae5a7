"""``concur spans``: JSON, files and errors."""

import csv

import pytest

ROWS = "document,coder,start,end,label\n" + "".join(
    f"d{k},{coder},{start},{start + 4 + (coder == 'bob' and k % 3 == 0)},{label}\n"
    for k in range(12)
    for coder in ("ann", "bob")
    for start, label in ((2, "PER"), (12, "LOC"))
)


@pytest.fixture
def marks(tmp_path):
    path = tmp_path / "marks.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def test_the_json_has_the_promised_keys(concur, marks):
    found = concur("spans", marks, "--length", "30", "--bootstrap", "100", "--json").json
    assert {"alpha_u", "gamma", "gamma_cat", "token_kappa", "f1_exact", "f1_overlap"} <= set(found["coefficients"])
    for one in found["coefficients"].values():
        assert {"value", "observed", "expected", "standard_error", "interval", "interval_method", "note"} <= set(one)
        assert len(one["interval"]) == 2
    by_category = found["coefficients"]["alpha_u"]["by_category"]
    assert set(by_category) == {"LOC", "PER"}
    assert {"value", "observed", "expected"} <= set(by_category["PER"])
    gamma = found["coefficients"]["gamma"]
    assert gamma["value"] == pytest.approx(1 - gamma["observed"] / gamma["expected"])
    assert found["coefficients"]["f1_overlap"]["value"] == 1
    assert found["provenance"]["command"] == "concur spans"


def test_tables_pages_and_charts(concur, marks, tmp_path):
    files = [tmp_path / f"out{ending}" for ending in (".csv", ".html", ".md", ".tex", ".svg", ".png")]
    for file in files:
        assert concur("spans", marks, "--length", "30", "--bootstrap", "20", "-o", file).code == 0
        assert file.stat().st_size
    places = tmp_path / "places.csv"
    assert concur("spans", marks, "--length", "30", "--only", "f1_exact", "--disagreements", places).code == 0
    rows = list(csv.DictReader(places.read_text("utf-8").splitlines()))
    assert len(rows) == 8
    assert rows[0]["ann"] == "PER 2–6"


def test_the_screen_is_short_and_full_says_all(concur, marks):
    brief = concur("spans", marks, "--length", "30").out
    whole = concur("spans", marks, "--length", "30", "--full").out
    assert len(brief.splitlines()) <= 30
    assert "Agreement by label" in whole
    assert "Agreement by label" not in brief


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("d0,ann,28,31,PER", "goes past the end of document 'd0', which is 30 positions long"),
        ("d0,ann,9,7,PER", "the span ends before it starts (start 9, end 7)"),
        ("d0,ann,4,9,PER", "overlaps their span 2–6 with the same label 'PER'"),
    ],
)
def test_bad_spans_are_one_sentence_and_exit_2(concur, marks, row, says):
    marks.write_text(f"{ROWS}{row}\n", encoding="utf-8")
    done = concur("spans", marks, "--length", "30")
    assert done.code == 2
    assert not done.out
    assert done.err.startswith(f"concur: {marks}, line {ROWS.count(chr(10)) + 1}: ")
    assert says in done.err
    assert done.err.count("\n") == 1


def test_a_reference_is_shown_on_the_screen(concur, marks):
    out = concur("spans", marks, "--length", "30", "--only", "f1_exact", "--reference", "ann").out
    assert "Every coder against ann" in out
