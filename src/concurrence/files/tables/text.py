"""Text files: their bytes, the format by file extension, delimited tables, and the line of a row.

What is read from text stays text: every column is a string exactly as written, and only an empty cell is missing.
A line that does not fit is an error that names it.
"""

import csv
import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
import polars as pl

from concurrence.core.errors import InvalidInputError, option_or_keyword

if TYPE_CHECKING:
    import _csv

TEXT_FORMATS = ("csv", "tsv", "jsonl", "json", "ds")
FORMATS = (*TEXT_FORMATS, "parquet", "xlsx")
UNNAMED_ENCODING = "?"
"""Stands for an encoding that was not named; errors then suggest the option to name it."""
LONGEST_NAME = 10_000
QUOTED = re.compile(r'"[^"]*"')


def table_format(path: Path) -> str:
    """The format of a file, by its extension."""
    ending = "csv" if str(path) == "-" else table_ending(path)
    if ending not in FORMATS:
        raise InvalidInputError(
            f"{path}: the format comes from the file extension, which must be .csv, .tsv, .jsonl, .json, .parquet, "
            ".xlsx or .ds (text formats also with .gz)."
        )
    return ending


def table_ending(path: Path) -> str:
    """The format that a file's extension names, known or not."""
    name = path.name.lower().removesuffix(".gz")
    ending = name.rpartition(".")[2] if "." in name else ""
    return {"txt": "tsv", "pq": "parquet", "ndjson": "jsonl"}.get(ending, ending)


def read_bytes(path: Path) -> bytes:
    """The whole content of a file or of standard input, unpacked."""
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except (OSError, ValueError) as error:
        raise InvalidInputError(unreadable_message(path, error)) from error
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInputError(f"{path}: the gzip file is damaged or cut off.") from error


@contextmanager
def open_bytes(path: Path) -> Iterator[BinaryIO | gzip.GzipFile]:
    """A file to read in parts, unpacked; it raises the same errors as :func:`read_bytes`."""
    try:
        with path.open("rb") as raw:
            is_gzip = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with gzip.GzipFile(fileobj=raw) if is_gzip else raw as file:
                yield file
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InvalidInputError(f"{path}: the gzip file is damaged or cut off.") from error
    except (OSError, ValueError) as error:
        raise InvalidInputError(unreadable_message(path, error)) from error


@contextmanager
def compressing(raw: BinaryIO, path: Path) -> Iterator[BinaryIO | gzip.GzipFile]:
    """An open file as it is written: packed where its name ends in ``.gz``, and always to the same bytes."""
    if path.name.lower().endswith(".gz"):
        with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as file:
            yield file
    else:
        yield raw


def unreadable_message(path: Path, error: Exception) -> str:
    """Why a file cannot be opened, in words."""
    if isinstance(error, FileNotFoundError | NotADirectoryError | ValueError):
        return f"{path} does not exist."
    # Windows says of a folder, too, that permission is denied.
    folder = isinstance(error, IsADirectoryError) or os.path.isdir(path)  # noqa: PTH112 (it never raises)
    reason = getattr(error, "strerror", None) or error
    return f"{path} is a folder; name a file in it." if folder else f"{path} cannot be read: {reason}."


def read_text(path: Path, *, encoding: str | None = None) -> bytes:
    """The content of a text file as UTF-8 bytes without a byte order mark; anything else is refused."""
    return validate_text(read_bytes(path), path, encoding=encoding)


def validate_text(data: bytes, path: Path | str, *, encoding: str | None = None, before: int = 0) -> bytes:
    """Text as UTF-8 bytes without a byte order mark; a NUL byte or anything else is refused with its line.

    Text in another ``encoding`` is decoded first; with ``UNNAMED_ENCODING``, an error suggests to name one.
    ``before`` is the number of lines above, if the text is a piece of a file.
    """
    if encoding not in (None, UNNAMED_ENCODING):
        data = _decode(data, path, encoding)
    data = data.removeprefix(b"\xef\xbb\xbf")
    if (nul := data.find(b"\0")) >= 0:
        looks_like_utf16 = encoding == UNNAMED_ENCODING and data.startswith((b"\xff\xfe", b"\xfe\xff"))
        hint = (
            ", unless it is UTF-16: " + option_or_keyword("--encoding utf-16", 'encoding="utf-16"')
            if looks_like_utf16
            else ""
        )
        raise InvalidInputError(
            f"{path}, line {before + _line_at(data, nul)}: a NUL byte; this is not a text file{hint}."
        )
    if data.isascii():
        return data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = before + _line_at(data, error.start)
        option = option_or_keyword("--encoding cp1252", 'encoding="cp1252"')
        hint = f", or name its encoding, which is often cp1252 on Windows: {option}"
        raise InvalidInputError(
            f"{path}, line {line}: not valid UTF-8; save the file as "
            f"UTF-8{hint if encoding == UNNAMED_ENCODING else ''}."
        ) from error
    return data


