"""What is done with an uploaded table in the process for it: reading it within bounds, and making items of it."""

import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import polars as pl

from concurrence.annotation.campaigns.item_rows import item_rows
from concurrence.annotation.campaigns.items import LONGEST_CELL, MOST_ITEMS, Display, Row, make_items
from concurrence.annotation.desk.campaign_from_table import (
    TRIED,
    CampaignForm,
    plan_campaign,
    suggested_columns,
)
from concurrence.annotation.questions.questionnaire import Questionnaire
from concurrence.core.errors import InvalidInputError
from concurrence.files.tables.formats import join_lists, parquet_errors, parse_table
from concurrence.files.tables.text import table_format
from concurrence.web.desk.text_tables import read_text_table

UNPACKED = 300_000_000  # bytes of the files inside an .xlsx
MOST_COLUMNS = 500
MOST_TEXT = 500_000_000  # bytes in all cells together
SHOWN = 5  # rows of an uploaded table
AT_ONCE = 500  # rows in a piece of an answer
LOCAL_HEADER = struct.Struct("<26xHH")  # of a file in a .zip; how long the name and the extra fields after it are
UNNAMED = "__UNNAMED__"  # what the reader of workbooks calls a column without a name
STRING_END = re.compile(rb"</(?:\w+:)?si>")  # of a text in the table of texts, to which cells refer


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedFile:
    """A file as it was uploaded: where it lies, how it was called, and its encoding where somebody chose one."""

    path: Path
    name: str
    encoding: str | None = None


def describe_upload(file: UploadedFile) -> Iterator[dict[str, Any]]:
    """What the form for a new campaign shows of a table."""
    frame = read_upload(file)
    columns = [
        {"name": column.name, "filled": column.len() - column.null_count(), "different": column.drop_nulls().n_unique()}
        for column in frame
    ]
    yield {
        "rows": frame.height,
        "columns": columns,
        "first": [list(row) for row in frame.head(SHOWN).rows()],
        "suggested": suggested_columns(frame.columns),
    }


def preview_upload(file: UploadedFile, form: CampaignForm, organiser: str) -> Iterator[Any]:
    """A planned campaign with the first items alone, and how many items each of its rounds has."""
    planned = plan_campaign(form, _rows(file), organiser=organiser, where=file.name)
    plan = planned.plan
    yield replace(planned, plan=replace(plan, items=plan.items[:TRIED]), later=())
    yield {plan.round: len(plan.items), **{round_name: len(items) for round_name, items in planned.later}}


def plan_upload(file: UploadedFile, form: CampaignForm, organiser: str) -> Iterator[Any]:
    """A planned campaign without items, then the items of its rounds, some at a time."""
    planned = plan_campaign(form, _rows(file), organiser=organiser, where=file.name)
    yield replace(planned, plan=replace(planned.plan, items=()), later=())
    for round_name, items in ((planned.plan.round, planned.plan.items), *planned.later):
        for some in _some(items):
            yield round_name, some


def items_of_upload(file: UploadedFile, display: Display, questionnaire: Questionnaire) -> Iterator[Any]:
    """The items of a table for a campaign that is there, some at a time."""
    items = make_items(_rows(file), where=file.name, key=display.key, part=display.part)
    yield from _some(item_rows(items, display, questionnaire))


def _some(items: Sequence[Any]) -> Iterator[list[Any]]:
    for start in range(0, len(items), AT_ONCE):
        yield list(items[start : start + AT_ONCE])


def _rows(file: UploadedFile) -> list[Row]:
    return list(read_upload(file).to_dicts())


def read_upload(file: UploadedFile) -> pl.DataFrame:
    """An uploaded table as texts; what is wrong with it is told with the name of the file as it was uploaded."""
    called = Path(Path(file.name.replace("\\", "/")).name or "table")
    kind = table_format(called)
    if called.suffix.lower() == ".gz":
        raise InvalidInputError(f"{called}: unpack the file first; packed files cannot be uploaded.")
    data = file.path.read_bytes()
    if data.startswith(b"\x1f\x8b"):
        raise InvalidInputError(f"{called}: this is a packed file; unpack it first.")
    if kind == "xlsx":
        check_workbook(file.path, called)
    if kind == "parquet":
        _check_parquet(file.path, called)
    if kind in ("xlsx", "parquet"):
        frame = parse_table(data, called, kind)
    else:
        frame = read_text_table(data, called, kind, file.encoding)
    return _within_bounds(frame, called)


