"""Coefficients that need to know who gave which label: Cohen's, Scott's, and their kin for many coders."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.pair_kernel import MANY_PAIRS, many_pairs, many_pairs_influence
from concurrence.agreement.pooled import observed_agreement, observed_influence
from concurrence.agreement.study import Study, once_per_study, total
from concurrence.kernels.chance import between_coders_chance, bilinear, corrected, ratio

Array = NDArray[np.float64]
Parts = tuple[Array, Array]

FEW_CELLS = 4096  # of the tables of all pairs; with so few, a batch of draws is one product


@once_per_study
def cohen_kappa(study: Study, weights: Array) -> Parts:
    r"""Chance follows each coder's own habits: :math:`A_e = \sum_k p_{k\cdot} p_{\cdot k}`.

    References: Cohen (1960).
    """
    return _two_coders(study, weights, None, pooled=False)


@once_per_study
def scott_pi(study: Study, weights: Array) -> Parts:
    r"""Chance follows the habits both share: :math:`A_e = \sum_k ((p_{k\cdot}+p_{\cdot k})/2)^2`.

    References: Scott (1955).
    """
    return _two_coders(study, weights, None, pooled=True)


@once_per_study
def weighted_kappa(study: Study, weights: Array) -> Parts:
    r"""Cohen's kappa with partial credit; for more coders, chance is the mean over pairs of coders.

    .. math:: A_o = \sum_{kl} w_{kl} p_{kl}, \quad A_e = \sum_{kl} w_{kl} p_{k\cdot} p_{\cdot l}

    References: Cohen (1968).
    """
    if study.n_coders == 2:
        return _two_coders(study, weights, _matrix(study), pooled=False)
    return _many_coders(study, weights, _matrix(study))


@once_per_study
def davies_fleiss_kappa(study: Study, weights: Array) -> Parts:
    r"""Every coder keeps their own habits; chance is the mean over all pairs of coders.

    .. math:: A_e = \frac{2}{C (C - 1)} \sum_{c < d} \sum_k p_{ck} p_{dk}

    There are C coders, and p_ck is the share of category k among the labels of coder c.

    References: Davies & Fleiss (1982); Conger (1980).
    """
    return _many_coders(study, weights, None)


@once_per_study
def mean_pairwise_kappa(study: Study, weights: Array) -> Parts:
    r"""Cohen's kappa of each pair of coders, averaged; no single chance belongs to it.

    .. math:: \bar\kappa = \frac{2}{C (C - 1)} \sum_{c < d} \kappa_{cd}

    References: Light (1971).
    """
    values = pairwise_kappas(study, weights)
    known = np.isfinite(values)
    mean = ratio(np.where(known, values, 0.0).sum(axis=-1), known.sum(axis=-1))
    return mean, np.zeros_like(mean)


@once_per_study
def pairwise_kappas(study: Study, weights: Array) -> Array:
    """Cohen's kappa of every two coders, in the order of ``itertools.combinations``: (..., pairs)."""
    pairs = list(combinations(range(study.n_coders), 2))
    if len(pairs) > MANY_PAIRS:
        return many_pairs(study, weights).kappas
    if weights.ndim > 1 and len(pairs) * study.n_categories**2 <= FEW_CELLS:
        return _kappas_of_tables(study.pair_tables(weights))
    values = [corrected(*cohen_kappa(study.only(*pair), weights)) for pair in pairs]
    return np.stack(values, axis=-1) if values else np.empty((*weights.shape[:-1], 0))


def _kappas_of_tables(tables: Array) -> Array:
    """Cohen's kappa of contingency tables in the last two axes."""
    n = tables.sum(axis=(-2, -1))
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    agreed = np.einsum("...kk->...", tables)
    return corrected(ratio(agreed, n), ratio((rows * columns).sum(axis=-1), n * n))


def complete(study: Study) -> NDArray[np.bool_]:
    """The patterns both coders labelled."""
    return study.complete


@once_per_study
def coder_shares(study: Study, weights: Array) -> tuple[Array, Array, Array]:
    """Shares of the categories for both coders on the items both labelled, and the number of these."""
    weights = np.where(complete(study), weights, 0.0)
    n = weights.sum(axis=-1)
    totals = study.coder_totals(weights)
    return ratio(totals[..., 0, :], n[..., None]), ratio(totals[..., 1, :], n[..., None]), n


def cohen_influence(study: Study) -> Array:
    """What an item adds to Cohen's kappa."""
    return _two_coders_influence(study, None, pooled=False)


def scott_influence(study: Study) -> Array:
    """What an item adds to Scott's pi."""
    return _two_coders_influence(study, None, pooled=True)


