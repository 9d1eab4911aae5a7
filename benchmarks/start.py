"""What a short command costs: nearly all of it is loading, so the peers are bare imports.

Every command runs on inputs of a few lines (``tests/support/tiny_commands.py``) in a process of its own; what counts is
the processor time of the whole of it. Servers run until they say that they are ready.
"""

import os
import sys
import tempfile
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from benchmarks.rows import Row, best_times, leave_out
from support.tiny_commands import RUNS, SERVERS, run_to_end, run_until_ready, write_inputs

CONCUR = (sys.executable, "-m", "concurrence")
COMMANDS = tuple(RUNS)
QUICK = {"COMMANDS": ("agree", "pairs", "serve")}
# How many times the bare import of numpy and polars a command may cost.
LIMITS = {
    "agree": 3.0,
    "compare": 3.0,
    "coders": 2.75,
    "judge": 5.5,
    "merge": 2.0,
    "match": 4.5,
    "ratings": 3.0,
    "preferences": 3.5,
    "spans": 5.5,
    "index": 4.5,
    "words": 1.75,
    "kwic": 1.25,
    "collocates": 1.25,
    "sketch": 5.0,
    "contrast": 5.0,
    "tag": 2.25,
    "mwe": 4.25,
    "pairs": 4.75,
    "score": 2.5,
    "measures": 1.25,
    "sample": 2.5,
    "evaluate": 2.75,
    "benchmark": 3.0,
    "krenn": 2.75,
    "rate": 2.75,
    "report": 12.0,
    "plan": 3.0,
    "campaign": 3.75,
    "doctor": 1.0,
    "demo": 19.0,
    "serve": 7.0,
    "explore": 4.5,
}


def run() -> list[Row]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder, CONCUR, environment)
        works = {command: partial(_run_once, command, folder, environment) for command in _installed()}
        for work in works.values():
            work()  # what is compiled once and kept is not on the clock
        bare = [
            partial(run_to_end, [sys.executable, "-c", program], folder, environment)
            for program in ("import click", "import numpy, polars")
        ]
        version = partial(run_to_end, [*CONCUR, "--version"], folder, environment)
        nothing, arrays, shortest, *times = best_times(*bare, version, *works.values(), clock=children_seconds)
    return [
        _row("--version", shortest, "import click", nothing, 2.0),
        *(
            _row(RUNS[command], seconds, "import numpy, polars", arrays, LIMITS[command])
            for command, seconds in zip(works, times, strict=True)
        ),
    ]


def _installed() -> list[str]:
    """The commands whose parts are there."""
    if find_spec("HanTa") is None:
        leave_out("start", "HanTa")
        return [command for command in COMMANDS if command != "tag"]
    return list(COMMANDS)


def _run_once(command: str, folder: Path, environment: dict[str, str]) -> None:
    """Run a command; a campaign of that name must not be there yet."""
    for file in folder.glob("concurrence.db*"):
        file.unlink()
    run = run_until_ready if command in SERVERS else run_to_end
    run([*CONCUR, *RUNS[command].split()], folder, environment)


def _row(line: str, ours: float, peer: str, against: float, limit: float) -> Row:
    work = f"concur {line.partition(' --port')[0]}, from start to end"
    return Row(area="start", work=work, quantity="CPU s", ours=ours, peer=peer, against=against, limit=limit)


def children_seconds() -> float:
    """The processor time of all processes that ended so far."""
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
