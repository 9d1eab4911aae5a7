"""Read judgements: long, wide, contingency table, counts, and the exports of annotation tools.

Text stays text: ``01``, ``1`` and ``1.0`` are three labels, and ``NA`` is one too unless ``missing`` names it.
Only an empty cell or a JSON null is missing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.labels import MISSING, Labels
from concurrence.files.coding import Encoded, Marks, Rules, coded, empty_table, encode, recode
from concurrence.files.exports import EXPORTS, export_sheet
from concurrence.files.sheets import Sheet, open_sheet

SHAPES = ("auto", "long", "wide", "table", "counts", *EXPORTS)

SYNONYMS = {
    "item": ("item", "task", "unit", "id", "item_id", "task_id", "unit_id"),
    "coder": ("coder", "annotator", "rater", "worker", "coder_id", "annotator_id", "rater_id", "worker_id"),
    "label": ("label", "category", "value", "annotation"),
    "count": ("count", "n", "frequency"),
}

ITEM_NAMES = ("", "subject", "case", "example", "instance", "sentence", "text", "document", "pair")


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
) -> Labels:
    """Read judgements from a file, from standard input (``-``) or from a frame with the Arrow interface.

    ``shape`` is ``long`` (a judgement a row: item, coder, label), ``wide`` (an item a row, a coder a column),
    ``table`` (a square contingency table, rows the first coder), ``counts`` (item, label, count) or the tool that
    wrote an export; ``auto`` tells long, counts and exports by their columns. ``columns`` names the columns of
    ``item``, ``coder``, ``label`` and ``count`` where they are called otherwise.

    ``missing`` are labels that mean no label. ``categories`` declares the set of categories and their order.
    ``coders`` takes these coders alone, in this order, as if there were no others. ``by`` names the column with
    the group of an item; an item is then known by its group and its name together, since numbering often starts
    anew in each group. ``repeats`` says which label counts where a coder labelled an item twice.

    ``unmarked`` is the label that a blank stands for: an empty cell in a wide table, a row with an empty label in a
    long one, an annotation without a choice in an export. Items a coder was not given have no row there; in a wide
    table, mark them with a word named in ``missing``.

    ``sets`` is the mark between the members of set-valued labels; ``a+b`` and ``b+a`` are then the same label, and
    ``categories`` declares the members.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"item": ["1", "1", "2"], "coder": ["a", "b", "a"], "label": ["yes", "no", "no"]})
    >>> read_labels(frame).codes.tolist()
    [[1, 0], [0, -1]]
    """
    _check_name("shape of labels", shape, SHAPES)
    columns = columns or {}
    for role in columns:
        _check_name("role of a column", role, SYNONYMS)
    rules = Rules(
        missing=frozenset(missing),
        categories=None if categories is None else tuple(categories),
        coders=None if coders is None else tuple(coders),
        repeats=repeats,
        unmarked=unmarked,
        sets=sets,
    )
    sheet = open_sheet(source)
    if not sheet.frame.columns:
        raise InvalidInputError(f"{sheet.name} has no columns.")
    if shape in ("auto", *EXPORTS):
        sheet, columns = export_sheet(sheet, shape, columns, sets)
        shape = _told_shape(sheet, columns)
    if by is not None and by not in sheet.frame.columns:
        raise _unknown_column(sheet, by, "--by")
    if not (len(sheet.records) if sheet.records is not None else sheet.frame.height):
        raise InvalidInputError(f"{sheet.name} has a header and no rows.")
    match shape:
        case "wide":
            return coded(_wide_marks(sheet, columns, by, rules), rules)
        case "table":
            return _read_contingency(sheet, by, rules)
        case "counts":
            return _read_counts(sheet, columns, by, rules)
        case _:
            return coded(_long_marks(sheet, columns, by, sets), rules)


def _told_shape(sheet: Sheet, columns: Mapping[str, str]) -> str:
    """Long or counts, told from the header; anything else must be said."""
    roles = {role for role in SYNONYMS if role in columns or _column_of(sheet, role, columns) is not None}
    if {"item", "coder", "label"} <= roles:
        return "long"
    if {"item", "label", "count"} <= roles:
        return "counts"
    raise InvalidInputError(
        f"{sheet.name}: the columns are {_names(sheet)}, and neither item, coder, label nor item, label, count can be "
        "told from them. Name them with --columns item=…,coder=…,label=…, or say --wide for an item a row and a coder "
        "a column, or --table for a contingency table."
    )


def _long_marks(sheet: Sheet, columns: Mapping[str, str], by: str | None, sets: str | None) -> Marks:
    item = _named(sheet, "item", columns)
    coder = _named(sheet, "coder", columns)
    label = encode(sheet.column(_required(sheet, "label", columns), joint=sets))
    numbers, items, groups = _grouped(sheet, item, by)
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


def _wide_marks(sheet: Sheet, columns: Mapping[str, str], by: str | None, rules: Rules) -> Marks:
    item_column = _item_column(sheet, columns, by, rules.coders)
    others = {item_column, by}
    coders = [name for name in sheet.frame.columns if name not in others]
    if rules.coders is not None:
        for name in rules.coders:
            _check_name("coder", name, coders)
        coders = list(rules.coders)
    texts = [sheet.column(name, joint=rules.sets).rename("label") for name in coders]
    height = len(sheet.records) if sheet.records is not None else sheet.frame.height
    item = encode(sheet.column(item_column)) if item_column is not None else _numbered(height)
    _refuse_empty(sheet, item, item_column or "item")
    numbers, items, groups = _grouped(sheet, item, by)
    return Marks(
        item=np.tile(numbers, len(coders)),
        coder=np.repeat(np.arange(len(coders), dtype=np.int32), height),
        label=encode(pl.concat(texts)) if texts else Encoded(codes=np.empty(0, dtype=np.int32), names=[]),
        items=items,
        coders=coders,
        place=lambda row: f"{sheet.place(row % height)}, column {coders[row // height]}",
        source=sheet.name,
        groups=groups,
    )


def _item_column(
    sheet: Sheet, columns: Mapping[str, str], by: str | None, coders: tuple[str, ...] | None
) -> str | None:
    """Which column of a wide table names the items; none if the first one already holds labels.

    It is the one named in ``columns``, or by its own name, or the first, where each row has another text and not
    all of them are labels of the other columns too.
    """
    if (named := _column_of(sheet, "item", columns)) is not None:
        return named
    first = next((name for name in sheet.frame.columns if name != by), None)
    if first is None or first in (coders or ()):
        return None
    if first.strip().lower() in ITEM_NAMES:
        return first
    rest = [sheet.column(name) for name in sheet.frame.columns if name not in (first, by)]
    labels = set[str | None]().union(*(column.unique() for column in rest))
    repeats = bool(sheet.column(first).is_duplicated().any())
    if repeats != (set(sheet.column(first).unique()) <= labels):
        raise InvalidInputError(
            f"{sheet.name}: it cannot be told whether the first column {first!r} names the items or is a coder. "
            "Name the item's column with --columns item=…, or all the coders with --coders."
        )
    return None if repeats else first


def _numbered(height: int) -> Encoded:
    return Encoded(codes=np.arange(height, dtype=np.int32), names=[str(n) for n in range(1, height + 1)])


def _read_contingency(sheet: Sheet, by: str | None, rules: Rules) -> Labels:
    """Labels of two coders, one pair of marks for each count."""
    if by is not None:
        raise InvalidInputError(f"{sheet.name}: a contingency table has no groups, so --by cannot be used.")
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
    declared = rules.categories or tuple(name for name in names if name not in rules.missing)
    return coded(marks, replace(rules, categories=declared))


def _read_counts(sheet: Sheet, columns: Mapping[str, str], by: str | None, rules: Rules) -> Labels:
    """Labels whose coders are not known, from how many gave each label to each item."""
    if rules.coders is not None:
        raise InvalidInputError(f"{sheet.name} holds counts, which name no coders, so --coders cannot be used.")
    item = _named(sheet, "item", columns)
    label = encode(sheet.column(_required(sheet, "label", columns), joint=rules.sets))
    counts = _counts(sheet, [_required(sheet, "count", columns)])[:, 0]
    numbers, items, groups = _grouped(sheet, item, by)
    codes, categories = recode(label, rules, sheet.place)
    rows = _single_counts(sheet, numbers, label, len(items), rules.repeats)
    rows = rows[(codes[rows] != MISSING) & (counts[rows] > 0)]
    rows = rows[np.lexsort((codes[rows], numbers[rows]))]
    given, owner = np.repeat(codes[rows], counts[rows]), np.repeat(numbers[rows], counts[rows])
    sizes = np.bincount(owner, minlength=len(items))
    width = int(sizes.max(initial=0))
    if width < 2:
        raise InvalidInputError(f"{sheet.name}: no item has two labels; agreement takes at least two.")
    table = empty_table((len(items), width), len(categories), sheet.name)
    table[owner * width + np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)] = given
    return Labels(
        codes=table.reshape(len(items), width),
        categories=categories,
        coders=tuple(str(n) for n in range(1, width + 1)),
        items=items,
        groups=groups,
        categories_declared=rules.categories is not None or bool((counts == 0).any()),
        anonymous=True,
        set_separator=rules.sets,
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
            f"{sheet.place(again)}: this label of this item has been counted before ({len(cells) - len(rows):,} such "
            "rows). Say --repeats first or --repeats last to take one of them."
        )
    return rows


def _grouped(sheet: Sheet, item: Encoded, by: str | None) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Numbers of the items, their names, and their groups."""
    names = np.array(item.names, dtype=object)
    if by is None:
        return item.codes, names, None
    group = encode(sheet.column(by))
    _refuse_empty(sheet, group, by)
    words = np.array(group.names, dtype=object)
    of_item = np.empty(len(names), dtype=np.int64)
    of_item[item.codes] = group.codes
    if (of_item[item.codes] == group.codes).all():
        return item.codes, names, words[of_item]
    both, first, numbers = np.unique(
        group.codes.astype(np.int64) * len(names) + item.codes, return_index=True, return_inverse=True
    )
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[numbers], names[both[order] % len(names)], words[both[order] // len(names)]


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
            "counts are whole numbers from 0 up."
        )
    if (total := sum(counts.ravel().tolist())) > 2**30:
        raise InvalidInputError(f"{sheet.name}: the counts add up to {total:,.0f}, more than fits in memory.")
    return counts.astype(np.int64)


