"""Values that travel between the rooms, checked once at construction, and the errors.

The values are imported when they are first used: the command line needs the errors at once, the arrays not.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from concurrence.core.errors import (
    ConcurrenceError,
    InvalidInputError,
    MissingExtraError,
    UndefinedError,
    UnknownNameError,
)

if TYPE_CHECKING:
    from concurrence.core.contingency import Contingency
    from concurrence.core.encoded import Regions
    from concurrence.core.interval import Interval
    from concurrence.core.labels import MISSING, Labels, ordered_categories
    from concurrence.core.pairs import Counted, Pairs
    from concurrence.core.tokens import BORDER, Column, Tokens

_HOMES = {
    "BORDER": "tokens",
    "MISSING": "labels",
    "Column": "tokens",
    "Contingency": "contingency",
    "Counted": "pairs",
    "Interval": "interval",
    "Labels": "labels",
    "Pairs": "pairs",
    "Regions": "encoded",
    "Tokens": "tokens",
    "ordered_categories": "labels",
}

__all__ = [
    "BORDER",
    "MISSING",
    "Column",
    "ConcurrenceError",
    "Contingency",
    "Counted",
    "Interval",
    "InvalidInputError",
    "Labels",
    "MissingExtraError",
    "Pairs",
    "Regions",
    "Tokens",
    "UndefinedError",
    "UnknownNameError",
    "ordered_categories",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'concurrence.core' has no attribute {name!r}")
    return getattr(import_module(f"concurrence.core.{_HOMES[name]}"), name)
