"""Tokens to pairs: one function per co-occurrence rule, on one machine or on Spark."""

from concurrence.core.rules import RULES, parse_rule
from concurrence.counting.count import Counting, count_any, count_pairs, count_to_rows
from concurrence.counting.result import Counts, Dropped, Level
from concurrence.counting.stream import Filters

__all__ = [
    "RULES",
    "Counting",
    "Counts",
    "Dropped",
    "Filters",
    "Level",
    "count_any",
    "count_pairs",
    "count_to_rows",
    "parse_rule",
]
