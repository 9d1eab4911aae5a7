"""Cells of lists, arrays and rows as the text that a file would have."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from concurrence.core.errors import InvalidInputError, option_or_keyword

TRUTH_VALUES = {False: "false", True: "true"}
"""As frames and JSON write them."""


def cell_texts(cells: Iterable[Any], *, joint: str | None = None) -> list[str | None]:
    """The cells of a list, an array or a column as texts; the members of sets are joined by ``joint``, if given.

    >>> cell_texts([1.0, 20240101.0, True, "NA", None, float("nan"), ""])
    ['1.0', '20240101.0', 'true', 'NA', None, None, None]
    """
    return [cell_text(cell if joint is None else _join_members(cell, joint)) for cell in cells]


def cell_text(cell: Any) -> str | None:
    """A cell as text: every digit of a number, ``true`` and ``false``, nothing where the cell is missing.

    Missing are ``None``, NaN, the missing values of pandas and numpy, and the empty text.
    """
    if isinstance(cell, str):
        return str(cell) or None
    if is_missing(cell):
        return None
    if isinstance(cell, bool | np.bool_):
        return TRUTH_VALUES[bool(cell)]
    if is_collection(cell):
        raise InvalidInputError(f"A label is {cell!r}, not a single value.{sets_hint()}")
    return str(cell)


def _join_members(cell: Any, joint: str) -> Any:
    if not is_collection(cell):
        return cell
    members = [cell_text(member) for member in cell]
    if any(member is None or joint in member for member in members):
        raise InvalidInputError(f"The label {cell!r} has a member that is empty or contains the separator {joint!r}.")
    return joint.join(member for member in members if member is not None)


def of_one_kind(cells: list[Any]) -> list[Any]:
    """The cells themselves; as texts where there are several of texts, truth values and numbers.

    >>> of_one_kind([1, 2.5, None]), of_one_kind([1, "x", None]), of_one_kind([True, 0])
    ([1, 2.5, None], ['1', 'x', None], ['true', '0'])
    """
    texts = any(isinstance(cell, str) for cell in cells)
    truth_values = any(isinstance(cell, bool | np.bool_) for cell in cells)
    others = any(not isinstance(cell, str | bool | np.bool_) and not is_missing(cell) for cell in cells)
    return cell_texts(cells) if texts + truth_values + others > 1 else cells


def is_missing(cell: Any) -> bool:
    """Whether a cell holds no value; ``NaN`` and ``NaT`` are those that do not equal themselves."""
    if cell is None or cell is np.ma.masked or type(cell).__name__ == "NAType":
        return True
    return not is_collection(cell) and bool(cell != cell)


def is_collection(cell: Any) -> bool:
    """Whether a cell holds several values, as set-valued labels do."""
    return isinstance(cell, list | tuple | set | frozenset | dict | np.ndarray)


def sets_hint() -> str:
    """The option for labels that are sets, for the end of a message."""
    option = option_or_keyword("--sets '+'", 'sets="+"')
    return f" If labels are sets, use {option}."
