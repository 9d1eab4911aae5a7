"""Tables in, scores out: significance, effect size, information, likelihood, heuristic.

Every measure is a pure vectorised function and one row of :data:`MEASURES`; help, documentation and tests come
from the rows.
"""

from concurrence.measures.formula import parse_definition
from concurrence.measures.measure import Measure
from concurrence.measures.scoring import functions_of, score
from concurrence.measures.table import MEASURES, find_measure, find_measures

__all__ = ["MEASURES", "Measure", "find_measure", "find_measures", "functions_of", "parse_definition", "score"]
