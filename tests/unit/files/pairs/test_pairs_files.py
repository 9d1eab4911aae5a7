import gzip

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import Counted, Pairs, read_pairs, write_pairs
from concurrence.core.errors import InvalidInputError
from concurrence.files.pairs.formats import read_candidates

WINDOW = Counted(rule="window", span=5, unit="lemma", corpus=("a.txt", "b.txt"), tokens=1000)
TABLE = pl.DataFrame(
    {
        "l1": ["01", '"', "NA", "a,b"],
        "l2": ["1", "x", "null", "c;d"],
        "f": [3, 2, 1, 0],
        "f1": [5, 2, 4, 1],
        "f2": [6, 9, 8, 1],
        "N": [100, 100, 90, 80],
        "odds_ratio": [0.25, float("inf"), float("-inf"), None],
    }
)


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz", "tsv.gz", "jsonl", "parquet"])
def test_what_was_written_is_read_back(tmp_path, ending):
    path = tmp_path / f"pairs.{ending}"
    write_pairs(Pairs(table=TABLE, counted=WINDOW), path)
    back = read_pairs(path)
    assert back.counted == WINDOW
    assert back.table.equals(TABLE, null_equal=True)


@pytest.mark.parametrize("ending", ["ds", "ds.gz"])
def test_a_data_set_is_what_ucs_reads(tmp_path, ending):
    path = tmp_path / f"pairs.{ending}"
    write_pairs(Pairs(table=TABLE, counted=WINDOW), path)
    data = gzip.decompress(path.read_bytes()) if ending.endswith("gz") else path.read_bytes()
    lines = data.decode().splitlines()
    assert lines[:3] == [
        "# counted by the rule window",
        "##:: size = 4",
        "id\tl1\tl2\tf\tf1\tf2\tN\tam.odds.ratio",
    ]
    assert lines[4] == '2\t"\tx\t2\t2\t9\t100\tinf'
    back = read_pairs(path)
    assert back.counted == WINDOW
    assert back.table.drop("id", "am.odds.ratio").equals(TABLE.drop("odds_ratio"))
    assert back.scores("odds_ratio")[:3].tolist() == [0.25, float("inf"), float("-inf")]


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


ROWS = "".join(f"a{i},b,1,10,12,100\n" for i in range(15))
RULE = "It must satisfy 0 <= f <= min(f1, f2) and f1 + f2 - f <= N."


def test_an_impossible_row_is_named_by_its_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "pairs.csv", "l1,l2,f,f1,f2,N\n" + ROWS + "x,y,15,10,12,100\n")
    with pytest.raises(InvalidInputError) as error:
        read_pairs("pairs.csv")
    assert str(error.value) == f"pairs.csv, line 17: f=15, f1=10, f2=12, N=100 is not a frequency signature. {RULE}"


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.csv", 'l1,l2,f,f1,f2,N\n"a\nb",c,1,1,1,9\nx,y,2,1,1,9\n', "a.csv, line 4: f=2, f1=1"),
        ("a.csv", "l1;l2;f;f1;f2;N\nx;y;2;1;1;9\n", "a.csv, line 2: f=2, f1=1"),
        ("a.ds", "# one\n##:: size = 1\nl1\tl2\tf\tf1\tf2\tN\nx\ty\t2\t1\t1\t9\n", "a.ds, line 4: f=2"),
        ("a.ds", "# one\nl1\tl2\tf\tf1\tf2\tN\nx\ty\t2\t1\t1\n", "a.ds, line 3: 5 fields, but the header names 6"),
        (
            "a.jsonl",
            '\n{"l1":"x","l2":"y","f":2,"f1":1,"f2":1,"N":9}\n',
            "a.jsonl, line 2: f=2, f1=1",
        ),
        ("a.csv", "l1,l2,f,f1,f2,N\nx,y,1.5,2,2,9\n", "a.csv, line 2: f=1.5 is not a whole number"),
        ("a.csv", "l1,l2,f,f1,f2,N\nx,y,,2,2,9\n", "a.csv, line 2: f is empty"),
        ("a.csv", "l1,l2,f,f1,f2,N\nx,y,many,2,2,9\n", "a.csv, line 2: f=many is not a whole number"),
        ("a.csv", "l1,l2,f,f1,f2,N\nx,y,inf,2,2,9\n", "a.csv, line 2: f=inf is not a whole number"),
        ("a.csv", "l1,l2,f,f1,f2,N\n,y,1,2,2,9\n", "a.csv, line 2: l1 is empty"),
        ("a.csv", "l1,l2,f,f1,f2\nx,y,1,2,2\n", "a.csv has no column 'N'; its columns are l1, l2, f, f1, f2."),
        ("a.csv", "w,v,f,f1,f2,N\nx,y,1,2,2,9\n", "a.csv has no column 'l1'; its columns are w, v, f, f1, f2, N."),
    ],
)
def test_bad_rows_are_refused_in_a_sentence(tmp_path, monkeypatch, name, text, sentence):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / name, text)
    with pytest.raises(InvalidInputError) as error:
        read_pairs(name)
    assert str(error.value).startswith(sentence)


def test_a_parquet_row_is_named_by_its_number(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    TABLE.with_columns(f=pl.Series([9, 2, 1, 0])).write_parquet("p.parquet")
    with pytest.raises(InvalidInputError, match=r"^p\.parquet, row 1: f=9, f1=5"):
        read_pairs("p.parquet")


def test_candidates_may_have_other_keys_and_no_counts(tmp_path):
    text = "verb,noun,prep,model,note,code\nv,n,p,0.5,1,01\nv,n,q,inf,2,1\nv,m,q,,3,2\n"
    table, key = read_candidates(write(tmp_path / "triples.csv", text), key=("verb", "noun", "prep"))
    assert key == ("verb", "noun", "prep")
    assert table["model"].to_list() == [0.5, float("inf"), None]
    assert table["note"].dtype == pl.Int64
    assert table["code"].to_list() == ["01", "1", "2"]


def test_the_key_is_remembered(tmp_path):
    pairs = Pairs(table=TABLE.rename({"l1": "noun", "l2": "verb"}), key=("noun", "verb"))
    write_pairs(pairs, tmp_path / "pairs.csv")
    assert read_pairs(tmp_path / "pairs.csv").key == ("noun", "verb")


def test_a_column_of_words_is_no_score():
    pairs = Pairs(table=TABLE.with_columns(pl.Series("remark", ["1", "2", "good", "4"])))
    with pytest.raises(InvalidInputError, match="'remark' is no score: row 3 holds 'good'"):
        pairs.scores("remark")
    with pytest.raises(InvalidInputError, match="no column of scores 'MI'; the other columns are odds_ratio, remark"):
        pairs.scores("MI")


words = st.text(min_size=1, max_size=6).filter(lambda w: w.isprintable() and w.strip() == w)


@given(st.lists(st.tuples(words, words), min_size=1, max_size=8, unique=True), st.sampled_from(["csv", "tsv", "ds"]))
def test_words_of_any_kind_come_back(tmp_path_factory, members, ending):
    table = pl.DataFrame({"l1": [a for a, _ in members], "l2": [b for _, b in members]})
    table = table.with_columns(f=pl.lit(1), f1=pl.lit(2), f2=pl.lit(2), N=pl.lit(9))
    path = tmp_path_factory.mktemp("words") / f"p.{ending}"
    write_pairs(Pairs(table=table), path)
    assert read_pairs(path).table.select("l1", "l2").rows() == members
