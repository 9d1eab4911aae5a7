"""Tables by their ending: CSV, TSV, JSONL, Parquet, UCS data sets, and .gz of the text forms.

What is read from text stays text: every column is a string exactly as written, and only an empty cell or a
JSON null is missing. A line that does not fit is an error that names it.
"""

import csv
import gzip
import io
import json
import sys
import zlib
from collections.abc import Iterable, Iterator
from math import isinf
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from concurrence.core.errors import InvalidInputError, MissingExtraError
from concurrence.files.atomic import replacing
from concurrence.files.provenance import PARQUET_KEY, Provenance, write_provenance

TEXT_FORMATS = ("csv", "tsv", "jsonl", "ndjson", "json", "ds")
FORMATS = (*TEXT_FORMATS, "parquet", "xlsx")
WRITABLE = ("csv", "tsv", "jsonl", "parquet")
ROWS_AT_ONCE = 1 << 16


def table_format(path: Path) -> str:
    """The format of a file, told from its ending."""
    if str(path) == "-":
        return "csv"
    ending = table_ending(path)
    if ending not in FORMATS:
        raise InvalidInputError(
            f"{path}: the ending tells the format, and it must be one of "
            ".csv, .tsv, .jsonl, .json, .parquet, .xlsx or .ds (.gz of the text forms too)."
        )
    return ending


def table_ending(path: Path) -> str:
    """What a file's ending says its format is, known or not."""
    name = path.name.lower().removesuffix(".gz")
    ending = name.rpartition(".")[2] if "." in name else ""
    return {"txt": "tsv", "pq": "parquet", "ndjson": "jsonl"}.get(ending, ending)


def read_bytes(path: Path) -> bytes:
    """The whole content of a file or of standard input, unpacked."""
    if str(path) == "-":
        return _unpacked(sys.stdin.buffer.read(), path)
    require_file(path)
    try:
        return _unpacked(path.read_bytes(), path)
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror}.") from error


def require_file(path: Path) -> None:
    """Refuse what is not there, or is a folder."""
    try:
        there, folder = path.exists(), path.is_dir()
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror}.") from error
    if not there:
        raise InvalidInputError(f"{path} does not exist.")
    if folder:
        raise InvalidInputError(f"{path} is a folder; name a file in it.")


def read_text(path: Path) -> bytes:
    """The content of a text file as UTF-8 bytes without a byte order mark; anything else is refused."""
    return checked_text(read_bytes(path), path)


def checked_text(data: bytes, path: Path | str) -> bytes:
    """Text as UTF-8 bytes without a byte order mark; a NUL byte or anything else is refused with its line."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    if (zero := data.find(b"\0")) >= 0:
        raise InvalidInputError(f"{path}, line {_line_at(data, zero)}: a NUL byte; this is not a text file.")
    if data.isascii():
        return data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = _line_at(data, error.start)
        raise InvalidInputError(f"{path}, line {line}: not valid UTF-8; save the file as UTF-8.") from error
    return data


def read_table(path: Path) -> pl.DataFrame:
    """Read a table; every column of a text format is text."""
    kind = table_format(path)
    if kind == "parquet":
        return _read_parquet(path)
    if kind == "xlsx":
        return _read_excel(path)
    data = read_text(path)
    if not data or data.isspace():
        raise InvalidInputError(f"{path} is empty.")
    if kind in ("jsonl", "ndjson", "json"):
        return records_table(json_records(data, path))
    if kind == "ds":
        return _read_data_set(data, path)
    return delimited_table(data, path, delimiter="\t" if kind == "tsv" else None)


def delimited_table(data: bytes, path: Path, *, delimiter: str | None = None) -> pl.DataFrame:
    """A table from delimited text; without a delimiter, the header tells ``,`` from ``;``."""
    data = _unix_lines(data)
    header_line = data[: data.index(b"\n")].decode("utf-8")
    mark = delimiter or _told_delimiter(header_line)
    quote = None if delimiter == "\t" and b'"' not in data else '"'
    columns = _header(header_line, mark, path)
    try:
        frame = pl.read_csv(data, separator=mark, quote_char=quote, infer_schema=False)
    except pl.exceptions.PolarsError as error:
        _refuse_uneven(data, path, mark, columns)
        raise InvalidInputError(f"{path} cannot be read as a table: {str(error).splitlines()[0]}") from error
    if not _surely_even(data, mark, frame):
        _refuse_uneven(data, path, mark, columns)
    return frame.with_columns(pl.all().replace("", None)) if b'"' in data else frame


def _unix_lines(data: bytes) -> bytes:
    """Lines that end at LF, none of them empty at the end; untouched where that is so already."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    return data if data.endswith(b"\n") and not data.endswith(b"\n\n") else data.rstrip(b"\n") + b"\n"


