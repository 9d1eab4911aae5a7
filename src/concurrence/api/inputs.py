"""What people have, as values: our own values, frames of any library, lists, and files.

Every verb takes the same things. A path is read as its command reads it; a frame of pandas brings its own index as the
item; lists are one per coder, item by item, or rows.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypedDict, TypeVar, Unpack

from concurrence.core.coder_kinds import find_machines, machines_left_out, refuse_machines_alone
from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import refuse_in_fork
from concurrence.core.labels import Labels
from concurrence.files.labels.options import LabelOptions

if TYPE_CHECKING:
    import polars as pl

    from concurrence.core.comparisons import Comparisons
    from concurrence.core.pairs import Pairs
    from concurrence.core.samples import Sample

P = ParamSpec("P")
R = TypeVar("R")

OF_TABLES = ("columns", "by", "table", "transpose", "encoding", "sheet", "skip_rows", "rows")
"""What is said of tables alone, and never of lists."""


class LabelsReading(TypedDict, total=False):
    """How labels are read from a file or a frame: the options of the command line, explained by ``read_labels``."""

    shape: str
    wide: bool
    table: bool
    transpose: bool
    columns: Mapping[str, str] | None
    by: str | None
    coders: Sequence[str] | None
    categories: Sequence[str] | None
    missing: Sequence[str]
    repeats: str
    unmarked: str | None
    sets: str | None
    recode: Mapping[str, str] | None
    as_text: bool
    encoding: str | None
    sheet: str | None
    skip_rows: int
    rows: str | None


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
    transpose: bool = False,
    encoding: str | None = None,
    sheet: str | None = None,
    skip_rows: int = 0,
    rows: str | None = None,
) -> Labels:
    """Read judgements from a file, from standard input (``-``) or from a frame with the Arrow interface.

    A list of sources is read as one: their coders beside each other, their items matched by name. Exports and logs
    among them are recognised, and ``shape`` is that of the others.

    ``shape`` is ``long`` (one label per row: item, coder, label), ``wide`` (one item per row, one column per coder),
    ``table`` (a square contingency table; rows are the first coder), ``counts`` (item, label, count) or the tool that
    wrote an export; ``auto`` recognises long tables, counts and exports by their columns. ``columns`` names the
    columns of ``item``, ``coder``, ``label`` and ``count`` if they have other names. ``transpose`` reads a table with
    one coder per row and one column per item, as forms have. ``encoding`` is that of a
    text file (default: UTF-8), ``sheet`` the sheet of an ``.xlsx`` file (default: the first). ``skip_rows`` stand above
    the header, and ``rows`` is a condition on those that are used, such as ``status = "Approved"``.

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
    options = LabelOptions(
        shape=shape,
        columns=columns,
        missing=missing,
        categories=categories,
        coders=coders,
        by=by,
        repeats=repeats,
        unmarked=unmarked,
        sets=sets,
        recode=recode,
        as_text=as_text,
        transpose=transpose,
        encoding=encoding,
        sheet=sheet,
        skip_rows=skip_rows,
        rows=rows,
    )
    return _read(source, options)


def people_labels(
    source: Any,
    other: Iterable[Any] | None = None,
    machines: Iterable[str | None] = (),
    **reading: Unpack[LabelsReading],
) -> Labels:
    """Labels of people, and of the ``machines`` that a verb was given by name; ``coders`` takes all that it names.

    ``source`` and ``reading`` are those of :func:`labels_from`.
    """
    return labels_from(source, other, machines=tuple(name for name in machines if name is not None), **reading)


def labels_from(
    source: Any,
    other: Iterable[Any] | None = None,
    *,
    machines: Sequence[str] | None = None,
    named: Sequence[str] = (),
    **reading: Unpack[LabelsReading],
) -> Labels:
    """Labels from what people have.

    ``source`` is ``Labels``, a frame, a file's name, a list of files or frames that are read together, the labels of
    one coder with ``other`` those of the second, a list of such lists or an array with a row per coder, or a mapping
    from coders to their lists. Lists are read as the columns of a file are: with the same missing values, numbers,
    options and warnings. Of models and scorers, only ``machines`` are taken where no coders are named; None takes all.
    ``named`` are those that a log must be readable for.
    """
    if isinstance(source, Labels):
        return _without_machines(_labels_unchanged(source, other, reading), machines)
    if other is not None:
        return _read_lists({"first": source, "second": other}, reading)
    if isinstance(source, Mapping):
        return _read_lists(source, reading)
    if isinstance(source, list | tuple) and source and all(isinstance(one, Path) or is_frame(one) for one in source):
        return _read(
            [with_own_index(one, reading) for one in source], LabelOptions(**reading, machines=machines, named=named)
        )
    if isinstance(source, list | tuple) or (hasattr(source, "ndim") and not is_frame(source)):
        return _read_lists(_coder_lists(source), reading)
    return _read(with_own_index(source, reading), LabelOptions(**reading, machines=machines, named=named))


