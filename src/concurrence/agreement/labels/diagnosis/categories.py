"""Category by category: how often it was used, how well coders agree on it, what it is confused with."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from concurrence.agreement.labels.coefficients.metrics import FEW_CATEGORIES
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.core.arrays import Reals
from concurrence.core.values import value
from concurrence.kernels.chance import corrected, ratio

MOST_CONFUSED = 10


@value
class CategoryAgreement:
    """Agreement on one category against the rest.

    ``specific_agreement``: where one coder gives it, how often another gives it too; ``kappa`` is that of
    *this category or not*. NaN where the category was never given.
    """

    count: int
    share: float
    specific_agreement: float
    kappa: float


@value
class Confusion:
    """Two categories given to the same item; ``share`` is that of all disagreeing pairs of labels.

    With two coders ``first_says_first`` counts the items where the first coder gave the first category.
    """

    categories: tuple[str, str]
    pairs: float
    share: float
    first_says_first: int | None = None


def category_agreement(study: LabelStudy, categories: tuple[str, ...]) -> dict[str, CategoryAgreement]:
    """Every category against the rest.

    Specific agreement is ``Σ n_k (n_k - 1) / Σ n_k (n - 1)`` over the items. The kappa of a category is Fleiss's of
    *this category or not* (Scott's pi for two coders); items weigh alike.

    References: Spitzer and Fleiss (1974) for specific agreement; Fleiss (1971) and Agresti (1992) for the kappa of
    a category.
    """
    counts, weights, sizes = study.counts, study.weights, study.sizes
    squares = counts**2 if isinstance(counts, np.ndarray) else counts.power(2)
    totals = np.asarray(weights @ counts)
    possible = np.asarray((weights * (sizes - 1).clip(min=0)) @ counts)
    specific = ratio(np.asarray(weights @ squares) - totals, possible)
    per_pair = np.where(study.pairable, weights, 0.0) / np.where(study.pairable, sizes * (sizes - 1), 1.0)
    # an item with n_k labels in and n - n_k outside the category has n_k (n - n_k) pairs that differ, twice
    differing = 2 * (np.asarray((per_pair * sizes) @ counts) - np.asarray(per_pair @ squares))
    labelled = sizes > 0
    shares = np.asarray((np.where(labelled, weights, 0.0) / np.where(labelled, sizes, 1.0)) @ counts)
    shares = ratio(shares, weights[labelled].sum())
    kappas = corrected(1 - ratio(differing, weights[study.pairable].sum()), shares**2 + (1 - shares) ** 2)
    of_all = totals / max(totals.sum(), 1)
    columns = (totals.astype(np.int64), of_all, specific, kappas)
    rows = zip(categories, *(column.tolist() for column in columns), strict=True)
    return {
        category: CategoryAgreement(count=count, share=share, specific_agreement=alike, kappa=kappa)
        for category, count, share, alike, kappa in rows
    }


def confusions(
    study: LabelStudy, categories: tuple[str, ...], *, most: int | None = MOST_CONFUSED
) -> tuple[Confusion, ...]:
    """Pairs of categories by how often they meet on an item, the most frequent first."""
    first, second, met = _meetings(study)
    order = np.argsort(-met, kind="stable")[:most]
    table = study.cross_table() if study.n_coders == 2 and not study.anonymous else None
    return tuple(
        Confusion(
            categories=(categories[first[i]], categories[second[i]]),
            pairs=float(met[i]),
            share=float(met[i] / met.sum()),
            first_says_first=None if table is None else int(table.at(first[i], second[i])),
        )
        for i in order
    )


def _meetings(study: LabelStudy) -> tuple[NDArray[np.intp], NDArray[np.intp], Reals]:
    """Every two categories that meet on an item, in order, and the pairs of labels in which they do."""
    counts, weights = study.counts, study.weights[:, None]
    if isinstance(counts, np.ndarray) and study.n_categories <= FEW_CATEGORIES:
        together = np.triu(counts.T @ (counts * weights), k=1)
        first, second = np.nonzero(together)
        return first, second, together[first, second]
    counts = sparse.csr_array(counts)
    met = sparse.coo_array(sparse.triu(counts.T @ counts.multiply(weights).tocsr(), k=1))
    order = np.lexsort(met.coords[::-1])
    first, second = (side[order] for side in met.coords)
    return first, second, met.data[order]
