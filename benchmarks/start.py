"""What a short command costs: nearly all of it is loading, so the peers are bare imports.

Every work is a process of its own; what counts is the processor time of the whole of it.
"""

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from benchmarks.rows import Row, best_times

TABLE = ",yes,no\nyes,40,15\nno,20,25\n"
TEXT = "a strong tea\nthe strong tea , please\na strong man\nthe tea is strong\n"
GOLD = "l1,l2,tp\na,strong,0\nstrong,tea,1\nstrong,man,0\nthe,tea,0\n"
# The command, and how many times the bare import of numpy and polars it may cost.
QUICK: dict[str, object] = {}  # a short command has no smaller size
COMMANDS = {
    "agree table.csv --table": 3.0,
    "pairs text.txt --rule adjacent -o pairs.csv": 5.0,
    "score pairs.csv -m log_likelihood,MI -o scored.csv": 3.0,
    "evaluate scored.csv --gold gold.csv -m log_likelihood,MI --n 1,2,3": 3.0,
}


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in (("table.csv", TABLE), ("text.txt", TEXT), ("gold.csv", GOLD)):
            (folder / file).write_text(text)
        works = [concur(folder, command) for command in ("--version", *COMMANDS)]
        for work in works:
            work()  # what is compiled once and kept is not on the clock
        version, *times, nothing, arrays = best_times(
            *works, python(folder, "import click"), python(folder, "import numpy, polars"), clock=children_seconds
        )
    rows = [row("--version", version, "import click", nothing, 2.0)]
    limits = COMMANDS.items()
    return rows + [
        row(c, t, "import numpy, polars", arrays, limit) for (c, limit), t in zip(limits, times, strict=True)
    ]


def row(command: str, ours: float, peer: str, against: float, limit: float) -> Row:
    work = f"concur {command}, from start to end"
    return Row(area="start", work=work, quantity="CPU s", ours=ours, peer=peer, against=against, limit=limit)


def python(folder: Path, program: str) -> partial[object]:
    return process(folder, "-c", program)


def concur(folder: Path, command: str) -> partial[object]:
    return process(folder, "-m", "concurrence", *command.split())


def process(folder: Path, *arguments: str) -> partial[object]:
    """A work that keeps its bytecode, as an installed program does."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    line = [sys.executable, *arguments]
    return partial(subprocess.run, line, cwd=folder, env=environment, check=True, capture_output=True)


def children_seconds() -> float:
    """The processor time of all processes that ended so far."""
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
