"""How a study is to be analysed: one value that travels from the doors to every part of the analysis."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from concurrence.agreement import metrics
from concurrence.agreement.metrics import AgreementWeights, Metric
from concurrence.agreement.study import Convention, Study
from concurrence.core import InvalidInputError, Labels, UndefinedError
from concurrence.kernels.resampling import Progress

CUTS = (0.68, 0.60, 0.51)
"""Lower bounds of true agreement that reproduce the groups G1 to G4 of Krenn, Evert & Zinsmeister (2004)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreeOptions:
    """How labels are compared and what is reported.

    ``weights`` is a name of ``metrics.WEIGHTS`` or a square matrix of weights or distances in the order of
    the categories. ``period`` is once around a circular scale. ``cuts`` divide coders into groups by the lower
    bound of their true agreement with the expert. ``bootstrap`` draws, where there are any, replace the analytic
    intervals; ``progress`` is told of them.
    """

    scale: str = "nominal"
    weights: Any = None
    convention: Convention = "items"
    period: float | None = None
    level: float = 0.95
    coefficients: Sequence[str] | None = None
    pairs: bool = True
    expert: str | None = None
    cuts: Sequence[float] = CUTS
    agreement_table: bool = False
    bootstrap: int = 0
    seed: int = 0
    progress: Progress | None = None


def study_of(labels: Labels, options: AgreeOptions, *, compress: bool = False) -> Study:
    """The study of some labels under these options; ``compress`` where it will be evaluated many times."""
    if not isinstance(labels, Labels):
        raise InvalidInputError("agree takes Labels; read a file or a frame with concurrence.read_labels first.")
    if not 0 < options.level < 1:
        raise InvalidInputError(f"The level must lie between 0 and 1, such as 0.95, not {options.level:g}.")
    if labels.n_coders < 2:
        raise UndefinedError("Agreement takes at least two coders, and here there is only one.")
    metric, weights = _comparison(labels, options)
    return Study.of(labels, metric=metric, agreement_weights=weights, convention=options.convention, compress=compress)


def _comparison(labels: Labels, options: AgreeOptions) -> tuple[Metric, AgreementWeights | None]:
    """How alpha compares labels, and what credit weighted coefficients give."""
    categories, sets = labels.categories, labels.set_separator
    if options.weights is not None and not isinstance(options.weights, str):
        return (
            metrics.metric_of_matrix(options.weights, len(categories)),
            metrics.weights_of_matrix(options.weights, len(categories)),
        )
    name = options.weights or metrics.default_weights(options.scale, sets=sets is not None)
    few = len(categories) <= metrics.MOST_CATEGORIES
    if name is None or (options.weights is None and not few):
        weights = None
    else:
        weights = metrics.named_weights(name, categories, scale=options.scale, separator=sets)
    if sets is not None and options.scale == "nominal" and weights is not None:
        return metrics.metric_of_weights(weights), weights
    return metrics.metric_of(options.scale, categories, period=options.period), weights
