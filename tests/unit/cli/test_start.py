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
    print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})), file=sys.stderr)
"""
ARRAYS = {"numpy", "polars", "scipy", "numba", "altair", "rich"}


def loaded_by(*arguments):
    """What a command prints, and the packages that a fresh process has loaded for it."""
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
