"""From columns to codes: which column plays which role, and what was marked on which item, as Labels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.coder_kinds import KINDS, MODEL, find_machines, machines_left_out, refuse_machines_alone
from concurrence.core.errors import InvalidInputError, UnknownNameError, option_or_keyword
from concurrence.core.labels import MISSING, Labels, code_dtype, ordered_categories
from concurrence.core.sentences import Sentence, count_noun
from concurrence.files.labels.options import LabelOptions
from concurrence.files.labels.reading_warnings import (
    category_warnings,
    unify_number_spellings,
    unify_truth_values,
    unused_recode_warnings,
)
from concurrence.files.tables.sheets import Sheet

Ints = NDArray[np.signedinteger[Any]]

LARGEST_TABLE = 2**32  # bytes; beyond it, a table of items x coders is the wrong form for such sparse labels
SYNONYMS = {
    "item": ("item", "task", "unit", "id", "item_id", "task_id", "unit_id"),
    "coder": ("coder", "annotator", "rater", "worker", "coder_id", "annotator_id", "rater_id", "worker_id"),
    "label": ("label", "category", "value", "annotation"),
    "count": ("count", "n", "frequency"),
}
RATINGS = {"label": ("rating", "score")}
"""Synonyms that are understood where no other column plays the role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """Texts as numbers, in the order of their first appearance; -1 is an empty one."""

    codes: Ints
    names: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """One row per mark: numbers of its item and coder, and its label; ``place`` says where it stands.

    ``kinds`` is what is known of the coders: human, model or scorer; ``warnings`` are what is doubtful already.
    ``column_apart`` names a column that tells rows apart whose items (``item_column``) and coders are the same.
    """

    item: Ints
    coder: Ints
    label: Encoded
    items: NDArray[Any]
    coders: list[str]
    place: Callable[[int], str]
    source: str
    groups: NDArray[Any] | None = None
    several_questions: bool = False
    column_apart: Callable[[NDArray[Any], Ints], str | None] = lambda _rows, _cells: None
    item_column: str | None = None
    warnings: tuple[Sentence, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)


