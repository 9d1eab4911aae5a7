"""A coefficient of many pairs of coders at once, with the errors of those pairs that have enough items for them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from concurrence.agreement.labels.coefficients.inference import DISAGREEMENTS, RARE_AGREEMENTS, RARE_LABELS
from concurrence.agreement.labels.coefficients.parts import credit_matrix
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.core.arrays import Reals
from concurrence.kernels.chance import corrected, ratio
from concurrence.kernels.coefficients import CoefficientRow

MANY_PAIRS = 100
MOST_CELLS = 1 << 24
SLICE_CELLS = 1 << 22


@dataclass(frozen=True, kw_only=True, eq=False)
class AnalyticPairs:
    """Values, errors and items of pairs; ``certain`` are those whose analytic intervals deserve their level.

    ``influence`` (pairs, categories, categories) is what an item with two labels adds to the coefficient of its pair.
    """

    values: Reals
    errors: Reals
    items: Reals
    certain: NDArray[np.bool_]
    influence: Reals


def has_analytic_pairs(row: CoefficientRow, study: LabelStudy, pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether pairs are many, and their coefficient is one of cross tables that fit the memory."""
    size = (study.n_coders * study.n_categories) ** 2
    weights_known = not row.weighted or study.agreement_weights is not None
    rests_on_both = row.pairs == "both" and row.measures == "agreement" and row.error == "fleiss_cohen_everitt"
    return len(pairs) > MANY_PAIRS and size <= MOST_CELLS and rests_on_both and weights_known and not study.anonymous


def analytic_pairs(row: CoefficientRow, study: LabelStudy, pairs: Sequence[tuple[int, int]]) -> AnalyticPairs:
    """The coefficient of each pair on the items that both labelled."""
    tables = _cross_tables(study, pairs)
    items = tables.sum(axis=(-2, -1))
    matrix = credit_matrix(row, study)
    credit = np.eye(study.n_categories) if matrix is None else np.asarray(matrix)
    habits = ratio(np.stack([tables.sum(axis=-1), tables.sum(axis=-2)], axis=-2), items[:, None, None])
    pooled = row.chance.habits == "pooled"
    expected, slope = row.chance.expect(habits.mean(axis=-2) if pooled else habits, matrix)
    observed = ratio(np.einsum("pkl,kl->p", tables, credit), items)
    values = corrected(observed, expected)
    left, right = (slope / 2, slope / 2) if pooled else (slope[:, 0], slope[:, 1])
    both = left[:, :, None] + right[:, None, :]
    centre = np.einsum("pk,pk->p", habits[:, 0], left) + np.einsum("pk,pk->p", habits[:, 1], right)
    added = credit - observed[:, None, None] - (1 - values)[:, None, None] * (both - centre[:, None, None])
    influence = added / np.where(expected < 1, 1 - expected, np.nan)[:, None, None]
    errors = np.sqrt(ratio(np.einsum("pkl,pkl->p", tables, np.nan_to_num(influence) ** 2), items**2))
    certain = _has_enough(tables, items) & np.isfinite(values) & (errors > 0)
    return AnalyticPairs(values=values, errors=errors, items=items, certain=certain, influence=influence)


def _cross_tables(study: LabelStudy, pairs: Sequence[tuple[int, int]]) -> Reals:
    """How often which labels met: (pairs, categories, categories)."""
    size = study.n_categories
    labels = study.coder_labels
    met = (labels.T @ sparse.csr_array(labels.multiply(study.weights[:, None]))).toarray()
    met = met.reshape(study.n_coders, size, study.n_coders, size)
    first, second = np.array(pairs).T
    return np.asarray(met[first, :, second, :])


def _has_enough(tables: Reals, items: Reals) -> NDArray[np.bool_]:
    """Whether the counts are reached that ``reasons_for_doubt`` asks for."""
    totals = tables.sum(axis=-1) + tables.sum(axis=-2)
    alike = np.einsum("pkk->pk", tables)
    common = np.take_along_axis(alike, totals.argmax(axis=-1)[:, None], axis=-1)[:, 0]
    outside = (totals.sum(axis=-1) - totals.max(axis=-1)) / 2
    agreed = alike.sum(axis=-1)
    return np.asarray(
        (outside >= RARE_LABELS) & (agreed - common >= RARE_AGREEMENTS) & (items - agreed >= DISAGREEMENTS)
    )


def summed_influence(
    study: LabelStudy, pairs: Sequence[tuple[int, int]], found: AnalyticPairs, chosen: NDArray[np.bool_]
) -> Reals:
    """What each pattern adds to the coefficients of the chosen pairs, each times all items over its own."""
    size, width = study.n_categories, study.n_coders * study.n_categories
    added = np.zeros((study.n_coders, size, study.n_coders, size))
    first, second = np.array(pairs)[chosen].T
    added[first, :, second, :] = found.influence[chosen] * (study.n_items / found.items[chosen])[:, None, None]
    flat, labels = added.reshape(width, width), study.coder_labels
    step, parts = max(1, SLICE_CELLS // width), []
    for start in range(0, len(study.codes), step):
        some = labels[start : start + step]
        parts.append(np.asarray(some.multiply(some @ flat).sum(axis=1)).ravel())
    return np.concatenate(parts)
