"""Word pairs in files: CSV, TSV, JSONL, Parquet, and the data sets of the UCS toolkit.

A file keeps how its pairs were counted in its provenance. Scores are numbers, ``inf`` and ``-inf`` among
them, and an empty cell is a score that is not defined.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, fields, replace
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from concurrence.core.contingency import SIGNATURE, WORDS, first_impossible, signature_error
from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import refuse_in_fork, require_columns
from concurrence.core.pairs import LOG2_10, UCS_BASE_10, Counted, Pairs, find_column
from concurrence.core.sequences import SequenceTable, counts_of, members, sequence_error
from concurrence.files.atomic import replacing
from concurrence.files.provenance import Provenance, read_provenance, write_provenance
from concurrence.files.tables.formats import parquet_errors, read_table, write_table
from concurrence.files.tables.sheets import row_place
from concurrence.files.tables.text import compressing, table_format

KEY = ("l1", "l2")
Place = Callable[[int], str]
"""Where a row stands, as a person finds it."""
IN_BASE_10 = {name: ucs for base_2, (base_10, ucs) in UCS_BASE_10.items() for name in (base_2, base_10)}
WHOLE = r"^(0|-?[1-9][0-9]{0,17})$"
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*([eE][+-]?[0-9]+)?|\.[0-9]+([eE][+-]?[0-9]+)?|inf|Inf|nan|NaN)$"


class CellKind(IntEnum):
    """What the cells of a column of text are; of several pieces of a column, the greatest holds for all."""

    NOTHING = 0
    WHOLE = 1
    NUMBERS = 2
    TEXT = 3


def read_pairs(path: str | Path, *, key: Sequence[str] | None = None) -> Pairs:
    """Read pairs with their frequency signatures and all further columns.

    ``key`` names the columns that identify a candidate; without it, the file's provenance does, or they are
    ``l1`` and ``l2``. A row with impossible counts is an error that names its line.
    """
    refuse_in_fork()
    path = Path(path)
    table, keys = read_candidates(path, key=key)
    table = with_signatures(table, path, partial(row_place, path), keys)
    return Pairs(table=table, counted=read_counted(path), key=keys)


def read_candidates(
    path: str | Path,
    *,
    key: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
    columns: Sequence[str] = (),
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Read a table of candidates, counted or not, and the columns that identify them.

    The key columns are text that is never empty; other columns are numbers where all their cells are. With
    ``measures``, only their columns are kept, and ``columns``, where the file has them.
    """
    path = Path(path)
    keys = key_columns(path, key)
    table = read_table(path) if measures is None else _read_columns(path, keys, measures, columns)
    table = with_keys(table, keys, path, partial(row_place, path))
    others = [name for name in table.columns if name not in keys]
    return table.with_columns(cast_cells(table[name], detect_cell_kind(table[name])) for name in others), keys


def _read_columns(path: Path, keys: Sequence[str], measures: Sequence[str], columns: Sequence[str]) -> pl.DataFrame:
    """The columns that are needed; if one is missing, all there are, so that an error can name them."""
    table = None if table_format(path) == "parquet" and str(path) != "-" else read_table(path)
    with parquet_errors(path):
        header = pl.DataFrame(schema=pl.read_parquet_schema(path)) if table is None else table.clear()
    require_columns(header, keys, path)
    score_columns = [find_column(header, name, keys) for name in measures]
    selection = list(dict.fromkeys((*keys, *score_columns, *columns)))
    if not set(selection) <= set(header.columns):
        return read_table(path) if table is None else table
    with parquet_errors(path):
        # In one chunk, columns of numbers are arrays as they are.
        return pl.read_parquet(path, columns=selection).rechunk() if table is None else table.select(selection)


def key_columns(path: Path, key: Sequence[str] | None) -> tuple[str, ...]:
    """The columns that identify a candidate: those named, or as the file's provenance says."""
    stored = _details(path).get("key")
    return tuple(key or (stored if isinstance(stored, list) else KEY))


def with_keys(table: pl.DataFrame, keys: Sequence[str], path: Path, place: Place) -> pl.DataFrame:
    """A table whose key columns are text; an empty cell in them is refused."""
    require_columns(table, keys, path)
    table = table.with_columns(pl.col(keys).cast(pl.String))
    for name in keys:
        if table[name].null_count():
            row = int(table[name].is_null().arg_max() or 0)
            raise InvalidInputError(f"{place(row)}: {name} is empty; every candidate needs it.")
    return table


def with_signatures(table: pl.DataFrame, path: Path, place: Place, keys: Sequence[str] = KEY) -> pl.DataFrame:
    """A table whose frequency signatures are whole numbers that a table can have; those of sequences have more."""
    if (size := members(table.columns, keys)) > 2:
        return _with_sequence_counts(table, size, path, place)
    require_columns(table, SIGNATURE, path)
    table = table.with_columns(_counts(table, name, place) for name in SIGNATURE)
    f, f1, f2, n = (table[name].cast(pl.Float64).to_numpy() for name in SIGNATURE)
    if (row := first_impossible(f, f1, f2, n)) is not None:
        raise InvalidInputError(f"{place(row)}: {signature_error(f[row], f1[row], f2[row], n[row])}")
    return table


def _with_sequence_counts(table: pl.DataFrame, n: int, path: Path, place: Place) -> pl.DataFrame:
    require_columns(table, counts_of(n), path)
    table = table.with_columns(_counts(table, name, place) for name in counts_of(n))
    sequences = SequenceTable.of({name: table[name].cast(pl.Float64).to_numpy() for name in counts_of(n)}, n)
    if (row := sequences.first_impossible()) is not None:
        raise InvalidInputError(f"{place(row)}: {sequence_error(table.row(row, named=True), n)}")
    return table


