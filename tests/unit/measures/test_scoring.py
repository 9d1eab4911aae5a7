import numpy as np
import polars as pl
import pytest

import concurrence
from concurrence.core.errors import InvalidInputError
from concurrence.measures.table import MEASURES

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


def test_mutual_information_is_in_bits_and_in_base_10_under_its_own_name():
    frame = FRAME.head(1).with_columns(f=pl.lit(4), f1=pl.lit(5), f2=pl.lit(10))
    row = concurrence.score(frame, "MI,MI2,MI3,local_MI,MI10,MI2_10,MI3_10,local_MI10,average_MI,average_MI10").table
    assert [row[name][0] for name in ("MI", "MI2", "MI3", "local_MI")] == pytest.approx([3, 5, 7, 12])
    for name, common in (("MI", "MI10"), ("MI2", "MI2_10"), ("local_MI", "local_MI10"), ("average_MI", "average_MI10")):
        assert row[common][0] == pytest.approx(row[name][0] * 0.3010299956639812)


@pytest.mark.parametrize(
    ("alias", "name"),
    [("PMI", "MI"), ("LL", "log_likelihood"), ("g2", "log_likelihood"), ("chi2", "chi_squared"), ("t", "t_score")],
)
def test_measures_have_the_names_people_use(concur, pairs, alias, name):
    assert concur("score", pairs, "-m", alias, "--json").json["measures"] == [name]


def test_mutual_information_in_a_data_set_of_ucs_is_in_base_10(concur, pairs, tmp_path):
    assert concur("score", pairs, "-m", "MI,MI3", "-o", tmp_path / "a.ds").code == 0
    assert concur("score", pairs, "-m", "MI10,MI3_10", "-o", tmp_path / "b.ds").code == 0
    bits, common = (concurrence.read_pairs(tmp_path / name) for name in ("a.ds", "b.ds"))
    assert {"am.MI", "am.MI3"} <= set(bits.table.columns) & set(common.table.columns)
    assert bits.table["am.MI"][0] == pytest.approx(common.table["am.MI"][0])
    assert bits.scores("MI")[0] == pytest.approx(concurrence.score(FRAME, "MI").table["MI"][0])
    assert bits.scores("MI10")[0] == pytest.approx(concurrence.score(FRAME, "MI10").table["MI10"][0])


def test_log_dice_goes_by_the_frequencies_of_the_words(concur, tmp_path):
    words = FRAME.head(1).with_columns(f1=pl.lit(40), f2=pl.lit(10), n1=pl.lit(6), n2=pl.lit(10))
    assert concurrence.score(words, "logDice").table["logDice"][0] == pytest.approx(14 + np.log2(10 / 16))
    assert concurrence.score(words, "logDice").extras["warnings"] == ()
    words.write_csv(tmp_path / "words.csv")
    assert concur("score", tmp_path / "words.csv", "-m", "logDice", "--json").json["warnings"] == []
    words.drop("n1", "n2").write_csv(tmp_path / "pairs.csv")
    told = concur("score", tmp_path / "pairs.csv", "-m", "logDice", "--json").json
    assert told["rows"][0]["logDice"] == pytest.approx(14 + np.log2(10 / 50))
    assert [one["code"] for one in told["warnings"]] == ["marginals_for_words"]
    assert "because the pairs have no columns n1 and n2" in concur("score", tmp_path / "pairs.csv", "-m", "logDice").out


def test_log_dice_of_the_demonstration_corpus_is_sketch_engines(concur, tmp_path):
    """By R1 and C1 of the window, function/called had 2.6 less than by the words' frequencies."""
    from concurrence.cli.demo.corpus import demo_sentences

    text = demo_sentences()
    (tmp_path / "corpus.txt").write_text("\n".join(text) + "\n", encoding="utf-8")
    for ending in ("parquet", "ds"):
        counted = tmp_path / f"pairs.{ending}"
        assert concur("pairs", tmp_path / "corpus.txt", "--rule", "window:5", "-o", counted).code == 0
        scored = concurrence.score(concurrence.read_pairs(counted), "logDice").table
        row = scored.row(by_predicate=(pl.col("l1") == "function") & (pl.col("l2") == "called"), named=True)
        tokens = [word for sentence in text for word in sentence.split(" ")]
        assert (row["n1"], row["n2"]) == (tokens.count("function"), tokens.count("called"))
        assert row["logDice"] == pytest.approx(14 + np.log2(2 * row["f"] / (row["n1"] + row["n2"])))
        assert row["logDice"] > 14 + np.log2(2 * row["f"] / (row["f1"] + row["f2"])) + 2


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