def _told_delimiter(header_line: str) -> str:
    """``,`` or ``;``, whichever the header has more of; a tab where it has neither."""
    if "\t" in header_line and not {",", ";"} & set(header_line):
        return "\t"
    return ";" if header_line.count(";") > header_line.count(",") else ","


class Number(str):
    """A JSON number exactly as it was written."""

    __slots__ = ()


def _read_data_set(data: bytes, path: Path) -> pl.DataFrame:
    """A UCS data set: comment lines, then tab-separated text in which a quotation mark is a character."""
    head, body = split_comments(data)
    columns = body.split(b"\n", 1)[0].decode("utf-8").rstrip("\r").split("\t")
    _check_header(columns, path)
    for number, line in enumerate(body.rstrip(b"\r\n").split(b"\n"), start=len(head) + 1):
        if line.count(b"\t") != len(columns) - 1:
            fields = line.count(b"\t") + 1
            raise InvalidInputError(
                f"{path}, line {number}: {fields} fields, but the header names {len(columns)} ({', '.join(columns)})."
            )
    body = body.replace(b"\r\n", b"\n")
    return pl.read_csv(body, separator="\t", quote_char=None, infer_schema=False)


def split_comments(data: bytes) -> tuple[list[bytes], bytes]:
    """The comment lines at the head of a data set, and the rest."""
    head = []
    while data.startswith(b"#"):
        line, _, data = data.partition(b"\n")
        head.append(line)
    return head, data


