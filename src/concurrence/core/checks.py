"""Checks of options that every room takes."""

from dataclasses import fields
from typing import Any

from concurrence.core.errors import InvalidInputError, UnknownNameError


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
