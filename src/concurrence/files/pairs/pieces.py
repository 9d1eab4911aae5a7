"""Pairs that need not fit into memory: a file is checked once, then read and written piece by piece."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from concurrence.core.contingency import SIGNATURE, WORDS
from concurrence.core.errors import InvalidInputError
from concurrence.core.pairs import Counted, Pairs
from concurrence.files.atomic import replacing
from concurrence.files.pairs.formats import (
    CellKind,
    cast_cells,
    data_set_head,
    data_set_rows,
    detect_cell_kind,
    key_columns,
    pair_provenance,
    read_counted,
    with_keys,
    with_signatures,
)
from concurrence.files.provenance import Provenance, write_provenance
from concurrence.files.tables.formats import write_chunks
from concurrence.files.tables.pieces import table_pieces
from concurrence.files.tables.sheets import Sheet
from concurrence.files.tables.text import compressing, table_format


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairFile:
    """The pairs of a file, checked to be sound, in pieces that can be read as often as they are needed.

    ``kinds`` are the columns with what their cells are in the whole file, so that every piece has the same types. A
    file of one piece is kept as ``sheet``.
    """

    path: Path
    key: tuple[str, ...]
    counted: Counted | None
    kinds: dict[str, CellKind]
    types: dict[str, pl.DataType]
    size: int
    sheet: Sheet | None = None

    def __len__(self) -> int:
        return self.size

    @property
    def empty(self) -> Pairs:
        """The same without a row: all that is known without reading."""
        return self._pairs(Sheet(name=str(self.path), frame=pl.DataFrame(schema=self.types), place=str))

    def pieces(self) -> Iterator[Pairs]:
        """The pairs, in the order of the file."""
        for sheet in (self.sheet,) if self.sheet is not None else table_pieces(self.path):
            yield self._pairs(sheet)

    def _pairs(self, sheet: Sheet) -> Pairs:
        table = with_signatures(self._typed(sheet.frame), self.path, sheet.place, self.key)
        return Pairs(table=table, counted=self.counted, key=self.key)

    def _typed(self, frame: pl.DataFrame) -> pl.DataFrame:
        missing = [
            pl.lit(None, dtype=kind).alias(name) for name, kind in self.types.items() if name not in frame.columns
        ]
        table = frame.with_columns(missing).select(pl.col(name).cast(kind) for name, kind in self.types.items())
        return table.with_columns(cast_cells(table[name], kind) for name, kind in self.kinds.items())


def open_pairs(path: str | Path, *, key: Sequence[str] | None = None) -> PairFile:
    """Check the pairs of a file as :func:`read_pairs` does, without keeping them.

    Whether a column holds numbers is known only at its end, so every file is read twice, unless it is one piece.
    """
    path = Path(path)
    keys, kinds, types = key_columns(path, key), dict[str, CellKind](), dict[str, pl.DataType]()
    size, single = 0, None
    for number, sheet in enumerate(table_pieces(path)):
        frame = with_signatures(with_keys(sheet.frame, keys, path, sheet.place), path, sheet.place, keys)
        single = sheet if number == 0 else None
        size += len(frame)
        for name, column in zip(sheet.frame.columns, sheet.frame.get_columns(), strict=True):
            if types.get(name, pl.Null) == pl.Null:
                types[name] = pl.String() if name in keys else column.dtype
            if name not in (*keys, *SIGNATURE):
                kinds[name] = max(kinds.get(name, CellKind.NOTHING), detect_cell_kind(column))
        _require_numbers(sheet)
    return PairFile(path=path, key=keys, counted=read_counted(path), kinds=kinds, types=types, size=size, sheet=single)


def _require_numbers(sheet: Sheet) -> None:
    """Refuse frequencies of single words that are text, before anything is written."""
    for name in WORDS:
        if name in sheet.frame.columns and sheet.frame[name].dtype == pl.String:
            column = sheet.frame[name]
            wrong = column.is_not_null() & column.cast(pl.Float64, strict=False).is_null()
            if wrong.any():
                row = int(wrong.arg_max() or 0)
                raise InvalidInputError(f"{sheet.place(row)}: {name} is {column[row]!r}, not a number.")


def write_pieces(
    pieces: Callable[[], Iterator[Pairs]], like: Pairs, path: str | Path, provenance: Provenance, *, size: int
) -> None:
    """Write pairs piece by piece in the format of the ending; ``like`` has their columns, ``size`` is their number."""
    path = Path(path)
    origin = pair_provenance(like, provenance)
    if table_format(path) != "ds":
        tables = (piece.table.with_columns(pl.selectors.float().fill_nan(None)) for piece in pieces())
        write_chunks(tables, like.table.schema, path, origin)
        return
    with replacing(path) as temporary, temporary.open("wb") as raw, compressing(raw, path) as file:
        file.write(data_set_head(like, size).encode("utf-8"))
        first = 0
        for piece in pieces():
            file.write(data_set_rows(piece, path, first=first).encode("utf-8"))
            first += len(piece)
    write_provenance(path, origin)
