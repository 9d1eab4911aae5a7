"""Options of the verbs: fields that hold a value and what a command line says of it, and the checks that all share."""

from collections.abc import Callable, Sequence
from dataclasses import field, fields
from typing import Any

from concurrence.core.errors import InvalidInputError, UnknownNameError

Progress = Callable[[int, int], None]
"""Called with how much is done and the total (0 if unknown)."""


def option(default: Any, help: str, *, choices: Sequence[Any] = (), what: str = "", **click: Any) -> Any:  # noqa: A002
    """A field of an option type with its ``help``.

    ``choices`` are the values it takes, ``what`` is the noun for one in errors. ``click`` says how it is written on the
    command line, where that differs from what follows from the field: see ``cli.option_fields``.
    """
    metadata = {"help": help, "choices": tuple(choices), "what": what, **click}
    return (
        field(default_factory=default, metadata=metadata)
        if default is dict
        else field(default=default, metadata=metadata)
    )


def check_level(level: float) -> None:
    """Refuse a confidence level that is no share.

    >>> check_level(0.95)
    """
    if not 0 < level < 1:
        raise InvalidInputError(f"The level must lie between 0 and 1, such as 0.95, not {level:g}.")


def check_choices(options: Any) -> None:
    """Refuse a value that is not among the choices of its field; None leaves the choice to the data."""
    for entry in fields(options):
        choices, value = entry.metadata.get("choices"), getattr(options, entry.name)
        if choices and value is not None and value not in choices:
            raise UnknownNameError(entry.metadata["what"], value, choices)
