"""Tables of candidates: what identifies them, their columns of scores, and where the rows of one stand in another."""

from collections.abc import Sequence
from typing import Any
from weakref import WeakValueDictionary

import polars as pl

from concurrence.core.arrays import Integers, Reals
from concurrence.core.errors import InvalidInputError

PLACE = "row of the list"
_CHECKED: WeakValueDictionary[int, pl.DataFrame] = WeakValueDictionary()


def check_keys(keys: pl.DataFrame) -> None:
    """Refuse candidates that are not unique; a table that passed is not looked through again."""
    if _CHECKED.get(id(keys)) is keys:
        return
    # Different rows seldom have the same hash; only those that do are compared.
    hashes = keys.hash_rows()
    ordered = hashes.sort()
    alike = ordered.filter(ordered == ordered.shift(1)).unique()
    some = keys.filter(hashes.is_in(alike.implode())) if len(alike) else keys[:0]
    twice = some.filter(some.is_duplicated())
    if len(twice):
        cells = ", ".join(f"{name}={value!r}" for name, value in twice.row(0, named=True).items())
        raise InvalidInputError(
            f"The candidate {cells} occurs twice; the columns {', '.join(keys.columns)} must identify each candidate."
        )
    _CHECKED[id(keys)] = keys


def require_candidate_columns(table: pl.DataFrame, names: Sequence[str]) -> None:
    """Refuse candidates that lack a column."""
    for name in names:
        if name not in table.columns:
            columns = ", ".join(table.columns)
            raise InvalidInputError(f"There is no column {name!r} among the candidates; their columns are {columns}.")


def score_column(table: pl.DataFrame, name: str) -> Reals:
    """A column as numbers, NaN where there is none; text that is no number is refused."""
    column = table[name]
    if column.dtype == pl.String:
        numbers = column.str.strip_chars().cast(pl.Float64, strict=False)
        wrong = column.is_not_null() & numbers.is_null()
        if wrong.any():
            row = wrong.arg_max() or 0
            raise InvalidInputError(f"Row {row + 1}: {name} = {column[row]!r} is not a number, so it cannot be ranked.")
        column = numbers
    return column.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def find_places(table: pl.DataFrame, keys: pl.DataFrame) -> pl.Series:
    """Where the candidates of a short table stand among the keys of a long list; null for one that is not there."""
    names = keys.columns
    short = table.select(names)
    # The short table is hashed, not the long list.
    some = keys.with_row_index(PLACE).join(short.unique(), on=names, how="semi")
    return short.join(some, on=names, how="left", maintain_order="left")[PLACE]


def candidate_rows(table: pl.DataFrame, keys: pl.DataFrame, *, what: str) -> Integers:
    """Where the candidates of a table stand in the list; one that is not there is refused."""
    text = pl.col(keys.columns).cast(pl.String)
    texts = keys.with_columns(text)
    places = find_places(table.with_columns(text), texts)
    if len(places) > len(table):  # a candidate of the list stands there twice
        check_keys(texts)
    missing = table.select(keys.columns).filter(places.is_null())
    if len(missing):
        more = f" ({len(missing)} such candidates)" if len(missing) > 1 else ""
        raise InvalidInputError(
            f"The {what} candidate {quote_key(missing.row(0))} is not in the candidate list{more}; "
            "use the list that was sampled and judged."
        )
    return places.to_numpy().astype("int64")


def quote_key(values: Sequence[Any]) -> str:
    """A candidate as errors name it."""
    return "'" + " ".join(str(value) for value in values) + "'"
