"""Rankings and judgements -> n-best precision, confidence regions, tests between measures."""

from concurrence.evaluation.judgements import Judgements, judgements_from_table
from concurrence.evaluation.options import Options
from concurrence.evaluation.results import Comparison, Curve, Evaluation
from concurrence.evaluation.study import evaluate

__all__ = [
    "Comparison",
    "Curve",
    "Evaluation",
    "Judgements",
    "Options",
    "evaluate",
    "judgements_from_table",
]
