"""Rankings and judgements -> n-best precision, confidence regions, tests between measures."""

from concurrence.evaluation.judgements import Judgements, judgements_from_table
from concurrence.evaluation.options import EvaluateOptions
from concurrence.evaluation.results import Curve, Evaluation, Evaluations, MeasureComparison
from concurrence.evaluation.study import evaluate

__all__ = [
    "Curve",
    "EvaluateOptions",
    "Evaluation",
    "Evaluations",
    "Judgements",
    "MeasureComparison",
    "evaluate",
    "judgements_from_table",
]
