"""A made-up table in the layout of KrennPPV: read in all its versions, and turned into the figures of the paper."""

import numpy as np
import polars as pl
import pytest

import concurrence
from concurrence.core import InvalidInputError, UnknownNameError
from concurrence.evaluation.krenn import MEASURES, krenn_figures, select_measures
from concurrence.evaluation.options import KrennOptions
from concurrence.files.pairs.krenn import read_judged, read_krenn
from concurrence.report.pages.krenn import krenn_document

THEIRS = {
    "l1": "PP", "l2": "verb", "f": "freq", "f1": "f.PP", "f2": "f.verb", "MI10": "MI", "dice": "Dice",
    "z_score": "z.score", "t_score": "t.score", "chi_squared": "chisq", "chi_squared_corr": "chisq.corr",
    "log_likelihood": "log.like", "fisher_pv": "Fisher",
}  # fmt: skip


def made_up(size=400, seed=0):
    """Pairs whose frequency says something of what they are, with scores under the names of R."""
    random = np.random.default_rng(seed)
    f = 3 + random.poisson(6, size)
    signatures = {"f": f, "f1": f + random.integers(1, 90, size), "f2": f + random.integers(1, 900, size)}
    frame = pl.DataFrame(
        {"l1": [f"in:N{i}" for i in range(size)], "l2": [f"v{i % 23}" for i in range(size)], **signatures, "N": 90_000}
    )
    scored = concurrence.score(frame, [name for name in THEIRS if name not in frame.columns]).table.rename(THEIRS)
    colloc = random.random(size) < 1 / (1 + np.exp(12 - f))
    words = {"is.colloc": colloc, "is.SVC": colloc & (f % 2 == 0), "is.figur": colloc & (f % 2 == 1)}
    return scored.with_columns(pl.Series(name, np.where(held, "TRUE", "FALSE")) for name, held in words.items())


@pytest.fixture
def file(tmp_path):
    made_up().write_csv(tmp_path / "krenn.csv")
    return tmp_path / "krenn.csv"


def test_the_layout_is_read_by_our_names(file):
    read, theirs = read_krenn(file), made_up()
    assert read["l1"].to_list() == theirs["PP"].to_list()
    assert read["frequency"].to_list() == theirs["freq"].to_list()
    assert read["log_likelihood"].to_list() == pytest.approx(theirs["log.like"].to_list())
    assert (read["tp"] == "true").sum() == (theirs["is.colloc"] == "TRUE").sum()


def test_the_kinds_are_columns(file):
    true = {kind: int((read_krenn(file, kind=kind)["tp"] == "true").sum()) for kind in ("colloc", "SVC", "figur")}
    assert true["colloc"] == true["SVC"] + true["figur"] > true["SVC"] > 0
    with pytest.raises(UnknownNameError, match="SVC"):
        read_krenn(file, kind="idiom")


def test_scores_computed_from_the_margins_are_those_of_the_file(file):
    pairs = read_judged(file)
    scored = concurrence.score(pairs, "t_score,chi_squared_corr,MI10").table
    for name, theirs in (("t_score", "t.score"), ("chi_squared_corr", "chisq.corr"), ("MI10", "MI")):
        assert scored[name].to_list() == pytest.approx(made_up()[theirs].to_list())


def test_an_older_version_has_no_margins(file, tmp_path):
    made_up().drop("f.PP", "f.verb", "N").write_csv(tmp_path / "old.csv")
    assert krenn_figures(read_krenn(tmp_path / "old.csv"), KrennOptions()).whole.data.candidates == 400
    with pytest.raises(InvalidInputError, match=r"no column f\.PP.*concur krenn"):
        read_judged(tmp_path / "old.csv")


def test_other_tables_of_pairs_are_read_as_before(tmp_path):
    (tmp_path / "p.csv").write_text("l1,l2,f,f1,f2,N,tp\na,b,1,2,3,9,1\n")
    assert read_judged(tmp_path / "p.csv").table.row(0) == ("a", "b", 1, 2, 3, 9, 1)