def _named(sheet: Sheet, role: str, columns: Mapping[str, str]) -> Encoded:
    """The column of items or coders, none of them empty."""
    name = _required(sheet, role, columns)
    encoded = encode(sheet.column(name))
    _refuse_empty(sheet, encoded, name)
    return encoded


def _refuse_empty(sheet: Sheet, encoded: Encoded, name: str) -> None:
    if (empty := encoded.codes == MISSING).any():
        raise InvalidInputError(f"{sheet.place(int(np.argmax(empty)))}: nothing stands in column {name!r}.")


def _required(sheet: Sheet, role: str, columns: Mapping[str, str]) -> str:
    if (name := _column_of(sheet, role, columns)) is None:
        raise _unknown_column(sheet, role, f"--columns {role}=")
    return name


def _column_of(sheet: Sheet, role: str, columns: Mapping[str, str]) -> str | None:
    """The column of a role: the one named, or the one of that name, or its only synonym."""
    if role in columns:
        if columns[role] not in sheet.frame.columns:
            raise _unknown_column(sheet, columns[role], f"--columns {role}=")
        return columns[role]
    taken = set(columns.values())
    plain = {name.strip().lower().replace(" ", "_"): name for name in sheet.frame.columns if name not in taken}
    if role in plain:
        return plain[role]
    names = [plain[synonym] for synonym in SYNONYMS[role] if synonym in plain]
    if len(names) > 1:
        raise InvalidInputError(
            f"{sheet.name}: the columns {' and '.join(names)} could each be the {role}; "
            f"say which with --columns {role}={names[0]}."
        )
    return names[0] if names else None


def _unknown_column(sheet: Sheet, name: str, option: str) -> InvalidInputError:
    return InvalidInputError(f"{sheet.name} has no column {name!r} ({option}); found are: {_names(sheet)}.")


def _names(sheet: Sheet) -> str:
    return ", ".join(name or "(no name)" for name in sheet.frame.columns)


def _check_name(kind: str, name: str, known: Any) -> None:
    if name not in known:
        raise UnknownNameError(kind, name, known)