def write_pairs(pairs: Pairs, path: str | Path, provenance: Provenance | None = None) -> None:
    """Write pairs in the format of the ending, with their provenance and how they were counted."""
    refuse_in_fork()
    path = Path(path)
    origin = pair_provenance(pairs, provenance or Provenance(command="concurrence.write_pairs"))
    if table_format(path) != "ds":
        write_table(pairs.table, path, origin)
        return
    with replacing(path) as temporary, temporary.open("wb") as raw, compressing(raw, path) as file:
        file.write((data_set_head(pairs, len(pairs)) + data_set_rows(pairs, path)).encode("utf-8"))
    write_provenance(path, origin)


def pair_provenance(pairs: Pairs, provenance: Provenance) -> Provenance:
    """The provenance of a file of pairs, which also tells their key and how they were counted."""
    details = {**provenance.details, "key": list(pairs.key)}
    if pairs.counted is not None:
        details["counted"] = asdict(pairs.counted)
    return replace(provenance, details=details)


def _counts(table: pl.DataFrame, name: str, place: Place) -> pl.Series:
    column = table[name]
    numbers = column.cast(pl.Float64, strict=False).fill_nan(None)
    bad = numbers.is_null() | numbers.is_infinite() | (numbers != numbers.floor()) | (numbers.abs() >= 2**63)
    if bad.any():
        row = int(bad.arg_max() or 0)
        fault = f"{name} is empty" if column[row] is None else f"{name}={column[row]} is not a whole number"
        raise InvalidInputError(f"{place(row)}: {fault}; f, f1, f2 and N are counts.")
    return numbers.cast(pl.Int64)


def detect_cell_kind(column: pl.Series) -> CellKind:
    """What the cells of a column are; ``01`` and ``1`` differ, so that a column with such cells stays text."""
    if column.dtype != pl.String or column.null_count() == len(column):
        return CellKind.NOTHING
    if column.str.contains(WHOLE).all():
        return CellKind.WHOLE
    leading_zero = column.str.contains(r"^[+-]?0[0-9]").any()
    return CellKind.TEXT if leading_zero or not column.str.contains(NUMBER).all() else CellKind.NUMBERS


def cast_cells(column: pl.Series, kind: CellKind) -> pl.Series:
    """A column of text as what its cells are; any other as it is."""
    if column.dtype != pl.String or kind not in (CellKind.WHOLE, CellKind.NUMBERS):
        return column
    return column.cast(pl.Int64) if kind is CellKind.WHOLE else column.cast(pl.Float64).fill_nan(None)


def _details(path: Path) -> dict[str, Any]:
    try:
        provenance = read_provenance(path) if str(path) != "-" else {}
    except pl.exceptions.PolarsError:  # no Parquet file: what reads the table says so
        return {}
    details = provenance.get("details")
    return details if isinstance(details, dict) else {}


def read_counted(path: Path) -> Counted | None:
    """How the pairs of a file were counted, where its provenance tells."""
    stored = _details(path).get("counted")
    if not isinstance(stored, dict) or not isinstance(stored.get("rule"), str):
        return None
    field_names = {entry.name for entry in fields(Counted)}
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in stored.items()}
    return Counted(**{name: value for name, value in values.items() if name in field_names})


def data_set_head(pairs: Pairs, size: int) -> str:
    """The first lines of a data set of so many pairs: comments, and the names of the columns."""
    if pairs.members > 2:
        raise InvalidInputError("A .ds file holds pairs; write sequences as .csv, .tsv, .jsonl or .parquet.")
    rule = f"# counted by the rule {pairs.counted.rule}\n" if pairs.counted else ""
    names = _data_set_columns(pairs, first=0).clear().write_csv(separator="\t", quote_style="never")
    return f"{rule}##:: size = {size}\n{names}"


def data_set_rows(pairs: Pairs, path: Path, *, first: int = 0) -> str:
    """The rows of a data set, with ``first`` others before them."""
    for name in pairs.key:
        if (has_break := pairs.table[name].str.contains(r"[\t\n\r]")).any():
            raise InvalidInputError(
                f"{path}: {name} = {pairs.table[name].filter(has_break)[0]!r} contains a tab or a line break, which "
                "a .ds file cannot hold; write .csv, .jsonl or .parquet."
            )
    table = _data_set_columns(pairs, first=first)
    return table.write_csv(separator="\t", quote_style="never", include_header=False)


def _data_set_columns(pairs: Pairs, *, first: int) -> pl.DataFrame:
    """The columns that UCS expects first, scores as ``am.*``; of two by the same name the later is kept.

    UCS's mutual information is in base 10.
    """
    table = pairs.table.with_columns(
        pl.selectors.list().list.eval(pl.element().cast(pl.String)).list.join(" ⏎ "),
        pl.selectors.float().fill_nan(None),
    )
    table = table if "id" in table.columns else table.with_row_index("id", offset=first + 1)
    leading = ["id", *pairs.key, *SIGNATURE]
    sources: dict[str, pl.Expr] = {}
    for name in (n for n in table.columns if n not in leading):
        is_score = table[name].dtype.is_numeric() and not name.startswith("am.") and name not in WORDS
        column = pl.col(name) if table[name].dtype != pl.String else pl.col(name).str.replace_all(r"[\t\n\r]", " ")
        target = IN_BASE_10.get(name, f"am.{name.replace('_', '.')}") if is_score else name
        sources[target] = (column / LOG2_10 if is_score and name in UCS_BASE_10 else column).alias(target)
    return table.select(*leading, *sources.values())
