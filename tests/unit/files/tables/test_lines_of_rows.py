"""The line that an error names is the one on which the row begins, in every text format and from every door."""

import csv
import io
import json

import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from concurrence import draw_sample, read_sample, read_table, write_sample
from concurrence.cli.app import app
from concurrence.core import InvalidInputError
from concurrence.files.labels.matrices import read_matrix
from concurrence.files.tables.sheets import open_sheet, row_place
from concurrence.files.tables.text import detect_delimiter, line_of_row

FORMATS = [("csv", ","), ("csv", ";"), ("csv", "\t"), ("tsv", "\t"), ("txt", "\t")]
LINE_ENDS = [("\n", ""), ("\r\n", ""), ("\n", "\ufeff"), ("\r\n", "\ufeff")]


@pytest.fixture(params=FORMATS, ids=lambda case: f"{case[0]}-{case[1]!r}")
def table(request, tmp_path):
    """Write rows as a delimited file; every cell with a line break is quoted."""
    ending, mark = request.param

    def write(rows, *, line_end="\n", start="", name="table"):
        buffer = io.StringIO(newline="")
        csv.writer(buffer, delimiter=mark, lineterminator=line_end).writerows(rows)
        path = tmp_path / f"{name}.{ending}"
        path.write_bytes((start + buffer.getvalue()).encode("utf-8"))
        return path

    return write


def run(*arguments):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return str(done.exception or "") + done.output


@pytest.mark.parametrize(("line_end", "start"), LINE_ENDS)
def test_repeated_and_undeclared_labels(table, line_end, start):
    rows = [("item", "coder", "label", "note")]
    rows += [("1", "a", "x", f"two{line_end}lines"), ("1", "b", "x", ""), ("2", "a", "x", ""), ("2", "a", "y", "")]
    path = table(rows, line_end=line_end, start=start)
    assert "(line 5 and line 6)" in run("agree", path)
    assert "line 6: the label 'y' is not among" in run("agree", path, "--categories", "x", "--repeats", "last")


@pytest.mark.parametrize(("line_end", "start"), LINE_ENDS)
def test_signatures_and_judgements(table, line_end, start):
    rows = [("l1", "l2", "f", "f1", "f2", "N", "note")]
    rows += [("a", "b", 1, 1, 1, 9, f"two{line_end}lines"), ("c", "d", 2, 2, 2, 9, f"{line_end}{line_end}")]
    good = table(rows, line_end=line_end, start=start)
    bad = table([*rows, ("e", "f", 5, 1, 1, 9, "")], line_end=line_end, start=start, name="bad")
    gold_rows = [("l1", "l2", "note", "tp"), ("a", "b", f"two{line_end}lines", "1"), ("c", "d", "", "perhaps")]
    gold = table(gold_rows, line_end=line_end, start=start, name="gold")
    assert "line 7: f=5, f1=1" in run("score", bad, "-m", "MI", "--json")
    assert "line 4: " in run("evaluate", good, "--gold", gold, "-m", "f", "--n", "1")


@pytest.mark.parametrize(
    ("header", "mark"),
    [("a\tb", "\t"), ("a,b;c,d", ","), ("a;b,c;d", ";"), ('"x;y;z",b', ","), ('"x,y,z";b', ";"), ("a", ",")],
)
def test_the_delimiter_is_told_from_the_header_outside_its_quotes(header, mark):
    assert detect_delimiter(header, "csv") == mark
    assert detect_delimiter(header, "tsv") == "\t"


def test_names_with_commas_in_a_table_between_tabs(tmp_path):
    path = tmp_path / "labels.tsv"
    path.write_text('item\tcoder\tlabel\tnote, such, as, this\n1\ta\tx\t"two\nlines"\n1\tb\tx\t\n1\tb\ty\t\n')
    assert "(line 4 and line 5)" in run("agree", path)


@given(
    cells=st.lists(st.text(alphabet='ab",;\t\n', max_size=4), min_size=1, max_size=8),
    row=st.integers(0, 7),
    kind=st.sampled_from(["csv", "tsv"]),
)
def test_lines_against_counting_while_writing(cells, row, kind):
    row = min(row, len(cells) - 1)
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter="," if kind == "csv" else "\t", lineterminator="\n")
    writer.writerow(["name", "cell"])
    begins = []
    for cell in cells:
        begins.append(buffer.getvalue().count("\n") + 1)
        writer.writerow(["x", cell])
    assert line_of_row(buffer.getvalue().encode(), kind, row) == begins[row]


def test_a_cell_longer_than_the_standard_library_allows(tmp_path):
    path = tmp_path / "labels.csv"
    note = "long\n" * 100_000
    path.write_text(f'item,coder,label,note\n1,a,x,"{note}"\n1,b,x,\n1,b,y,\n')
    assert "(line 100003 and line 100004)" in run("agree", path)


def test_other_formats(tmp_path):
    lines = [json.dumps({"item": "1", "coder": coder, "label": "x"}) for coder in "abb"]
    (tmp_path / "labels.jsonl").write_bytes(("\ufeff\r\n" + "\r\n\r\n".join(lines)).encode())
    assert "(line 4 and line 6)" in run("agree", tmp_path / "labels.jsonl")
    (tmp_path / "labels.json").write_text(f"[{', '.join(lines)}]")
    assert "(entry 2 and entry 3)" in run("agree", tmp_path / "labels.json")
    (tmp_path / "labels.ds").write_bytes(b'# one\r\n# "two\r\nitem\tcoder\tlabel\r\n1\ta\t"x\r\n1\tb\tx\r\n1\tb\ty\r\n')
    assert "(line 5 and line 6)" in run("agree", tmp_path / "labels.ds")
    (tmp_path / "lines.json").write_text("\n".join(lines))
    assert "(line 2 and line 3)" in run("agree", tmp_path / "lines.json")
    for name in ("labels.jsonl", "labels.json", "lines.json", "labels.ds"):
        assert row_place(tmp_path / name, 2) == open_sheet(tmp_path / name).place(2)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('a,b\n1,"two\nlines"\n1,2,3\n', "line 4: 3 fields"),
        ('a,b\n1,"two\nlines",3\n', "line 2: 3 fields"),
        ('a,b\n1,"two\nlines"\n2,"never\nclosed\n', "line 4: a quotation mark is opened and never closed"),
    ],
)
def test_rows_that_do_not_fit(tmp_path, text, line):
    (tmp_path / "table.csv").write_text(text)
    with pytest.raises(InvalidInputError, match=f"table.csv, {line}"):
        read_table(tmp_path / "table.csv")


@pytest.mark.parametrize("cell", ["much", "1_0", "inf", ""])
def test_matrices(tmp_path, cell):
    path = tmp_path / "weights.csv"
    path.write_text(f'w,x,y,note\nx,1,0,"two\nlines"\nnote,0,0,0\ny,{cell},1,0\n')
    with pytest.raises(
        InvalidInputError, match=f"weights.csv, line 5: {repr(cell) if cell else 'an empty cell'} is not a number"
    ):
        read_matrix(path, ("x", "y"))


def test_samples(tmp_path):
    table = pl.DataFrame({"l1": [f"w{i}" for i in range(20)], "l2": "two\nlines", "MI": range(20)})
    path = tmp_path / "sample.csv"
    write_sample(draw_sample(table, size=3, seed=1), path)
    head, *rows = list(csv.reader(io.StringIO(path.read_text())))
    rows[2][head.index("probability")] = "often"
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])
    with pytest.raises(InvalidInputError, match=r"sample\.csv, line 6: probability is 'often'"):
        read_sample(path)
