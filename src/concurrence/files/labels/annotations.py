"""What a reader of exports and logs finds: one annotation after the other."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from concurrence.core.errors import InvalidInputError
from concurrence.files.labels.column_roles import naming
from concurrence.files.tables.sheets import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """One annotation: the record it stands in, its item and coder, and the labels it chose."""

    row: int
    item: Any
    coder: Any
    chosen: list[Any]


def objects(value: Any) -> list[Record]:
    """The objects in a list."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def as_object(value: Any) -> Record:
    """An object, empty if the value is none."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """A list, of one member if the value is none."""
    return value if isinstance(value, list) else [] if value is None else [value]


def only_question(source: str, asked: Iterable[str | None]) -> str | None:
    """The one question that was asked."""
    names = list(dict.fromkeys(name for name in asked if name is not None))
    if len(names) > 1:
        raise InvalidInputError(
            f"{source}: the export has several questions ({', '.join(names)}). Choose one with "
            f"{naming('label', names[0])}."
        )
    return names[0] if names else None
