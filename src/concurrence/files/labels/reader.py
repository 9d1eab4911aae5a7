"""Read judgements: long, wide, contingency table, counts, and the exports of annotation tools.

Text stays text: ``NA`` is a label like any other unless ``missing`` names it, and only an empty cell, a JSON null or
a frame's NaN is missing. One exception: where every label is a number, ``1``, ``1.0`` and ``01`` are one category.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.display import count_noun
from concurrence.core.errors import InvalidInputError, UnknownNameError, option_or_keyword
from concurrence.core.forks import refuse_in_fork
from concurrence.core.labels import MISSING, Labels
from concurrence.files.labels.codes import Encoded, Marks, Rules, coded, empty_table, encode, keep_one, recode
from concurrence.files.labels.column_roles import (
    SYNONYMS,
    column_of,
    grouped,
    name_column,
    names_of_columns,
    naming,
    required,
    unknown_column,
)
from concurrence.files.labels.exports import EXPORTS, detect_label_tool, export_sheet
from concurrence.files.labels.join_sources import LabelSource, join_sources
from concurrence.files.labels.reading_warnings import doubts_of_labels, pooled_groups
from concurrence.files.labels.wide import wide_marks
from concurrence.files.tables.sheets import Sheet, open_sheet

SHAPES = ("auto", "long", "wide", "table", "counts", *EXPORTS)


def read_labels(
    source: Any,
    *,
    shape: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: Sequence[str] = (),
    categories: Sequence[str] | None = None,
    coders: Sequence[str] | None = None,
    by: str | None = None,
    repeats: str = "error",
    unmarked: str | None = None,
    sets: str | None = None,
    recode: Mapping[str, str] | None = None,
    as_text: bool = False,
    encoding: str | None = None,
    sheet: str | None = None,
) -> Labels:
    """Read judgements from a file, from standard input (``-``) or from a frame with the Arrow interface.

    A list of sources is read as one: their coders beside each other, their items matched by name. Exports and logs
    among them are recognised, and ``shape`` is that of the others.

    ``shape`` is ``long`` (one label per row: item, coder, label), ``wide`` (one item per row, one column per coder),
    ``table`` (a square contingency table; rows are the first coder), ``counts`` (item, label, count) or the tool that
    wrote an export; ``auto`` recognises long tables, counts and exports by their columns. ``columns`` names the
    columns of ``item``, ``coder``, ``label`` and ``count`` if they have other names. ``encoding`` is that of a
    text file (default: UTF-8), ``sheet`` the sheet of an ``.xlsx`` file (default: the first).

    ``recode`` maps labels to the labels they stand for, such as a typo to the right word, before anything else.
    ``missing`` are labels that mean no label. ``categories`` declares the set of categories and their order.
    ``coders`` uses only these coders, in this order, as if there were no others. ``by`` names the column with
    the group of an item; an item is then identified by its group and its name together, since numbering often
    restarts in each group. ``repeats`` says which label counts if a coder labelled an item twice.

    ``unmarked`` is the label that a blank stands for: an empty cell in a wide table, a row with an empty label in a
    long one, an annotation without a choice in an export. Items a coder was not given have no row there; in a wide
    table, mark them with a word named in ``missing``.

    ``sets`` is the separator between the members of set-valued labels; ``a+b``, ``b+a`` and ``a + b+`` are then the
    same label, and ``categories`` declares the members. ``as_text`` keeps different spellings of a number apart.
    Doubts about how the labels were read are in their ``warnings``.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"item": ["1", "1", "2"], "coder": ["a", "b", "a"], "label": ["yes", "no", "no"]})
    >>> read_labels(frame).codes.tolist()
    [[1, 0], [0, -1]]
    """
    refuse_in_fork()
    if shape not in SHAPES:
        raise UnknownNameError("shape of labels", shape, SHAPES)
    columns = columns or {}
    if unknown := [role for role in columns if role not in SYNONYMS]:
        raise UnknownNameError("role of a column", unknown[0], SYNONYMS)
    rules = Rules(
        missing=frozenset(missing),
        categories=None if categories is None else tuple(categories),
        coders=None if coders is None else tuple(coders),
        repeats=repeats,
        unmarked=unmarked,
        sets=sets,
        recode=recode or {},
        as_text=as_text,
    )
    if isinstance(source, list | tuple):
        opened = [open_sheet(one, encoding=encoding, sheet=sheet) for one in source]
        return coded(join_sources(_parts(opened, shape, columns, by, rules)), rules)
    return _read_sheet(open_sheet(source, encoding=encoding, sheet=sheet), shape, columns, by, rules)


def _read_sheet(opened: Sheet, shape: str, columns: Mapping[str, str], by: str | None, rules: Rules) -> Labels:
    """The labels of one source."""
    opened, columns, shape = _understood(opened, shape, columns, rules)
    if by is not None and by not in opened.frame.columns:
        raise unknown_column(opened, by, option_or_keyword("--by", "by="))
    if shape == "table":
        return _read_contingency(opened, by, rules)
    if shape == "counts":
        return _read_counts(opened, columns, by, rules)
    return _read_marks(opened, shape, columns, by, rules)


def _parts(
    sheets: Sequence[Sheet], shape: str, columns: Mapping[str, str], by: str | None, rules: Rules
) -> list[LabelSource]:
    """The marks of several sources; names of columns hold for those that have them."""
    parts, groups = [], []
    for opened in sheets:
        log = detect_label_tool(opened) is not None
        own = columns if log else {role: name for role, name in columns.items() if name in opened.frame.columns}
        told, own, kind = _understood(opened, "auto" if log else shape, own, rules)
        if kind not in ("long", "wide"):
            what = "counts" if kind == "counts" else "a contingency table"
            raise InvalidInputError(f"{opened.name} holds {what}, which cannot be matched with other files.")
        group = by if by in told.frame.columns else None
        groups.append(group)
        alone = replace(rules, coders=_own_coders(told, rules.coders))
        marks = wide_marks(told, own, group, alone) if kind == "wide" else _long_marks(told, own, group, rules.sets)
        parts.append(LabelSource(marks=marks, log=log, stem=Path(opened.name).name.partition(".")[0]))
    if by is not None and not any(groups):
        raise unknown_column(sheets[0], by, option_or_keyword("--by", "by="))
    logs = any(part.log for part in parts)
    for role, name in () if logs else columns.items():
        if not any(name in opened.frame.columns for opened in sheets):
            raise unknown_column(sheets[0], name, naming(role))
    return parts


def _own_coders(sheet: Sheet, coders: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Those of the chosen coders that are columns of a source, if any are; the others stand in another one."""
    return tuple(name for name in coders or () if name in sheet.frame.columns) or None


