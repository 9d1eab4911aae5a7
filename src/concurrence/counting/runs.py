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
Rows = tuple[Integers, ...]
"""Left words, right words and f; where it was asked for, one more with the dispersion of each row."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run:
    """Sorted rows; ``ends[f]`` is where those with at least that frequency end, for small frequencies."""

    size: int
    ends: NDArray[np.int64]
    rows: Rows | None = None
    path: Path | None = None
    types: tuple[tuple[np.dtype[Any], tuple[int, ...]], ...] = ()

    def read(self, start: int, end: int) -> Rows:
        if self.rows is not None:
            return tuple(part[start:end] for part in self.rows)
        parts, offset = [], 0
        for kind, shape in self.types:
            width = int(np.prod(shape, dtype=np.int64))
            at = offset + start * width * kind.itemsize
            part = np.fromfile(str(self.path), dtype=kind, count=(end - start) * width, offset=at)
            parts.append(part.reshape(end - start, *shape))
            offset += self.size * width * kind.itemsize
        return tuple(parts)


def sorted_run(left: Integers, right: Integers, f: Integers, *more: Integers) -> Run:
    """Put rows into order, with all that belongs to them; one sort of packed numbers where they fit."""
    if not len(f):
        return Run(size=0, ends=np.zeros(LEVELS + 1, dtype=np.int64), rows=(left, right, f, *more))
    base, top = int(left[0]), int(f.max())
    left_bits, right_bits = (int(left.max()) - base).bit_length(), int(right.max()).bit_length()
    if not more and int(left.min()) == base and left_bits + right_bits + top.bit_length() <= 63:
        keys = (top - f.astype(np.int64)) << left_bits
        keys = ((keys | (left - base)) << right_bits) | right
        keys.sort()
        right = (keys & ((1 << right_bits) - 1)).astype(right.dtype)
        keys >>= right_bits
        left = ((keys & ((1 << left_bits) - 1)) + base).astype(left.dtype)
        f = (top - (keys >> left_bits)).astype(f.dtype)
    else:
        order = np.lexsort((right, left, -f.astype(np.int64)))
        left, right, f, *more = (part[order] for part in (left, right, f, *more))  # type: ignore[assignment]
    ends = np.searchsorted(-f.astype(np.int64), -np.arange(LEVELS + 1), side="right")
    return Run(size=len(f), ends=ends.astype(np.int64), rows=(left, right, f, *more))


class RunStore:
    """Runs as they come; once they fill their share of the budget, they go to disk."""

    def __init__(self, spill: Spill | None) -> None:
        self._spill = spill
        self._n_bytes = 0
        self.runs: list[Run] = []

    def add(self, run: Run) -> None:
        if not run.size or run.rows is None:
            return
        n_bytes = sum(part.nbytes for part in run.rows)
        if self._spill is not None and self._n_bytes + n_bytes > self._spill.budget // 8:
            self.runs.append(_written(run, run.rows, self._spill.folder))
        else:
            self._n_bytes += n_bytes
            self.runs.append(run)


def _written(run: Run, rows: Rows, folder: Path) -> Run:
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".run", delete=False) as file:
        for part in rows:
            part.tofile(file)
    return Run(
        size=run.size, ends=run.ends, path=Path(file.name), types=tuple((part.dtype, part.shape[1:]) for part in rows)
    )


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
        rows = _joined(top)
        order = np.argsort(-rows[2].astype(np.int64), kind="stable")
        for at in range(0, len(order), CHUNK_ROWS):
            yield tuple(part[order[at : at + CHUNK_ROWS]] for part in rows)
    for level in range(LEVELS - 1, 0, -1):
        for run in runs:
            start, end = int(run.ends[level + 1]), int(run.ends[level])
            for at in range(start, end, CHUNK_ROWS):
                yield run.read(at, min(at + CHUNK_ROWS, end))


def _joined(parts: list[Rows]) -> Rows:
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))
