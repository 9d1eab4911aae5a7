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

__all__ = [
    "MISSING",
    "ConcurrenceError",
    "Contingency",
    "Interval",
    "InvalidInputError",
    "Labels",
    "MissingExtraError",
    "UndefinedError",
    "UnknownNameError",
    "ordered_categories",
]
