"""Options of a command, gathered into one value."""

from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields
from functools import wraps
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def gathered(kind: type[Any], name: str, options: Sequence[Callable[[F], F]]) -> Callable[[F], F]:
    """Give a command these options as one argument ``name``: a dataclass whose fields are called alike.

    What was not said keeps the default of its field.
    """
    optional = {entry.name: entry.default is not MISSING for entry in fields(kind)}

    def decorate(command: F) -> F:
        @wraps(command)
        def with_value(*arguments: Any, **given: Any) -> Any:
            said = {part: given.pop(part) for part in optional if part in given}
            value = kind(**{part: entry for part, entry in said.items() if entry is not None or not optional[part]})
            return command(*arguments, **{name: value}, **given)

        result: Any = with_value
        for option in reversed(options):
            result = option(result)
        return result  # type: ignore[no-any-return]

    return decorate
