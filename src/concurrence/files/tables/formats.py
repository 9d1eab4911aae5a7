"""Tables by their file extension: CSV, TSV, JSONL, Parquet, UCS data sets, and .gz of the text formats."""

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import isinf
from pathlib import Path
from typing import Any

import polars as pl
from polars.io.plugins import register_io_source

from concurrence.core.errors import InvalidInputError, MissingExtraError
from concurrence.core.frames import refuse_in_fork
from concurrence.files.atomic import replacing
from concurrence.files.provenance import PARQUET_KEY, Provenance, write_provenance
from concurrence.files.tables.text import (
    compressing,
    parse_data_set,
    parse_delimited,
    read_bytes,
    table_format,
    unreadable_message,
    validate_text,
)

ROWS_AT_ONCE = 1 << 16


def read_table(path: str | Path) -> pl.DataFrame:
    """Read a table; every column of a text format is text."""
    refuse_in_fork()
    path = Path(path)
    return parse_table(read_bytes(path), path, table_format(path))


def parse_table(data: bytes, path: Path, kind: str, *, sheet: str | None = None, skip_rows: int = 0) -> pl.DataFrame:
    """The table that the bytes of a file hold; of a workbook, the first sheet or the one named, below some rows."""
    if kind == "parquet":
        return _parse_parquet(data, path)
    if kind == "xlsx":
        return _parse_excel(data, path, sheet, skip_rows)
    data = validate_text(data, path)
    if not data or data.isspace():
        raise InvalidInputError(f"{path} is empty.")
    if kind in ("jsonl", "json"):
        return table_of_records(parse_json_records(data, path))
    return parse_data_set(data, path) if kind == "ds" else parse_delimited(data, path, kind)


def read_rows(path: Path) -> list[dict[str, str | None]]:
    """The rows of a table as texts; lists of examples are kept apart by a mark."""
    return text_rows(read_table(path))


def text_rows(frame: pl.DataFrame) -> list[dict[str, str | None]]:
    """Rows as texts, as :func:`read_rows` gives them."""
    rows: list[dict[str, str | None]] = join_lists(frame).with_columns(pl.all().cast(pl.String)).to_dicts()
    return rows


class Number(str):
    """A JSON number exactly as it was written."""

    __slots__ = ()


def parse_json_records(data: bytes, path: Path, *, before: int = 0) -> list[dict[str, Any]]:
    """The objects of a JSON array, or of JSON lines; numbers stay as they are written.

    ``before`` is the number of lines above, if these are a piece of a file.
    """
    if data.lstrip()[:1] == b"[":
        entries = _parse_json(data.decode("utf-8"), f"{path}")
        rows = list(enumerate(entries, start=1))
        unit = "entry"
    else:
        lines = data.decode("utf-8").split("\n")
        numbered_lines = enumerate(lines, start=before + 1)
        rows = [(n, _parse_json(line, f"{path}, line {n}")) for n, line in numbered_lines if line.strip()]
        unit = "line"
    for n, row in rows:
        if not isinstance(row, dict):
            raise InvalidInputError(f"{path}, {unit} {n}: expected a JSON object, found {type(row).__name__}.")
    return [row for _, row in rows]


def parse_json_object(data: bytes, *, flat: bool = False) -> dict[str, Any] | None:
    """The object that a JSON text is as a whole, if it has objects or lists inside, as logs have, or may be ``flat``.

    Programs write NaN for a score that is missing, so it stands for null here.
    """
    text = data.decode("utf-8").strip()
    decoder = json.JSONDecoder(parse_float=Number, parse_int=Number, parse_constant=lambda _: None)
    try:
        value, end = decoder.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    whole = isinstance(value, dict) and (flat or any(isinstance(part, dict | list) for part in value.values()))
    return value if whole and end == len(text) else None


def _parse_json(text: str, where: str) -> Any:
    try:
        value = json.loads(text, parse_float=Number, parse_int=Number, parse_constant=_refuse_constant)
        if "\\u" in text:
            _to_json(value).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"{where}: not valid JSON ({error}).") from error
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def table_of_records(records: list[dict[str, Any]]) -> pl.DataFrame:
    """A table of text from JSON objects; lists and objects stay JSON."""
    columns = list(dict.fromkeys(key for record in records for key in record))
    return pl.DataFrame({name: [as_text(record.get(name)) for record in records] for name in columns}, strict=False)


def as_text(value: Any) -> str | None:
    """A JSON value as a cell of text: numbers as they were written, lists and objects as JSON, null as missing."""
    if value is None or isinstance(value, str):
        return str(value or "") or None
    return _to_json(value)


def _to_json(value: Any) -> str:
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        entries = (f"{json.dumps(key, ensure_ascii=False)}: {_to_json(entry)}" for key, entry in value.items())
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_to_json(entry) for entry in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def write_table(frame: pl.DataFrame, path: Path, provenance: Provenance | None = None) -> None:
    """Write a table in the format of the ending, whole or not at all, with its provenance."""
    refuse_in_fork()
    table = frame.with_columns(pl.selectors.float().fill_nan(None))
    write_chunks([table], table.schema, Path(path), provenance)