def json_records(data: bytes, path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON array, or of JSON lines; numbers stay as they are written."""
    if data.lstrip()[:1] == b"[":
        whole = _parse(data.decode("utf-8"), f"{path}")
        rows = list(enumerate(whole, start=1))
        where = "entry"
    else:
        lines = data.decode("utf-8").split("\n")
        rows = [(n, _parse(line, f"{path}, line {n}")) for n, line in enumerate(lines, start=1) if line.strip()]
        where = "line"
    for n, row in rows:
        if not isinstance(row, dict):
            raise InvalidInputError(f"{path}, {where} {n}: expected a JSON object, found {type(row).__name__}.")
    return [row for _, row in rows]


def records_table(records: list[dict[str, Any]]) -> pl.DataFrame:
    """A table of text from JSON objects; lists and objects stay JSON."""
    columns = list(dict.fromkeys(key for record in records for key in record))
    return pl.DataFrame({name: [as_text(record.get(name)) for record in records] for name in columns}, strict=False)


def write_table(frame: pl.DataFrame, path: Path, provenance: Provenance | None = None) -> None:
    """Write a table in the format of the ending, whole or not at all, with its provenance."""
    path = Path(path)
    kind = table_format(path)
    frame = frame.with_columns(pl.selectors.float().fill_nan(None))
    with replacing(path) as temporary:
        if kind == "parquet":
            known = {PARQUET_KEY: json.dumps(provenance.as_json(), ensure_ascii=False)} if provenance else None
            frame.write_parquet(temporary, metadata=known)
        else:
            temporary.write_bytes(_packed(_as_bytes(frame, kind, path), path))
    if provenance is not None and kind != "parquet":
        write_provenance(path, provenance)


def _as_bytes(frame: pl.DataFrame, kind: str, path: Path) -> bytes:
    if kind in ("jsonl", "ndjson"):
        return "".join(json_lines(frame)).encode("utf-8")
    if kind in ("csv", "tsv", "ds"):
        return flattened(frame).write_csv(separator="," if kind == "csv" else "\t").encode("utf-8")
    raise InvalidInputError(f"{path}: tables are written as .csv, .tsv, .jsonl or .parquet.")


def flattened(frame: pl.DataFrame) -> pl.DataFrame:
    """A table whose lists are one text each, for formats that have no lists."""
    return frame.with_columns(pl.selectors.list().list.eval(pl.element().cast(pl.String)).list.join(" ⏎ "))


def json_lines(frame: pl.DataFrame) -> Iterator[str]:
    """Rows as JSON, a line each and many lines at a time; undefined is null, infinities are words."""
    for part in frame.with_columns(pl.selectors.float().fill_nan(None)).iter_slices(ROWS_AT_ONCE):
        yield _json_lines(part)


def _json_lines(frame: pl.DataFrame) -> str:
    """JSON has no infinite numbers: they are the words ``inf`` and ``-inf``, as in every other format."""
    if not any(column.is_infinite().any() for column in frame.select(pl.selectors.float())):
        return frame.write_ndjson()
    rows = ({name: _word_for_infinity(value) for name, value in row.items()} for row in frame.iter_rows(named=True))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _word_for_infinity(value: Any) -> Any:
    return str(value) if isinstance(value, float) and isinf(value) else value


def _packed(data: bytes, path: Path) -> bytes:
    return gzip.compress(data, mtime=0) if path.name.lower().endswith(".gz") else data


def _unpacked(data: bytes, path: Path) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInputError(f"{path}: the gzip file is damaged or cut off.") from error


def _line_at(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1


def _parse(text: str, where: str) -> Any:
    try:
        parsed = json.loads(text, parse_float=Number, parse_int=Number, parse_constant=_refuse_constant)
        if "\\u" in text:
            _as_json(parsed).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"{where}: not valid JSON ({error}).") from error
    return parsed


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def as_text(value: Any) -> str | None:
    """A JSON value as a cell of text: numbers as they were written, lists and objects as JSON, null as missing."""
    if value is None or isinstance(value, str):
        return str(value or "") or None
    return _as_json(value)


def _as_json(value: Any) -> str:
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        entries = (f"{json.dumps(key, ensure_ascii=False)}: {_as_json(entry)}" for key, entry in value.items())
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_as_json(entry) for entry in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def _header(line: str, mark: str, path: Path) -> list[str]:
    if "\r" in line:
        raise InvalidInputError(f"{path}, line 1: a bare carriage return; save the file with LF or CRLF line ends.")
    columns = next(csv.reader([line], delimiter=mark), [""])
    _check_header(columns, path)
    return columns


def _check_header(columns: list[str], path: Path) -> None:
    if any(name.strip() == "" for name in columns[1:]):
        raise InvalidInputError(f"{path}, line 1: a column has no name; the first line must name the columns.")
    if len(set(columns)) < len(columns):
        twice = next(name for name in columns if columns.count(name) > 1)
        raise InvalidInputError(f"{path}, line 1: two columns are named {twice!r}.")


def _surely_even(data: bytes, mark: str, frame: pl.DataFrame) -> bool:
    """Whether all lines have as many fields as the header, where that can be told without parsing again.

    The parser refuses lines that are too long and fills up those that are too short, empty ones too. Without quotes,
    counting the marks finds them; with quotes, none is short where the last column is full and every line is a row.
    """
    if b"\r" in data:
        return False
    if b'"' not in data:
        marks = np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == ord(mark))
        return bool(marks == (frame.height + 1) * (frame.width - 1))
    full = frame[:, -1].null_count() == 0 and data.count(b"\n") == frame.height + 1
    return full and _quotes_hold_fields(data, mark)


def _quotes_hold_fields(data: bytes, mark: str) -> bool:
    """Whether every quote opens or closes a field or is doubled; the parser would let others pass."""
    text = np.frombuffer(data, dtype=np.uint8)
    quotes = np.flatnonzero(text == ord('"'))
    borders = [ord(mark), ord("\n"), ord('"')]
    before, after = text[np.maximum(quotes[::2] - 1, 0)], text[quotes[1::2] + 1]
    return len(quotes) % 2 == 0 and bool(np.isin(before, borders).all() and np.isin(after, borders).all())


def _refuse_uneven(data: bytes, path: Path, mark: str, columns: list[str]) -> None:
    reader = csv.reader(io.StringIO(data.decode("utf-8"), newline=""), delimiter=mark, strict=True)
    try:
        for row in reader:
            if len(row) != len(columns):
                found = f"{len(row)} field{'s' * (len(row) != 1)}" if row else "an empty line"
                raise InvalidInputError(
                    f"{path}, line {reader.line_num}: {found}, but the header names {len(columns)} "
                    f"({', '.join(columns)})."
                )
    except csv.Error as error:
        said = str(error).replace("unexpected end of data", "a quotation mark is opened and never closed")
        raise InvalidInputError(f"{path}, line {reader.line_num}: {said}.") from error


def _read_parquet(path: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(io.BytesIO(read_bytes(path)))
    except pl.exceptions.PolarsError as error:
        raise InvalidInputError(f"{path} is not a Parquet file: {str(error).splitlines()[0]}") from error


def _read_excel(path: Path) -> pl.DataFrame:
    try:
        import fastexcel
    except ImportError as error:
        raise MissingExtraError(f"{path}: reading .xlsx (or save the sheet as CSV)", "excel") from error
    try:
        sheet = fastexcel.read_excel(read_bytes(path)).load_sheet(0, dtypes="string")
    except Exception as error:
        raise InvalidInputError(f"{path} cannot be read as an .xlsx sheet: {error}") from error
    return pl.DataFrame(sheet)


def require_columns(frame: pl.DataFrame, names: Iterable[str], path: Path | str) -> None:
    """Refuse a table that lacks a column, naming the ones it has."""
    for name in names:
        if name not in frame.columns:
            raise InvalidInputError(f"{path} has no column {name!r}; found are: {', '.join(frame.columns)}.")
