"""Krippendorff's alpha for any metric, without a matrix of items x categories x categories.

Disagreements are sums over items; the squared difference of numbers or mid-ranks needs only the first two
moments of an item's labels, so that a million distinct values cost no more than reading them.
"""

import numpy as np

from concurrence.agreement.labels.coefficients.metrics import Metric, metric_of_weights
from concurrence.agreement.labels.coefficients.study import LabelStudy, total
from concurrence.core.arrays import Reals
from concurrence.kernels.chance import ratio


def alpha_disagreements(study: LabelStudy, weights: Reals, *, weighted: bool) -> tuple[Reals, Reals, Reals | None]:
    """Observed and expected disagreement, and what an item adds to alpha, the metric taken as given."""
    given = study.agreement_weights
    metric = metric_of_weights(given) if weighted and given is not None else study.metric
    totals = np.asarray(total(np.where(study.pairable, weights, 0.0), study.counts))
    n = totals.sum(axis=-1)
    numbers = _numbers(metric, totals)
    within = _within(study, metric, numbers)
    summed = total(weights, within) if within.ndim == 1 else np.einsum("...p,...p->...", weights, within)
    to_others = _distance_to(metric, totals, numbers)
    observed, between = ratio(summed, n), (totals * to_others).sum(axis=-1)
    influence = None
    if weights is study.weights:
        influence = _influence(study, within, float(observed), ratio(to_others, n), float(ratio(between, n**2)))
    return observed, ratio(between, n * (n - 1)), influence


def _numbers(metric: Metric, totals: Reals) -> Reals | None:
    """The numbers whose squared difference is the metric, where there are such numbers; centred."""
    if metric.kind == "values" and metric.values is not None:
        return metric.values - metric.values.mean() if len(metric.values) else metric.values
    if metric.kind == "midranks":
        ranks: Reals = np.cumsum(totals, axis=-1) - totals / 2
        return np.asarray(ranks - totals.sum(axis=-1, keepdims=True) / 2)
    return None


def _within(study: LabelStudy, metric: Metric, numbers: Reals | None) -> Reals:
    """Disagreement among the labels of each pattern: (..., patterns), or (patterns,) for all draws."""
    sizes = study.sizes
    if numbers is not None:
        # all ordered pairs of labels of a pattern: the first two moments tell the sum of squared differences
        first, second = _item_sums(study, numbers), _item_sums(study, numbers**2)
        apart = np.maximum(2 * (sizes * second - first**2), 0.0)
    elif metric.matrix is not None:
        apart = study.quadratic_form(metric.matrix)
    else:
        apart = sizes**2 - study.squares
    return np.divide(apart, sizes - 1, out=np.zeros_like(apart), where=study.pairable)


def _item_sums(study: LabelStudy, numbers: Reals) -> Reals:
    """The sum of the labels' numbers of each pattern."""
    if numbers.ndim > 1:
        return np.moveaxis(np.asarray(study.counts @ np.moveaxis(numbers, -1, 0)), 0, -1)
    return study.along(numbers)


def _distance_to(metric: Metric, totals: Reals, numbers: Reals | None) -> Reals:
    """The distance of each category to all labels, summed: (..., categories)."""
    n = totals.sum(axis=-1, keepdims=True)
    if numbers is not None:
        first, second = (totals * power for power in (numbers, numbers**2))
        moments = first.sum(axis=-1, keepdims=True), second.sum(axis=-1, keepdims=True)
        return np.asarray(n * numbers**2 - 2 * numbers * moments[0] + moments[1])
    return totals @ metric.matrix if metric.matrix is not None else n - totals


def _influence(study: LabelStudy, within: Reals, observed: float, to_others: Reals, expected: float) -> Reals:
    """Linearised 1 - D_o / D_e, both as ratios of sums over items."""
    n = float(total(study.weights, np.where(study.pairable, study.sizes, 0.0)))
    items = float(study.weights[study.pairable].sum())
    own = within - observed * np.where(study.pairable, study.sizes, 0.0)
    chance = 2 * (study.along(to_others) - expected * study.sizes)
    with np.errstate(divide="ignore", invalid="ignore"):
        added = -(own - observed / expected * chance) * (items / n) / expected if n and expected else own * np.nan
    return np.where(study.pairable, added, 0.0)