def write_chunks(
    chunks: Iterable[pl.DataFrame], schema: pl.Schema, path: Path, provenance: Provenance | None = None
) -> None:
    """Write a table piece by piece, so that it need not fit into memory; it is still written whole or not at all."""
    kind = table_format(path)
    if kind in ("json", "xlsx"):
        raise InvalidInputError(f"{path}: tables are written as .csv, .tsv, .jsonl or .parquet.")
    with replacing(path) as temporary:
        if kind == "parquet":
            metadata = {PARQUET_KEY: json.dumps(provenance.as_json(), ensure_ascii=False)} if provenance else None
            source = register_io_source(lambda *_: iter(chunks), schema=schema)  # all is written: nothing to push down
            source.sink_parquet(temporary, metadata=metadata, maintain_order=True, row_group_size=1 << 18)
        else:
            with temporary.open("wb") as raw, compressing(raw, path) as file:
                for text in _format_chunks(chunks, schema, kind):
                    file.write(text.encode("utf-8"))
    if provenance is not None and kind != "parquet":
        write_provenance(path, provenance)


def _format_chunks(chunks: Iterable[pl.DataFrame], schema: pl.Schema, kind: str) -> Iterator[str]:
    delimiter = "," if kind == "csv" else "\t"
    if kind != "jsonl":
        yield join_lists(pl.DataFrame(schema=schema)).write_csv(separator=delimiter)
    for chunk in chunks:
        if kind == "jsonl":
            yield from json_lines(chunk)
        else:
            yield join_lists(chunk).write_csv(separator=delimiter, include_header=False)


def join_lists(frame: pl.DataFrame) -> pl.DataFrame:
    """A table whose lists are one text each, for formats that have no lists."""
    return frame.with_columns(pl.selectors.list().list.eval(pl.element().cast(pl.String)).list.join(" ⏎ "))


def json_lines(frame: pl.DataFrame) -> Iterator[str]:
    """Rows as JSON, a line each and many lines at a time; undefined is null, infinities are words."""
    for part in frame.with_columns(pl.selectors.float().fill_nan(None)).iter_slices(ROWS_AT_ONCE):
        if not any(column.is_infinite().any() for column in part.select(pl.selectors.float())):
            yield part.write_ndjson()
            continue
        for row in part.iter_rows(named=True):
            # JSON has no infinite numbers: they are the words inf and -inf, as in every other format.
            words = {name: str(value) for name, value in row.items() if isinstance(value, float) and isinf(value)}
            yield json.dumps(row | words, ensure_ascii=False, separators=(",", ":")) + "\n"


def _parse_parquet(data: bytes, path: Path) -> pl.DataFrame:
    with parquet_errors(path):
        return pl.read_parquet(io.BytesIO(data))


@contextmanager
def parquet_errors(path: Path) -> Iterator[None]:
    """Turn the errors of polars into ours: the file does not exist, or is not a Parquet file."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        if isinstance(error, OSError) or path.is_dir():
            raise InvalidInputError(unreadable_message(path, error)) from error
        raise InvalidInputError(f"{path} is not a Parquet file: {str(error).splitlines()[0]}") from error


def _parse_excel(data: bytes, path: Path, sheet: str | None, skip_rows: int = 0) -> pl.DataFrame:
    names = sheet_names(data, path)
    if sheet is not None and sheet not in names:
        raise InvalidInputError(f"{path} has no sheet {sheet!r}; its sheets are {', '.join(names)}.")
    try:
        table = pl.DataFrame(_workbook(data, path).load_sheet(sheet or 0, dtypes="string", header_row=skip_rows))
    except Exception as error:
        raise InvalidInputError(f"{path} cannot be read as an .xlsx sheet: {error}") from error
    return table.rename(strip_column_names(table.columns, path))


def sheet_names(data: bytes, path: Path) -> list[str]:
    """The sheets of a workbook."""
    return list(_workbook(data, path).sheet_names)


def _workbook(data: bytes, path: Path) -> Any:
    try:
        import fastexcel
    except ImportError as error:
        raise MissingExtraError(f"{path}: reading .xlsx (or save the sheet as CSV)", "excel") from error
    try:
        return fastexcel.read_excel(data)
    except Exception as error:
        raise InvalidInputError(f"{path} cannot be read as an .xlsx sheet: {error}") from error


def strip_column_names(columns: Sequence[str], path: Path | str) -> dict[str, str]:
    """New names of columns: without the white space around them."""
    names = {name: name.strip() for name in columns}
    if len(set(names.values())) < len(names):
        twice = next(name for name in names.values() if list(names.values()).count(name) > 1)
        raise InvalidInputError(f"{path}: two columns are named {twice!r}, not counting spaces around the names.")
    return names
