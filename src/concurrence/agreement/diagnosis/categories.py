"""Category by category: how often it was used, how well coders agree on it, what it is confused with."""

import numpy as np

from concurrence.agreement.coefficients.study import Study
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


def category_agreement(study: Study, categories: tuple[str, ...]) -> dict[str, CategoryAgreement]:
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
    return {
        category: CategoryAgreement(
            count=int(totals[k]),
            share=float(totals[k] / max(totals.sum(), 1)),
            specific_agreement=float(specific[k]),
            kappa=float(kappas[k]),
        )
        for k, category in enumerate(categories)
    }


def confusions(study: Study, categories: tuple[str, ...], *, most: int | None = MOST_CONFUSED) -> tuple[Confusion, ...]:
    """Pairs of categories by how often they meet on an item, the most frequent first."""
    counts, weights = study.counts, study.weights[:, None]
    dense = isinstance(counts, np.ndarray)
    together = counts.T @ (counts * weights if dense else counts.multiply(weights).tocsr())
    together = together if dense else together.toarray()
    first, second = np.triu_indices(len(categories), k=1)
    met = together[first, second]
    order = np.argsort(-met, kind="stable")
    order = order[met[order] > 0][:most]
    table = study.confusion() if study.n_coders == 2 and not study.anonymous else None
    return tuple(
        Confusion(
            categories=(categories[first[i]], categories[second[i]]),
            pairs=float(met[i]),
            share=float(met[i] / met.sum()),
            first_says_first=None if table is None else int(table[first[i], second[i]]),
        )
        for i in order
    )
