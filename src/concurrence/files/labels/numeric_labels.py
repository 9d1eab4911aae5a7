"""Refuse labels that a numeric scale cannot take, with the place where they stand."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.numerals import parse_number
from concurrence.files.tables.sheets import open_sheet


def require_numbers(
    path: Path | Sequence[Path],
    categories: Sequence[str],
    *,
    scale: str,
    encoding: str | None = None,
    sheet: str | None = None,
    skip_rows: int = 0,
) -> None:
    """Refuse a label that is no number, or below zero on a ratio scale, with the place where it first stands."""
    numbers = {category: parse_number(category) for category in categories}
    non_numbers = [category for category, number in numbers.items() if number is None]
    negative = [
        category for category, number in numbers.items() if scale == "ratio" and number is not None and number < 0
    ]
    if not (unusable := non_numbers or negative):
        return
    reason = (
        f"not a number, but the {scale} scale needs numbers"
        if non_numbers
        else "negative, but a ratio scale starts at 0"
    )
    place, label = _find_place(path, unusable, encoding, sheet, skip_rows)
    raise InvalidInputError(
        f"{place}: the label {label!r} is {reason}. Choose another {option_or_keyword('--scale', 'scale=')}, or "
        "name the label in "
        f"{option_or_keyword('--missing', 'missing=')} if it means no label."
    )


def require_ratings(
    path: Path, categories: Sequence[str], *, encoding: str | None = None, sheet: str | None = None, skip_rows: int = 0
) -> None:
    """Refuse a rating that is no number, with the place where it first stands."""
    non_numbers = [category for category in categories if parse_number(category) is None]
    if not non_numbers:
        return
    place, label = _find_place(path, non_numbers, encoding, sheet, skip_rows)
    raise InvalidInputError(
        f"{place}: the rating {label!r} is not a number. Name it in "
        f"{option_or_keyword('--missing', 'missing=')} if it means no "
        "rating; for labels, use concur agree."
    )


def _find_place(
    path: Path | Sequence[Path], labels: list[str], encoding: str | None, sheet: str | None, skip_rows: int
) -> tuple[str, str]:
    """Where the first of the labels stands, and which it is.

    It is the file alone for standard input, which cannot be read again, and if no row holds one, as in the header of a
    contingency table.
    """
    paths = [path] if isinstance(path, Path) else list(path)
    for one in (one for one in paths if str(one) != "-"):
        table = open_sheet(one, encoding=encoding, sheet=sheet, skip_rows=skip_rows)
        texts = table.frame.select(pl.all().cast(pl.String, strict=False))
        rows = texts.select(pl.any_horizontal(pl.all().is_in(labels)).fill_null(False)).to_series().arg_true()
        if not rows.is_empty():
            return table.place(int(rows[0])), next(cell for cell in texts.row(int(rows[0])) if cell in labels)
    return "standard input" if str(paths[0]) == "-" else str(paths[0]), labels[0]
