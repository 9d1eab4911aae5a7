"""Files in pieces: what they give is what reading the whole file gives, and errors name the same lines."""

import gzip

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import Counted, Pairs, read_pairs, score, write_pairs
from concurrence.core.errors import InvalidInputError
from concurrence.files.pairs.pieces import open_pairs, write_pieces
from concurrence.files.provenance import Provenance
from concurrence.files.tables import pieces
from concurrence.files.tables.formats import read_table
from concurrence.files.tables.pieces import table_pieces
from support.examples import examples

ENDINGS = ("csv", "tsv", "jsonl", "parquet", "ds", "csv.gz", "tsv.gz", "jsonl.gz", "ds.gz")
WORD = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")) | st.sampled_from("\",;'# "), min_size=1)
CELL = st.sampled_from(["1", "2.5", "01", "x", None, "-3", "inf", "", '"', "a\nb"])
SMALL = examples(10)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(pieces, "BYTES_AT_ONCE", 40)
    monkeypatch.setattr(pieces, "ROWS_AT_ONCE", 3)


@st.composite
def counted_pairs(draw):
    members = draw(st.lists(st.tuples(WORD, WORD, CELL, CELL), min_size=1, max_size=12))
    f = draw(st.lists(st.integers(1, 9), min_size=len(members), max_size=len(members)))
    columns = dict(zip(("l1", "l2", "note", "more"), zip(*members, strict=True), strict=True))
    table = pl.DataFrame(
        {name: list(cells) for name, cells in columns.items()}, schema=dict.fromkeys(columns, pl.String)
    )
    return table.with_columns(f=pl.Series(f), f1=pl.Series(f) + 3, f2=pl.lit(12), N=pl.lit(100), MI=pl.lit(0.5))


@pytest.mark.parametrize("ending", ENDINGS)
@SMALL
@given(table=counted_pairs())
def test_pieces_together_are_the_whole_table(tmp_path_factory, ending, table):
    path = tmp_path_factory.mktemp("pieces") / f"pairs.{ending}"
    write_pairs(Pairs(table=table, counted=Counted(rule="adjacent")), path)
    parts = [sheet.frame for sheet in table_pieces(path)]
    whole = read_table(path)
    assert pl.concat([part.cast(pl.String, strict=False) for part in parts], how="diagonal").equals(
        whole.cast(pl.String, strict=False)
    )
    opened = open_pairs(path)
    known = read_pairs(path)
    assert len(opened) == len(known)
    assert pl.concat([piece.table for piece in opened.pieces()]).equals(known.table)
    assert opened.empty.table.schema == known.table.schema
    assert (opened.counted, opened.key) == (known.counted, known.key)


@pytest.mark.parametrize("ending", ENDINGS)
def test_scores_written_in_pieces_are_those_written_at_once(tmp_path, ending):
    f = [1 + k % 9 for k in range(50)]
    table = pl.DataFrame({"l1": [f"w{k}" for k in range(50)], "l2": "x", "f": f, "f1": 20, "f2": 30, "N": 1000})
    write_pairs(Pairs(table=table, counted=Counted(rule="adjacent")), tmp_path / "pairs.csv")
    made = Provenance(command="test")
    at_once, in_pieces = tmp_path / f"whole.{ending}", tmp_path / f"pieces.{ending}"
    write_pairs(score(read_pairs(tmp_path / "pairs.csv"), "all"), at_once, made)
    opened = open_pairs(tmp_path / "pairs.csv")
    scored = lambda: (score(piece, "all") for piece in opened.pieces())  # noqa: E731
    write_pieces(scored, score(opened.empty, "all"), in_pieces, made, size=len(opened))
    assert sum(1 for _ in table_pieces(in_pieces)) > 1
    assert read_pairs(in_pieces).table.equals(read_pairs(at_once).table)
    if ending != "parquet":
        assert in_pieces.read_bytes() == at_once.read_bytes()


