"""The command line as a whole: its help, its errors, its JSON."""

import json
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import polars as pl
import pytest

from concurrence.cli.app import app, main
from concurrence.cli.labels_options import label_options
from concurrence.cli.options import FilePath, Seed
from concurrence.cli.output import print_json
from concurrence.core import UndefinedError
from concurrence.core.values import to_json
from concurrence.files.labels.options import LabelOptions
from concurrence.files.provenance import Provenance


def test_help_lists_every_command(concur):
    done = concur("--help")
    assert done.code == 0
    names = app.list_commands(click.Context(app))
    assert names
    assert all(name in done.out for name in names)


def test_without_a_command_there_is_help_and_where_to_begin(concur):
    done = concur()
    assert (done.code, done.err) == (0, "")
    assert "concur demo" in done.out


def test_help_is_understood_as_a_word(concur):
    assert concur("help").out == concur("--help").out
    assert concur("help", "agree").out == concur("agree", "--help").out
    assert concur("plan", "help").out == concur("plan", "--help").out


@pytest.mark.parametrize("group", [[], ["campaign"], ["plan"]])
def test_the_list_of_commands_fits_a_narrow_terminal(concur, monkeypatch, group):
    monkeypatch.setenv("COLUMNS", "80")
    commands = concur(*group, "--help").out.partition("Commands:")[2]
    assert commands
    assert "..." not in commands


def test_what_is_missing_is_named_with_where_to_find_an_example(concur):
    done = concur("agree")
    assert done.code == 2
    assert done.err == "concur: Missing argument 'LABELS'. concur agree --help shows an example.\n"


