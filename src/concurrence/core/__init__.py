"""Values that travel between the rooms, checked once at construction, and the errors."""

from concurrence.core.contingency import Contingency
from concurrence.core.errors import (
    ConcurrenceError,
    InvalidInputError,
    MissingExtraError,
    UndefinedError,
    UnknownNameError,
)
from concurrence.core.interval import Interval
from concurrence.core.labels import MISSING, Labels, ordered_categories
from concurrence.core.pairs import Counted, Pairs
from concurrence.core.tokens import BORDER, Column, Regions, Tokens

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
