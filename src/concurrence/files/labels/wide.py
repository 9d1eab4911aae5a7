"""Wide tables: one item per row, one column per coder, and columns that are neither."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from concurrence.core.errors import InvalidInputError, UnknownNameError, option_or_keyword
from concurrence.core.numerals import parse_number
from concurrence.core.sentences import Sentence, join_words
from concurrence.files.labels.codes import (
    Encoded,
    Marks,
    columns_option,
    encode,
    find_role_column,
    items_and_groups,
    meaning_of,
    refuse_empty_cells,
)
from concurrence.files.labels.options import LabelOptions
from concurrence.files.labels.side_columns import find_side_columns, side_columns_warning
from concurrence.files.tables.sheets import Sheet

ITEM_NAMES = ("", "subject", "case", "example", "instance", "sentence", "text", "document", "pair")
NEARLY_ALL = 0.9
FEWEST_TEXTS = 5


def wide_marks(sheet: Sheet, columns: Mapping[str, str], options: LabelOptions) -> Marks:
    """The marks of a wide table.

    Unless coders are named, columns of numbers that are no labels are left out, and columns of text are refused.
    """
    item_column = _item_column(sheet, columns, options)
    coders = [name for name in sheet.frame.columns if name not in (item_column, options.by)]
    if options.coders is not None:
        for name in options.coders:
            if name not in coders:
                raise UnknownNameError("coder", name, coders)
        coders = list(options.coders)
    cells = {name: sheet.column(name, joint=options.sets).rename("label") for name in coders}
    warnings: tuple[Sentence, ...] = ()
    if options.coders is None:
        side = find_side_columns(cells, {name: _labels(column, options) for name, column in cells.items()})
        coders = [name for name in coders if name not in side]
        warnings = side_columns_warning(side, coders)
        _refuse_text(sheet, {name: cells[name] for name in coders}, options)
    texts = [cells[name] for name in coders]
    height = sheet.height
    item = encode(sheet.column(item_column)) if item_column is not None else _row_numbers(height)
    refuse_empty_cells(sheet, item, item_column or "item")
    numbers, items, groups = items_and_groups(sheet, item, options.by)
    return Marks(
        item=np.tile(numbers, len(coders)),
        coder=np.repeat(np.arange(len(coders), dtype=np.int32), height),
        label=encode(pl.concat(texts)) if texts else Encoded(codes=np.empty(0, dtype=np.int32), names=[]),
        items=items,
        coders=coders,
        place=lambda row: f"{sheet.place(row % height)}, column {coders[row // height]}",
        source=sheet.name,
        groups=groups,
        warnings=warnings,
    )


def _refuse_text(sheet: Sheet, columns: Mapping[str, pl.Series], options: LabelOptions) -> None:
    """Refuse columns that hold text instead of labels."""
    if not (text_columns := find_text_columns(columns, options)):
        return
    others = [name for name in columns if name not in text_columns]
    many = len(text_columns) > 1
    names = join_words([repr(name) for name in text_columns])
    finding = f"the column{'s' * many} {names} hold{'s' * (not many)} text, not labels"
    coders = others if len(others) > 1 else list(columns)
    option = option_or_keyword(f"--coders {','.join(coders)}", f"coders={coders}")
    raise InvalidInputError(
        f"{sheet.name}: {finding} (nearly all values are different, or none occurs in another column). Name the coder "
        f"columns, as in {option}{_long_hint(sheet) or _transpose_hint(sheet)}."
    )


def find_text_columns(columns: Mapping[str, pl.Series], options: LabelOptions) -> list[str]:
    """The columns that hold text: nearly all values different, or no label in common with any other column.

    Columns of numbers never do, also where a word stands among them, nor does one that always says the same.
    """
    labels = {name: _labels(column, options) for name, column in columns.items()}
    distinct = [name for name, column in columns.items() if _nearly_all_differ(column)]
    others = {name: _union(labels, [other for other in labels if other != name]) for name in labels}
    coders = {name: _union(labels, [other for other in labels if other not in (name, *distinct)]) for name in labels}
    words = [name for name in labels if len(labels[name]) > 1 and _mostly_words(labels[name])]
    unrelated = [name for name in words if not labels[name] & others[name]]
    texts = [name for name in words if name in distinct and len(labels[name] & coders[name]) * 2 < len(labels[name])]
    # Where hardly a column would be left, items with a label each are likelier than texts in every column.
    text_columns = {*unrelated, *texts} if len(labels) - len({*unrelated, *texts}) >= 2 else set(unrelated)
    return [name for name in labels if name in text_columns]


def _mostly_words(labels: set[str]) -> bool:
    return sum(parse_number(label) is None for label in labels) * 2 > len(labels)


def _labels(column: pl.Series, options: LabelOptions) -> set[str]:
    meanings = (meaning_of(text, options) for text in column.drop_nulls().unique().to_list() if text)
    return {part for label in meanings if label for part in (label.split(options.sets) if options.sets else [label])}


def _nearly_all_differ(column: pl.Series) -> bool:
    texts = column.drop_nulls()
    return len(texts) >= FEWEST_TEXTS and texts.n_unique() >= NEARLY_ALL * len(texts)


def _union(labels: Mapping[str, set[str]], names: Sequence[str]) -> set[str]:
    return set[str]().union(*(labels[name] for name in names))


def _item_column(sheet: Sheet, columns: Mapping[str, str], options: LabelOptions) -> str | None:
    """Which column of a wide table names the items; none if the first one already holds labels.

    It is the one named in ``columns``, or by its own name, or the first, where each row has another text and not
    all of them are labels of the other columns too.
    """
    if (item_column := find_role_column(sheet, "item", columns)) is not None:
        return item_column
    first = next((name for name in sheet.frame.columns if name != options.by), None)
    if first is None or first in (options.coders or ()):
        return None
    if first.strip().lower() in ITEM_NAMES:
        return first
    others = [sheet.column(name) for name in sheet.frame.columns if name not in (first, options.by)]
    labels = set[str | None]().union(*(column.unique() for column in others))
    repeats = bool(sheet.column(first).is_duplicated().any())
    if repeats != (set(sheet.column(first).unique()) <= labels):
        raise InvalidInputError(
            f"{sheet.name}: the first column {first!r} may contain item names or be a coder. Name the item column "
            f"with {columns_option('item')}, or all coders with {option_or_keyword('--coders', 'coders=')}"
            f"{_transpose_hint(sheet)}."
        )
    return None if repeats else first


def _long_hint(sheet: Sheet) -> str:
    """What to do if the header is that of a long table."""
    names = {name.strip().lower() for name in sheet.frame.columns}
    if not {"item", "coder", "label"} <= names:
        return ""
    return f", or leave out {option_or_keyword('--wide', 'wide=True')}: the header is that of one label per row"


def _transpose_hint(sheet: Sheet) -> str:
    """What to do if a table has more columns than rows, as forms have."""
    if len(sheet.frame.columns) <= sheet.height:
        return ""
    return f", or use {option_or_keyword('--transpose', 'transpose=True')} if each row is a coder"


def _row_numbers(height: int) -> Encoded:
    return Encoded(codes=np.arange(height, dtype=np.int32), names=[str(n) for n in range(1, height + 1)])