def _coder_lists(lists: Any) -> dict[str, Iterable[Any]]:
    """One list per coder, from a list of lists or the rows of an array, under the numbers of the coders."""
    rows = list(lists) if getattr(lists, "ndim", 2) == 2 else []
    if not rows or not all(isinstance(row, list | tuple) or hasattr(row, "tolist") or is_column(row) for row in rows):
        raise InvalidInputError(
            "One list of labels is one coder; give two lists, a list of lists (one per coder), a frame, or a file."
        )
    return {f"coder {number}": row for number, row in enumerate(rows, start=1)}


def _read_lists(lists: Mapping[Any, Iterable[Any]], reading: LabelsReading) -> Labels:
    from concurrence.files.labels.lists import labels_from_lists

    options = LabelOptions(**reading)
    if (name := next((name for name in OF_TABLES if reading.get(name)), None)) or options.shape not in ("auto", "wide"):
        raise InvalidInputError(
            f"{name or 'shape'}= says how a table is read, and lists have one coder each; put the lists into a frame."
        )
    return labels_from_lists(lists, options)


def is_column(source: Any) -> bool:
    """Whether something is a single column of a frame of some library."""
    return hasattr(source, "to_list") or (hasattr(source, "to_pylist") and not hasattr(source, "column_names"))


def is_frame(source: Any) -> bool:
    """Whether something is a frame of some library, or a dataset of Hugging Face."""
    if type(source).__module__.partition(".")[0] == "datasets":
        return True
    return (hasattr(source, "__arrow_c_stream__") or hasattr(source, "to_records")) and not is_column(source)


def with_own_index(source: Any, reading: Mapping[str, Any]) -> Any:
    """A frame of pandas with its own index as the item, where no column says what the item is.

    A dataset of Hugging Face is the Arrow table that it holds.
    """
    if type(source).__module__.partition(".")[0] == "datasets":
        return source.with_format("arrow")[:]
    index = getattr(source, "index", None)
    if not hasattr(source, "reset_index") or index is None:
        return source
    from concurrence.files.labels.codes import SYNONYMS

    counted = type(index).__name__ == "RangeIndex" and index.name is None
    items = {"item", *SYNONYMS["item"]} | {(reading.get("columns") or {}).get("item")}
    if counted or items & {str(name) for name in source.columns} or reading.get("shape") == "table":
        return source
    if index.nlevels > 1 or index.name == reading.get("by"):
        return source.reset_index()
    return source.reset_index(names="item")


def frame_from(source: Any) -> "pl.DataFrame":
    """A table from a frame, a file, or rows that are mappings."""
    refuse_in_fork()
    from concurrence.core.frames import frame_of, rows_as_frame

    if isinstance(source, str | Path):
        from concurrence.files.tables.formats import read_table

        return read_table(source)
    if isinstance(source, list | tuple) and all(isinstance(row, Mapping) for row in source):
        return rows_as_frame(source)
    return frame_of(source)


def key_names(key: str | Sequence[str] | None) -> tuple[str, ...] | None:
    """The columns that identify a candidate; one of them may be given by its name."""
    if key is None:
        return None
    return tuple(key.split(",")) if isinstance(key, str) else tuple(key)


def pairs_from(source: Any, key: str | Sequence[str] | None = None) -> "Pairs":
    """Word pairs from ``Pairs``, a frame with ``l1 l2 f f1 f2 N``, rows of these, or a file."""
    refuse_in_fork()
    from concurrence.core.pairs import KEY, Pairs

    columns = key_names(key)
    if isinstance(source, Pairs):
        return source
    if isinstance(source, str | Path):
        from concurrence.files.pairs.formats import read_pairs

        return read_pairs(source, key=columns)
    if isinstance(source, list | tuple) and not all(isinstance(row, Mapping) for row in source):
        import polars as pl

        source = pl.DataFrame(source, schema=[*(columns or KEY), "f", "f1", "f2", "N"], orient="row")
    return Pairs.from_frame(frame_from(source), key=columns or KEY)


