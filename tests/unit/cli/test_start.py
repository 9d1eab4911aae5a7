"""What a command loads before it answers: loading is most of what a short command costs."""

import json
import subprocess
import sys

import pytest

from concurrence import __version__

PROGRAM = """
import json, sys
from concurrence.cli import main
try:
    main(sys.argv[1:])
finally:
    names = {".".join(name.split(".")[:depth]) for name in sys.modules for depth in (1, 2)}
    print(json.dumps(sorted(names)), file=sys.stderr)
"""
ARRAYS = {"numpy", "polars", "scipy", "numba", "altair", "rich"}


def loaded_by(*arguments):
    """What a command prints, and the packages and their parts that a fresh process has loaded for it."""
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout, set(json.loads(done.stderr.splitlines()[-1]))


def test_the_version_is_told_without_arrays():
    told, loaded = loaded_by("--version")
    assert told == f"concur {__version__}\n"
    assert "concurrence" in loaded
    assert not loaded & ARRAYS


@pytest.mark.parametrize("arguments", [["--help"], ["agree", "--help"], ["campaign", "create", "--help"]])
def test_help_is_shown_without_arrays(arguments):
    shown, loaded = loaded_by(*arguments)
    assert shown.startswith("Usage: ")
    assert not loaded & ARRAYS


def test_small_tables_are_analysed_without_a_compiler(tmp_path):
    table, pairs, scored, gold = (tmp_path / name for name in ("table.csv", "pairs.csv", "scored.csv", "gold.csv"))
    table.write_text(",yes,no\nyes,123,23\nno,33,676\n")
    pairs.write_text("l1,l2,f,f1,f2,N\nthe,swiss,110,2552,221,31777\na,b,3,4,5,31777\n")
    gold.write_text("l1,l2,tp\nthe,swiss,1\na,b,0\n")
    for arguments in (
        ("agree", table, "--table"),
        ("score", pairs, "-m", "all", "-o", scored),
        ("evaluate", scored, "--gold", gold, "-m", "MI,log_likelihood", "--n", "1,2"),
    ):
        _, loaded = loaded_by(*arguments)
        assert "polars" in loaded
        assert not loaded & {"numba", "altair", "vl_convert", "scipy.stats"}


def test_counting_loads_nothing_of_evaluation(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("a strong tea\nthe strong tea\n")
    _, loaded = loaded_by("pairs", text, "--rule", "adjacent", "-o", tmp_path / "pairs.csv")
    assert "concurrence.counting" in loaded
    assert not loaded & {"concurrence.evaluation", "altair", "scipy.stats"}


def test_charts_are_made_where_they_are_seen(tmp_path):
    scored, gold = tmp_path / "scored.csv", tmp_path / "gold.csv"
    scored.write_text("l1,l2,MI\na,b,3\nc,d,2\n")
    gold.write_text("l1,l2,tp\na,b,1\nc,d,0\n")
    page = tmp_path / "page.html"
    _, loaded = loaded_by("evaluate", scored, "--gold", gold, "-m", "MI", "--n", "1,2", "-o", page)
    assert "vl_convert" in loaded
    assert "altair" not in loaded
    assert "vega" in page.read_text("utf-8")
