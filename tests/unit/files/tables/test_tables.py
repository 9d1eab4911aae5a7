"""Tables come back as they were written, and what is no table is refused with its line."""

import csv
import gzip
import io
import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from concurrence.core import ConcurrenceError, InvalidInputError
from concurrence.core.frames import require_columns
from concurrence.files.provenance import Provenance, checksums, meta_path, read_provenance
from concurrence.files.tables.formats import read_table, write_chunks, write_table
from concurrence.files.tables.text import parse_delimited, table_format

MIXED = pl.DataFrame({"word": ["a,b", 'c"d', "é\nf", None], "f": [1, 2, 3, None], "score": [0.1, 1e300, -0.0, None]})


@pytest.fixture
def table(tmp_path):
    def read(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_table(path)

    return read


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz", "tsv.gz", "jsonl", "jsonl.gz"])
def test_text_tables_come_back_as_text(tmp_path, ending):
    path = tmp_path / f"table.{ending}"
    write_table(MIXED, path)
    back = read_table(path)
    assert back["word"].to_list() == MIXED["word"].to_list()
    assert [None if v is None else float(v) for v in back["score"]] == MIXED["score"].to_list()


def test_parquet_keeps_types(tmp_path):
    write_table(MIXED, tmp_path / "table.parquet")
    assert_frame_equal(read_table(tmp_path / "table.parquet"), MIXED)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_infinite_is_a_word_and_undefined_is_empty(tmp_path, ending):
    path = tmp_path / f"table.{ending}"
    write_table(pl.DataFrame({"name": list("abcd"), "score": [np.inf, -np.inf, np.nan, 1.5]}), path)
    assert read_table(path)["score"].to_list() == ["inf", "-inf", None, "1.5"]
    assert "NaN" not in path.read_text()


def test_numbers_are_not_rounded(tmp_path):
    numbers = [0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308, 123456789.123456789]
    for ending in ("csv", "tsv", "jsonl"):
        write_table(pl.DataFrame({"x": numbers}), tmp_path / f"table.{ending}")
        assert [float(v) for v in read_table(tmp_path / f"table.{ending}")["x"]] == numbers


def test_what_is_written_carries_its_provenance(tmp_path):
    made = Provenance(command="concur test", seed=7, inputs={"in.csv": "abc"})
    for ending in ("csv", "parquet", "jsonl.gz"):
        path = tmp_path / f"table.{ending}"
        write_table(MIXED, path, made)
        assert read_provenance(path) == made.as_json()
    assert meta_path(tmp_path / "table.csv").is_file()
    assert not meta_path(tmp_path / "table.parquet").exists()


def test_gz_files_are_the_same_each_time(tmp_path):
    for name in ("a.csv.gz", "b.csv.gz"):
        write_table(MIXED, tmp_path / name)
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


def test_an_ending_that_is_no_format_is_refused_before_anything_is_written(tmp_path):
    for name in ("table.doc", "table", "table.xlsx", "table.json"):
        with pytest.raises(InvalidInputError):
            write_table(MIXED, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_checksums_are_of_files_alone(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    found = checksums([tmp_path / "a", "-", tmp_path / "nowhere"])
    assert found == {str(tmp_path / "a"): "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}


def test_damaged_provenance_is_said(tmp_path):
    (tmp_path / "t.csv").write_text("a\n1\n")
    assert read_provenance(tmp_path / "t.csv") == {}
    meta_path(tmp_path / "t.csv").write_text("{")
    with pytest.raises(InvalidInputError, match="is not JSON"):
        read_provenance(tmp_path / "t.csv")


def test_only_an_empty_cell_is_missing(table):
    frame = table('a,b\n,NA\n"",null\n" ",nan\n')
    assert frame.rows() == [(None, "NA"), (None, "null"), (" ", "nan")]


@pytest.mark.parametrize("text", ["a;b\n1,5;2\n", "a;b\r\n1,5;2\r\n", "\ufeffa;b\n1,5;2"])
def test_semicolons_between_decimal_commas(table, text):
    assert table(text).rows() == [("1,5", "2")]


def test_quotes_and_line_ends_inside_cells(table):
    assert table('a,b\n"x, ""y""","p\nq"\n').rows() == [('x, "y"', "p\nq")]


def test_quotes_are_letters_in_tables_between_tabs_only_if_they_pair(table):
    assert table("a\tb\n1\t2\n", "t.tsv").rows() == [("1", "2")]


@pytest.mark.parametrize("name", ["absent.csv", "table.csv/inside.csv", "absent.docx", "a\0b.csv"])
def test_what_is_not_there(tmp_path, name):
    (tmp_path / "table.csv").write_text("a\n1\n")
    with pytest.raises(InvalidInputError, match="does not exist"):
        read_table(tmp_path / name)
    with pytest.raises(InvalidInputError, match="is a folder"):
        read_table(tmp_path)


def test_json_numbers_and_inner_structure(table):
    frame = table('{"a": 1.50, "b": [1e5, {"c": null}]}\n\n{"a": 007.0}\n'.replace("007.0", "7"), "t.jsonl")
    assert frame.rows() == [("1.50", '[1e5, {"c": null}]'), ("7", None)]
    assert table('[{"a": true}]', "t.json").rows() == [("true",)]


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        ("", "t.csv", "is empty"),
        (b"\xef\xbb\xbf\n", "t.csv", "is empty"),
        ("a,b\n1,2\n3\n", "t.csv", "line 3: 1 field, but the header names 2"),
        ("a,b\n1,2,3\n", "t.csv", "line 2: 3 fields"),
        ("a,b\n1,2\n\n3,4\n", "t.csv", "line 3: an empty line"),
        ('a,b\n"1",2\n\n"3",4\n', "t.csv", "line 3: an empty line"),
        ('a,b\n"1"\n"3",4,5\n', "t.csv", "line 2: 1 field"),
        ('a,b\n"1"x,2\n', "t.csv", "line 2"),
        ('a,b\n"1,2\n', "t.csv", "line 2"),
        ("a,b\r1,2\r", "t.csv", "line 1: a bare carriage return"),
        ("a,a\n1,2\n", "t.csv", "two columns are named 'a'"),
        ("a,\n1,2\n", "t.csv", "a column has no name"),
        (b"a,b\n1,\xe9\n", "t.csv", "line 2: not valid UTF-8"),
        (b"a,b\n1,2\n3,\0\n", "t.csv", "line 3: a NUL byte"),
        (b"\xff\xfea\0", "t.csv", "line 1: a NUL byte"),
        ('{"a": 1}\n{"a": \n', "t.jsonl", "line 2: not valid JSON"),
        ('{"a": Infinity}', "t.jsonl", "line 1: not valid JSON"),
        ("[" * 100_000, "t.json", "not valid JSON"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0)[:-9], "t.csv.gz", "damaged or cut off"),
        (b"PAR1", "t.parquet", "not a Parquet file"),
        (b"PK", "t.xlsx", "cannot be read as an .xlsx sheet"),
        ("a,b\n1,2\n", "t.docx", "the format comes from the file extension"),
    ],
)
def test_what_is_no_table_is_refused(table, content, name, words):
    with pytest.raises(InvalidInputError, match=words):
        table(content, name)


def test_a_missing_column_is_named(table):
    with pytest.raises(InvalidInputError, match=r"t\.csv has no column 'c'; its columns are a, b"):
        require_columns(table("a,b\n1,2\n"), ["a", "c"], "t.csv")


def test_formats_by_ending(tmp_path):
    names = {"a.CSV": "csv", "a.b.tsv.gz": "tsv", "a.pq": "parquet", "a.txt": "tsv", "-": "csv"}
    assert {name: table_format(tmp_path / name if name != "-" else tmp_path.__class__("-")) for name in names} == names


PIECES = st.sampled_from(
    ["a", "b", ",", ",", ";", "\n", "\n", '"', '""', '"x"', "\r\n", "\t", " ", "é", "\r", ',"p\nq"', '"x",y\n']
)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_delimited_text_is_read_as_the_standard_library_reads_it(body):
    """Never other cells; what the standard library takes as a stray quote may be refused."""
    text = "x,y\n" + body
    try:
        found = parse_delimited(text.encode(), "t.csv", "csv").rows()
    except ConcurrenceError:
        return
    lines = text.replace("\r\n", "\n").rstrip("\n") + "\n"
    rows = list(csv.reader(io.StringIO(lines, newline=""), strict=True))[1:]
    assert found == [tuple(cell or None for cell in row) for row in rows]


@given(st.lists(st.tuples(st.text(max_size=4), st.text(max_size=4)), min_size=1))
def test_well_formed_text_is_never_refused(cells):
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([("x", "y"), *cells])
    data = buffer.getvalue().encode("utf-8", "surrogatepass")
    if "\r" in buffer.getvalue() or "\0" in buffer.getvalue():
        return
    assert parse_delimited(data, "t.csv", "csv").rows() == [tuple(c or None for c in row) for row in cells]


@given(st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), st.text()), st.lists))
def test_json_cells_hold_the_same_json(tmp_path_factory, value):
    path = tmp_path_factory.mktemp("json") / "t.jsonl"
    path.write_text(json.dumps({"a": value, "b": "x"}))
    cell = read_table(path)["a"][0]
    if value is None or value == "":
        assert cell is None
    else:
        assert cell == value if isinstance(value, str) else json.loads(cell) == value


