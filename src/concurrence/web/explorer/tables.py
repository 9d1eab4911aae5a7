"""What is seen as CSV, every row of it and not one page alone."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl
from fastapi.responses import Response

MOST_ROWS = 100_000


def as_csv(name: str, columns: Mapping[str, Sequence[Any]]) -> Response:
    """A table to keep; numbers are not rounded."""
    text = pl.DataFrame(dict(columns), strict=False, nan_to_null=True).write_csv()
    safe = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "-" for letter in name)
    headers = {"content-disposition": f'attachment; filename="{safe[:80]}.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


def turned(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Rows as columns; a dictionary in a row gives one column for each of its keys."""
    columns: dict[str, list[Any]] = {}
    for row in rows:
        for name, cell in row.items():
            for key, entry in cell.items() if isinstance(cell, dict) else ((name, cell),):
                columns.setdefault(key, []).append(_number(entry))
    return columns


def _number(entry: Any) -> Any:
    return float(entry) if entry in ("inf", "-inf") else entry
