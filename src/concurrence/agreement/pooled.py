"""Coefficients that need no more than how often each label was given to each item.

All functions take a study and weights over its patterns (..., patterns) and answer (..., ) observed and
expected agreement. The ``*_influence`` functions answer what one item of each pattern adds to the
coefficient's error, as Gwet linearises it.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.study import Study, once_per_study, total
from concurrence.kernels.chance import bilinear, corrected, gwet_chance, gwet_factor, ratio, uniform_chance

Array = NDArray[np.float64]
Parts = tuple[Array, Array]


@once_per_study
def percent_agreement(study: Study, weights: Array) -> Parts:
    r"""The share of pairs of labels that agree; nothing is taken off for chance.

    .. math:: A_o = \frac{1}{n} \sum_i \sum_k \frac{n_{ik} (n_{ik} - 1)}{n_i (n_i - 1)}, \quad A_e = 0

    The sum is over the n items with two labels or more; item i has n_i labels, n_ik of them in category k.

    References: Gwet (2014).
    """
    observed = observed_agreement(study, weights)
    return observed, np.zeros_like(observed)


@once_per_study
def fleiss_kappa(study: Study, weights: Array) -> Parts:
    r"""Chance follows the habits of all coders together: :math:`A_e = \sum_k \pi_k^2`.

    References: Fleiss (1971); missing labels as in Gwet (2014).
    """
    shares = category_shares(study, weights)
    return observed_agreement(study, weights), bilinear(shares, None, shares)


@once_per_study
def gwet_ac1(study: Study, weights: Array) -> Parts:
    r"""Chance is at work on hard items alone; K is the number of declared categories.

    .. math:: A_e = \frac{1}{K - 1} \sum_k \pi_k (1 - \pi_k)

    References: Gwet (2008).
    """
    return observed_agreement(study, weights), gwet_chance(category_shares(study, weights), None)


@once_per_study
def gwet_ac2(study: Study, weights: Array) -> Parts:
    r"""AC1 with partial credit for near misses: w is 1 on the diagonal and between 0 and 1 elsewhere.

    .. math:: A_e = \frac{\sum_{kl} w_{kl}}{K (K - 1)} \sum_k \pi_k (1 - \pi_k)

    References: Gwet (2014).
    """
    matrix = _matrix(study)
    observed = observed_agreement(study, weights, matrix)
    return observed, gwet_chance(category_shares(study, weights), matrix)


@once_per_study
def brennan_prediger(study: Study, weights: Array) -> Parts:
    r"""Chance picks each of the K declared categories alike: Bennett's S, Randolph's free-marginal kappa.

    .. math:: A_e = 1 / K, \quad S = (K A_o - 1) / (K - 1)

    For two categories this is 2 P(A) - 1, the prevalence-adjusted kappa.

    References: Bennett, Alpert & Goldstein (1954); Brennan & Prediger (1981); Randolph (2005).
    """
    observed = observed_agreement(study, weights)
    return observed, np.full_like(observed, uniform_chance(study.n_categories))


def observed_agreement(study: Study, weights: Array, matrix: Array | None = None) -> Array:
    """Agreement of the pairs of labels on an item, items or pairs weighing alike."""
    agreeing, possible = _pair_counts(study, matrix)
    return ratio(total(weights, agreeing), total(weights, possible))


@once_per_study
def category_shares(study: Study, weights: Array) -> Array:
    """How labels fall on the categories: (..., categories)."""
    scale = _label_scale(study)
    return ratio(total(weights * scale, study.counts), total(weights, scale * study.sizes)[..., None])


def percent_influence(study: Study) -> Array:
    """What an item adds to percent agreement."""
    return _influence(study, percent_agreement, None, None)


def fleiss_influence(study: Study) -> Array:
    """What an item adds to Fleiss's kappa."""
    return _influence(study, fleiss_kappa, None, 2 * category_shares(study, study.weights))


def gwet_ac1_influence(study: Study) -> Array:
    """What an item adds to AC1."""
    slope = gwet_factor(study.n_categories, None) * (1 - 2 * category_shares(study, study.weights))
    return _influence(study, gwet_ac1, None, slope)


def gwet_ac2_influence(study: Study) -> Array:
    """What an item adds to AC2."""
    matrix = _matrix(study)
    slope = gwet_factor(study.n_categories, matrix) * (1 - 2 * category_shares(study, study.weights))
    return _influence(study, gwet_ac2, matrix, slope)


def brennan_prediger_influence(study: Study) -> Array:
    """What an item adds to Brennan & Prediger's coefficient."""
    return _influence(study, brennan_prediger, None, None)


def observed_influence(study: Study, matrix: Array | None, observed: Array, expected: Array) -> Array:
    """What an item adds to observed agreement.

    Gwet takes the number of items with at least two labels as given, which matters where labels are
    missing; where pairs weigh alike the ratio is linearised in full.
    """
    agreeing, possible = _pair_counts(study, matrix)
    n, base = study.labelled, total(study.weights, possible)
    if study.convention == "pairs":
        return n * ratio(agreeing - observed * possible, base)
    return n * ratio(agreeing - expected * possible, base) - (observed - expected)


def _influence(
    study: Study, evaluate: Callable[[Study, Array], Parts], matrix: Array | None, slope: Array | None
) -> Array:
    """Linearised coefficient: observed part, and the slope of chance along the category shares."""
    observed, expected = evaluate(study, study.weights)
    added = observed_influence(study, matrix, observed, expected)
    if slope is not None:
        added = added - (1 - corrected(observed, expected)) * _share_influence(study, slope)
    return np.where(study.sizes >= 1, added / (1 - expected), 0.0)


def _share_influence(study: Study, slope: Array) -> Array:
    """What an item adds to chance, given its slope along the category shares."""
    scale = _label_scale(study)
    base = total(study.weights, scale * study.sizes)
    shares = category_shares(study, study.weights)
    along = scale * (study.along(slope) - float(shares @ slope) * study.sizes)
    return study.labelled * ratio(along, base)


def _pair_counts(study: Study, matrix: Array | None) -> tuple[Array, Array]:
    """Agreeing pairs of labels of an item, and all; as shares where items weigh alike."""
    key = ("pair counts", None if matrix is None else id(matrix))
    if key not in study.known:
        study.known[key] = _count_pairs(study, matrix)
    counted: tuple[Array, Array] = study.known[key]
    return counted


def _count_pairs(study: Study, matrix: Array | None) -> tuple[Array, Array]:
    sizes = study.sizes
    squares = study.squares if matrix is None else study.quadratic_form(matrix)
    agreeing, possible = squares - sizes, sizes * (sizes - 1)
    if study.convention == "pairs":
        return agreeing, possible
    return np.divide(agreeing, possible, out=np.zeros_like(possible), where=possible > 0), (possible > 0).astype(float)


def _label_scale(study: Study) -> Array:
    """What a label weighs in the category shares."""
    if study.convention == "pairs":
        return np.maximum(study.sizes - 1, 0.0)
    return np.divide(1.0, study.sizes, out=np.zeros_like(study.sizes), where=study.sizes > 0)


def _matrix(study: Study) -> Array | None:
    return None if study.agreement_weights is None else study.agreement_weights.matrix
