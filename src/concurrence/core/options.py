"""Fields of option types: the value, and what a command line says of it, in one place."""

from collections.abc import Sequence
from dataclasses import field
from typing import Any


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
