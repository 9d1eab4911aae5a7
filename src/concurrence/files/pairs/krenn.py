"""Tables in the layout of ``KrennPPV`` from the R package ``corpora``: German PP-verb pairs that Brigitte Krenn judged.

Its columns are ``PP, verb, is.colloc, is.SVC, is.figur, freq``, then in later versions the margins ``f.PP, f.verb, N``,
and scores under R's names. Older versions have no margins.
"""

from collections.abc import Iterable
from pathlib import Path

import polars as pl

from concurrence.core.contingency import SIGNATURE
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.frames import require_columns
from concurrence.core.pairs import Pairs
from concurrence.files.pairs.formats import read_pairs
from concurrence.files.tables.formats import read_table
from concurrence.files.tables.sheets import row_place

KEY = {"PP": "l1", "verb": "l2"}
COUNTS = {"freq": "f", "f.PP": "f1", "f.verb": "f2", "N": "N"}
SCORES = {
    "MI": "MI10", "Dice": "dice", "z.score": "z_score", "t.score": "t_score", "chisq": "chi_squared",
    "chisq.corr": "chi_squared_corr", "log.like": "log_likelihood", "Fisher": "fisher_pv",
}  # fmt: skip
KINDS = {"colloc": "is.colloc", "SVC": "is.SVC", "figur": "is.figur"}
"""What a pair can be: a collocation of any kind, a support-verb construction, a figurative expression."""


def is_krenn(columns: Iterable[str]) -> bool:
    """Whether columns are those of KrennPPV."""
    return {*KEY, "freq", "is.colloc"} <= set(columns)


def read_krenn(path: str | Path, *, kind: str = "colloc") -> pl.DataFrame:
    """The pairs with our names: ``l1 l2 f``, margins and scores where there are any, and ``tp`` for one kind."""
    if kind not in KINDS:
        raise UnknownNameError("kind of collocation", kind, KINDS)
    path = Path(path)
    table = read_table(path)
    require_columns(table, (*KEY, "freq", KINDS[kind]), path)
    scores = {theirs: ours for theirs, ours in SCORES.items() if theirs in table.columns}
    counts = {theirs: ours for theirs, ours in COUNTS.items() if theirs in table.columns}
    return table.select(
        *(pl.col(theirs).cast(pl.String).alias(ours) for theirs, ours in KEY.items()),
        *(_numbers(table[theirs], path).alias(ours) for theirs, ours in {**counts, **scores}.items()),
        _numbers(table["freq"], path).alias("frequency"),
        pl.col(KINDS[kind]).cast(pl.String).str.to_lowercase().replace({"t": "true", "f": "false"}).alias("tp"),
    )


def _numbers(column: pl.Series, path: Path) -> pl.Series:
    """A column of numbers as R writes them."""
    numbers = column.cast(pl.String).replace({"NA": None}).cast(pl.Float64, strict=False)
    is_invalid = numbers.is_null() & column.is_not_null() & (column.cast(pl.String) != "NA")
    if is_invalid.any():
        row = int(is_invalid.arg_max() or 0)
        raise InvalidInputError(f"{row_place(path, row)}: {column.name} = {column[row]!r} is not a number.")
    return numbers


def read_judged(path: str | Path, *, kind: str = "colloc") -> Pairs:
    """Judged pairs with their margins, from a table with ``l1 l2 f f1 f2 N`` or in the layout of KrennPPV."""
    path = Path(path)
    if str(path) == "-" or not is_krenn(read_table(path).columns):
        return read_pairs(path)
    table = read_krenn(path, kind=kind)
    if missing := [name for name in SIGNATURE if name not in table.columns]:
        theirs = {ours: name for name, ours in COUNTS.items()}[missing[0]]
        raise InvalidInputError(
            f"{path}: there is no column {theirs}, so measures cannot be computed. Newer versions of KrennPPV have it; "
            "concur krenn needs only the scores."
        )
    return Pairs(table=table.select("l1", "l2", *SIGNATURE, "tp").with_columns(pl.col(SIGNATURE).cast(pl.Int64)))
