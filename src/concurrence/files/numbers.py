"""Where a label stands that is no number, for scales that need numbers."""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path

import polars as pl

from concurrence.core.errors import InvalidInputError
from concurrence.files.sheets import Sheet, open_sheet


def require_numbers(path: Path, categories: Sequence[str], *, scale: str) -> None:
    """Refuse a label that is no number, with the place where it first stands."""
    wrong = [category for category in categories if not _is_number(category)]
    if not wrong:
        return
    place, label = str(path), wrong[0]
    if place != "-":
        place, label = _first_place(open_sheet(path), wrong)
    raise InvalidInputError(
        f"{place}: the label {label!r} is not a number, but the {scale} scale needs numbers; "
        "choose another --scale, or say that it means no label with --missing."
    )


def _first_place(sheet: Sheet, wrong: list[str]) -> tuple[str, str]:
    """The first row that holds one of the labels; the file alone where none does, as in a table's header."""
    texts = sheet.frame.select(pl.all().cast(pl.String, strict=False))
    found = texts.with_row_index("row of the sheet").filter(pl.any_horizontal(pl.all().is_in(wrong)))
    if found.is_empty():
        return sheet.name, wrong[0]
    row, *cells = found.row(0)
    return sheet.place(int(row)), next(cell for cell in cells if cell in wrong)


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False
