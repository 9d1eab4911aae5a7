"""Sentences in each of which one word carries a label, and the conversion of their labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from concurrence.core.errors import InvalidInputError, UnknownNameError, option_or_keyword
from concurrence.core.frames import frame_of

REQUIRED = ("id", "text", "word", "label")
NAMES = (*REQUIRED, "position")
KEY = " id"
"""The id beside further columns, by a name that no table has."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Annotated:
    """One side of a matching: ``id, text, word, label`` and, where given, the ``position`` of the word.

    All are text except the position. ``name`` is how error messages call this side; ``dropped`` counts the
    sentences that were left out for their label. ``extra`` are further columns of the sentences, beside their ``id``.
    """

    table: pl.DataFrame
    name: str
    dropped: int = 0
    extra: pl.DataFrame | None = None

    @classmethod
    def from_frame(cls, frame: Any, *, name: str, columns: Mapping[str, str] | None = None) -> "Annotated":
        """Take any frame that speaks the Arrow interface; ``columns`` maps our names to the frame's.

        >>> frame = pl.DataFrame({"id": ["a"], "text": ["Take the bus ."], "word": ["take"], "label": ["1"]})
        >>> Annotated.from_frame(frame, name="left").table.columns
        ['id', 'text', 'word', 'label']
        """
        whole = frame_of(frame)
        chosen = dict(columns or {})
        if unknown := set(chosen) - set(NAMES):
            raise UnknownNameError("column role", min(unknown), NAMES)
        table = whole.select(*(_column(whole, role, chosen, name) for role in REQUIRED))
        if chosen.get("position", "position") in whole.columns:
            table = table.with_columns(_positions(whole[chosen.get("position", "position")], name))
        elif "position" in chosen:
            raise _missing_column(whole, name, chosen["position"])
        _check(table, name)
        used = {chosen.get(role, role) for role in NAMES} | ({"tokens"} if "text" not in whole.columns else set())
        others = [column for column in whole.columns if column not in used]
        return cls(table=table, name=name, extra=whole.select(table["id"].alias(KEY), *others))

    def convert(self, mapping: Mapping[str, str | None] | None = None, *, drop: Sequence[str] = ()) -> "Annotated":
        """Convert the labels, then leave out those in ``drop``.

        A label the mapping does not know is an error, unless it is one to drop; one mapped to nothing is
        dropped as well.
        """
        old = self.table["label"]
        labels = old if mapping is None else old.replace_strict(self._complete(mapping, drop), return_dtype=pl.String)
        table = self.table.with_columns(labels.alias("label"))
        kept = table.filter(pl.col("label").is_not_null() & ~pl.col("label").is_in(list(drop)))
        return replace(self, table=kept, dropped=self.dropped + len(table) - len(kept))

    def _complete(self, mapping: Mapping[str, str | None], drop: Sequence[str]) -> dict[str, str | None]:
        droppable: dict[str, str | None] = dict.fromkeys(drop)
        complete = {**droppable, **mapping}
        for row, label in enumerate(self.table["label"], start=1):
            if label not in complete:
                raise InvalidInputError(
                    f"{self.name}, row {row}: the map has no entry for the label {label!r}; add one, or name the "
                    f"label in {option_or_keyword('--drop-labels', 'drop=')}."
                )
        return complete


def _column(frame: pl.DataFrame, role: str, chosen: Mapping[str, str], name: str) -> pl.Series:
    wanted = chosen.get(role, role)
    if role == "text" and role not in chosen and "text" not in frame.columns and "tokens" in frame.columns:
        wanted = "tokens"
    if wanted not in frame.columns:
        raise _missing_column(frame, name, wanted)
    column = frame[wanted]
    if isinstance(column.dtype, pl.List | pl.Array):
        column = column.cast(pl.List(pl.String)).list.join(" ")
    elif role == "text" and column.dtype == pl.String and column.str.starts_with("[").all():
        column = _join_json_tokens(column)
    return column.cast(pl.String).alias(role)


def _join_json_tokens(column: pl.Series) -> pl.Series:
    """Sentences that are JSON lists of tokens; any other text in brackets stays as it is."""
    try:
        return column.str.json_decode(pl.List(pl.String)).list.join(" ")
    except pl.exceptions.PolarsError:
        return column


def _positions(column: pl.Series, name: str) -> pl.Series:
    numbers = column.cast(pl.String).str.strip_chars().cast(pl.Int64, strict=False)
    for row, (text, number) in enumerate(zip(column, numbers, strict=True), start=1):
        if number is None or number < 0:
            raise InvalidInputError(
                f"{name}, row {row}: the position must be a whole number in every row, not {text!r}; "
                "correct it, or leave the column out."
            )
    return numbers.alias("position")


def _check(table: pl.DataFrame, name: str) -> None:
    for role in REQUIRED:
        empty = table[role].is_null() | (table[role] == "")
        if empty.any():
            raise InvalidInputError(
                f"{name}, row {(empty.arg_max() or 0) + 1}: the {role} is missing; every row needs one."
            )
    twice = table["id"].is_duplicated()
    if twice.any():
        again = table["id"].filter(twice)[0]
        rows = [row + 1 for row, entry in enumerate(table["id"]) if entry == again]
        raise InvalidInputError(f"{name}, row {rows[1]}: row {rows[0]} has the same id {again!r}; ids must be unique.")


def _missing_column(frame: pl.DataFrame, name: str, column: str) -> InvalidInputError:
    names = ", ".join(frame.columns)
    say = option_or_keyword("--columns id=…,text=…,word=…,label=…", 'columns={"id": "…", "text": "…", …}')
    return InvalidInputError(f"{name} has no column {column!r}; its columns are {names}. Name yours with {say}.")