ROWS = "".join(f"a{k},b,1,10,12,100\n" for k in range(15))
HEADER = "l1,l2,f,f1,f2,N\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", HEADER + ROWS + "x,y,15,10,12,100\n"),
        ("a.csv", HEADER + ROWS + '"x\ny",z,1,10,12,100\nx,y,15,10,12,100\n' + ROWS),
        ("a.csv", HEADER + ROWS + "x,y,1,10,12\n" + ROWS),
        ("a.csv", HEADER + ROWS + "\n" + ROWS),
        ("a.csv", HEADER + ROWS + "\n\n\n" + ROWS),
        ("a.csv", HEADER + ROWS + "x,,1,10,12,100\n" + ROWS),
        ("a.csv", HEADER + ROWS + 'x,"y,1,10,12,100\n' + ROWS),
        ("a.csv", HEADER + ROWS + "x,y\0,1,10,12,100\n" + ROWS),
        ("a.tsv", (HEADER + ROWS + "x,y,one,10,12,100\n").replace(",", "\t")),
        ("a.ds", "# one\n# two\n" + (HEADER + ROWS + "x,y,1,10\n").replace(",", "\t")),
        ("a.ds", "# one\n# two\n" + (HEADER + ROWS + "x,y,15,10,12,100\n").replace(",", "\t")),
        ("a.jsonl", '{"l1":"a","l2":"b","f":1,"f1":2,"f2":2,"N":9}\n' * 9 + "\n{oops\n"),
        ("a.jsonl", '{"l1":"a","l2":"b","f":1,"f1":2,"f2":2,"N":9}\n' * 9 + '\n{"l1":"a","f":1}\n'),
        ("a.csv", ""),
        ("a.csv", " \n"),
        ("a.csv", "l1,l2,f\na,b,1\n"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_an_error_names_the_same_line(tmp_path, monkeypatch, name, text, packed):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / (f"{name}.gz" if packed else name)
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    with pytest.raises(InvalidInputError) as whole:
        read_pairs(path.name)
    with pytest.raises(InvalidInputError) as in_pieces:
        open_pairs(path.name)
    assert str(in_pieces.value) == str(whole.value)


def test_invalid_utf_8_in_a_later_piece_is_named_by_its_line(tmp_path):
    (tmp_path / "a.csv").write_bytes((HEADER + ROWS).encode() + b"\xff,y,1,10,12,100\n")
    with pytest.raises(InvalidInputError, match="line 17: not valid UTF-8"):
        open_pairs(tmp_path / "a.csv")


def test_a_damaged_gzip_file_is_said_to_be_one(tmp_path):
    packed = gzip.compress((HEADER + ROWS * 20).encode())
    (tmp_path / "a.csv.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(InvalidInputError, match="the gzip file is damaged or cut off"):
        open_pairs(tmp_path / "a.csv.gz")


def test_blank_lines_at_the_end_are_no_rows(tmp_path):
    for end in ("", "\n", "\n\n\n\n", "\r\n\r\n"):
        (tmp_path / "a.csv").write_bytes((HEADER + ROWS + end).encode())
        assert len(open_pairs(tmp_path / "a.csv")) == 15


def test_a_column_is_text_in_every_piece_if_one_cell_is(tmp_path):
    rows = "".join(f"a{k},b,1,10,12,100,{'x' if k == 14 else k}\n" for k in range(15))
    (tmp_path / "a.csv").write_text(HEADER[:-1] + ",note\n" + rows)
    types = {piece.table.schema["note"] for piece in open_pairs(tmp_path / "a.csv").pieces()}
    assert types == {pl.String()}


def test_frequencies_of_words_that_are_text_are_refused_before_anything_is_scored(tmp_path):
    rows = "".join(f"a{k},b,1,10,12,100,{'many' if k == 14 else k},7\n" for k in range(15))
    (tmp_path / "a.csv").write_text(HEADER[:-1] + ",n1,n2\n" + rows)
    with pytest.raises(InvalidInputError, match=r"line 16: n1 is 'many', not a number"):
        open_pairs(tmp_path / "a.csv")
