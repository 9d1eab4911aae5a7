"""A table of any source, and how its rows are called when something is wrong with one."""

import csv
import io
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from concurrence.core.errors import InvalidInputError
from concurrence.files.tables import (
    Number,
    as_text,
    checked_text,
    delimited_table,
    json_records,
    read_bytes,
    read_table,
    read_text,
    require_file,
    table_format,
)

Record = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table with its name; ``place`` says where a row is, such as ``labels.csv, line 17``.

    ``records`` are the objects behind a table that was JSON, with their types and inner structure.
    """

    name: str
    frame: pl.DataFrame
    place: Callable[[int], str]
    records: list[Record] | None = None

    def column(self, name: str, *, joint: str | None = None) -> pl.Series:
        """A column as text; the members of a list are joined by ``joint``, where one is given."""
        if self.records is not None:
            return _texts_of_records(self, name, joint)
        return _texts_of_series(self, self.frame[name], joint)


def open_sheet(source: Any) -> Sheet:
    """The table of a file, of standard input (``-``), or of a frame that speaks the Arrow interface."""
    if isinstance(source, str | Path):
        return _open_file(Path(source))
    if not hasattr(source, "__arrow_c_stream__"):
        kind = type(source).__name__
        raise InvalidInputError(f"Labels are read from a file or a frame with the Arrow interface, not from a {kind}.")
    try:
        frame = pl.DataFrame(source)
    except Exception as error:  # whatever the other library says of its own frame, such as mixed types in a column
        raise InvalidInputError(f"The frame cannot be read through the Arrow interface: {error}") from error
    return Sheet(name="The frame", frame=frame, place=lambda row: f"The frame, row {row + 1}")


def sheet_of_records(records: list[Record], name: str, place: Callable[[int], str]) -> Sheet:
    """A sheet of JSON objects; their columns are made when they are asked for."""
    columns = dict.fromkeys(key for record in records for key in record)
    return Sheet(name=name, frame=pl.DataFrame(schema=dict.fromkeys(columns, pl.String)), place=place, records=records)


def _open_file(path: Path) -> Sheet:
    name = "standard input" if str(path) == "-" else str(path)
    if name == str(path):
        require_file(path)
    if path.suffix.lower() == ".zip":
        return _zip_sheet(path)
    kind = table_format(path)
    if kind in ("parquet", "xlsx", "ds"):
        first = 1 if kind == "parquet" else 2
        return Sheet(name=name, frame=read_table(path), place=lambda row: f"{name}, row {row + first}")
    data = read_text(path)
    if not data or data.isspace():
        raise InvalidInputError(f"{name} is empty.")
    if kind in ("jsonl", "ndjson", "json") or (kind == "csv" and data.lstrip()[:1] in (b"{", b"[")):
        return _json_sheet(data, path, name)
    frame = delimited_table(data, path, delimiter="\t" if kind == "tsv" else None)
    return Sheet(name=name, frame=frame, place=lambda row: f"{name}, line {_line_of_row(data, row)}")


def _json_sheet(data: bytes, path: Path, name: str) -> Sheet:
    records = json_records(data, path)
    if data.lstrip()[:1] == b"[":
        return sheet_of_records(records, name, lambda row: f"{name}, entry {row + 1}")

    def place(row: int) -> str:
        lines = [n for n, line in enumerate(data.split(b"\n"), start=1) if line.strip()]
        return f"{name}, line {lines[row]}" if row < len(lines) else name

    return sheet_of_records(records, name, place)


def _zip_sheet(path: Path) -> Sheet:
    """JSON lines of several annotators, a file each, whose name is the coder."""
    places, records = [], []
    for member, data in _members(path):
        inner = _json_sheet(data, member, f"{path}, {member}")
        coder = member.name.rpartition(".")[0]
        records += [{"coder": coder, **record} for record in inner.records or ()]
        places += [(inner, row) for row in range(len(inner.records or ()))]
    if not records:
        raise InvalidInputError(f"{path} holds no file of JSON lines with records.")
    return sheet_of_records(records, str(path), lambda row: places[row][0].place(places[row][1]))


def _members(path: Path) -> list[tuple[Path, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(read_bytes(path))) as archive:
            names = [name for name in archive.namelist() if name.endswith((".jsonl", ".json"))]
            return [(Path(name), checked_text(archive.read(name), f"{path}, {name}")) for name in names]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise InvalidInputError(f"{path} is not a sound .zip file: {error}.") from error


def _line_of_row(data: bytes, row: int) -> int:
    """The line on which a row of delimited text begins; only quoted line ends make them differ."""
    if b'"' not in data:
        return row + 2
    lines = csv.reader(io.StringIO(data.decode("utf-8"), newline=""), delimiter=_some_mark(data))
    for _ in range(row + 1):
        next(lines)
    return lines.line_num + 1


def _some_mark(data: bytes) -> str:
    header = data.split(b"\n", 1)[0]
    return max(",;\t", key=lambda mark: header.count(mark.encode()))


def _texts_of_records(sheet: Sheet, name: str, joint: str | None) -> pl.Series:
    values = [record.get(name) for record in sheet.records or ()]
    if joint is not None:
        values = [_joined(value, joint, sheet, row) for row, value in enumerate(values)]
    first: tuple[int, str] | None = None
    for row, value in enumerate(values):
        if value is None or value == "":
            continue
        kind = _kind(value)
        if kind in ("a list", "an object"):
            way_out = " Say --sets '+' where labels are sets." if kind == "a list" and joint is None else ""
            raise InvalidInputError(f"{sheet.place(row)}: {name!r} is {kind}, not a single value.{way_out}")
        first = first or (row, kind)
        if kind != first[1]:
            raise InvalidInputError(
                f"{sheet.place(row)}: {name!r} is {kind}, but {first[1]} at {sheet.place(first[0])}; write all alike."
            )
    return pl.Series(name, [as_text(value) for value in values], dtype=pl.String)


def _joined(value: Any, joint: str, sheet: Sheet, row: int) -> Any:
    if not isinstance(value, list):
        return value
    members = [as_text(member) for member in value]
    if any(member is None or joint in member for member in members):
        raise InvalidInputError(f"{sheet.place(row)}: a member of the set is empty or holds the mark {joint!r}.")
    return joint.join(member for member in members if member is not None)


def _kind(value: Any) -> str:
    kinds = {bool: "a truth value", Number: "a number", str: "a text", list: "a list", dict: "an object"}
    return kinds[type(value)]


def _texts_of_series(sheet: Sheet, series: pl.Series, joint: str | None) -> pl.Series:
    dtype = series.dtype
    if dtype == pl.String:
        return series
    if isinstance(dtype, pl.List | pl.Array) and joint is not None:
        values = series.to_list()
        joined = [None if v is None else _joined(v, joint, sheet, row) for row, v in enumerate(values)]
        return pl.Series(series.name, joined, dtype=pl.String)
    if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
        way_out = " Say --sets '+' where labels are sets." if dtype in (pl.List, pl.Array) else ""
        raise InvalidInputError(f"{sheet.name}: the column {series.name!r} holds {dtype}, not single values.{way_out}")
    if dtype.is_float():
        series = series.fill_nan(None)
    return series.cast(pl.String)