@pytest.mark.parametrize("arguments", [["list"], ["create"], ["status", "x"]])
def test_campaigns_without_their_extra_say_how_to_get_it(concur, monkeypatch, arguments):
    monkeypatch.setattr("concurrence.cli.campaigns.find_spec", lambda name: None)
    done = concur("campaign", *arguments)
    assert done.code == 2
    assert done.err.endswith("install it with: pip install 'concurrence[web]'\n")
    assert concur("campaign", *arguments, "--help").code == 0


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("concur ag", "plain,agree"),
        ("concur agree --sca", "plain,--scale"),
        ("concur agree judg", "file,judg"),
        ("concur nonsense zz", ""),
        ("concur campaign create --it", "plain,--items"),
    ],
)
def test_shells_complete(concur, monkeypatch, words, answer):
    monkeypatch.setenv("_CONCUR_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    done = concur()
    assert (done.out.strip(), done.err) == (answer, "")


@pytest.mark.parametrize("arguments", [["agre"], ["--nonsense"], ["doctor", "--nonsense"]])
def test_usage_errors_are_one_line(concur, arguments):
    done = concur(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("concur: ")
    assert done.err.count("\n") == 1


def test_our_errors_are_one_line_and_others_are_bugs(monkeypatch, capsys):
    def failing(error):
        @click.command()
        def command():
            raise error

        return command

    monkeypatch.setattr("concurrence.cli.app.app", failing(UndefinedError("kappa is\nundefined.")))
    with pytest.raises(SystemExit) as stopped:
        main([])
    assert stopped.value.code == 2
    assert capsys.readouterr().err == "concur: kappa is undefined.\n"
    monkeypatch.setattr("concurrence.cli.app.app", failing(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        main([])


def test_plain_values():
    @dataclass
    class Result:
        value: float
        where: Path

    values = {1: np.float64("nan"), "b": [np.inf, -np.inf, np.int8(3)], "c": Result(0.1 + 0.2, Path("x")), "d": {2}}
    expected = {"1": None, "b": ["inf", "-inf", 3], "c": {"value": 0.1 + 0.2, "where": "x"}, "d": [2]}
    assert to_json(values) == expected
    assert to_json(np.array([[1.5, np.nan]])) == [[1.5, None]]
    assert json.loads(json.dumps(to_json({"a": np.bool_(True)}))) == {"a": True}


def test_a_table_is_printed_as_the_list_of_its_rows(monkeypatch, capsys):
    monkeypatch.setattr("concurrence.files.tables.formats.ROWS_AT_ONCE", 2)
    words, numbers = ["a\nb", 'c"d', "é", None, ""], [0.1 + 0.2, np.inf, -np.inf, np.nan, 5e-324]
    table = pl.DataFrame({"word": words, "number": numbers, "whole": [2**53 + 1, 0, -1, 1, 2]})
    for frame in (table, table.head(2), table.clear()):
        payload = {"before": 1, "rows": frame, "after": [np.nan]}
        print_json(payload, Provenance(command="concur x"))
        found = json.loads(capsys.readouterr().out)
        assert list(found) == ["schema", "kind", "provenance", "warnings", "before", "rows", "after"]
        assert found["rows"] == to_json(frame.to_dicts())
        assert found["after"] == [None]


def test_seeds():
    assert Seed().convert("7", None, None) == 7
    assert Seed().convert("random", None, None) >= 0
    for bad in ("-1", "x", "1.5"):
        with pytest.raises(click.BadParameter, match="whole number"):
            Seed().convert(bad, None, None)


@pytest.fixture
def said():
    """Run a command with the options for labels, and see what it was told."""

    def run(*arguments):
        heard = []

        @click.command()
        @click.argument("labels", type=FilePath())
        @label_options
        def command(labels, *, reading):
            heard.append((labels, reading))

        command.main([str(argument) for argument in arguments], standalone_mode=False)
        return heard[0]

    return run


def test_options_for_labels(said):
    path, reading = said(
        *["x.csv", "--columns", "item=i d,label=a=b", "--categories", '"a,b",c', "--missing", "NA,", "--coders", "A,B"],
        *["--by", "word", "--repeats", "last", "--unmarked", "no", "--sets", "+", "--wide"],
    )
    assert path == Path("x.csv")
    assert reading == LabelOptions(
        wide=True,
        columns={"item": "i d", "label": "a=b"},
        by="word",
        coders=("A", "B"),
        categories=("a,b", "c"),
        missing=("NA", ""),
        repeats="last",
        unmarked="no",
        sets="+",
    )
    assert said("x.csv")[1] == LabelOptions()


@pytest.mark.parametrize("bad", ["item", "item=", "=x", ""])
def test_columns_must_be_assigned(said, bad):
    with pytest.raises(click.BadParameter, match="item=…"):
        said("x.csv", "--columns", bad)


def test_labels_are_read_as_told(said, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(",yes,no\nyes,40,15\nno,20,25\n")
    _, reading = said(path, "--table")
    assert reading.read(path).n_items == 100
    with pytest.raises(click.UsageError, match="not both"):
        said(path, "--table", "--wide")[1].read(path)


@pytest.mark.parametrize("arguments", [(), ("plan",)])
def test_a_group_without_a_command_shows_its_help(concur, arguments):
    shown = concur(*arguments)
    assert shown.code == 0
    assert shown.err == ""
    assert "Commands:\n" in shown.out


READERS = (
    "sample FILE --size 5 -o out.csv",
    "sample FILE --size 5 -m MI --design union --best 5 -o out.csv",
    "score FILE -m MI -o out.csv",
    "evaluate FILE --gold gold.csv -m MI",
    "pairs FILE --rule adjacent",
    "index FILE -o out",
    "agree FILE",
    "merge FILE",
    "ratings FILE",
    "explore FILE",
)


@pytest.mark.parametrize("line", READERS)
def test_a_parquet_file_that_is_none_is_one_sentence(line, concur, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.csv").write_text("l1,l2,tp\na,b,1\n", "utf-8")
    (tmp_path / "text.parquet").write_text("no table", "utf-8")
    (tmp_path / "folder.parquet").mkdir()
    for name, told in (("missing", "does not exist"), ("text", "is not a Parquet file"), ("folder", "folder.parquet")):
        done = concur(*line.replace("FILE", f"{name}.parquet").split())
        assert (done.code, done.out) == (2, "")
        assert f"{name}.parquet" in done.err
        assert told in done.err
