"""Options of a command, gathered into one value."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def gathered(kind: type[Any], name: str, options: Sequence[Callable[[F], F]]) -> Callable[[F], F]:
    """Give a command these options as one argument ``name`` of a dataclass whose fields are called as they are."""
    parts = [entry.name for entry in fields(kind)]

    def decorate(command: F) -> F:
        @wraps(command)
        def with_value(*arguments: Any, **given: Any) -> Any:
            value = kind(**{part: given.pop(part) for part in parts})
            return command(*arguments, **{name: value}, **given)

        result: Any = with_value
        for option in reversed(options):
            result = option(result)
        return result  # type: ignore[no-any-return]

    return decorate
