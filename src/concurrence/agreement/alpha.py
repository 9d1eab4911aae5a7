"""Krippendorff's alpha for any metric, without a matrix of items x categories x categories.

Disagreements are sums over items; the squared difference of numbers or mid-ranks needs only the first two
moments of an item's labels, so that a million distinct values cost no more than reading them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.metrics import Metric, metric_of_weights
from concurrence.agreement.study import Study, once_per_study, total
from concurrence.kernels.chance import ratio

Array = NDArray[np.float64]
Parts = tuple[Array, Array]


@once_per_study
def krippendorff_alpha(study: Study, weights: Array) -> Parts:
    r"""One minus observed over expected *disagreement*, by the metric of the scale.

    .. math:: \alpha = 1 - D_o / D_e, \quad D_o = \frac{1}{n} \sum_{kl} o_{kl} \delta^2_{kl},
        \quad D_e = \frac{1}{n (n - 1)} \sum_{kl} n_k n_l \delta^2_{kl}

    o is the matrix of coincidences of the n pairable labels, n_k its sums.

    References: Krippendorff (2004, 2011).
    """
    return _disagreements(study, study.metric, weights)


@once_per_study
def weighted_alpha(study: Study, weights: Array) -> Parts:
    r"""Alpha with the distances of the agreement weights, e.g. Gwet's ordinal ones.

    .. math:: \alpha = 1 - D_o / D_e, \quad \delta^2_{kl} = 1 - w_{kl}

    References: Gwet (2014).
    """
    return _disagreements(study, _weights_metric(study), weights)


def alpha_influence(study: Study) -> Array:
    """What an item adds to alpha, the metric taken as given."""
    return _influence(study, study.metric)


def weighted_alpha_influence(study: Study) -> Array:
    """What an item adds to alpha with agreement weights."""
    return _influence(study, _weights_metric(study))


@once_per_study
def pairable_totals(study: Study, weights: Array) -> Array:
    """Labels per category on items with at least two labels: (..., categories)."""
    return np.asarray(total(np.where(study.pairable, weights, 0.0), study.counts))


def _disagreements(study: Study, metric: Metric, weights: Array) -> Parts:
    totals = pairable_totals(study, weights)
    n = totals.sum(axis=-1)
    values = _values(metric, totals)
    within = _own_within(study, metric, values) if weights is study.weights else _within(study, metric, values)
    summed = total(weights, within) if within.ndim == 1 else np.einsum("...p,...p->...", weights, within)
    expected = _between(metric, totals, values)
    return ratio(summed, n), ratio(expected, n * (n - 1))


def _values(metric: Metric, totals: Array) -> Array | None:
    """The numbers whose squared difference is the metric, where there are such numbers; centred."""
    if metric.kind == "values" and metric.values is not None:
        return metric.values - metric.values.mean() if len(metric.values) else metric.values
    if metric.kind == "midranks":
        ranks: Array = np.cumsum(totals, axis=-1) - totals / 2
        return np.asarray(ranks - totals.sum(axis=-1, keepdims=True) / 2)
    return None


def _own_within(study: Study, metric: Metric, values: Array | None) -> Array:
    """The same for the labels of the study itself, computed once."""
    key = ("within", metric.title)
    if key not in study.known:
        study.known[key] = _within(study, metric, values)
    within: Array = study.known[key]
    return within


def _within(study: Study, metric: Metric, values: Array | None) -> Array:
    """Disagreement among the labels of each pattern: (..., patterns), or (patterns,) for all draws."""
    sizes = study.sizes
    if metric.kind == "nominal":
        total = sizes**2 - study.squares
    elif metric.matrix is not None:
        total = study.quadratic_form(metric.matrix)
    else:
        total = _spread(study, np.asarray(values))
    return np.divide(total, sizes - 1, out=np.zeros_like(total), where=study.pairable)


def _spread(study: Study, values: Array) -> Array:
    """Sum of squared differences of all ordered pairs of labels of a pattern: (..., patterns)."""
    first, second = _item_sums(study, values), _item_sums(study, values**2)
    return np.maximum(2 * (study.sizes * second - first**2), 0.0)


def _item_sums(study: Study, values: Array) -> Array:
    """The sum of the labels' values of each pattern."""
    if values.ndim > 1:
        return np.moveaxis(np.asarray(study.counts @ np.moveaxis(values, -1, 0)), 0, -1)
    return study.along(values)


def _between(metric: Metric, totals: Array, values: Array | None) -> Array:
    """Disagreement among all labels, whichever item they belong to."""
    n = totals.sum(axis=-1)
    if values is not None:
        first, second = (totals * values).sum(axis=-1), (totals * values**2).sum(axis=-1)
        return np.asarray(2 * (n * second - first**2))
    if metric.matrix is not None:
        return np.asarray(np.einsum("...k,...k->...", totals @ metric.matrix, totals))
    return np.asarray(n**2 - (totals**2).sum(axis=-1))


def _influence(study: Study, metric: Metric) -> Array:
    """Linearised 1 - D_o / D_e, both as ratios of sums over items."""
    totals = pairable_totals(study, study.weights)
    n, items = float(totals.sum()), float(study.weights[study.pairable].sum())
    values = _values(metric, totals)
    within = _own_within(study, metric, values)
    shares = totals / n
    to_others = _distance_to(metric, shares, values)
    expected = float(shares @ to_others)
    observed = float(total(study.weights, within)) / n
    labels = np.where(study.pairable, study.sizes, 0.0)
    own = within - observed * labels
    chance = 2 * (study.along(to_others) - expected * study.sizes)
    added = -(own - observed / expected * chance) * (items / n) / expected
    return np.where(study.pairable, added, 0.0)


def _distance_to(metric: Metric, shares: Array, values: Array | None) -> Array:
    """The mean distance of each category to all labels."""
    if values is not None:
        mean, square = float(shares @ values), float(shares @ values**2)
        return np.asarray(values**2 - 2 * values * mean + square)
    if metric.matrix is not None:
        return metric.matrix @ shares
    return 1 - shares


def _weights_metric(study: Study) -> Any:
    return study.metric if study.agreement_weights is None else metric_of_weights(study.agreement_weights)