def encode(texts: pl.Series) -> Encoded:
    """Number the texts of a column."""
    numbers = texts.cast(pl.Categorical(pl.Categories.random())).to_physical()
    codes = numbers.cast(pl.Int32).fill_null(MISSING).to_numpy()
    # Numbers follow the first appearance, and the lowest of several writes of a number is to stay.
    first = np.empty(int(codes.max(initial=MISSING)) + 2, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    names: list[str] = texts.gather(first[:-1]).to_list()
    if "" in names:
        codes = np.where(codes == names.index(""), MISSING, codes)
    return Encoded(codes=codes, names=names)


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


def column_kinds(sheet: Sheet, coder: Encoded) -> dict[str, str]:
    """What the coders of a long table are: by its column ``kind``, or models where a prompt was given.

    A column ``kind`` that holds anything else is not about coders.
    """
    if "kind" in sheet.frame.columns:
        kind = encode(sheet.column("kind"))
        if set(kind.names) <= {*KINDS, ""}:
            pairs = dict.fromkeys(zip(coder.codes.tolist(), kind.codes.tolist(), strict=True))
            return {coder.names[who]: kind.names[what] for who, what in pairs if what != MISSING}
    if "prompt_sha256" in sheet.frame.columns:
        prompted = sheet.column("prompt_sha256").is_not_null().to_numpy()
        return {coder.names[who]: MODEL for who in np.unique(coder.codes[prompted]).tolist()}
    return {}


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


def labels_from_marks(marks: Marks, options: LabelOptions) -> Labels:
    """Labels from marks whose coders are known."""
    kinds, machines = marks.kinds, []
    if options.coders is not None:
        marks = _select_coders(marks, options.coders)
    elif options.machines is not None and (machines := find_machines(marks.coders, kinds, options.machines)):
        humans = [coder for coder in marks.coders if coder not in machines]
        refuse_machines_alone(marks.source, humans, machines, kinds)
        marks = _select_coders(marks, humans)
    if len(marks.coders) < 2:
        coders_found = f"only one coder, {marks.coders[0]!r}" if marks.coders else "no coder"
        raise InvalidInputError(f"{marks.source} has {coders_found}; agreement needs at least two.")
    codes, categories, warnings = encode_categories(marks.label, options, marks.place)
    has_label = codes != MISSING
    if not has_label.any():
        raise InvalidInputError(f"{marks.source} contains no labels: all are empty or declared missing.")
    if options.categories is None:
        counts = np.bincount(codes[has_label], minlength=len(categories)).tolist()
        warnings += category_warnings(categories, counts, options.sets)
    return Labels(
        codes=_fill_table(marks, codes, has_label, len(categories), options.repeats),
        categories=categories,
        coders=tuple(marks.coders),
        items=marks.items,
        groups=marks.groups,
        categories_declared=options.categories is not None and options.sets is None,
        set_separator=options.sets,
        kinds={coder: kind for coder, kind in kinds.items() if coder in marks.coders},
        machines_named=options.coders is not None and bool(find_machines(marks.coders, kinds)),
        warnings=(*machines_left_out(machines, kinds), *marks.warnings, *warnings),
    )


def encode_categories(
    label: Encoded, options: LabelOptions, place: Callable[[int], str]
) -> tuple[Ints, tuple[str, ...], tuple[Sentence, ...]]:
    """Codes of categories in their order, from codes of texts as they were met, and what was doubtful."""
    codes_used = np.flatnonzero(np.bincount(label.codes + 1)) - 1
    names_used = {code: label.names[code] if code != MISSING else None for code in codes_used.tolist()}
    meanings = {code: meaning_of(name, options) for code, name in names_used.items()}
    warnings: tuple[Sentence, ...] = ()
    if options.recode:
        warnings += unused_recode_warnings(
            options.recode, [label.names[code] for code in meanings if code != MISSING], options.sets
        )
    if not options.as_text and options.sets is None:
        meanings, truth_warnings = unify_truth_values(meanings, options.categories or ())
        meanings, spelling_warnings = unify_number_spellings(meanings, options.categories or (), options.missing)
        warnings += truth_warnings + spelling_warnings
    names = {name for name in meanings.values() if name is not None}
    declared = options.categories if options.sets is None else None
    order = ordered_categories(names) if declared is None else tuple(declared)
    if options.categories is not None:
        members = {name: [name] if options.sets is None else name.split(options.sets) for name in names}
        undeclared = {name for name in names if not set(options.categories).issuperset(members[name])}
        if undeclared:
            raise _undeclared_error(
                label, {code: name for code, name in meanings.items() if name in undeclared}, options, place
            )
    index = {name: code for code, name in enumerate(order)}
    # The last entry stands for the empty text, whose code is -1.
    lookup = np.full(len(label.names) + 1, MISSING, dtype=code_dtype(len(order)))
    for code, name in meanings.items():
        lookup[code] = MISSING if name is None else index[name]
    return lookup[label.codes], order, warnings


def meaning_of(text: str | None, options: LabelOptions) -> str | None:
    """The category a text stands for, if any."""
    if text is None:
        return options.unmarked
    label = (options.recode or {}).get(text, text)
    if options.sets is not None and label not in options.missing:
        label = options.sets.join(sorted(_members(label, options.sets, options.recode or {})))
    return label if label and label not in options.missing else None


def _members(label: str, separator: str, recode: Mapping[str, str]) -> set[str]:
    """The members of a set; spaces around them and empty ones, as after a last mark, mean nothing."""
    recoded = [recode.get(part, recode.get(part.strip(), part)) for part in label.split(separator)]
    return {stripped for member in recoded for part in member.split(separator) if (stripped := part.strip())}


def _undeclared_error(
    label: Encoded, undeclared: dict[int, str | None], options: LabelOptions, place: Callable[[int], str]
) -> InvalidInputError:
    row = int(np.argmax(np.isin(label.codes, list(undeclared))))
    return InvalidInputError(
        f"{place(row)}: the label {undeclared[int(label.codes[row])]!r} is not among the declared categories "
        f"{', '.join(options.categories or ())}. Add it to {option_or_keyword('--categories', 'categories=')}, "
        "or name it in "
        f"{option_or_keyword('--missing', 'missing=')} if it means no label."
    )


def _select_coders(marks: Marks, coders: Sequence[str]) -> Marks:
    """The marks of these coders alone, as if the source held no others."""
    number = {name: code for code, name in enumerate(marks.coders)}
    lookup = np.full(len(marks.coders), MISSING, dtype=np.int32)
    for position, name in enumerate(coders):
        if name not in number:
            raise UnknownNameError("coder", name, marks.coders)
        lookup[number[name]] = position
    coder = lookup[marks.coder]
    rows = np.flatnonzero(coder != MISSING)
    items_used, item = np.unique(marks.item[rows], return_inverse=True)
    place, column_apart = marks.place, marks.column_apart
    return replace(
        marks,
        column_apart=lambda some, cells: column_apart(rows[some], cells),
        item=item,
        coder=coder[rows],
        label=Encoded(codes=marks.label.codes[rows], names=marks.label.names),
        items=marks.items[items_used],
        coders=list(coders),
        place=lambda row: place(int(rows[row])),
        groups=None if marks.groups is None else marks.groups[items_used],
    )


def _fill_table(marks: Marks, codes: Ints, has_label: NDArray[np.bool_], n_categories: int, repeats: str) -> Ints:
    """The codes as a table of items x coders; ``repeats`` decides where a cell has several."""
    shape = (len(marks.items), len(marks.coders))
    table = empty_table(shape, n_categories, marks.source)
    rows = slice(None) if has_label.all() else np.flatnonzero(has_label)
    cells = marks.item[rows].astype(np.int64) * shape[1] + marks.coder[rows]
    # Where a cell is written twice, numpy keeps what came last.
    step = -1 if repeats == "first" else 1
    table[cells[::step]] = codes[rows][::step]
    if repeats == "error" and np.count_nonzero(table != MISSING) < len(cells):
        _refuse_repeats(marks, cells, np.flatnonzero(has_label))
    return table.reshape(shape)


def empty_table(shape: tuple[int, int], n_categories: int, source: str) -> Ints:
    """A flat table without labels, refused where it would not fit in a sane amount of memory."""
    dtype = code_dtype(n_categories)
    size = shape[0] * shape[1] * dtype.itemsize
    if size > LARGEST_TABLE:
        raise InvalidInputError(
            f"{source}: {shape[0]:,} items x {shape[1]:,} coders would take {size / 2**30:.1f} GB; select coders with "
            f"{option_or_keyword('--coders', 'coders=')}, or count the labels of each item (item,label,count)."
        )
    return np.full(shape[0] * shape[1], MISSING, dtype=dtype)


def _refuse_repeats(marks: Marks, cells: Ints, rows: Ints) -> None:
    order = np.argsort(cells, kind="stable")
    repeated = np.flatnonzero(cells[order][1:] == cells[order][:-1]) + 1
    cases = len(repeated)
    first = repeated[np.argsort(order[repeated])][:3]
    examples = "; ".join(_format_repeat(marks, int(rows[order[k - 1]]), int(rows[order[k]])) for k in first.tolist())
    hint = repeats_hint(cases)
    apart = None if marks.several_questions else marks.column_apart(rows, cells)
    if apart is not None and marks.item_column is not None:
        hint = f"{_apart_hint(marks.item_column, apart)} {hint}"
    if marks.several_questions:
        by = option_or_keyword("--by question", 'by="question"')
        hint = f"The file has answers to several questions: use {by} to analyse each."
    raise InvalidInputError(
        f"{marks.source}: the same coder labelled the same item more than once in {cases:,} "
        f"case{'s' * (cases != 1)}, first {examples}. {hint}"
    )


def _apart_hint(item: str, apart: str) -> str:
    """What to do if another column belongs to the item."""
    option = columns_option("item", f"{item}+{apart}")
    return f"The column {apart!r} tells these rows apart; if it belongs to the item, use {option}."


def repeats_hint(n: int) -> str:
    """How to take one of several labels, and how many are then left out."""
    option = option_or_keyword("--repeats first or --repeats last", 'repeats="first" or repeats="last"')
    return f"{option} keeps one label of each and leaves out {count_noun(n, 'label')}."


def _format_repeat(marks: Marks, row: int, repeated_row: int) -> str:
    places = [marks.place(r).removeprefix(f"{marks.source}, ") for r in (row, repeated_row)]
    return f"coder {marks.coders[marks.coder[row]]!r} on item {marks.items[marks.item[row]]!r} ({' and '.join(places)})"