def _decode(data: bytes, path: Path | str, encoding: str) -> bytes:
    try:
        return data.decode(encoding).removeprefix("\ufeff").encode("utf-8")
    except LookupError as error:
        raise InvalidInputError(f"Unknown encoding {encoding!r}; common ones are utf-8, cp1252 and utf-16.") from error
    except UnicodeError as error:
        raise InvalidInputError(f"{path} is not valid {encoding}: {error}.") from error


def _line_at(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1


def split_lines(text: bytes) -> list[str]:
    """Lines end at LF alone: other separators of Unicode may be tokens."""
    return [line.removesuffix("\r") for line in text.decode("utf-8").split("\n")]


def detect_delimiter(header: str, kind: str) -> str:
    """What stands between the fields of a table: a tab in ``.tsv`` and ``.ds``, in ``.csv`` as in the header.

    That is ``,`` or ``;``, whichever it has more of outside quotation marks, or a tab where it has neither.
    """
    if kind != "csv":
        return "\t"
    unquoted = QUOTED.sub("", header)
    commas, semicolons = unquoted.count(","), unquoted.count(";")
    if "\t" in unquoted and not commas and not semicolons:
        return "\t"
    return ";" if semicolons > commas else ","


def line_of_row(data: bytes, kind: str, row: int) -> int:
    """The line of a text file on which a row of its table begins, lines counted from 1 and rows from 0.

    A quoted cell may hold line ends, a data set begins with comments, and blank lines of JSON are no rows.
    """
    if kind in ("jsonl", "json"):
        return [number for number, line in enumerate(data.split(b"\n"), start=1) if line.strip()][row]
    if kind == "ds":
        return len(split_comments(data)[0]) + row + 2
    if b'"' not in data:
        return row + 2
    reader = _row_reader(data, detect_delimiter(data.split(b"\n", 1)[0].decode("utf-8"), kind))
    for _ in range(row + 1):
        next(reader)
    return reader.line_num + 1


def _row_reader(data: bytes, delimiter: str, *, strict: bool = False) -> "_csv.Reader":
    """The rows as the standard library splits them; it knows the line that each ends on."""
    csv.field_size_limit(max(csv.field_size_limit(), len(data)))
    return csv.reader(io.StringIO(data.decode("utf-8"), newline=""), delimiter=delimiter, strict=strict)


def split_comments(data: bytes) -> tuple[list[bytes], bytes]:
    """The comment lines at the head of a data set, and the rest."""
    head = []
    while data.startswith(b"#"):
        line, _, data = data.partition(b"\n")
        head.append(line)
    return head, data


def parse_delimited(data: bytes, path: Path, kind: str, *, before: int = 0) -> pl.DataFrame:
    """A table from delimited text, ``.csv`` or ``.tsv``, or a piece of one with ``before`` lines above it."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if not data.endswith(b"\n") or data.endswith(b"\n\n"):
        data = data.rstrip(b"\n") + b"\n"
    header = data[: data.index(b"\n")].decode("utf-8")
    delimiter = detect_delimiter(header, kind)
    columns = parse_header(header, path, delimiter)
    quote = None if kind == "tsv" and b'"' not in data else '"'
    try:
        frame = pl.read_csv(data, separator=delimiter, quote_char=quote, infer_schema=False)
    except pl.exceptions.PolarsError as error:
        _refuse_uneven(data, path, delimiter, columns, before)
        raise InvalidInputError(f"{path} cannot be read as a table: {str(error).splitlines()[0]}") from error
    if not _surely_even(data, delimiter, frame):
        _refuse_uneven(data, path, delimiter, columns, before)
    frame = frame.rename(dict(zip(frame.columns, columns, strict=False)))
    return frame.with_columns(pl.all().replace("", None)) if b'"' in data else frame


def parse_data_set(data: bytes, path: Path, *, before: int = 0) -> pl.DataFrame:
    """A UCS data set: comment lines, then tab-separated text in which a quotation mark is a character."""
    head, body = split_comments(data)
    body = body.replace(b"\r\n", b"\n").rstrip(b"\r\n")
    if not body:
        raise InvalidInputError(f"{path} has comments but no table.")
    lines = body.split(b"\n")
    columns = parse_header(lines[0].decode("utf-8"), path, "\t", quotes=False)
    for number, line in enumerate(lines, start=before + len(head) + 1):
        if (fields := line.count(b"\t") + 1) != len(columns):
            raise InvalidInputError(
                f"{path}, line {number}: {fields} fields, but the header names {len(columns)} ({', '.join(columns)})."
            )
    frame = pl.read_csv(body, separator="\t", quote_char=None, infer_schema=False)
    frame.columns = columns
    return frame


def parse_header(line: str, path: Path, delimiter: str, *, quotes: bool = True) -> list[str]:
    """The names of the columns without blanks around them, each with one of its own; only the first may be empty."""
    if "\r" in line:
        raise InvalidInputError(f"{path}, line 1: a bare carriage return; save the file with LF or CRLF line endings.")
    csv.field_size_limit(max(csv.field_size_limit(), len(line)))
    fields = next(csv.reader([line], delimiter=delimiter), [""]) if quotes else line.split(delimiter)
    columns = [name.strip() for name in fields]
    if not columns:
        raise InvalidInputError(f"{path}, line 1: the line is empty; the first line must name the columns.")
    if (longest := max(map(len, columns))) > LONGEST_NAME:
        raise InvalidInputError(
            f"{path}, line 1: a cell has {longest:,} characters, too many for the name of a column; the first line "
            "must name the columns."
        )
    if "" in columns[1:]:
        raise InvalidInputError(f"{path}, line 1: a column has no name; the first line must name the columns.")
    if len(set(columns)) < len(columns):
        twice = next(name for name in columns if columns.count(name) > 1)
        raise InvalidInputError(f"{path}, line 1: two columns are named {twice!r}.")
    return columns


def _surely_even(data: bytes, delimiter: str, frame: pl.DataFrame) -> bool:
    """Whether all lines have as many fields as the header, where that can be known without parsing again.

    The parser refuses lines that are too long and fills up those that are too short, empty ones too. Without quotes,
    counting the marks finds them; with quotes, none is short where the last column is full and every line is a row.
    """
    if b"\r" in data:
        return False
    if b'"' not in data:
        n_delimiters = np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == ord(delimiter))
        return bool(n_delimiters == (frame.height + 1) * (frame.width - 1))
    complete = frame[:, -1].null_count() == 0 and data.count(b"\n") == frame.height + 1
    return complete and _quotes_hold_fields(data, delimiter)


def _quotes_hold_fields(data: bytes, delimiter: str) -> bool:
    """Whether every quote opens or closes a field or is doubled; the parser would let others pass."""
    text = np.frombuffer(data, dtype=np.uint8)
    quotes = np.flatnonzero(text == ord('"'))
    borders = [ord(delimiter), ord("\n"), ord('"')]
    before, after = text[np.maximum(quotes[::2] - 1, 0)], text[quotes[1::2] + 1]
    return len(quotes) % 2 == 0 and bool(np.isin(before, borders).all() and np.isin(after, borders).all())


def _refuse_uneven(data: bytes, path: Path, delimiter: str, columns: list[str], before: int) -> None:
    reader, line = _row_reader(data, delimiter, strict=True), before + 1
    try:
        for row in reader:
            if len(row) != len(columns):
                description = f"{len(row)} field{'s' * (len(row) != 1)}" if row else "an empty line"
                raise InvalidInputError(
                    f"{path}, line {line}: {description}, but the header names {len(columns)} ({', '.join(columns)})."
                )
            line = before + reader.line_num + 1
    except csv.Error as error:
        reason = str(error).replace("unexpected end of data", "a quotation mark is opened and never closed")
        raise InvalidInputError(f"{path}, line {line}: {reason}.") from error