def test_a_name_no_file_can_have(tmp_path):
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_table(tmp_path / ("x" * 300 + ".csv"))


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "csv.gz", "jsonl.gz", "parquet"])
@pytest.mark.parametrize("cuts", [[0], [2], [1, 0, 2]])
def test_pieces_of_a_table_make_the_same_file_as_the_whole(tmp_path, ending, cuts):
    frame = pl.DataFrame({"a": ["x", None, "y\n"], "b": [1.5, np.inf, None], "c": [["u", "v"], [], None]})
    at, parts = 0, []
    for size in cuts:
        parts.append(frame.slice(at, size))
        at += size
    whole, pieces = tmp_path / f"whole.{ending}", tmp_path / f"pieces.{ending}"
    write_table(frame.head(at), whole)
    write_chunks(parts, frame.schema, pieces)
    if ending == "parquet":
        assert pl.read_parquet(pieces).equals(pl.read_parquet(whole), null_equal=True)
    else:
        assert pieces.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_huge_cell_in_the_header_is_a_sentence(tmp_path, quote):
    path = tmp_path / "huge.csv"
    path.write_text(f"item,coder,{quote}{'x' * 200_000}{quote}\n1,a,b\n")
    with pytest.raises(InvalidInputError, match=r"line 1: a cell has 200,000 characters, too many for the name"):
        read_table(path)