def _within_bounds(frame: pl.DataFrame, called: Path) -> pl.DataFrame:
    if frame.height > MOST_ITEMS:
        raise InvalidInputError(f"{called}: {frame.height} rows are too many; a campaign takes at most {MOST_ITEMS}.")
    if frame.width > MOST_COLUMNS:
        raise InvalidInputError(
            f"{called}: {frame.width} columns are too many; at most {MOST_COLUMNS} can be uploaded."
        )
    if not frame.height or not frame.width:
        raise InvalidInputError(f"{called}: no rows found.")
    texts = join_lists(frame).with_columns(pl.all().cast(pl.String))
    total = 0
    for column in texts:
        # Before any text is copied: a Parquet file may have the same long text in every row, at the cost of one.
        total += int(column.str.len_bytes().sum())
        too_long = (column.str.len_chars() > LONGEST_CELL).arg_true()
        if len(too_long):
            raise InvalidInputError(
                f"{called}, item {too_long[0] + 1}: {column.name} is longer than {LONGEST_CELL} characters; shorten it."
            )
    if total > MOST_TEXT:
        raise InvalidInputError(f"{called}: the cells hold more than {MOST_TEXT // 1_000_000} MB; divide the table.")
    rows = _without_blanks(texts)
    if not rows.height:
        raise InvalidInputError(f"{called}: no rows found.")
    return rows


def _without_blanks(frame: pl.DataFrame) -> pl.DataFrame:
    """Without rows in which nothing is, and columns of a workbook that have neither a name nor anything in them."""
    unnamed = [one.name for one in frame if one.name.startswith(UNNAMED) and one.null_count() == one.len()]
    named = frame.drop(unnamed)
    return named.filter(~pl.all_horizontal(pl.all().str.strip_chars().fill_null("") == "")) if named.width else named


def _check_parquet(path: Path, called: Path) -> None:
    with parquet_errors(called):
        rows = pl.scan_parquet(path).select(pl.len()).collect().item()
    if rows > MOST_ITEMS:
        raise InvalidInputError(f"{called}: {rows} rows are too many; a campaign takes at most {MOST_ITEMS}.")


def check_workbook(path: Path, called: Path) -> None:
    """Refuse a workbook that is larger inside than it may be, whatever it says of itself, or has a long text in it."""
    total = 0
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as file:
            for entry in archive.infolist():
                longest, size, since = 0, 0, 0
                for piece in _unpacked(file, entry):
                    size, total = size + len(piece), total + len(piece)
                    if total > UNPACKED or size > entry.file_size:
                        raise InvalidInputError(f"{called}: the workbook is too large inside; save the sheet as CSV.")
                    *ended, rest = STRING_END.split(piece)
                    longest = max(longest, since + len(ended[0]) if ended else since + len(rest), *map(len, ended), 0)
                    since = len(rest) if ended else since + len(rest)
                if entry.filename.endswith("sharedStrings.xml") and longest > 16 * LONGEST_CELL:
                    raise InvalidInputError(f"{called}: a cell is longer than {LONGEST_CELL} characters; shorten it.")
    except (zipfile.BadZipFile, zlib.error, struct.error, OSError) as error:
        raise InvalidInputError(f"{called} is not an .xlsx workbook.") from error


def _unpacked(file: BinaryIO, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """The bytes of a file in a .zip, as many as there are: a reader need not believe the size that is written there."""
    file.seek(entry.header_offset)
    name, extra = LOCAL_HEADER.unpack(file.read(LOCAL_HEADER.size))
    file.seek(name + extra, 1)
    left, unpacker = entry.compress_size, zlib.decompressobj(-zlib.MAX_WBITS)
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise zipfile.BadZipFile
    while left > 0 and (packed := file.read(min(left, 1 << 16))):
        left -= len(packed)
        if entry.compress_type == zipfile.ZIP_STORED:
            yield packed
            continue
        while packed:
            yield unpacker.decompress(packed, 1 << 20)
            packed = unpacker.unconsumed_tail
