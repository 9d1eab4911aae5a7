"""One row format for all benchmarks, and the way time is taken.

Works take turns, so that a busy machine slows all alike; what counts is the ratio of the best times.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time

import numpy as np

RESULTS = Path(__file__).parent / "results"


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
    def kept(self) -> bool:
        """Whether the promise holds; a row without a limit promises nothing."""
        if self.limit is None:
            return True
        return self.ratio <= self.limit if self.limit_is == "at most" else self.ratio >= self.limit


def best_times(*works: Callable[[], object], rounds: int = 5, clock: Callable[[], float] = process_time) -> list[float]:
    """The best time of each work, works taking turns."""
    return [float(t) for t in np.min([[_timed(work, clock) for work in works] for _ in range(rounds)], axis=0)]


def _timed(work: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    work()
    return clock() - start


def save(area: str, rows: Sequence[Row]) -> None:
    """Keep the rows of an area for the page."""
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps([asdict(row) for row in rows], indent=1)
    (RESULTS / f"{area}.json").write_text(text + "\n", "utf-8")
