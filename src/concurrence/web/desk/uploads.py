"""Uploaded tables: streamed to a file, read as the command line reads them, and never unpacked without a limit."""

import zipfile
from pathlib import Path
from tempfile import NamedTemporaryFile

import polars as pl
from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from concurrence.annotation.campaigns.items import MOST_ITEMS, Row
from concurrence.core.errors import InvalidInputError
from concurrence.files.tables.formats import parquet_errors, parse_table, text_rows
from concurrence.files.tables.text import table_format
from concurrence.web.errors import Refusal

UNPACKED = 500_000_000  # bytes that the files inside an .xlsx may have
TABLES = {
    "requestBody": {
        "required": True,
        "description": "The file itself.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


async def save_body(request: Request, folder: Path | None = None) -> Path:
    """The body of a request as a temporary file, which is the caller's to delete."""
    with NamedTemporaryFile(dir=folder, prefix="concurrence-", delete=False) as file:
        path = Path(file.name)
        try:
            async for piece in request.stream():
                await run_in_threadpool(file.write, piece)
            file.flush()
        except OSError as error:
            path.unlink()
            raise Refusal(503, "The server has no room for the file; tell whoever runs it.") from error
        except BaseException:
            path.unlink()
            raise
    return path


def read_upload(path: Path, name: str) -> list[Row]:
    """The rows of an uploaded table; what is wrong with it is told with the name of the file as it was uploaded."""
    called = Path(Path(name.replace("\\", "/")).name or "table")
    kind = table_format(called)
    if called.suffix.lower() == ".gz":
        raise InvalidInputError(f"{called}: unpack the file first; packed files cannot be uploaded.")
    data = path.read_bytes()
    if data.startswith(b"\x1f\x8b"):
        raise InvalidInputError(f"{called}: this is a packed file; unpack it first.")
    if kind == "xlsx":
        _check_workbook(path, called)
    if kind == "parquet":
        _check_parquet(path, called)
    frame = parse_table(data, called, kind)
    if frame.height > MOST_ITEMS:
        raise InvalidInputError(f"{called}: {frame.height} rows are too many; a campaign takes at most {MOST_ITEMS}.")
    if not frame.height or not frame.width:
        raise InvalidInputError(f"{called}: no rows found.")
    return list(text_rows(frame))


def _check_workbook(path: Path, called: Path) -> None:
    try:
        with zipfile.ZipFile(path) as inside:
            size = sum(entry.file_size for entry in inside.infolist())
    except zipfile.BadZipFile as error:
        raise InvalidInputError(f"{called} is not an .xlsx workbook.") from error
    if size > UNPACKED:
        raise InvalidInputError(f"{called}: the workbook is too large; save the sheet as CSV.")


def _check_parquet(path: Path, called: Path) -> None:
    with parquet_errors(called):
        rows = pl.scan_parquet(path).select(pl.len()).collect().item()
    if rows > MOST_ITEMS:
        raise InvalidInputError(f"{called}: {rows} rows are too many; a campaign takes at most {MOST_ITEMS}.")