def weighted_kappa_influence(study: Study) -> Array:
    """What an item adds to weighted kappa."""
    if study.n_coders == 2:
        return _two_coders_influence(study, _matrix(study), pooled=False)
    return _many_coders_influence(study, _matrix(study))


def davies_fleiss_influence(study: Study) -> Array:
    """What an item adds to Davies & Fleiss's kappa."""
    return _many_coders_influence(study, None)


def mean_pairwise_influence(study: Study) -> Array:
    """What an item adds to the mean of the pairwise kappas: each pair on the items it shares."""
    pairs = list(combinations(range(study.n_coders), 2))
    if len(pairs) > MANY_PAIRS:
        return many_pairs_influence(study)
    added, known = np.zeros(len(study.codes)), 0
    for pair in pairs:
        two = study.only(*pair)
        n = float(two.weights[complete(two)].sum())
        influence = _two_coders_influence(two, None, pooled=False)
        if np.isfinite(influence).all() and n:
            added, known = added + influence * (study.n_items / n), known + 1
    return added / known if known else np.full(len(study.codes), np.nan)


def credit(study: Study, matrix: Array | None) -> Array:
    """The agreement of the two labels of each pattern; zero where one is missing."""
    first, second = study.codes[:, 0], study.codes[:, 1]
    alike = first == second if matrix is None else matrix[first, second]
    return np.where(complete(study), alike, 0.0)


def _two_coders(study: Study, weights: Array, matrix: Array | None, *, pooled: bool) -> Parts:
    first, second, n = coder_shares(study, weights)
    if pooled:
        first = second = (first + second) / 2
    return ratio(total(weights, credit(study, matrix)), n), bilinear(first, matrix, second)


def _two_coders_influence(study: Study, matrix: Array | None, *, pooled: bool) -> Array:
    """Fleiss, Cohen & Everitt's terms: the marginal of the *other* coder belongs to each label."""
    first, second, _ = coder_shares(study, study.weights)
    observed, expected = _two_coders(study, study.weights, matrix, pooled=pooled)
    if pooled:
        first = second = (first + second) / 2
    left, right = (second, first) if matrix is None else (matrix @ second, matrix.T @ first)
    both = left[study.codes[:, 0]] + right[study.codes[:, 1]]
    kappa = corrected(observed, expected)
    added = credit(study, matrix) - observed - (1 - kappa) * (both - 2 * expected)
    return np.where(complete(study), added / (1 - expected), 0.0)


def _many_coders(study: Study, weights: Array, matrix: Array | None) -> Parts:
    observed = observed_agreement(study, weights, matrix)
    totals = study.coder_totals(weights)
    if study.convention == "items":
        return observed, between_coders_chance(ratio(totals, totals.sum(axis=-1, keepdims=True)), matrix)
    own, pooled = totals.sum(axis=-1), totals.sum(axis=-2)
    alike = bilinear(pooled, matrix, pooled) - bilinear(totals, matrix, totals).sum(axis=-1)
    return observed, ratio(alike, own.sum(axis=-1) ** 2 - (own**2).sum(axis=-1))


def _many_coders_influence(study: Study, matrix: Array | None) -> Array:
    observed, expected = _many_coders(study, study.weights, matrix)
    slope = _habit_slope(study, matrix, expected)
    chance = study.labelled * np.asarray(study.coder_labels @ slope.ravel())
    added = observed_influence(study, matrix, observed, expected)
    added = added - (1 - corrected(observed, expected)) * chance
    return np.where(study.sizes >= 1, added / (1 - expected), 0.0)


def _habit_slope(study: Study, matrix: Array | None, expected: Array) -> Array:
    """How chance grows with one more label: coders x categories."""
    totals = study.coder_totals(study.weights)
    own = totals.sum(axis=-1, keepdims=True)
    if study.convention == "pairs":
        others = _weighed(totals.sum(axis=0) - totals, matrix)
        base = float(own.sum() ** 2 - (own**2).sum())
        return np.asarray(2 * (others - expected * (own.sum() - own)) / base)
    known = own > 0
    habits = np.divide(totals, own, out=np.zeros_like(totals), where=known)
    others = _weighed(habits.sum(axis=0) - habits, matrix)
    n_coders = int(known.sum())
    centred = others - (others * habits).sum(axis=-1, keepdims=True)
    slope = np.divide(centred, own, out=np.zeros_like(totals), where=known)
    return np.asarray(2 * slope / (n_coders * (n_coders - 1)))


def _weighed(habits: Array, matrix: Array | None) -> Array:
    return habits if matrix is None else habits @ matrix.T


def _matrix(study: Study) -> Array | None:
    return None if study.agreement_weights is None else study.agreement_weights.matrix
