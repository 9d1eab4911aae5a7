"""Category by category: how often it was used, how well coders agree on it, what it is confused with."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.study import Study
from concurrence.kernels.chance import corrected, ratio

Array = NDArray[np.float64]

MOST_CONFUSED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryAgreement:
    """Agreement on one category against the rest.

    ``specific_agreement``: where one coder gives it, how often another gives it too; ``kappa`` is that of
    *this category or not*. NaN where the category was never given.
    """

    category: str
    count: int
    share: float
    specific_agreement: float
    kappa: float


@dataclass(frozen=True, slots=True, kw_only=True)
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

    The kappa of a category is Fleiss's of *this category or not* (Scott's pi for two coders); items weigh alike.

    References: Spitzer and Fleiss (1974) for specific agreement; Fleiss (1971) and Agresti (1992) for the kappa of
    a category.
    """
    totals = np.asarray(study.weights @ study.counts)
    specific = _specific(study)
    kappas = _pooled_kappas(study)
    return {
        category: CategoryAgreement(
            category=category,
            count=int(totals[k]),
            share=float(totals[k] / max(totals.sum(), 1)),
            specific_agreement=float(specific[k]),
            kappa=float(kappas[k]),
        )
        for k, category in enumerate(categories)
    }


def confusions(study: Study, categories: tuple[str, ...], *, most: int | None = MOST_CONFUSED) -> tuple[Confusion, ...]:
    """Pairs of categories by how often they meet on an item, the most frequent first."""
    counts, weighed = study.counts, _scaled(study.counts, study.weights)
    together = counts.T @ weighed
    together = together if isinstance(together, np.ndarray) else together.toarray()
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


def _specific(study: Study) -> Array:
    """``Σ n_k (n_k - 1) / Σ n_k (n - 1)`` over the items, for every category."""
    squares = study.counts**2 if isinstance(study.counts, np.ndarray) else study.counts.power(2)
    totals = np.asarray(study.weights @ study.counts)
    alike = np.asarray(study.weights @ squares) - totals
    possible = np.asarray((study.weights * (study.sizes - 1).clip(min=0)) @ study.counts)
    return ratio(alike, possible)


def _pooled_kappas(study: Study) -> Array:
    """Fleiss's kappa of *this category or not*; items weigh alike."""
    sizes, weights = study.sizes, study.weights
    pairs = sizes * (sizes - 1)
    per_pair = np.where(study.pairable, weights, 0.0) / np.where(pairs > 0, pairs, 1.0)
    items = weights[study.pairable].sum()
    squares = study.counts**2 if isinstance(study.counts, np.ndarray) else study.counts.power(2)
    # an item with n_k labels in and n - n_k outside the category has n_k (n - n_k) pairs that differ, twice
    differing = 2 * (np.asarray((per_pair * sizes) @ study.counts) - np.asarray(per_pair @ squares))
    labelled = sizes > 0
    shares = np.asarray((np.where(labelled, weights, 0.0) / np.where(labelled, sizes, 1.0)) @ study.counts)
    shares = ratio(shares, weights[labelled].sum())
    return corrected(1 - ratio(differing, items), shares**2 + (1 - shares) ** 2)


def _scaled(counts: Any, weights: Array) -> Any:
    """The rows of a matrix times weights, sparse or not."""
    return counts * weights[:, None] if isinstance(counts, np.ndarray) else counts.multiply(weights[:, None]).tocsr()
