"""What a person does in Python, on the terminal and with a paper."""

import subprocess
import sys

import numpy as np
import polars as pl
import pytest

import concurrence
from concurrence.core import InvalidInputError, Labels
from support.lazy_modules import LazyModule

pd = LazyModule("pandas")

FIRST, SECOND = ["y", "n", "y", "n", "y"], ["y", "n", "n", "n", "y"]


def test_two_lists_are_two_coders():
    expected = concurrence.agree(Labels.from_rows(list(zip(FIRST, SECOND, strict=True))))["cohen_kappa"].value
    assert concurrence.agree(FIRST, SECOND)["cohen_kappa"].value == expected
    assert concurrence.agree(np.array(FIRST), pl.Series(SECOND))["cohen_kappa"].value == expected


def test_a_nan_among_whole_numbers_makes_no_new_category():
    found = concurrence.agree([1, 0, 1, 0, 1], [1.0, 0.0, float("nan"), 0.0, 1.0])
    assert found.data.categories == ("0", "1")
    assert found["cohen_kappa"].value == 1


def test_lists_of_different_length_are_refused():
    with pytest.raises(InvalidInputError, match="one has 2, the other 1"):
        concurrence.agree(["a", "b"], ["a"])


def test_a_frame_is_read():
    frame = pl.DataFrame({"item": ["1", "1", "2", "2"], "coder": ["a", "b"] * 2, "label": ["y", "y", "n", "y"]})
    assert concurrence.agree(frame).data.coders == ("a", "b")
    wide = pl.DataFrame({"item": ["1", "2"], "a": ["y", "n"], "b": ["y", "y"]})
    assert concurrence.agree(wide, shape="wide").data.coders == ("a", "b")


