"""Which column of a table plays which role: item, coder, label, count, and the group of an item."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.labels import MISSING
from concurrence.files.labels.codes import Encoded, encode
from concurrence.files.tables.sheets import Sheet

SYNONYMS = {
    "item": ("item", "task", "unit", "id", "item_id", "task_id", "unit_id"),
    "coder": ("coder", "annotator", "rater", "worker", "coder_id", "annotator_id", "rater_id", "worker_id"),
    "label": ("label", "category", "value", "annotation"),
    "count": ("count", "n", "frequency"),
}
RATINGS = {"label": ("rating", "score")}
"""Synonyms that are understood where no other column plays the role."""


def items_and_groups(
    sheet: Sheet, item: Encoded, by: str | None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Numbers of the items, their names, and their groups."""
    names = np.array(item.names, dtype=object)
    if by is None:
        return item.codes, names, None
    group = encode(sheet.column(by))
    refuse_empty_cells(sheet, group, by)
    group_names = np.array(group.names, dtype=object)
    of_item = np.empty(len(names), dtype=np.int64)
    of_item[item.codes] = group.codes
    if (of_item[item.codes] == group.codes).all():
        return item.codes, names, group_names[of_item]
    pairs, first, numbers = np.unique(
        group.codes.astype(np.int64) * len(names) + item.codes, return_index=True, return_inverse=True
    )
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[numbers], names[pairs[order] % len(names)], group_names[pairs[order] // len(names)]


def encode_names(sheet: Sheet, role: str, columns: Mapping[str, str]) -> Encoded:
    """The column of items or coders, none of them empty."""
    name = require_role_column(sheet, role, columns)
    encoded = encode(sheet.column(name))
    refuse_empty_cells(sheet, encoded, name)
    return encoded


def refuse_empty_cells(sheet: Sheet, encoded: Encoded, name: str) -> None:
    """Refuse a column with empty cells."""
    if (empty := encoded.codes == MISSING).any():
        raise InvalidInputError(f"{sheet.place(int(np.argmax(empty)))}: the column {name!r} is empty.")


def require_role_column(sheet: Sheet, role: str, columns: Mapping[str, str]) -> str:
    """The column of a role that must be there."""
    if (name := find_role_column(sheet, role, columns)) is None:
        raise unknown_column_error(sheet, role, columns_option(role))
    return name


def find_role_column(
    sheet: Sheet, role: str, columns: Mapping[str, str], synonyms: Mapping[str, tuple[str, ...]] = SYNONYMS
) -> str | None:
    """The column of a role: the one named, or the one of that name, or its only synonym."""
    if role in columns:
        if columns[role] not in sheet.frame.columns:
            raise unknown_column_error(sheet, columns[role], columns_option(role))
        return columns[role]
    named_columns = set(columns.values())
    by_plain_name = {
        name.strip().lower().replace(" ", "_"): name for name in sheet.frame.columns if name not in named_columns
    }
    if role in by_plain_name:
        return by_plain_name[role]
    names = [by_plain_name[synonym] for synonym in synonyms[role] if synonym in by_plain_name]
    names = names or [by_plain_name[synonym] for synonym in RATINGS.get(role, ()) if synonym in by_plain_name]
    if len(names) > 1:
        raise InvalidInputError(
            f"{sheet.name}: the columns {' and '.join(names)} could each be the {role}. "
            f"Say which with {columns_option(role, names[0])}."
        )
    return names[0] if names else None


def unknown_column_error(sheet: Sheet, name: str, option: str) -> InvalidInputError:
    """The error about a column that is not there."""
    return InvalidInputError(
        f"{sheet.name} has no column {name!r} ({option}); its columns are {join_column_names(sheet)}."
    )


def join_column_names(sheet: Sheet) -> str:
    """The columns a sheet has, in words."""
    return ", ".join(name or "(no name)" for name in sheet.frame.columns)


def columns_option(role: str, column: str = "") -> str:
    """How the caller names the column of a role."""
    return option_or_keyword(f"--columns {role}={column or '…'}", f'columns={{"{role}": "{column or "…"}"}}')
