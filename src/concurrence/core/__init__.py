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

__all__ = [
    "MISSING",
    "ConcurrenceError",
    "Contingency",
    "Counted",
    "Interval",
    "InvalidInputError",
    "Labels",
    "MissingExtraError",
    "Pairs",
    "UndefinedError",
    "UnknownNameError",
    "ordered_categories",
]