def _understood(
    opened: Sheet, shape: str, columns: Mapping[str, str], rules: Rules
) -> tuple[Sheet, Mapping[str, str], str]:
    """The sheet behind an export or the sheet itself, its columns, and its shape."""
    if not opened.frame.columns:
        raise InvalidInputError(f"{opened.name} has no columns.")
    if shape in ("auto", *EXPORTS):
        opened, columns = export_sheet(opened, shape, columns, rules.sets)
        shape = _told_shape(opened, columns)
    if not opened.height:
        raise InvalidInputError(f"{opened.name} has a header but no rows.")
    return opened, columns, shape


def _told_shape(sheet: Sheet, columns: Mapping[str, str]) -> str:
    """Long or counts, recognised by the header; anything else must be named."""
    roles = {role for role in SYNONYMS if role in columns or column_of(sheet, role, columns) is not None}
    if {"item", "coder", "label"} <= roles:
        return "long"
    if {"item", "label", "count"} <= roles:
        return "counts"
    names = option_or_keyword("--columns item=…,coder=…,label=…", 'columns={"item": "…", "coder": "…", "label": "…"}')
    wide, table = option_or_keyword("--wide", 'shape="wide"'), option_or_keyword("--table", 'shape="table"')
    raise InvalidInputError(
        f"{sheet.name}: its columns are {names_of_columns(sheet)}; it is not clear which are item, coder and label "
        f"(or item, label and count). Name them with {names}, or use {wide} for one item per row and one column "
        f"per coder, or {table} for a contingency table."
    )


def _read_marks(sheet: Sheet, shape: str, columns: Mapping[str, str], by: str | None, rules: Rules) -> Labels:
    """Labels of known coders, long or wide, with a warning where groups should be kept apart."""
    wide = shape == "wide"
    marks = wide_marks(sheet, columns, by, rules) if wide else _long_marks(sheet, columns, by, rules.sets)
    labels = coded(marks, rules)
    if by is not None or len(labels.categories) < 4:
        return labels
    taken = [column_of(sheet, role, columns) for role in (("item",) if wide else ("item", "coder", "label"))]
    others = [name for name in sheet.frame.columns if name not in (*taken, *(marks.coders if wide else ()))]
    groups = dict(_groups(sheet, others, marks, labels))
    return replace(labels, warnings=(*pooled_groups(labels, groups), *labels.warnings))


def _groups(sheet: Sheet, names: Sequence[str], marks: Marks, labels: Labels) -> Iterator[tuple[str, NDArray[Any]]]:
    """The columns that group items, with the group of each item."""
    of_row = marks.item[: sheet.height]
    place = {name: number for number, name in enumerate(marks.items.tolist())}
    here = [place[name] for name in labels.items.tolist()]
    for name in names:
        try:
            group = encode(sheet.column(name)).codes
        except InvalidInputError:  # a column of lists or objects groups nothing
            continue
        of_item = np.full(len(marks.items), MISSING)
        of_item[of_row] = group
        if (of_item[of_row] == group).all():
            yield name, of_item[here]