def test_the_whole_list_has_the_precision_that_counting_gives(file):
    table = read_krenn(file)
    found = krenn_figures(table, KrennOptions(upto=150))
    true = (table.sort("t_score", descending=True)["tp"] == "true").to_list()
    curve = found.whole.measures["t_score"]
    for n, precision in zip(curve.n.tolist(), curve.precision.tolist(), strict=True):
        assert precision == pytest.approx(sum(true[:n]) / n, abs=0.01)  # but for ties
    assert found.whole.baseline.value == pytest.approx(sum(true) / 400)


def test_the_sample_is_that_of_an_evaluation(file):
    table = read_krenn(file)
    found = krenn_figures(table, KrennOptions(rate=0.25, upto=150, seed=3))
    other = concurrence.evaluate(
        table, table.select("l1", "l2", "tp"), measures=MEASURES, n=found.sample.measures["t_score"].n.tolist(),
        simulate=0.25, interval="clopper-pearson", seed=3,
    )  # fmt: skip
    assert found.sample.measures == other.measures
    assert found.sample.data.judged == 100
    truth = found.sample.measures["t_score"].true_precision
    whole = dict(
        zip(found.whole.measures["t_score"].n.tolist(), found.whole.measures["t_score"].precision, strict=True)
    )
    assert truth[-1] == pytest.approx(whole[150])


def test_there_are_four_figures_with_what_the_paper_shows(file):
    found = krenn_figures(read_krenn(file), KrennOptions(rate=0.5))
    charts = krenn_document(found).charts
    assert [chart.caption.partition(".")[0] for chart in charts] == [f"Figure {i}" for i in range(1, 5)]
    assert [len(chart.specification.get("concat", [])) for chart in charts] == [0, 2, 2, 0]
    assert "dotted" in charts[2].caption
    pair = select_measures(found.sample, MEASURES[:2])
    assert [(one.a, one.b) for one in pair.comparisons] == [MEASURES[:2]]
    assert select_measures(found.whole, upto=150).measures["frequency"].n.max() <= 150


def test_sentences_say_what_was_drawn(file):
    told = krenn_figures(read_krenn(file, kind="SVC"), KrennOptions(kind="SVC", rate=0.5)).sentences
    assert "of the kind SVC" in told[0].text
    assert "A sample of 50% (200 candidates)" in told[0].text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda table: table.drop("t.score"), "no scores of t_score"),
        (lambda table: table.drop("is.colloc"), "is.colloc"),
        (
            lambda table: table.with_columns(pl.lit("much").alias("log.like")),
            "line 2: log.like = 'much' is not a number",
        ),
    ],
)
def test_what_has_another_layout_is_refused(change, words, tmp_path, concur):
    change(made_up()).write_csv(tmp_path / "x.csv")
    refused = concur("krenn", tmp_path / "x.csv")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert words in refused.err


def test_the_commands(file, tmp_path, concur):
    found = concur("krenn", file, "--kind", "SVC", "--rate", "50%", "--json").json
    assert set(found) >= {"kind", "rate", "upto", "whole", "sample", "sentences", "warnings"}
    assert found["upto"] == 133
    assert (found["kind"], found["true_kind"]) == ("PrecisionFigures", "SVC")
    assert concur("krenn", file, "-o", tmp_path / "k.html").code == 0
    assert "Figure 4" in (tmp_path / "k.html").read_text("utf-8")
    assert concur("krenn", file, "-o", tmp_path / "k.csv").code == 0
    ranked = concur("benchmark", file, "-m", "frequency,MI", "--clusters", "l2", "--json").json
    assert ranked["tables"]["krenn"]["data"]["clusters"] == 23
    assert concur("krenn", file, "--upto", "4000").code == 2


def test_its_json_is_read_by_the_report(file, tmp_path, concur):
    (tmp_path / "krenn.json").write_text(concur("krenn", file, "--rate", "50%", "--json").out, "utf-8")
    assert concur("report", tmp_path / "krenn.json", "-o", tmp_path / "report.html").code == 0
    assert "Figure 4" in (tmp_path / "report.html").read_text("utf-8")
