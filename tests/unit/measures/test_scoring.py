import polars as pl
import pytest

import concurrence
from concurrence.core.errors import InvalidInputError
from concurrence.measures import MEASURES

FRAME = pl.DataFrame(
    {
        "l1": ["b", "a", "c"],
        "l2": ["x", "y", "z"],
        "f": [5, 0, 0],
        "f1": [5, 5, 0],
        "f2": [5, 5, 2],
        "N": [100, 100, 100],
        "remark": ["01", "1", None],
    }
)


def test_rows_and_their_order_stay():
    scored = concurrence.score(FRAME, "all")
    assert scored.table.select(FRAME.columns).equals(FRAME)
    assert scored.table.columns == [*FRAME.columns, *MEASURES]


@pytest.mark.parametrize("convert", [lambda f: f, lambda f: f.to_pandas(), lambda f: f.to_arrow()])
def test_any_frame_is_taken(convert):
    assert concurrence.score(convert(FRAME), ["dice"]).table["dice"].to_list() == [1.0, 0.0, 0.0]


def test_infinite_is_infinite_and_undefined_is_null():
    table = concurrence.score(FRAME, "odds_ratio").table
    assert table["odds_ratio"].to_list() == [float("inf"), float("-inf"), None]
    ucs = concurrence.score(FRAME, "odds_ratio", ucs=True).table
    assert ucs["odds_ratio"].to_list() == [1e7, -1e7, None]


def test_a_measure_of_ones_own():
    table = concurrence.score(FRAME, "dice", define=["cosine = O / sqrt(R1 * C1)"]).table
    assert table["cosine"].to_list() == [1.0, 0.0, None]
    for taken in ("dice = O", "f = O", "l1 = O"):
        with pytest.raises(InvalidInputError, match="is taken"):
            concurrence.score(FRAME, "dice", define=[taken])


def test_a_measure_of_ones_own_may_be_named_among_the_others(concur, pairs):
    arguments = ("-m", "dice,cosine", "--define", "cosine = O / sqrt(R1 * C1)", "--json")
    assert concur("score", pairs, *arguments).json["measures"] == ["dice", "cosine"]
    alone = concurrence.score(FRAME, ["cosine"], define=["cosine = O / sqrt(R1 * C1)"]).table
    assert alone.columns == [*FRAME.columns, "cosine"]


def test_a_misspelt_measure_is_an_error_that_knows_better():
    with pytest.raises(InvalidInputError) as error:
        concurrence.score(FRAME, "log_likelihod")
    assert str(error.value) == "There is no association measure 'log_likelihod'. Did you mean 'log_likelihood'?"


@pytest.fixture
def pairs(tmp_path):
    FRAME.write_csv(tmp_path / "pairs.csv")
    return tmp_path / "pairs.csv"


@pytest.mark.parametrize("ending", ["csv", "tsv.gz", "jsonl", "parquet", "ds"])
def test_the_command_writes_every_format(concur, pairs, tmp_path, ending):
    out = tmp_path / f"scored.{ending}"
    done = concur("score", pairs, "-m", "odds_ratio,am.Dice", "--define", "half = O/2", "-o", out)
    assert (done.code, done.out) == (0, "")
    back = concurrence.read_pairs(out)
    assert back.scores("odds_ratio")[:2].tolist() == [float("inf"), float("-inf")]
    assert back.scores("half").tolist() == [2.5, 0, 0]
    assert back.table["l1"].to_list() == ["b", "a", "c"]


def test_the_command_prints_json_and_a_table(concur, pairs):
    payload = concur("score", pairs, "-m", "MI,dice", "--json").json
    assert payload["measures"] == ["MI", "dice"]
    assert payload["rows"][1]["MI"] == "-inf"
    assert payload["rows"][2]["MI"] is None
    assert (payload["schema"], payload["kind"]) == (2, "ScoredPairs")
    assert "3 pairs" in concur("score", pairs).out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-m", "log_likelihod"], "Did you mean 'log_likelihood'?"),
        (["-m", ""], "There is no association measure"),
        (["--define", "x = O ^ 2"], "Powers are written **"),
        (["--key", "a,b"], "has no column 'a'"),
    ],
)
def test_bad_calls_are_one_sentence(concur, pairs, tmp_path, arguments, words):
    out = tmp_path / "out.csv"
    done = concur("score", pairs, *arguments, "-o", out)
    assert done.code == 2
    assert words in done.err
    assert done.err.count("\n") == 1
    assert not out.exists()


def test_the_list_of_measures(concur, tmp_path):
    rows = concur("measures", "--json").json["measures"]
    assert [row["name"] for row in rows] == list(MEASURES)
    assert all(row["formula"] and row["reference"] and row["summary"] for row in rows)
    one = concur("measures", "am.Fisher.pv", "--json").json["measures"]
    assert [row["name"] for row in one] == ["fisher_pv"]
    assert "one-sided" in concur("measures", "fisher_pv").out
    assert "log_likelihood" in concur("measures").out
    assert concur("measures", "-o", tmp_path / "m.csv").code == 0
    assert concur("measures", "nonsense").code == 2
