"""What a command loads before it answers: loading is most of what a short command costs."""

import json
import sys
from importlib.util import find_spec

import pytest

from concurrence import __version__
from concurrence.cli.app import app
from support.thorough import always
from support.tiny_commands import RUNS, SERVERS, run_to_end, run_until_ready, write_inputs

PROGRAM = """
import json, sys
from concurrence.cli.app import main
try:
    main(sys.argv[1:])
finally:
    names = {".".join(name.split(".")[:depth]) for name in sys.modules for depth in (1, 2)}
    print(json.dumps(sorted(names)), file=sys.stderr)
"""
ARRAYS = {"numpy", "polars", "scipy", "numba", "altair", "rich"}
HEAVY = {
    *("numpy", "polars", "numba", "scipy.special", "scipy.optimize", "scipy.stats", "rich", "vl_convert", "sqlalchemy"),
    *("fastapi", "uvicorn", "jinja2", "altair", "pandas", "pyarrow", "pyspark", "matplotlib"),
}
"""Packages and parts of them that take a tenth of a second or more to load, or bring others that do."""
EVERYWHERE = {"cli", "core", "files", "report", "_version"}

# The rooms that a command needs besides those that every command has, and what is heavy among other packages.
LOADED = {
    "agree": ("agreement kernels", "numpy polars rich scipy.special"),
    "compare": ("agreement kernels", "numpy polars rich scipy.special"),
    "coders": ("agreement kernels", "numpy polars rich scipy.special"),
    "judge": ("agreement kernels", "numpy polars rich scipy.special"),
    "merge": ("kernels merging", "numpy polars rich"),
    "match": ("kernels matching", "numpy polars rich numba"),
    "ratings": ("agreement kernels", "numpy polars rich scipy.special"),
    "preferences": ("agreement kernels", "numpy polars rich scipy.special scipy.optimize"),
    "spans": ("agreement kernels", "numpy polars rich numba scipy.special scipy.optimize"),
    "index": ("corpus kernels", "numpy polars rich numba"),
    "words": ("api corpus kernels lookup", "numpy polars rich"),
    "kwic": ("api corpus kernels lookup", "numpy rich"),
    "collocates": ("api corpus kernels lookup measures", "numpy rich"),
    "sketch": ("api corpus kernels lookup measures", "numpy polars rich numba"),
    "contrast": ("api corpus kernels lookup measures", "numpy polars rich numba scipy.special"),
    "tag": ("corpus", "numpy polars rich"),
    "mwe": ("corpus counting kernels", "numpy polars rich numba"),
    "pairs": ("corpus counting kernels", "numpy polars rich numba"),
    "score": ("kernels measures", "numpy polars scipy.special"),
    "measures": ("kernels measures", "numpy rich"),
    "sample": ("kernels sampling", "numpy polars rich scipy.special"),
    "evaluate": ("evaluation kernels measures", "numpy polars rich scipy.special"),
    "benchmark": ("api evaluation kernels measures", "numpy polars rich scipy.special"),
    "krenn": ("evaluation kernels measures", "numpy polars rich scipy.special"),
    "rate": ("kernels prevalence", "numpy polars rich scipy.special"),
    "report": ("agreement kernels", "numpy polars scipy.special vl_convert"),
    "plan": ("kernels sampling", "numpy polars rich scipy.special"),
    "campaign": ("annotation", "numpy polars rich sqlalchemy"),
    "doctor": ("", "rich"),
    "serve": ("annotation kernels web", "numpy polars scipy.special sqlalchemy fastapi uvicorn jinja2"),
    "explore": (
        "api corpus evaluation kernels lookup measures sampling web",
        "numpy polars scipy.special fastapi uvicorn jinja2",
    ),
}


def loaded_by(*arguments, run=run_to_end, folder=None):
    """What a command prints, and the packages and their parts that a fresh process has loaded for it."""
    done = run([sys.executable, "-c", PROGRAM, *map(str, arguments)], folder)
    return done.stdout, set(json.loads(done.stderr.splitlines()[-1]))


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    write_inputs(folder, [sys.executable, "-m", "concurrence"])
    return folder


def test_every_command_has_a_run():
    commands = set(app.list_commands(None))
    assert set(RUNS) == commands
    assert set(LOADED) == commands - {"demo"}  # which runs others


@pytest.mark.parametrize(
    "command",
    always(
        *("agree", "spans", "kwic", "collocates", "sketch", "pairs", "evaluate", "report", "campaign", "serve"),
        of=list(LOADED),
    ),
)
def test_a_command_loads_what_it_shows(command, inputs):
    if command == "tag" and not find_spec("HanTa"):
        pytest.skip("needs HanTa")
    run = run_until_ready if command in SERVERS else run_to_end
    _, loaded = loaded_by(*RUNS[command].split(), run=run, folder=inputs)
    ours = {name.partition(".")[2] for name in loaded if name.startswith("concurrence.")}
    rooms, heavy = LOADED[command]
    assert ours - EVERYWHERE == set(rooms.split())
    assert loaded & HEAVY == set(heavy.split())


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


def test_charts_are_made_where_they_are_seen(tmp_path):
    scored, gold = tmp_path / "scored.csv", tmp_path / "gold.csv"
    scored.write_text("l1,l2,MI\na,b,3\nc,d,2\n")
    gold.write_text("l1,l2,tp\na,b,1\nc,d,0\n")
    page = tmp_path / "page.html"
    _, loaded = loaded_by("evaluate", scored, "--gold", gold, "-m", "MI", "--n", "1,2", "-o", page)
    assert "vl_convert" in loaded
    assert "altair" not in loaded
    assert "vega" in page.read_text("utf-8")
