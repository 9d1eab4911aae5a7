"""Tables that need not fit into memory: read in pieces of whole rows, each of which knows its lines.

The pieces of a file, put together, are the table that ``read_table`` gives. Standard input, workbooks and JSON arrays
come as one piece.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

from concurrence.core.errors import InvalidInputError
from concurrence.files.tables.formats import parquet_errors, parse_json_records, read_table, table_of_records
from concurrence.files.tables.sheets import Sheet, row_place
from concurrence.files.tables.text import (
    line_of_row,
    open_bytes,
    parse_data_set,
    parse_delimited,
    split_comments,
    table_format,
    validate_text,
)

BYTES_AT_ONCE = 1 << 23
ROWS_AT_ONCE = 1 << 18


def table_pieces(path: Path) -> Iterator[Sheet]:
    """The table of a file in pieces: of about ``BYTES_AT_ONCE`` of text, or of ``ROWS_AT_ONCE`` of Parquet."""
    kind = table_format(path)
    if str(path) == "-" or kind in ("xlsx", "json"):
        yield Sheet(name=str(path), frame=read_table(path), place=partial(row_place, path))
    elif kind == "parquet":
        yield from _parquet_pieces(path, ROWS_AT_ONCE)
    else:
        yield from _text_pieces(path, kind, BYTES_AT_ONCE)


def _parquet_pieces(path: Path, rows: int) -> Iterator[Sheet]:
    with parquet_errors(path):
        lazy_frame = pl.scan_parquet(path)
        total = int(lazy_frame.select(pl.len()).collect().item())
    for first in range(0, max(total, 1), rows):
        with parquet_errors(path):
            frame = lazy_frame.slice(first, rows).collect()
        yield Sheet(name=str(path), frame=frame, place=partial(_row_place, path, first))


def _row_place(path: Path, first: int, row: int) -> str:
    return f"{path}, row {first + row + 1}"


def _line_place(path: Path, before: int, text: bytes, kind: str, row: int) -> str:
    return f"{path}, line {before + line_of_row(text, kind, row)}"


def _text_pieces(path: Path, kind: str, size: int) -> Iterator[Sheet]:
    blocks = line_blocks(path, size, quotes=kind in ("csv", "tsv"))
    first = validate_text(next(blocks)[1], path)
    while kind == "ds" and not split_comments(first)[1] and (more := next(blocks, None)):
        first += validate_text(more[1], path, before=more[0])
    if not first or first.isspace():
        raise InvalidInputError(f"{path} is empty.")
    if kind == "jsonl" and first.lstrip()[:1] == b"[":
        yield Sheet(name=str(path), frame=read_table(path), place=partial(row_place, path))
        return
    yield _text_piece(first, path, kind, before=0)
    body = split_comments(first)[1] if kind == "ds" else first
    header = b"" if kind == "jsonl" else body[: body.find(b"\n") + 1]
    for before, block in blocks:
        validate_text(block, path, before=before)  # not kept: what looks like a byte order mark is text here
        yield _text_piece(header + block, path, kind, before=before - bool(header))


def _text_piece(text: bytes, path: Path, kind: str, *, before: int) -> Sheet:
    if kind == "jsonl":
        frame = table_of_records(parse_json_records(text, path, before=before))
    elif kind == "ds":
        frame = parse_data_set(text, path, before=before)
    else:
        frame = parse_delimited(text, path, kind, before=before)
    return Sheet(name=str(path), frame=frame, place=partial(_line_place, path, before, text, kind))


def line_blocks(path: Path, size: int, *, quotes: bool) -> Iterator[tuple[int, bytes]]:
    """The text of a file in blocks of whole lines, with the number of lines before each.

    With ``quotes``, no block ends inside a quoted cell. Blank lines at the end of the file belong to no block.
    """
    rest, before = b"", 0
    with open_bytes(path) as file:
        while block := file.read(size):
            rest += block
            if end := _last_line_end(rest, quotes=quotes):
                yield before, rest[:end]
                before += rest.count(b"\n", 0, end)
                rest = rest[end:]
    if before == 0 or rest.strip(b"\r\n"):
        yield before, rest


def _last_line_end(text: bytes, *, quotes: bool) -> int:
    """Where the last whole row ends; blank lines after it wait for what follows."""
    if quotes and b'"' in text:
        cells = np.frombuffer(text, dtype=np.uint8)
        lines, quote_places = np.flatnonzero(cells == ord("\n")), np.flatnonzero(cells == ord('"'))
        row_ends = lines[np.searchsorted(quote_places, lines) % 2 == 0]
        end = int(row_ends[-1]) + 1 if len(row_ends) else 0
    else:
        end = text.rfind(b"\n") + 1
    content_end = len(text[:end].rstrip(b"\r\n"))
    return text.index(b"\n", content_end) + 1 if content_end else 0
