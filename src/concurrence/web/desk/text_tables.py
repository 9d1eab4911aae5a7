"""Uploaded tables of text as people have them: other encodings, ``sep=;``, blank lines, columns without a name."""

import csv
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import polars as pl

from concurrence.core.errors import InvalidInputError
from concurrence.files.tables.formats import parse_table
from concurrence.files.tables.text import detect_delimiter, parse_header

ENCODINGS = ("utf-8", "utf-16", "cp1252", "cp1250", "cp1251", "iso-8859-15", "mac-roman")
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
SEPARATOR = re.compile(rb'"?sep=([,;\t])"?\r?\n', re.IGNORECASE)  # what Excel reads, and writes nowhere


def read_text_table(data: bytes, called: Path, kind: str, encoding: str | None) -> pl.DataFrame:
    """A table from the bytes of a text file; what is blank is left out, what is wrong is told with its line."""
    data = _as_utf_8(data, called, encoding)
    if kind not in ("csv", "tsv"):
        return parse_table(data, called, kind)
    separator = SEPARATOR.match(data)
    body = data[separator.end() :] if separator else data
    try:
        return parse_table(body, called, kind)
    except InvalidInputError:
        if not body.strip():
            raise
        return _blanks_left_out(body.decode("utf-8"), called, kind, before=1 if separator else 0)


def _as_utf_8(data: bytes, called: Path, encoding: str | None) -> bytes:
    encoding = encoding or ("utf-16" if data.startswith(UTF_16) else "utf-8-sig")
    try:
        return data.decode(encoding).removeprefix("\ufeff").encode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        known = "UTF-8" if encoding == "utf-8-sig" else encoding
        raise InvalidInputError(
            f"{called}, line {line}: not valid {known}; choose the encoding of the file, which is often cp1252 "
            "where it comes from Windows."
        ) from error


def _blanks_left_out(text: str, called: Path, kind: str, *, before: int) -> pl.DataFrame:
    """The table without blank rows, and without columns at the end that have neither a name nor anything in them."""
    numbered = _numbered_rows(text, called, kind, before)
    _, header = next(numbered, (0, []))
    rows = list(numbered)
    width = max((place for place, name in enumerate(header, start=1) if name.strip()), default=0)
    for line, row in rows:
        if len(row) < width or any(cell.strip() for cell in row[width:]):
            raise InvalidInputError(
                f"{called}, line {line}: {len(row)} field{'s' * (len(row) != 1)}, but the header names {width} "
                f"({', '.join(header[:width])})."
            )
    head = StringIO()
    csv.writer(head, lineterminator="").writerow(header[:width])
    names = parse_header(head.getvalue(), called, ",")
    cells = [[cell or None for cell in row[:width]] for _, row in rows]
    return pl.DataFrame(cells, schema=dict.fromkeys(names, pl.String), orient="row")


def _numbered_rows(text: str, called: Path, kind: str, before: int) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the line on which it begins."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    reader = csv.reader(
        StringIO(text.replace("\r\n", "\n"), newline=""),
        delimiter=detect_delimiter(first, kind),
        strict=True,
    )
    line = before + 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield line, row
            line = before + reader.line_num + 1
    except csv.Error as error:
        raise InvalidInputError(f"{called}, line {line}: {error}.") from error