def candidates_from(source: Any, key: str | Sequence[str] | None = None) -> "tuple[Any, tuple[str, ...] | None]":
    """A list of candidates and its key columns, from ``Pairs``, a frame, rows that are mappings, or a file."""
    from concurrence.core.pairs import Pairs

    columns = key_names(key)
    if isinstance(source, str | Path):
        refuse_in_fork()
        from concurrence.files.pairs.formats import read_candidates

        return read_candidates(Path(source), key=columns)
    return (source, columns) if isinstance(source, Pairs) else (frame_from(source), columns)


def judgements_from(source: Any) -> Any:
    """People's judgements as the rooms take them: their own value, or a table of a frame, rows or a file."""
    return source if hasattr(source, "verdicts") else frame_from(source)


def sample_from(source: Any) -> "Sample | None":
    """A sample with its design, or the file that ``concur sample`` wrote."""
    if not isinstance(source, str | Path):
        sample: Sample | None = source
        return sample
    from concurrence.files.pairs.samples import read_sample

    return read_sample(source)


def comparisons_from(source: Any) -> "Comparisons":
    """Comparisons from their value, a frame or file with the columns a, b and winner, or rows of them."""
    from concurrence.core.comparisons import Comparisons
    from concurrence.files.comparisons import read_comparisons

    if isinstance(source, Comparisons):
        return source
    return read_comparisons(rows_from(source, ("a", "b", "winner", "coder")))


def rows_from(source: Any, columns: Sequence[str]) -> Any:
    """A frame of rows that are mappings or have these cells, the last of which may be left out; others unchanged.

    A list of file names is one of several files, not of rows.
    """
    if not isinstance(source, list | tuple) or (source and all(isinstance(one, str | Path) for one in source)):
        return source
    refuse_in_fork()
    from concurrence.core.frames import rows_as_frame

    return rows_as_frame(row if isinstance(row, Mapping) else dict(zip(columns, row, strict=False)) for row in source)


def names_from(names: str | Iterable[str]) -> tuple[str, ...]:
    """One name, several with commas between them, or a list of them."""
    return tuple(names.split(",")) if isinstance(names, str) else tuple(names)


def numbers_from(numbers: Any) -> tuple[Any, ...]:
    """One number, or several."""
    return tuple(numbers) if isinstance(numbers, Iterable) else (numbers,)


def also_takes(**names: str) -> Callable[[Callable[P, R]], Callable[..., R]]:
    """Take keywords under an older name, too: ``also_takes(coefficients="only")``."""

    def decorate(verb: Callable[P, R]) -> Callable[..., R]:
        @wraps(verb)
        def call(*subjects: Any, **options: Any) -> R:
            for old, new in names.items():
                if old in options:
                    if new in options:
                        raise InvalidInputError(f"{old}= and {new}= are the same; use {new}=.")
                    options[new] = options.pop(old)
            return verb(*subjects, **options)

        return call

    return decorate


def _read(source: Any, options: LabelOptions) -> Labels:
    from concurrence.files.labels.reader import labels_from_source

    return labels_from_source(source, options)


def _without_machines(labels: Labels, named: Sequence[str] | None) -> Labels:
    """The labels of people and of these machines, as if no others had been read."""
    machines = [] if named is None or labels.machines_named else find_machines(labels.coders, labels.kinds, named)
    if not machines:
        return labels
    import numpy as np

    from concurrence.files.labels.reading_warnings import renew_category_warnings

    humans = [coder for coder in labels.coders if coder not in machines]
    refuse_machines_alone("This set of labels", humans, machines, labels.kinds)
    people = labels.select_coders(humans)
    unseen = np.asarray((people.codes < 0).all(axis=1) & (labels.codes >= 0).any(axis=1))
    people = people.select_items(~unseen)
    people = renew_category_warnings(people.with_used_categories())
    return replace(people, warnings=(*machines_left_out(machines, labels.kinds), *people.warnings))


def _labels_unchanged(labels: Labels, other: Iterable[Any] | None, reading: LabelsReading) -> Labels:
    if other is not None:
        raise InvalidInputError("Labels hold all coders already; a second list goes with the list of the first coder.")
    if set(reading) - {"shape"}:
        name = next(name for name in reading if name != "shape")
        raise InvalidInputError(
            f"{name}= says how labels are read, and these are read already; give it to read_labels."
        )
    return labels
