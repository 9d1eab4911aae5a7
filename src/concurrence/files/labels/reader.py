"""Read judgements: long, wide, contingency table, counts, and the exports of annotation tools.

Text stays text: ``NA`` is a label like any other unless ``missing`` names it, and only an empty cell, a JSON null or
a frame's NaN is missing. One exception: where every label is a number, ``1``, ``1.0`` and ``01`` are one category.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.errors import InvalidInputError, UnknownNameError, option_or_keyword
from concurrence.core.frames import refuse_in_fork
from concurrence.core.labels import MISSING, Labels
from concurrence.core.sentences import count_noun
from concurrence.files.labels.codes import (
    SYNONYMS,
    Encoded,
    Marks,
    column_kinds,
    columns_option,
    empty_table,
    encode,
    encode_categories,
    encode_names,
    find_role_column,
    items_and_groups,
    join_column_names,
    labels_from_marks,
    meaning_of,
    repeats_hint,
    require_role_column,
    unknown_column_error,
)
from concurrence.files.labels.exports import EXPORTS, detect_label_tool, export_sheet
from concurrence.files.labels.join_sources import LabelSource, join_sources
from concurrence.files.labels.joined_items import column_apart, parts_of_item, with_joined_items
from concurrence.files.labels.options import LabelOptions
from concurrence.files.labels.reading_warnings import category_warnings, pooled_groups_warning
from concurrence.files.labels.transposed import STAMPS, more_coders_than_items, transposed_marks
from concurrence.files.labels.wide import wide_marks
from concurrence.files.tables.sheets import Sheet, filter_rows, open_sheet

SPAN_ENDINGS = (".conll", ".bio", ".iob", ".iob2", ".bioes", ".ann", ".xmi")
SHAPES = ("auto", "long", "wide", "table", "counts", *EXPORTS)


def labels_from_source(source: Any, options: LabelOptions) -> Labels:
    """The labels of a file, of standard input (``-``), of a frame with the Arrow interface, or of a list of these.

    The sources of a list are read as one: their coders beside each other, their items matched by name.
    """
    refuse_in_fork()
    shape = "wide" if options.wide or options.transpose else "table" if options.table else options.shape
    columns = options.columns or {}
    if shape not in SHAPES:
        raise UnknownNameError("shape of labels", shape, SHAPES)
    if unknown := [role for role in columns if role not in SYNONYMS]:
        raise UnknownNameError("role of a column", unknown[0], SYNONYMS)
    if isinstance(source, list | tuple):
        sheets = [_open(entry, options) for entry in source]
        return labels_from_marks(join_sources(_read_sources(sheets, shape, columns, options)), options)
    sheet = _open(source, options)
    sheet, columns, shape = _resolve_shape(sheet, shape, columns, options)
    if options.by is not None and options.by not in sheet.frame.columns:
        raise unknown_column_error(sheet, options.by, option_or_keyword("--by", "by="))
    if shape == "table":
        return _read_contingency(sheet, options)
    if shape == "counts":
        return _read_counts(sheet, columns, options)
    return _read_marks(sheet, shape, columns, options)


def _open(source: Any, options: LabelOptions) -> Sheet:
    """The sheet of a source, below the rows that are skipped, with the rows that were asked for."""
    if isinstance(source, str | Path) and Path(source).suffix.lower() in SPAN_ENDINGS:
        spans = option_or_keyword("concur spans", "concurrence.spans")
        raise InvalidInputError(f"{source} is a file of marked stretches of text; {spans} compares those.")
    sheet = open_sheet(source, encoding=options.encoding, sheet=options.sheet, skip_rows=options.skip_rows)
    return sheet if options.rows is None else filter_rows(sheet, options.rows)


def _read_sources(
    sheets: Sequence[Sheet], shape: str, columns: Mapping[str, str], options: LabelOptions
) -> list[LabelSource]:
    """The marks of several sources; names of columns hold for those that have them."""
    parts, groups = [], []
    for sheet in sheets:
        log = detect_label_tool(sheet) is not None
        own = columns if log else {role: name for role, name in columns.items() if _has_column(sheet, name)}
        table, own, kind = _resolve_shape(sheet, "auto" if log or _is_long(sheet, own) else shape, own, options)
        if kind not in ("long", "wide"):
            shape_name = "counts" if kind == "counts" else "a contingency table"
            raise InvalidInputError(f"{sheet.name} holds {shape_name}, which cannot be matched with other files.")
        group = options.by if options.by in table.frame.columns else None
        groups.append(group)
        own_options = replace(options, by=group, coders=_coder_columns(table, options.coders))
        marks = _marks_of(table, kind, own, own_options)
        parts.append(LabelSource(marks=marks, log=log, stem=Path(sheet.name).name.partition(".")[0]))
    if options.by is not None and not any(groups):
        raise unknown_column_error(sheets[0], options.by, option_or_keyword("--by", "by="))
    logs = any(part.log for part in parts)
    for role, name in () if logs else columns.items():
        if not any(_has_column(sheet, name) for sheet in sheets):
            raise unknown_column_error(sheets[0], name, columns_option(role))
    return parts


def _has_column(sheet: Sheet, name: str) -> bool:
    """Whether a source has a column, or the columns that a name such as ``l1+l2`` joins."""
    return name in sheet.frame.columns or bool(parts_of_item(sheet, name))


def _is_long(sheet: Sheet, columns: Mapping[str, str]) -> bool:
    """Whether the header of one of several sources is that of a long table, whatever the others are."""
    sheet, columns = with_joined_items(sheet, columns, wide=False, by=None)
    return all(find_role_column(sheet, role, columns) is not None for role in ("item", "coder", "label"))


def _coder_columns(sheet: Sheet, coders: Sequence[str] | None) -> tuple[str, ...] | None:
    """Those of the chosen coders that are columns of a source, if any are; the others stand in another one."""
    return tuple(name for name in coders or () if name in sheet.frame.columns) or None


def _resolve_shape(
    sheet: Sheet, shape: str, columns: Mapping[str, str], options: LabelOptions
) -> tuple[Sheet, Mapping[str, str], str]:
    """The sheet behind an export or the sheet itself, its columns, and its shape."""
    if not sheet.frame.columns:
        raise InvalidInputError(f"{sheet.name} has no columns.")
    if shape in ("auto", *EXPORTS):
        sheet, columns = export_sheet(sheet, shape, columns, options.sets, options.coders or (), options.named)
        sheet, columns = with_joined_items(sheet, columns, wide=False, by=options.by)
        shape = _detect_shape(sheet, columns)
    elif shape in ("long", "wide", "counts") and not options.transpose:
        sheet, columns = with_joined_items(sheet, columns, wide=shape == "wide", by=options.by)
    if not sheet.height:
        raise InvalidInputError(f"{sheet.name} has a header but no rows.")
    return sheet, columns, shape


def _detect_shape(sheet: Sheet, columns: Mapping[str, str]) -> str:
    """Long or counts, recognised by the header; anything else must be named."""
    roles = {role for role in SYNONYMS if role in columns or find_role_column(sheet, role, columns) is not None}
    if {"item", "coder", "label"} <= roles:
        return "long"
    if {"item", "label", "count"} <= roles:
        return "counts"
    names = option_or_keyword("--columns item=…,coder=…,label=…", 'columns={"item": "…", "coder": "…", "label": "…"}')
    wide, table = option_or_keyword("--wide", 'shape="wide"'), option_or_keyword("--table", 'shape="table"')
    if sheet.frame.columns[0].strip().lower() in STAMPS and len(sheet.frame.columns) > 2:
        raise InvalidInputError(
            f"{sheet.name} holds the answers of a form, one respondent per row; use "
            f"{option_or_keyword('--transpose', 'transpose=True')}."
        )
    raise InvalidInputError(
        f"{sheet.name}: its columns are {join_column_names(sheet)}; it is not clear which are item, coder and label "
        f"(or item, label and count). Name them with {names}, or use {wide} for one item per row and one column "
        f"per coder, or {table} for a contingency table."
    )


def _read_marks(sheet: Sheet, shape: str, columns: Mapping[str, str], options: LabelOptions) -> Labels:
    """Labels of known coders, long or wide, with a warning where groups should be kept apart."""
    wide = shape == "wide"
    marks = _marks_of(sheet, shape, columns, options)
    labels = labels_from_marks(marks, options)
    if options.by is not None or len(labels.categories) < 4 or options.transpose:
        return labels
    role_columns = [
        find_role_column(sheet, role, columns) for role in (("item",) if wide else ("item", "coder", "label"))
    ]
    others = [name for name in sheet.frame.columns if name not in (*role_columns, *(marks.coders if wide else ()))]
    groups = dict(_grouping_columns(sheet, others, marks, labels))
    return replace(labels, warnings=(*pooled_groups_warning(labels, groups), *labels.warnings))


def _marks_of(sheet: Sheet, shape: str, columns: Mapping[str, str], options: LabelOptions) -> Marks:
    """The marks of a table, long, wide or with one coder per row."""
    if shape != "wide":
        return _long_marks(sheet, columns, options)
    if options.transpose:
        return transposed_marks(sheet, columns, options)
    marks = wide_marks(sheet, columns, options)
    return replace(marks, warnings=(*marks.warnings, *more_coders_than_items(marks)))


def _grouping_columns(
    sheet: Sheet, names: Sequence[str], marks: Marks, labels: Labels
) -> Iterator[tuple[str, NDArray[Any]]]:
    """The columns that group items, with the group of each item."""
    of_row = marks.item[: sheet.height]
    numbers = {name: number for number, name in enumerate(marks.items.tolist())}
    item_numbers = [numbers[name] for name in labels.items.tolist()]
    for name in names:
        try:
            group = encode(sheet.column(name)).codes
        except InvalidInputError:  # a column of lists or objects groups nothing
            continue
        of_item = np.full(len(marks.items), MISSING)
        of_item[of_row] = group
        if (of_item[of_row] == group).all():
            yield name, of_item[item_numbers]


def _long_marks(sheet: Sheet, columns: Mapping[str, str], options: LabelOptions) -> Marks:
    item = encode_names(sheet, "item", columns)
    coder = encode_names(sheet, "coder", columns)
    label = encode(sheet.column(require_role_column(sheet, "label", columns), joint=options.sets))
    numbers, items, groups = items_and_groups(sheet, item, options.by)
    roles = [find_role_column(sheet, role, columns) for role in ("item", "coder", "label")]
    return Marks(
        item=numbers,
        coder=coder.codes,
        label=label,
        items=items,
        coders=coder.names,
        place=sheet.place,
        source=sheet.name,
        groups=groups,
        several_questions=options.by is None and "question" in sheet.frame.columns,
        kinds=sheet.kinds or column_kinds(sheet, coder),
        column_apart=partial(column_apart, sheet, (*roles, options.by)),
        item_column=roles[0],
        warnings=sheet.warnings,
    )


def _read_contingency(sheet: Sheet, options: LabelOptions) -> Labels:
    """Labels of two coders, one pair of marks for each count."""
    if options.by is not None:
        raise InvalidInputError(
            f"{sheet.name}: a contingency table has no groups, so {option_or_keyword('--by', 'by=')} cannot be used."
        )
    first, *names = sheet.frame.columns
    rows = sheet.column(first).to_list()
    if sorted(map(str, rows)) != sorted(names):
        row_names = ", ".join("(empty)" if row is None else row for row in rows[:20])
        raise InvalidInputError(
            f"{sheet.name}: a contingency table has the same categories in its header ({', '.join(names[:20])}) "
            f"and in its first column ({row_names})."
        )
    counts = _parse_counts(sheet, names)[[rows.index(name) for name in names]]
    cells = np.repeat(np.arange(counts.size), counts.ravel())
    if not len(cells):
        raise InvalidInputError(f"{sheet.name}: all counts are 0.")
    marks = Marks(
        item=np.tile(np.arange(len(cells)), 2),
        coder=np.repeat(np.arange(2), len(cells)),
        label=Encoded(codes=np.concatenate(np.divmod(cells, len(names))), names=names),
        items=np.arange(1, len(cells) + 1),
        coders=["1", "2"],
        place=lambda _: sheet.name,
        source=sheet.name,
    )
    meanings = dict.fromkeys(meaning_of(name, options) for name in names)
    declared = options.categories or tuple(name for name in meanings if name is not None)
    return labels_from_marks(marks, replace(options, categories=declared, as_text=True))


def _read_counts(sheet: Sheet, columns: Mapping[str, str], options: LabelOptions) -> Labels:
    """Labels whose coders are not known, from how many gave each label to each item."""
    if options.coders is not None:
        raise InvalidInputError(
            f"{sheet.name} holds counts, which name no coders, so {option_or_keyword('--coders', 'coders=')} "
            "cannot be used."
        )
    item = encode_names(sheet, "item", columns)
    label = encode(sheet.column(require_role_column(sheet, "label", columns), joint=options.sets))
    counts = _parse_counts(sheet, [require_role_column(sheet, "count", columns)])[:, 0]
    numbers, items, groups = items_and_groups(sheet, item, options.by)
    codes, categories, warnings = encode_categories(label, options, sheet.place)
    rows = _select_count_rows(sheet, numbers, label, len(items), options.repeats)
    rows = rows[(codes[rows] != MISSING) & (counts[rows] > 0)]
    rows = rows[np.lexsort((codes[rows], numbers[rows]))]
    labels, owners = np.repeat(codes[rows], counts[rows]), np.repeat(numbers[rows], counts[rows])
    sizes = np.bincount(owners, minlength=len(items))
    width = int(sizes.max(initial=0))
    if width < 2:
        raise InvalidInputError(f"{sheet.name}: no item has two labels; agreement needs at least two.")
    declared = options.categories is not None or bool((counts == 0).any())
    if not declared:
        warnings += category_warnings(categories, np.bincount(labels, minlength=len(categories)).tolist(), options.sets)
    table = empty_table((len(items), width), len(categories), sheet.name)
    table[owners * width + np.arange(len(owners)) - np.repeat(np.cumsum(sizes) - sizes, sizes)] = labels
    return Labels(
        codes=table.reshape(len(items), width),
        categories=categories,
        coders=tuple(str(n) for n in range(1, width + 1)),
        items=items,
        groups=groups,
        categories_declared=declared,
        anonymous=True,
        set_separator=options.sets,
        warnings=warnings,
    )


def _select_count_rows(sheet: Sheet, item: NDArray[Any], label: Encoded, n_items: int, repeats: str) -> NDArray[Any]:
    """The rows that count, where the same label of an item has several."""
    cells = (label.codes.astype(np.int64) + 1) * n_items + item
    step = -1 if repeats == "last" else 1
    _, first = np.unique(cells[::step], return_index=True)
    rows = np.sort(first if step == 1 else len(cells) - 1 - first)
    if repeats == "error" and len(rows) < len(cells):
        repeated_row = int(np.setdiff1d(np.arange(len(cells)), rows)[0])
        raise InvalidInputError(
            f"{sheet.place(repeated_row)}: this label was already counted for this item "
            f"({count_noun(len(cells) - len(rows), 'such row')}). {repeats_hint(len(cells) - len(rows))}"
        )
    return rows


def _parse_counts(sheet: Sheet, names: Sequence[str]) -> NDArray[np.int64]:
    """These columns as counts, side by side."""
    texts = pl.DataFrame([sheet.column(name) for name in names])
    counts = texts.cast(pl.Float64, strict=False).to_numpy()
    valid = np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts)) & (counts < 2**53)
    if not valid.all():
        row, place = (int(k) for k in np.argwhere(~valid)[0])
        cell = texts[row, place]
        raise InvalidInputError(
            f"{sheet.place(row)}: the count in column {names[place]!r} is {'empty' if cell is None else repr(cell)}; "
            "counts must be whole numbers, 0 or more."
        )
    if (total := sum(counts.ravel().tolist())) > 2**30:
        raise InvalidInputError(f"{sheet.name}: the counts add up to {total:,.0f}, more than fits in memory.")
    return counts.astype(np.int64)
