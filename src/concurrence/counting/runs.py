"""Counted rows, in memory or on disk, put into their final order piece by piece.

A run holds the rows of a stretch of left words, sorted by f descending, then left word, then right word.
Runs follow each other by left word. So rows of one frequency are those of the first run, then those of the
second, and so on: the final order needs no further sort, only slices.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.core.spill import Spill

LEVELS = 64
"""Frequencies below this are counted one by one in the spectrum."""
CHUNK_ROWS = 1 << 19

Integers = NDArray[Any]
Rows = tuple[Integers, Integers, Integers]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run:
    """Sorted rows; ``ends[f]`` is where those with at least that frequency end, for small frequencies."""

    size: int
    ends: NDArray[np.int64]
    rows: Rows | None = None
    path: Path | None = None
    types: tuple[np.dtype[Any], ...] = ()

    def read(self, start: int, end: int) -> Rows:
        if self.rows is not None:
            left, right, f = self.rows
            return left[start:end], right[start:end], f[start:end]
        parts, offset = [], 0
        for kind in self.types:
            at = offset + start * kind.itemsize
            parts.append(np.fromfile(str(self.path), dtype=kind, count=end - start, offset=at))
            offset += self.size * kind.itemsize
        return parts[0], parts[1], parts[2]


def sorted_run(left: Integers, right: Integers, f: Integers) -> Run:
    """Put rows into order; one sort of packed numbers where they fit."""
    if not len(f):
        return Run(size=0, ends=np.zeros(LEVELS + 1, dtype=np.int64), rows=(left, right, f))
    base, top = int(left[0]), int(f.max())
    left_bits, right_bits = (int(left.max()) - base).bit_length(), int(right.max()).bit_length()
    if int(left.min()) == base and left_bits + right_bits + top.bit_length() <= 63:
        keys = (top - f.astype(np.int64)) << left_bits
        keys = ((keys | (left - base)) << right_bits) | right
        keys.sort()
        right = (keys & ((1 << right_bits) - 1)).astype(right.dtype)
        keys >>= right_bits
        left = ((keys & ((1 << left_bits) - 1)) + base).astype(left.dtype)
        f = (top - (keys >> left_bits)).astype(f.dtype)
    else:
        order = np.lexsort((right, left, -f.astype(np.int64)))
        left, right, f = left[order], right[order], f[order]
    ends = np.searchsorted(-f.astype(np.int64), -np.arange(LEVELS + 1), side="right")
    return Run(size=len(f), ends=ends.astype(np.int64), rows=(left, right, f))


class RunStore:
    """Runs as they come; once they fill their share of the budget, they go to disk."""

    def __init__(self, spill: Spill | None) -> None:
        self._spill = spill
        self._held = 0
        self.runs: list[Run] = []

    def add(self, run: Run) -> None:
        if not run.size or run.rows is None:
            return
        held = sum(part.nbytes for part in run.rows)
        if self._spill is not None and self._held + held > self._spill.budget // 8:
            self.runs.append(_written(run, run.rows, self._spill.folder))
        else:
            self._held += held
            self.runs.append(run)


def _written(run: Run, rows: Rows, folder: Path) -> Run:
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".run", delete=False) as file:
        for part in rows:
            part.tofile(file)
    return Run(size=run.size, ends=run.ends, path=Path(file.name), types=tuple(part.dtype for part in rows))


def in_final_order(runs: list[Run], *, chunk_rows: int = CHUNK_ROWS) -> Iterator[Rows]:
    """All rows by f descending, left word, right word, in pieces of about ``chunk_rows``."""
    pending: list[Rows] = []
    size = 0
    for part in _slices(runs):
        pending.append(part)
        size += len(part[0])
        if size >= chunk_rows:
            yield _joined(pending)
            pending, size = [], 0
    if pending:
        yield _joined(pending)


def _slices(runs: list[Run]) -> Iterator[Rows]:
    if top := [run.read(0, int(run.ends[LEVELS])) for run in runs if run.ends[LEVELS]]:
        left, right, f = _joined(top)
        order = np.argsort(-f.astype(np.int64), kind="stable")
        for at in range(0, len(order), CHUNK_ROWS):
            part = order[at : at + CHUNK_ROWS]
            yield left[part], right[part], f[part]
    for level in range(LEVELS - 1, 0, -1):
        for run in runs:
            start, end = int(run.ends[level + 1]), int(run.ends[level])
            for at in range(start, end, CHUNK_ROWS):
                yield run.read(at, min(at + CHUNK_ROWS, end))


def _joined(parts: list[Rows]) -> Rows:
    return (
        np.concatenate([left for left, _, _ in parts]),
        np.concatenate([right for _, right, _ in parts]),
        np.concatenate([f for _, _, f in parts]),
    )