def _long_marks(sheet: Sheet, columns: Mapping[str, str], by: str | None, sets: str | None) -> Marks:
    item = name_column(sheet, "item", columns)
    coder = name_column(sheet, "coder", columns)
    label = encode(sheet.column(required(sheet, "label", columns), joint=sets))
    numbers, items, groups = grouped(sheet, item, by)
    return Marks(
        item=numbers,
        coder=coder.codes,
        label=label,
        items=items,
        coders=coder.names,
        place=sheet.place,
        source=sheet.name,
        groups=groups,
        several_questions=by is None and "question" in sheet.frame.columns,
    )


def _read_contingency(sheet: Sheet, by: str | None, rules: Rules) -> Labels:
    """Labels of two coders, one pair of marks for each count."""
    if by is not None:
        raise InvalidInputError(
            f"{sheet.name}: a contingency table has no groups, so {option_or_keyword('--by', 'by=')} cannot be used."
        )
    first, *names = sheet.frame.columns
    rows = sheet.column(first).to_list()
    if sorted(map(str, rows)) != sorted(names):
        shown = ", ".join("(empty)" if row is None else row for row in rows[:20])
        raise InvalidInputError(
            f"{sheet.name}: a contingency table has the same categories in its header ({', '.join(names[:20])}) "
            f"and in its first column ({shown})."
        )
    counts = _counts(sheet, names)[[rows.index(name) for name in names]]
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
    meant = dict.fromkeys(map(rules.meaning, names))
    declared = rules.categories or tuple(name for name in meant if name is not None)
    return coded(marks, replace(rules, categories=declared, as_text=True))


def _read_counts(sheet: Sheet, columns: Mapping[str, str], by: str | None, rules: Rules) -> Labels:
    """Labels whose coders are not known, from how many gave each label to each item."""
    if rules.coders is not None:
        raise InvalidInputError(
            f"{sheet.name} holds counts, which name no coders, so {option_or_keyword('--coders', 'coders=')} "
            "cannot be used."
        )
    item = name_column(sheet, "item", columns)
    label = encode(sheet.column(required(sheet, "label", columns), joint=rules.sets))
    counts = _counts(sheet, [required(sheet, "count", columns)])[:, 0]
    numbers, items, groups = grouped(sheet, item, by)
    codes, categories, warnings = recode(label, rules, sheet.place)
    rows = _single_counts(sheet, numbers, label, len(items), rules.repeats)
    rows = rows[(codes[rows] != MISSING) & (counts[rows] > 0)]
    rows = rows[np.lexsort((codes[rows], numbers[rows]))]
    given, owner = np.repeat(codes[rows], counts[rows]), np.repeat(numbers[rows], counts[rows])
    sizes = np.bincount(owner, minlength=len(items))
    width = int(sizes.max(initial=0))
    if width < 2:
        raise InvalidInputError(f"{sheet.name}: no item has two labels; agreement needs at least two.")
    declared = rules.categories is not None or bool((counts == 0).any())
    if not declared:
        warnings += doubts_of_labels(categories, np.bincount(given, minlength=len(categories)).tolist(), rules.sets)
    table = empty_table((len(items), width), len(categories), sheet.name)
    table[owner * width + np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)] = given
    return Labels(
        codes=table.reshape(len(items), width),
        categories=categories,
        coders=tuple(str(n) for n in range(1, width + 1)),
        items=items,
        groups=groups,
        categories_declared=declared,
        anonymous=True,
        set_separator=rules.sets,
        warnings=warnings,
    )


def _single_counts(sheet: Sheet, item: NDArray[Any], label: Encoded, n_items: int, repeats: str) -> NDArray[Any]:
    """The rows that count, where the same label of an item has several."""
    cells = (label.codes.astype(np.int64) + 1) * n_items + item
    step = -1 if repeats == "last" else 1
    _, first = np.unique(cells[::step], return_index=True)
    rows = np.sort(first if step == 1 else len(cells) - 1 - first)
    if repeats == "error" and len(rows) < len(cells):
        again = int(np.setdiff1d(np.arange(len(cells)), rows)[0])
        raise InvalidInputError(
            f"{sheet.place(again)}: this label was already counted for this item "
            f"({count_noun(len(cells) - len(rows), 'such row')}). {keep_one()}"
        )
    return rows


def _counts(sheet: Sheet, names: Sequence[str]) -> NDArray[np.int64]:
    """These columns as counts, side by side."""
    texts = pl.DataFrame([sheet.column(name) for name in names])
    counts = texts.cast(pl.Float64, strict=False).to_numpy()
    fine = np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts)) & (counts < 2**53)
    if not fine.all():
        row, place = (int(k) for k in np.argwhere(~fine)[0])
        cell = texts[row, place]
        raise InvalidInputError(
            f"{sheet.place(row)}: the count in column {names[place]!r} is {'empty' if cell is None else repr(cell)}; "
            "counts must be whole numbers, 0 or more."
        )
    if (total := sum(counts.ravel().tolist())) > 2**30:
        raise InvalidInputError(f"{sheet.name}: the counts add up to {total:,.0f}, more than fits in memory.")
    return counts.astype(np.int64)
