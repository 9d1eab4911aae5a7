"""Items that stand in several columns, such as the words of a pair that coders judged (``l1,l2,coder,tp``)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.contingency import SIGNATURE
from concurrence.core.errors import InvalidInputError
from concurrence.files.labels.codes import columns_option, encode, find_role_column
from concurrence.files.tables.sheets import Sheet, sheet_of_records

MARK = "+"
VERDICT = "tp"
SAMPLED = ("part", "stratum", "probability", "weight")
"""What ``concur sample`` writes beside a candidate."""


def parts_of_item(sheet: Sheet, name: str) -> list[str]:
    """The columns that a name such as ``l1+l2`` joins; none if it is a column itself or names others."""
    parts = name.split(MARK)
    is_joint = len(parts) > 1 and name not in sheet.frame.columns
    return parts if is_joint and all(part in sheet.frame.columns for part in parts) else []


def with_joined_items(
    sheet: Sheet, columns: Mapping[str, str], *, wide: bool, by: str | None
) -> tuple[Sheet, Mapping[str, str]]:
    """The sheet with items that are joined of several columns as a column, and what its columns are.

    These are the columns that were named, or the words of judged pairs if no column is the item; their verdict ``tp``
    is the label. In a wide table, the other columns of candidates are left out, since they are no coders.
    """
    if "item" in columns:
        parts = parts_of_item(sheet, columns["item"])
        return (_join(sheet, parts), {**columns, "item": MARK.join(parts)}) if parts else (sheet, columns)
    if not (words := _words(sheet)):
        return sheet, columns
    joined, roles = sheet, dict(columns)
    if find_role_column(sheet, "item", columns) is None:
        joined, roles["item"] = _join(sheet, words), MARK.join(words)
    if wide:
        of_candidates = {*words, *SIGNATURE, *SAMPLED} - {by}
        names = [name for name in joined.frame.columns if name not in of_candidates]
        return replace(joined, frame=joined.frame.select(names)), roles
    if find_role_column(sheet, "coder", columns) is None:
        return sheet, columns
    if VERDICT in sheet.frame.columns and find_role_column(sheet, "label", columns) is None:
        roles["label"] = VERDICT
    return joined, roles


def _words(sheet: Sheet) -> list[str]:
    """The columns l1, l2 and so on, if there are two at least."""
    words: list[str] = []
    while (name := f"l{len(words) + 1}") in sheet.frame.columns:
        words.append(name)
    return words if len(words) > 1 else []


def _join(sheet: Sheet, parts: Sequence[str]) -> Sheet:
    """The sheet with one more column, the texts of these with spaces between them; two items may not look alike."""
    texts = pl.DataFrame([sheet.column(name).rename(str(number)) for number, name in enumerate(parts)])
    items = texts.select(pl.concat_str(pl.all(), separator=" ")).to_series()
    if items.n_unique() < len(texts.unique()):
        _refuse_alike(sheet, texts, items, parts)
    name = MARK.join(parts)
    if sheet.records is None:
        return replace(sheet, frame=sheet.frame.with_columns(items.rename(name)))
    records = [{**record, name: item} for record, item in zip(sheet.records, items, strict=True)]
    return replace(sheet_of_records(records, sheet.name, sheet.place), kinds=sheet.kinds)


def _refuse_alike(sheet: Sheet, texts: pl.DataFrame, items: pl.Series, parts: Sequence[str]) -> None:
    apart = texts.with_columns(items.rename("item")).with_row_index("row").unique(texts.columns, maintain_order=True)
    twice = apart.filter(pl.col("item").is_duplicated() & pl.col("item").is_not_null())
    if twice.height:
        row, item = int(twice["row"][1]), twice["item"][1]
        raise InvalidInputError(
            f"{sheet.place(row)}: the item {item!r} is made of {' and '.join(parts)} in two ways. Add a column that "
            f"names each, and name it with {columns_option('item')}."
        )


def column_apart(
    sheet: Sheet, roles: Sequence[str | None], rows: NDArray[Any], cells: NDArray[np.signedinteger[Any]]
) -> str | None:
    """A column that tells apart labels of the same cell, if one does: it may belong to the item."""
    for name in sheet.frame.columns:
        if name in roles:
            continue
        try:
            codes = encode(sheet.column(name)).codes[rows]
        except InvalidInputError:  # a column of lists or objects
            continue
        if len(np.unique(np.stack([cells, codes.astype(np.int64)]), axis=1).T) == len(cells):
            return name
    return None
