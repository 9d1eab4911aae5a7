"""Tables in, scores out: significance, effect size, information, likelihood, heuristic.

Every measure is a pure vectorised function and one row of :data:`MEASURES`; help, documentation and tests come
from the rows. What is named here is imported when it is first used: scoring a few tables needs no frames.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrence.measures.formula import parse_definition
    from concurrence.measures.functions import functions_of
    from concurrence.measures.measure import Measure
    from concurrence.measures.scoring import score
    from concurrence.measures.table import MEASURES, find_measure, find_measures

_HOMES = {
    "MEASURES": "table",
    "Measure": "measure",
    "find_measure": "table",
    "find_measures": "table",
    "functions_of": "functions",
    "parse_definition": "formula",
    "score": "scoring",
}

__all__ = ["MEASURES", "Measure", "find_measure", "find_measures", "functions_of", "parse_definition", "score"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'concurrence.measures' has no attribute {name!r}")
    return getattr(import_module(f"concurrence.measures.{_HOMES[name]}"), name)
