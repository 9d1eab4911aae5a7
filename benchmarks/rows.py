"""One row format for all benchmarks, and the way time is taken.

Works take turns, so that a busy machine slows all alike; what counts is the ratio of the best times.
"""

import json
import os
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field
from datetime import date
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from textwrap import dedent
from time import perf_counter, process_time
from typing import Any
from unittest.mock import patch

import numpy as np

RESULTS = Path(__file__).parent / "results"
MOST_ROUNDS = 100
QUICK = {"MOST_ROUNDS": 1}

LEFT_OUT: list[str] = []
"""What was not measured since something it needs is not installed, by name."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One measured promise: ``ours`` against ``against``, bounded by ``limit``."""

    area: str
    work: str
    quantity: str  # "CPU s", "wall s", "MB", "coverage", "rate"
    ours: float
    peer: str
    against: float
    limit: float | None = None
    limit_is: str = "at most"  # or "at least"; the limit bounds ours / against
    size: int | None = None  # of the data, where a series shows growth
    unit: str = ""

    @property
    def ratio(self) -> float:
        """How often ours holds the other."""
        return self.ours / self.against

    @property
    def holds(self) -> bool:
        """Whether the promise holds; a row without a limit promises nothing."""
        if self.limit is None:
            return True
        return self.ratio <= self.limit if self.limit_is == "at most" else self.ratio >= self.limit


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of an area: its rows, or the error that ended it."""

    area: str
    rows: tuple[Row, ...]
    error: str | None = None
    seconds: float = 0.0
    cpu: float = 0.0
    date: str = field(default_factory=lambda: date.today().isoformat())

    @classmethod
    def from_json(cls, entries: dict[str, Any]) -> "Outcome":
        """As it was saved."""
        return cls(**{**entries, "rows": tuple(Row(**row) for row in entries["rows"])})


def peer_installed(area: str, module: str) -> bool:
    """Whether a peer is there; otherwise it is named among what was left out."""
    is_installed = find_spec(module) is not None
    if not is_installed:
        LEFT_OUT.append(f"{area}: {module} is not installed")
    return is_installed


def leave_out(area: str, program: str) -> None:
    """Name a program that is not installed among what was left out; where CI runs, all of them must be."""
    if os.environ.get("CI") == "true":
        raise RuntimeError(f"{program} is not installed, and CI must have it")
    LEFT_OUT.append(f"{area}: {program} is not installed")


def best_times(*works: Callable[[], object], rounds: int = 5, clock: Callable[[], float] = process_time) -> list[float]:
    """The best time of each work, works taking turns."""
    rounds = min(rounds, MOST_ROUNDS)
    return [float(t) for t in np.min([[_time(work, clock) for work in works] for _ in range(rounds)], axis=0)]


def run_in_process(program: str, **names: object) -> dict[str, float]:
    """Run a program in this process where starting Python would take longer than the work: seconds, megabytes, code."""
    namespace: dict[str, object] = {"__name__": "work", "code": 0, **names}
    wall, cpu, code = perf_counter(), process_time(), 0
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as errors, patch.dict(os.environ):
        try:
            exec(compile(dedent(program), "work", "exec"), namespace)
        except SystemExit as stopped:
            code = stopped.code or 0
    if code or namespace["code"]:
        raise RuntimeError(f"a work ended with code {code or namespace['code']}: {errors.getvalue()}")
    peak = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    return {"cpu": process_time() - cpu, "wall": perf_counter() - wall, "mb": peak, "code": 0}


def _time(work: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    work()
    return clock() - start


def save(outcome: Outcome) -> None:
    """Keep what became of an area for the table and the page."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{outcome.area}.json").write_text(json.dumps(asdict(outcome), indent=1) + "\n", "utf-8")
