"""A table from any source, and how errors refer to its rows."""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from concurrence.core.cells import sets_hint
from concurrence.core.errors import ConcurrenceError, InvalidInputError, MissingExtraError, option_or_keyword
from concurrence.core.frames import frame_of
from concurrence.core.sentences import Sentence, count_noun
from concurrence.files.tables.docbin import ENDING, name_of_doc, read_docs
from concurrence.files.tables.formats import (
    Number,
    as_text,
    parse_json_object,
    parse_json_records,
    parse_table,
    sheet_names,
    strip_column_names,
)
from concurrence.files.tables.row_filter import parse_condition
from concurrence.files.tables.text import (
    UNNAMED_ENCODING,
    line_of_row,
    parse_data_set,
    parse_delimited,
    read_bytes,
    read_text,
    table_format,
    validate_text,
)

Record = dict[str, Any]

DAMAGED = (zlib.error, EOFError, RuntimeError, ValueError, OSError, OverflowError, struct.error)
"""What Python says of archives whose bytes were changed, besides that they are none."""
JSON_PARTS = re.compile(r"\.jsonl?$")
INSPECT_PARTS = re.compile(r"^(_journal/start|header|samples/[^/]+|samples/[^/]+/sample)\.json$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table with its name; ``place`` says where a row is, such as ``labels.csv, line 17``.

    ``records`` are the objects behind a table that was JSON, with their types and inner structure. ``kinds`` is what
    an export says of its coders: human, model or scorer; ``warnings`` are what was left out of it.
    """

    name: str
    frame: pl.DataFrame
    place: Callable[[int], str]
    records: list[Record] | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[Sentence, ...] = ()

    @property
    def height(self) -> int:
        """How many rows there are."""
        return self.frame.height if self.records is None else len(self.records)

    def column(self, name: str, *, joint: str | None = None) -> pl.Series:
        """A column as text; the members of a list are joined by ``joint``, where one is given."""
        if self.records is not None:
            return _texts_of_records(self, name, joint)
        column = self.frame[name]
        return column if column.dtype == pl.String else _texts_of_series(self, column, joint)


def open_sheet(source: Any, *, encoding: str | None = None, sheet: str | None = None, skip_rows: int = 0) -> Sheet:
    """The table of a file, of standard input (``-``), or of a frame that speaks the Arrow interface.

    ``skip_rows`` stand above the header. Rows in which nothing stands are not there.
    """
    if isinstance(source, str | Path):
        table = _open_file(Path(source), encoding, sheet, skip_rows)
        return table if table.records is not None else _without_blank_rows(table)
    if skip_rows:
        raise InvalidInputError("A frame has its header already; skip_rows= is for files.")
    if not hasattr(source, "__arrow_c_stream__"):
        kind = type(source).__name__
        raise InvalidInputError(
            f"Labels can be read from a file or from a data frame with the Arrow interface, not from a {kind}."
        )
    try:
        frame = frame_of(source)
    except Exception as error:  # whatever the other library says of its own frame, such as mixed types in a column
        raise InvalidInputError(f"The frame cannot be read through the Arrow interface: {error}") from error
    frame = frame.rename(strip_column_names(frame.columns, "The frame"))
    return Sheet(name="The frame", frame=frame, place=lambda row: f"The frame, row {row + 1}")


def with_records(sheet: Sheet) -> Sheet:
    """The sheet with its rows as JSON objects, such as those of a Parquet file with lists in its columns."""
    if sheet.records is not None:
        return sheet
    lines = sheet.frame.write_ndjson().encode("utf-8")
    return replace(
        sheet_of_records(parse_json_records(lines, Path(sheet.name)), sheet.name, sheet.place), kinds=sheet.kinds
    )


def select_rows(sheet: Sheet, rows: Sequence[int]) -> Sheet:
    """The sheet with these rows alone; errors name the places where they stand in the source."""
    place = sheet.place
    frame = sheet.frame if sheet.records is not None else sheet.frame[list(rows)]
    records = None if sheet.records is None else [sheet.records[row] for row in rows]
    return replace(sheet, frame=frame, records=records, place=lambda row: place(rows[row]))


def filter_rows(sheet: Sheet, expression: str) -> Sheet:
    """The rows for which a condition holds; one that names no column, or holds nowhere, is refused."""

    def column(name: str) -> pl.Series:
        if name not in sheet.frame.columns:
            columns = ", ".join(sheet.frame.columns)
            raise InvalidInputError(f"{sheet.name} has no column {name!r} ({rows}); its columns are {columns}.")
        return sheet.column(name)

    rows = option_or_keyword("--rows", "rows=")
    holds = parse_condition(expression)(column)
    if not holds.any():
        raise InvalidInputError(f"{sheet.name}: no row is one of those with {expression} ({rows}).")
    return select_rows(sheet, holds.arg_true().to_list())


def _without_blank_rows(sheet: Sheet) -> Sheet:
    """The sheet without rows in which nothing stands, as spreadsheets leave them."""
    if not sheet.frame.width:
        return sheet
    texts = [pl.col(name).str.strip_chars() == "" for name, dtype in sheet.frame.schema.items() if dtype == pl.String]
    others = [pl.col(name).is_null() for name, dtype in sheet.frame.schema.items() if dtype != pl.String]
    blank = sheet.frame.select(pl.all_horizontal(*(one.fill_null(True) for one in texts), *others)).to_series()
    return select_rows(sheet, (~blank).arg_true().to_list()) if blank.any() else sheet


def sheet_of_records(records: list[Record], name: str, place: Callable[[int], str]) -> Sheet:
    """A sheet of JSON objects; columns are made on access."""
    columns = dict.fromkeys(key for record in records for key in record)
    return Sheet(name=name, frame=pl.DataFrame(schema=dict.fromkeys(columns, pl.String)), place=place, records=records)


def row_place(path: Path, row: int) -> str:
    """Where a row (counted from 0) of a file stands, as a person finds it; standard input cannot be read again."""
    kind = table_format(path)
    lines = kind not in ("parquet", "xlsx") and str(path) != "-"
    return format_row_place(read_text(path) if lines else b"", kind, str(path), row)


def format_row_place(data: bytes, kind: str, name: str, row: int, *, lines_above: int = 0) -> str:
    """Where a row stands in the text of a file: by its line where there are lines, else by its number."""
    if not data:
        return f"{name}, row {row + (2 if kind == 'xlsx' else 1)}"
    if kind in ("jsonl", "json") and data.lstrip()[:1] == b"[":
        return f"{name}, entry {row + 1}"
    return f"{name}, line {lines_above + line_of_row(data, kind, row)}"


def _open_file(path: Path, encoding: str | None, sheet: str | None, skip_rows: int) -> Sheet:
    name = "standard input" if str(path) == "-" else str(path)
    data = read_bytes(path)
    if path.suffix.lower() == ".zip":
        return _open_zip(data, path)
    if path.suffix.lower() == ".eval":
        return _open_inspect_log(data, path)
    if path.suffix.lower() == ENDING:
        return _open_docbin(data, path)
    kind = table_format(path)
    if sheet is not None and kind != "xlsx":
        raise InvalidInputError(f"{name} has no sheets; only .xlsx files have.")
    if skip_rows and kind not in ("csv", "tsv", "xlsx"):
        raise InvalidInputError(f"{name} has no rows above its header to skip; only .csv, .tsv and .xlsx files may.")
    if kind in ("parquet", "xlsx"):
        if kind == "xlsx" and sheet is None and len(sheets := sheet_names(data, path)) > 1:
            name = f"{name} (the first of its sheets {', '.join(sheets)})"
        frame = parse_table(data, path, kind, sheet=sheet, skip_rows=skip_rows)
        return Sheet(name=name, frame=frame, place=lambda row: format_row_place(b"", kind, name, row + skip_rows))
    data = validate_text(data, name, encoding=encoding or UNNAMED_ENCODING)
    if not data or data.isspace():
        raise InvalidInputError(f"{name} is empty.")
    if kind in ("jsonl", "json") or (kind == "csv" and data.lstrip()[:1] in (b"{", b"[")):
        return _open_json(data, path, name)
    if skip_rows:
        data = data.split(b"\n", skip_rows)[-1] if data.count(b"\n") > skip_rows else b""
        if not data.strip():
            raise InvalidInputError(
                f"{name} has no more than {count_noun(skip_rows, 'line')}, which were to be skipped."
            )
    frame = parse_data_set(data, path) if kind == "ds" else parse_delimited(data, path, kind, before=skip_rows)
    return Sheet(
        name=name, frame=frame, place=lambda row: format_row_place(data, kind, name, row, lines_above=skip_rows)
    )


def _open_json(data: bytes, path: Path, name: str) -> Sheet:
    flat = table_format(path) == "json" if path.suffix else False
    document = parse_json_object(data, flat=flat) if data.lstrip()[:1] == b"{" else None
    records = parse_json_records(data, path) if document is None else [document]
    return sheet_of_records(records, name, lambda row: format_row_place(data, "json", name, row))


def _open_zip(data: bytes, path: Path) -> Sheet:
    """JSON lines of several annotators, a file each, whose name is the coder."""
    places, records = [], []
    for member, text in _read_members(data, path):
        inner = _open_json(text, member, f"{path}, {member}")
        # Potato keeps a file of the same name in a folder for each user.
        coder = member.parent.name if member.stem == "annotated_instances" else member.name.rpartition(".")[0]
        records += [{"coder": coder, **record} for record in inner.records or ()]
        places += [(inner, row) for row in range(len(inner.records or ()))]
    if not records:
        raise InvalidInputError(f"{path} contains no JSON Lines file with records.")
    return sheet_of_records(records, str(path), lambda row: places[row][0].place(places[row][1]))


def _open_inspect_log(data: bytes, path: Path) -> Sheet:
    """A log of Inspect: a header and a file per sample, put together as in its ``.json`` logs."""
    log: Record = {"version": None, "status": "started"}
    samples = []
    for member, text in sorted(
        _read_members(data, path, INSPECT_PARTS), key=lambda part: part[0].parts[0] != "_journal"
    ):
        part = parse_json_object(text)
        if part is None:
            raise InvalidInputError(f"{path}, {member}: not valid JSON.")
        if member.parts[0] == "samples":
            samples.append(part)
        else:
            log |= part
    if "eval" not in log:
        raise InvalidInputError(f"{path} is not a log of Inspect: it has no header.json.")
    return sheet_of_records([{**log, "samples": samples}], str(path), lambda _: str(path))


def _open_docbin(data: bytes, path: Path) -> Sheet:
    """The categories of documents of spaCy, those of at least one half; the coder is called like the file."""
    docs = read_docs(path, data)
    records: list[Record] = [
        {
            "item": name_of_doc(doc, number),
            "coder": path.stem,
            "label": [name for name, score in doc.cats.items() if score >= 0.5],
        }
        for number, doc in enumerate(docs, start=1)
    ]
    for record in records:
        if len(record["label"]) < 2:
            record["label"] = record["label"][0] if record["label"] else None
    if not any(doc.cats for doc in docs):
        spans = option_or_keyword("concur spans", "concurrence.spans")
        raise InvalidInputError(f"{path} holds no categories of documents (doc.cats); {spans} compares spans.")
    return sheet_of_records(records, str(path), lambda row: f"{path}, document {row + 1}")


def _read_members(data: bytes, path: Path, pattern: re.Pattern[str] = JSON_PARTS) -> list[tuple[Path, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [name for name in archive.namelist() if pattern.search(name)]
            return [(Path(name), validate_text(archive.read(name), f"{path}, {name}")) for name in names]
    except NotImplementedError:
        return _read_zstandard_members(data, path, pattern)
    except ConcurrenceError:
        raise
    except (zipfile.BadZipFile, *DAMAGED) as error:
        raise InvalidInputError(f"{path} is not a valid {path.suffix} file: {error}.") from error


def _read_zstandard_members(data: bytes, path: Path, pattern: re.Pattern[str]) -> list[tuple[Path, bytes]]:
    """Members of an archive that Python reads from 3.14 on, and before with the package that brings it."""
    try:
        from backports.zstd import ZstdError
        from backports.zstd import zipfile as archives
    except ImportError as error:
        what = (
            f"{path}: reading logs that are compressed by Zstandard (or convert it with inspect log convert --to json)"
        )
        raise MissingExtraError(what, "logs") from error
    try:
        with archives.ZipFile(io.BytesIO(data)) as archive:
            names = [name for name in archive.namelist() if pattern.search(name)]
            return [(Path(name), validate_text(archive.read(name), f"{path}, {name}")) for name in names]
    except NotImplementedError as error:
        hint = " Convert it with inspect log convert --to json." if path.suffix.lower() == ".eval" else ""
        raise InvalidInputError(f"{path} is compressed in a way that cannot be read here.{hint}") from error
    except ConcurrenceError:
        raise
    except (archives.BadZipFile, ZstdError, *DAMAGED) as error:
        raise InvalidInputError(f"{path} is not a valid {path.suffix} file: {error}.") from error


def _texts_of_records(sheet: Sheet, name: str, joint: str | None) -> pl.Series:
    values = [record.get(name) for record in sheet.records or ()]
    if joint is not None:
        values = [_join_members(value, joint, sheet, row) for row, value in enumerate(values)]
    first: tuple[int, str] | None = None
    for row, value in enumerate(values):
        if value is None or value == "":
            continue
        kind = _json_kind(value)
        if kind in ("a list", "an object"):
            hint = sets_hint() if kind == "a list" and joint is None else ""
            raise InvalidInputError(f"{sheet.place(row)}: {name!r} is {kind}, not a single value.{hint}")
        first = first or (row, kind)
        if kind != first[1]:
            raise InvalidInputError(
                f"{sheet.place(row)}: {name!r} is {kind}, but {first[1]} at {sheet.place(first[0])}; use one type "
                "throughout."
            )
    return pl.Series(name, [as_text(value) for value in values], dtype=pl.String)


def _join_members(value: Any, joint: str, sheet: Sheet, row: int) -> Any:
    if not isinstance(value, list):
        return value
    members = [as_text(member) for member in value]
    if any(member is None or joint in member for member in members):
        raise InvalidInputError(f"{sheet.place(row)}: a set member is empty or contains the separator {joint!r}.")
    return joint.join(member for member in members if member is not None)


def _json_kind(value: Any) -> str:
    kinds = {bool: "a truth value", Number: "a number", str: "a text", list: "a list", dict: "an object"}
    return kinds[type(value)]


def _texts_of_series(sheet: Sheet, series: pl.Series, joint: str | None) -> pl.Series:
    dtype = series.dtype
    if isinstance(dtype, pl.List | pl.Array) and joint is not None:
        values = series.to_list()
        texts = [None if v is None else _join_members(v, joint, sheet, row) for row, v in enumerate(values)]
        return pl.Series(series.name, texts, dtype=pl.String)
    if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
        hint = sets_hint() if dtype in (pl.List, pl.Array) else ""
        raise InvalidInputError(f"{sheet.name}: the column {series.name!r} holds {dtype}, not single values.{hint}")
    if dtype.is_float():
        series = series.fill_nan(None)
    return series.cast(pl.String)
