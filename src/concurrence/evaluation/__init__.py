"""Rankings and judgements -> n-best precision, confidence regions, tests between measures."""

from concurrence.core.judgements import Judgements
from concurrence.evaluation.options import EvaluateOptions
from concurrence.evaluation.results import Curve, Evaluation, Evaluations, MeasureComparison
from concurrence.evaluation.study import evaluate
from concurrence.kernels.verdicts import judgements_from_table

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
