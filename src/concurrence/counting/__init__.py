"""Tokens to pairs: one function per co-occurrence rule, on one machine or on Spark.

What is named here is imported when it is first used: a rule can be read without the counting.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrence.counting.count import Counting, count, count_pairs
    from concurrence.counting.result import Counts, Dropped, Level
    from concurrence.counting.rules import RULES, parse_rule
    from concurrence.counting.stream import Filters

_HOMES = {
    "RULES": "rules",
    "Counting": "count",
    "Counts": "result",
    "Dropped": "result",
    "Filters": "stream",
    "Level": "result",
    "count": "count",
    "count_pairs": "count",
    "parse_rule": "rules",
}

__all__ = ["RULES", "Counting", "Counts", "Dropped", "Filters", "Level", "count", "count_pairs", "parse_rule"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'concurrence.counting' has no attribute {name!r}")
    return getattr(import_module(f"concurrence.counting.{_HOMES[name]}"), name)
