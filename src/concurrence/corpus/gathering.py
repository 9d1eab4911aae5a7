"""What readers fill while they read: growing columns, heads and regions."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.errors import InvalidInputError
from concurrence.core.spill import Spill
from concurrence.core.tokens import Column, Regions, Tokens
from concurrence.corpus.sources import Progress
from concurrence.corpus.vocabulary import Vocabulary

MAX_POSITIONS = 2**31 - 2


class Gathering:
    """Columns of tokens in the making; the same positions in each."""

    def __init__(self, *, progress: Progress | None = None, total: int = 0) -> None:
        self.size = 0
        self.broken = 0
        self.regions: dict[str, list[tuple[int, int, dict[str, str]]]] = {}
        self._vocabularies: dict[str, Vocabulary] = {}
        self._parts: dict[str, list[NDArray[np.int32]]] = {}
        self._heads: list[NDArray[np.int32]] = []
        self._progress, self._done, self._total = progress, 0, total

    def vocabulary(self, column: str) -> Vocabulary:
        return self._vocabularies.setdefault(column, Vocabulary())

    def add(self, codes: Mapping[str, NDArray[np.int32]], heads: NDArray[np.int32] | None = None) -> None:
        """Add positions: one part for each column, all of the same length."""
        if self._parts and set(codes) != set(self._parts):
            missing = ", ".join(sorted(set(codes) ^ set(self._parts)))
            raise InvalidInputError(f"Only some files of the corpus have the attributes {missing}.")
        for name, part in codes.items():
            self._parts.setdefault(name, []).append(part)
        if heads is not None:
            self._heads.append(heads)
        self.size += len(next(iter(codes.values())))
        if self.size > MAX_POSITIONS:
            raise InvalidInputError(
                "The corpus has more than two billion tokens; count it with Spark (concur pairs --engine spark)."
            )

    def report(self, n_bytes: int, *, broken: int = 0) -> None:
        self.broken += broken
        self._done += n_bytes
        if self._progress is not None:
            self._progress(self._done, self._total)

    def tokens(self, sources: tuple[str, ...], *, spill: Spill | None = None) -> Tokens:
        """All that was gathered; what exceeds a third of the budget is kept in a file."""
        columns = {
            name: Column(codes=_joined(parts, spill), words=self.vocabulary(name).words())
            for name, parts in self._parts.items()
        }
        if not columns:
            columns = {"form": Column(codes=np.empty(0, dtype=np.int32), words=pl.Series(dtype=pl.String))}
        return Tokens(
            columns=columns,
            heads=_joined(self._heads, spill) if self._heads else None,
            regions={name: _regions(rows) for name, rows in self.regions.items()},
            sources=sources,
            broken=self.broken,
        )


def _joined(parts: list[NDArray[np.int32]], spill: Spill | None) -> NDArray[np.int32]:
    """All parts in one array; parts are let go one by one, so that memory is not needed twice."""
    size = sum(map(len, parts))
    too_big = spill is not None and size * 4 > spill.budget // 3
    whole: NDArray[np.int32] = _mapped(size, spill.folder) if spill and too_big else np.empty(size, dtype=np.int32)
    at = 0
    parts.reverse()
    while parts:
        part = parts.pop()
        whole[at : at + len(part)] = part
        at += len(part)
    whole.flags.writeable = False
    return whole


def _mapped(size: int, folder: Path) -> NDArray[np.int32]:
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".codes", delete=False) as file:
        return np.memmap(file.name, dtype=np.int32, mode="w+", shape=(size,))


def _regions(rows: list[tuple[int, int, dict[str, str]]]) -> Regions:
    names: dict[str, Any] = dict.fromkeys(name for _, _, attributes in rows for name in attributes)
    return Regions(
        starts=np.array([start for start, _, _ in rows], dtype=np.int64),
        ends=np.array([end for _, end, _ in rows], dtype=np.int64),
        attributes={name: tuple(attributes.get(name, "") for _, _, attributes in rows) for name in names},
    )
