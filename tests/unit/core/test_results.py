"""Results as people use them in Python: looked up by name, printed in a line, saved as the command saves them."""

import json

import polars as pl
import pytest

import concurrence
from concurrence.core.errors import InvalidInputError, UnknownNameError


@pytest.fixture(scope="module")
def report():
    return concurrence.agree(concurrence.Labels.from_rows([["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"]] * 5))


def test_a_report_is_asked_for_its_coefficients_by_name(report):
    assert "cohen_kappa" in report
    assert "cohens_kappa" not in report
    assert list(report) == list(report.coefficients)
    assert report["cohen_kappa"] is report.coefficients["cohen_kappa"]
    with pytest.raises(UnknownNameError, match="Did you mean 'cohen_kappa'"):
        report["cohens_kappa"]


def test_ratings_and_spans_are_asked_alike():
    ratings = concurrence.ratings([9, 6, 8, 7], [8, 2, 8, 6], bootstrap=20)
    assert "icc_2_1" in ratings
    assert list(ratings) == list(ratings.coefficients)
    assert ratings.defined("icc_2_1") is ratings["icc_2_1"]


def test_what_is_printed_of_a_report_in_a_session_is_one_line(report):
    assert repr(report).startswith("<AgreementReport: Percent agreement = 0.750 [")
    assert "\n" not in repr(report)
    assert repr(report["cohen_kappa"]) == f"<Agreement: {report['cohen_kappa']}>"
    assert str(report).count("\n") > 3


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "html", "md", "tex", "svg", "png", "json"])
def test_a_report_is_saved_in_the_format_of_the_ending(report, ending, tmp_path):
    path = tmp_path / f"report.{ending}"
    report.save(str(path))
    assert path.stat().st_size > 0
    if ending == "csv":
        assert pl.read_csv(path)["coefficient"].to_list() == report.to_frame()["coefficient"].to_list()
    if ending == "json":
        assert json.loads(path.read_text("utf-8"))["kind"] == "AgreementReport"


def test_what_is_written_is_what_the_command_writes(report, tmp_path, concur):
    labels = tmp_path / "labels.csv"
    labels.write_text(
        "item,coder,label\n"
        + "".join(
            f"{k}{n},{coder},{label}\n"
            for n in range(5)
            for k, pair in enumerate(["aa", "ab", "bb", "bb"])
            for coder, label in zip(("coder1", "coder2"), pair, strict=True)
        )
    )
    concur("agree", labels, "-o", tmp_path / "command.csv")
    report.save(tmp_path / "python.csv")
    assert (tmp_path / "python.csv").read_text() == (tmp_path / "command.csv").read_text()


def test_what_has_no_table_says_so(tmp_path):
    interval = concurrence.Interval(low=0.25, high=0.5, level=0.95, method="exact")
    with pytest.raises(InvalidInputError, match="has no table"):
        interval.save(tmp_path / "x.csv")
    assert not list(tmp_path.iterdir())


def test_pairs_and_samples_are_saved_so_that_they_can_be_read_again(tmp_path):
    pairs = concurrence.count_pairs(concurrence.Tokens.from_sentences([["a", "red", "rose"]] * 3), rule="adjacent")
    pairs.save(tmp_path / "pairs.ds.gz")
    assert concurrence.read_pairs(tmp_path / "pairs.ds.gz").table["f"].to_list() == [3, 3]
    sample = concurrence.draw_sample(pairs.table.with_columns(good=pl.col("f").cast(float)), size=1)
    sample.save(tmp_path / "sample.csv")
    assert concurrence.read_sample(tmp_path / "sample.csv").size == 1


def test_own_fields_of_a_coefficient_stand_in_json_where_they_always_stood(report):
    keys = list(report.to_json()["coefficients"]["cohen_kappa"])
    assert keys[:7] == ["coefficient", "title", "synonyms", "value", "observed", "expected", "measures"]
    assert keys[-6:] == ["items", "dropped", "convention", "note", "sd", "bootstrap"]