def test_pandas_needs_no_pyarrow(monkeypatch):
    # Text as objects: where pyarrow is installed, pandas 3 keeps text in it.
    items = pd.Categorical(pd.Series(["p", "q", "r", "s"], dtype=object))
    numbers = pd.DataFrame({"item": items, "a": [1.0, 2.0, 1.0, None], "b": [1, 2, 2, 2]})
    words = {name: pd.Series([word], dtype=object) for name, word in (("l1", "the"), ("l2", "swiss"))}
    pairs = pd.DataFrame(words | {"f": [110], "f1": [2552], "f2": [221], "N": [31777]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    report = concurrence.agree(numbers, shape="wide")
    assert report.data.categories == ("1", "2")
    assert report["cohen_kappa"].value == pytest.approx(0.4)
    assert concurrence.score(pairs, "frequency").table["frequency"].to_list() == [110]


def test_results_become_frames():
    report = concurrence.agree(FIRST, SECOND)
    assert "cohen_kappa" in report.to_frame()["coefficient"].to_list()
    rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", "a"], ["a", "a", "a"]] * 3
    labels = Labels.from_rows(rows, coders=("x", "y", "z"))
    results = (
        concurrence.compare(labels, a=["x", "y"], b=["x", "z"], draws=20),
        concurrence.judge(labels, "z"),
        concurrence.fit_coder_model(labels),
    )
    assert all(isinstance(one.to_frame(), pl.DataFrame) for one in results)


TABLES = [[[40, 15], [20, 25]], [[90, 5], [5, 0]], [[1, 1], [1, 1]], [[50, 0], [0, 50]], [[70, 25], [0, 55]]]


@pytest.mark.parametrize("cells", TABLES)
def test_a_table_of_two_coders_fits_a_screen(concur, tmp_path, cells):
    (a, b), (c, d) = cells
    (tmp_path / "table.csv").write_text(f",yes,no\nyes,{a},{b}\nno,{c},{d}\n")
    out = concur("agree", tmp_path / "table.csv", "--table").out
    assert len(out.splitlines()) <= 24
    for words in (
        "Cohen's kappa",
        "Scott's pi",
        "2P(A) - 1",
        "Prevalence index",
        "bias index",
        "conservative",
        "--full",
    ):
        assert words in out
    assert "e-1" not in out


def test_only_some_coefficients(concur, tmp_path):
    (tmp_path / "table.csv").write_text(",yes,no\nyes,40,15\nno,20,25\n")
    call = ("agree", tmp_path / "table.csv", "--table", "--only", "cohen_kappa,gwet_ac1")
    assert list(concur(*call, "--json").json["coefficients"]) == ["cohen_kappa", "gwet_ac1"]
    assert "Scott" not in concur(*call).out
    assert concur(*call, "-o", tmp_path / "some.csv").code == 0
    assert pl.read_csv(tmp_path / "some.csv")["coefficient"].to_list() == ["cohen_kappa", "gwet_ac1"]
    assert concur(*call[:3], "--only", "gwet_ac1").code == 0


def test_one_sentence_for_a_paper(concur, tmp_path):
    (tmp_path / "table.csv").write_text(",yes,no\nyes,40,15\nno,20,25\n")
    said = "2 coders labelled 100 items, with 65.0% agreement: Cohen's κ = .29, 95% CI [.10, .47], p = .004."
    assert concur("agree", tmp_path / "table.csv", "--table", "--json").json["apa"] == said
    assert said in concur("agree", tmp_path / "table.csv", "--table", "--full").out
    (tmp_path / "few.csv").write_text(",yes,no\nyes,8,1\nno,1,3\n")
    assert "95% CrI [" in concur("agree", tmp_path / "few.csv", "--table", "--json").json["apa"]


def paper(concur, tmp_path):
    (tmp_path / "table.csv").write_text(",a_b,<c>\na_b,400,15\n<c>,20,250\n")
    assert concur("agree", tmp_path / "table.csv", "--table", "-o", tmp_path / "table.tex").code == 0
    return (tmp_path / "table.tex").read_text("utf-8")


def test_tables_for_latex_have_labels_and_no_bare_signs(concur, tmp_path):
    text = paper(concur, tmp_path)
    assert "$<$.001" in text
    assert text.count("\\label{") == text.count("\\caption{") == len(set(text.split("\\label{")[1:]))
    assert "\\caption{Coefficients of agreement (2 coders, 685 items)}" in text


@pytest.mark.latex
def test_tables_for_latex_compile(concur, tmp_path):
    tables = paper(concur, tmp_path)
    whole = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs}\n\\begin{document}\n"
    (tmp_path / "paper.tex").write_text(f"{whole}{tables}\\end{{document}}\n", "utf-8")
    call = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.parametrize("how", [{"scale": "ordinal"}, {"weights": "linear"}])
def test_words_without_an_order_are_refused_in_python_too(how):
    first, second = ["low", "medium", "high", "low"], ["low", "high", "high", "medium"]
    labels = Labels.from_rows(list(zip(first, second, strict=True)), coders=("a", "b"))
    verbs = (
        lambda given: concurrence.agree(given, **how),
        lambda given: concurrence.judge(given, "b", **how),
        lambda given: concurrence.compare(given, given, draws=20, **how),
    )
    for verb in verbs:
        with pytest.raises(InvalidInputError, match=r'categories=\["low", "medium", "high"\]'):
            verb(labels)
    declared = Labels.from_rows(
        list(zip(first, second, strict=True)), coders=("a", "b"), categories=("low", "medium", "high")
    )
    for verb in verbs:
        verb(declared)


def test_what_is_printed_speaks_of_names_not_of_identifiers():
    report = concurrence.agree(FIRST, SECOND)
    assert str(report["cohen_kappa"]).startswith("Cohen's kappa = ")
    assert "_" not in str(report)
    labels = Labels.from_rows(list(zip(FIRST, SECOND, strict=True)), coders=("a", "b"))
    assert str(concurrence.compare(labels, labels, draws=20)).startswith("Cohen's kappa: ")


def test_errors_in_python_name_keywords():
    labels = Labels.from_rows(list(zip(FIRST, SECOND, strict=True)), coders=("a", "b"))
    with pytest.raises(InvalidInputError, match=r"a=\[coder, coder\] and b=\[coder, coder\]"):
        concurrence.compare(labels)
    with pytest.raises(InvalidInputError, match=r"or one and a reference=; only 'a' is named"):
        concurrence.compare(labels, a=["a"], b=["b"])


def test_ratings_and_spans_are_printed_with_their_names_too():
    ratings = concurrence.ratings([9, 6, 8, 7, 10, 6], [8, 2, 8, 6, 9, 7], bootstrap=20)
    assert str(ratings["icc_2_1"]).startswith("ICC(2,1) = ")
    rows = [("a", "x", 0, 4, "P"), ("a", "y", 0, 4, "P")]
    frame = pl.DataFrame(rows, schema=["document", "coder", "start", "end", "label"], orient="row")
    assert str(concurrence.spans(frame, length=10)["f1_exact"]) == "F1 (exact) = 1.000 (1 document)"
