"""What a short command costs: nearly all of it is loading, so the peers are bare imports.

Every work is a process of its own; what counts is the processor time of the whole of it.
"""

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from benchmarks.rows import Row, best_times


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        version, bare = best_times(concur(folder, "--version"), python(folder, "import click"), clock=children)
    return [row("--version", version, "import click", bare, 2.0)]


def row(command: str, ours: float, peer: str, against: float, limit: float) -> Row:
    work = f"concur {command}, from start to end"
    return Row(area="start", work=work, quantity="CPU s", ours=ours, peer=peer, against=against, limit=limit)


def python(folder: Path, program: str) -> partial[object]:
    return partial(subprocess.run, [sys.executable, "-c", program], cwd=folder, check=True)


def concur(folder: Path, command: str) -> partial[object]:
    line = [sys.executable, "-m", "concurrence", *command.split()]
    return partial(subprocess.run, line, cwd=folder, check=True, capture_output=True)


def children() -> float:
    """The processor time of all processes that ended so far."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
