"""Where a label stands that a numeric scale cannot take."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.numerals import parse_number
from concurrence.files.tables.sheets import Sheet, open_sheet


def require_numbers(
    path: Path, categories: Sequence[str], *, scale: str, encoding: str | None = None, sheet: str | None = None
) -> None:
    """Refuse a label that is no number, or below zero on a ratio scale, with the place where it first stands."""
    numbers = {category: parse_number(category) for category in categories}
    words = [category for category, number in numbers.items() if number is None]
    below = [category for category, number in numbers.items() if scale == "ratio" and number is not None and number < 0]
    if not (wrong := words or below):
        return
    fault = f"not a number, but the {scale} scale needs numbers" if words else "negative, but a ratio scale starts at 0"
    place, label = _place(path, wrong, encoding, sheet)
    raise InvalidInputError(
        f"{place}: the label {label!r} is {fault}. Choose another {option_or_keyword('--scale', 'scale=')}, or "
        "name the label in "
        f"{option_or_keyword('--missing', 'missing=')} if it means no label."
    )


def require_ratings(
    path: Path, categories: Sequence[str], *, encoding: str | None = None, sheet: str | None = None
) -> None:
    """Refuse a rating that is no number, with the place where it first stands."""
    wrong = [category for category in categories if parse_number(category) is None]
    if not wrong:
        return
    place, label = _place(path, wrong, encoding, sheet)
    raise InvalidInputError(
        f"{place}: the rating {label!r} is not a number. Name it in "
        f"{option_or_keyword('--missing', 'missing=')} if it means no "
        "rating; for labels, use concur agree."
    )


def _place(path: Path, wrong: list[str], encoding: str | None, sheet: str | None) -> tuple[str, str]:
    """Where the first of the labels stands, and which it is; standard input cannot be read again."""
    if str(path) == "-":
        return "standard input", wrong[0]
    return _first_place(open_sheet(path, encoding=encoding, sheet=sheet), wrong)


def _first_place(sheet: Sheet, wrong: list[str]) -> tuple[str, str]:
    """The first row that holds one of the labels; the file alone where none does, as in a table's header."""
    texts = sheet.frame.select(pl.all().cast(pl.String, strict=False))
    rows = texts.select(pl.any_horizontal(pl.all().is_in(wrong)).fill_null(False)).to_series().arg_true()
    if rows.is_empty():
        return sheet.name, wrong[0]
    return sheet.place(int(rows[0])), next(cell for cell in texts.row(int(rows[0])) if cell in wrong)
