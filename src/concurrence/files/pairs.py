"""Word pairs in files: CSV, TSV, JSONL, Parquet, and the data sets of the UCS toolkit.

A file keeps how its pairs were counted in its provenance. Scores are numbers, ``inf`` and ``-inf`` among
them, and an empty cell is a score that is not defined.
"""

from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import polars as pl

from concurrence.core.contingency import complaint, first_impossible
from concurrence.core.errors import InvalidInputError
from concurrence.core.pairs import LOG2_10, SIGNATURE, UCS_BASE_10, WORDS, Counted, Pairs
from concurrence.files.atomic import replacing
from concurrence.files.provenance import Provenance, read_provenance, write_provenance
from concurrence.files.sheets import place_of
from concurrence.files.tables import read_table, require_columns, write_table
from concurrence.files.text import packing, table_format

KEY = ("l1", "l2")
IN_BASE_10 = {name: ucs for base_2, (base_10, ucs) in UCS_BASE_10.items() for name in (base_2, base_10)}
WHOLE = r"^(0|-?[1-9][0-9]{0,17})$"
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*([eE][+-]?[0-9]+)?|\.[0-9]+([eE][+-]?[0-9]+)?|inf|Inf|nan|NaN)$"


def read_pairs(path: str | Path, *, key: Sequence[str] | None = None) -> Pairs:
    """Read pairs with their frequency signatures and all further columns.

    ``key`` names the columns that identify a candidate; without it, the file's provenance does, or they are
    ``l1`` and ``l2``. A row with impossible counts is an error that names its line.
    """
    path = Path(path)
    table, keys = read_candidates(path, key=key)
    require_columns(table, SIGNATURE, path)
    table = table.with_columns(_counts(table, name, path) for name in SIGNATURE)
    f, f1, f2, n = (table[name].cast(pl.Float64).to_numpy() for name in SIGNATURE)
    if (row := first_impossible(f, f1, f2, n)) is not None:
        raise InvalidInputError(f"{place_of(path, row)}: {complaint(f[row], f1[row], f2[row], n[row])}")
    return Pairs(table=table, counted=_counted(path), key=keys)


def read_candidates(path: str | Path, *, key: Sequence[str] | None = None) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Read a table of candidates, counted or not, and the columns that identify them.

    The key columns are text that is never empty; other columns are numbers where all their cells are.
    """
    path = Path(path)
    table = read_table(path)
    stored = _details(path).get("key")
    keys = tuple(key or (stored if isinstance(stored, list) else KEY))
    require_columns(table, keys, path)
    table = table.with_columns(pl.col(keys).cast(pl.String))
    for name in keys:
        if table[name].null_count():
            row = int(table[name].is_null().arg_max() or 0)
            raise InvalidInputError(f"{place_of(path, row)}: {name} is empty; every candidate needs it.")
    others = [name for name in table.columns if name not in keys]
    return table.with_columns(_number_or_text(table[name]) for name in others), keys


def write_pairs(pairs: Pairs, path: str | Path, provenance: Provenance | None = None) -> None:
    """Write pairs in the format of the ending, with their provenance and how they were counted."""
    path = Path(path)
    made = provenance or Provenance(command="concurrence.write_pairs")
    details = {**made.details, "key": list(pairs.key)}
    if pairs.counted is not None:
        details["counted"] = asdict(pairs.counted)
    made = replace(made, details=details)
    if table_format(path) == "ds":
        _write_data_set(pairs, path)
        write_provenance(path, made)
    else:
        write_table(pairs.table, path, made)


def _counts(table: pl.DataFrame, name: str, path: Path) -> pl.Series:
    column = table[name]
    numbers = column.cast(pl.Float64, strict=False).fill_nan(None)
    bad = numbers.is_null() | numbers.is_infinite() | (numbers != numbers.floor()) | (numbers.abs() >= 2**63)
    if bad.any():
        row = int(bad.arg_max() or 0)
        fault = f"{name} is empty" if column[row] is None else f"{name}={column[row]} is not a whole number"
        raise InvalidInputError(f"{place_of(path, row)}: {fault}; f, f1, f2 and N are counts.")
    return numbers.cast(pl.Int64)


def _number_or_text(column: pl.Series) -> pl.Series:
    """A column of text as numbers where all its cells are; ``01`` and ``1`` differ, so that one stays text."""
    if column.dtype != pl.String or column.null_count() == len(column):
        return column
    if column.str.contains(WHOLE).all():
        return column.cast(pl.Int64)
    leading_zero = column.str.contains(r"^[+-]?0[0-9]").any()
    if leading_zero or not column.str.contains(NUMBER).all():
        return column
    return column.cast(pl.Float64).fill_nan(None)


def _details(path: Path) -> dict[str, Any]:
    known = read_provenance(path) if str(path) != "-" else {}
    details = known.get("details")
    return details if isinstance(details, dict) else {}


def _counted(path: Path) -> Counted | None:
    stored = _details(path).get("counted")
    if not isinstance(stored, dict) or not isinstance(stored.get("rule"), str):
        return None
    known = {entry.name for entry in fields(Counted)}
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in stored.items()}
    return Counted(**{name: value for name, value in values.items() if name in known})


def _write_data_set(pairs: Pairs, path: Path) -> None:
    for name in pairs.key:
        if (odd := pairs.table[name].str.contains(r"[\t\n\r]")).any():
            raise InvalidInputError(
                f"{path}: {name} = {pairs.table[name].filter(odd)[0]!r} contains a tab or a line break, which a .ds "
                "file cannot hold; write .csv, .jsonl or .parquet."
            )
    table = _data_set_columns(pairs)
    rule = f"# counted by the rule {pairs.counted.rule}\n" if pairs.counted else ""
    text = f"{rule}##:: size = {len(table)}\n" + table.write_csv(separator="\t", quote_style="never")
    with replacing(path) as temporary, temporary.open("wb") as raw, packing(raw, path) as file:
        file.write(text.encode("utf-8"))


def _data_set_columns(pairs: Pairs) -> pl.DataFrame:
    """The columns that UCS expects first, scores as ``am.*``; of two by the same name the later is kept.

    UCS's mutual information is in base 10.
    """
    table = pairs.table.with_columns(
        pl.selectors.list().list.eval(pl.element().cast(pl.String)).list.join(" ⏎ "),
        pl.selectors.float().fill_nan(None),
    )
    table = table if "id" in table.columns else table.with_row_index("id", offset=1)
    leading = ["id", *pairs.key, *SIGNATURE]
    sources: dict[str, pl.Expr] = {}
    for name in (n for n in table.columns if n not in leading):
        is_score = table[name].dtype.is_numeric() and not name.startswith("am.") and name not in WORDS
        column = pl.col(name) if table[name].dtype != pl.String else pl.col(name).str.replace_all(r"[\t\n\r]", " ")
        target = IN_BASE_10.get(name, f"am.{name.replace('_', '.')}") if is_score else name
        sources[target] = (column / LOG2_10 if is_score and name in UCS_BASE_10 else column).alias(target)
    return table.select(*leading, *sources.values())
