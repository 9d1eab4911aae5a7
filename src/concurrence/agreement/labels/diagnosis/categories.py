"""Category by category: how well coders agree on it, what it is confused with, and whether two coders use it alike."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import bdtr, chdtrc, stdtr

from concurrence.agreement.labels.coefficients.metrics import FEW_CATEGORIES
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.core.arrays import Reals
from concurrence.core.errors import InvalidInputError
from concurrence.core.values import value
from concurrence.kernels import chance
from concurrence.kernels.chance import ratio
from concurrence.kernels.cross_table import CrossTable

MOST_CONFUSED = 10
ENOUGH_LABELS = 10
MOST_TESTED = 500
NOTHING = "The coders never disagreed, so there is nothing to test."
TOO_MANY = "Too many categories are confused to test them all together."


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
    kappas = chance.corrected(1 - ratio(differing, study.n_pairable), shares**2 + (1 - shares) ** 2)
    of_all = totals / max(totals.sum(), 1)
    columns = (totals.astype(np.int64), of_all, specific, kappas)
    rows = zip(categories, *(column.tolist() for column in columns), strict=True)
    return {
        category: CategoryAgreement(count=count, share=share, specific_agreement=alike, kappa=kappa)
        for category, count, share, alike, kappa in rows
    }


def extreme_categories(study: LabelStudy, categories: Mapping[str, CategoryAgreement]) -> tuple[str, str, float] | None:
    """The categories with the highest and the lowest specific agreement, of those with ten labels, and a p-value.

    It is that of :func:`category_difference_p`; there is nothing to compare where fewer than two have ten labels.
    """
    rates = {
        name: one.specific_agreement
        for name, one in categories.items()
        if np.isfinite(one.specific_agreement) and one.count >= ENOUGH_LABELS
    }
    if len(rates) < 2:
        return None
    best, worst = max(rates, key=lambda name: rates[name]), min(rates, key=lambda name: rates[name])
    places = {name: place for place, name in enumerate(categories)}
    return best, worst, category_difference_p(study, places[best], places[worst], len(rates))


def category_difference_p(study: LabelStudy, first: int, second: int, n_categories: int) -> float:
    """Whether specific agreement differs between two categories, the highest and the lowest of so many.

    The error of the difference comes from the items' parts in both ratios. The p-value is two-sided from t with as many
    degrees of freedom as the rarer category has items, less one, times the number of pairs of categories (Bonferroni).
    """
    counts = study.counts[:, [first, second]]
    counts = counts if isinstance(counts, np.ndarray) else counts.toarray()
    alike, possible = counts * (counts - 1), counts * (study.sizes - 1).clip(min=0)[:, None]
    totals, n = study.weights @ possible, study.n_pairable
    holding = float((study.weights @ (possible > 0)).min())
    if not totals.all() or holding < 2:
        return 1.0
    specific = (study.weights @ alike) / totals
    influence = n * (alike - specific * possible) / totals
    error = np.sqrt(float(study.weights @ (influence[:, 0] - influence[:, 1]) ** 2) / (n * (n - 1)))
    if not error:
        return 1.0
    tail = stdtr(holding - 1, -abs(float(specific[0] - specific[1])) / error)
    return float(min(2 * tail * n_categories * (n_categories - 1) / 2, 1.0))


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


@value
class HomogeneityTest:
    """A test that two coders share their habits; ``statistic`` is chi-squared unless the test is exact."""

    name: str
    statistic: float | None
    degrees_of_freedom: int | None
    p_value: float | None
    note: str | None = None

    def __str__(self) -> str:
        if self.p_value is None:
            return f"{self.name}: {self.note}"
        if self.statistic is None:
            return f"{self.name}: p = {self.p_value:.3g}"
        return (
            f"{self.name}: chi-squared = {self.statistic:.3f}, df = {self.degrees_of_freedom}, p = {self.p_value:.3g}"
        )


def homogeneity_tests(table: CrossTable | ArrayLike) -> tuple[HomogeneityTest, ...]:
    """The tests that fit the table: McNemar for two categories, Stuart-Maxwell and Bowker for any number."""
    cells = CrossTable.of(table)
    two = (mcnemar(cells, exact=True), mcnemar(cells)) if cells.size == 2 else ()
    return (*two, stuart_maxwell(cells), bowker(cells))


def mcnemar(table: CrossTable | ArrayLike, *, exact: bool = False, corrected: bool = False) -> HomogeneityTest:
    r"""McNemar's test, :math:`\chi^2 = (n_{12} - n_{21})^2 / (n_{12} + n_{21})`.

    The ``exact`` test lets disagreements fall to either side like a fair coin and doubles the smaller tail;
    ``corrected`` subtracts 1 from the difference first (Edwards).

    References: McNemar (1947).

    >>> round(mcnemar([[40, 2], [10, 48]], exact=True).p_value, 5)
    0.03857
    """
    cells = CrossTable.of(table)
    if cells.size != 2:
        raise InvalidInputError("McNemar's test is for two categories; with more, use stuart_maxwell.")
    one, other = int(cells.at(0, 1)), int(cells.at(1, 0))
    name = "mcnemar_exact" if exact else "mcnemar_corrected" if corrected else "mcnemar"
    if one + other == 0:
        return _test_result(name, note=NOTHING)
    if exact:
        return _test_result(name, p_value=min(1.0, 2 * float(bdtr(min(one, other), one + other, 0.5))))
    difference = max(abs(one - other) - (1 if corrected else 0), 0)
    return _test_result(name, difference**2 / (one + other), 1)


def stuart_maxwell(table: CrossTable | ArrayLike) -> HomogeneityTest:
    r"""Stuart and Maxwell's test that both coders use every category equally often.

    .. math:: \chi^2 = d' S^{-1} d

    with :math:`d_i = n_{i\cdot} - n_{\cdot i}` and its covariance under homogeneity. Categories without any
    disagreement carry no information and are left out.

    References: Stuart (1955); Maxwell (1970).
    """
    apart = CrossTable.of(table).apart()
    confused = np.unique(np.concatenate([apart.first, apart.second]))
    if not len(confused) or len(confused) > MOST_TESTED:
        return _test_result("stuart_maxwell", note=TOO_MANY if len(confused) else NOTHING)
    counts = np.zeros((len(confused), len(confused)))
    counts[np.searchsorted(confused, apart.first), np.searchsorted(confused, apart.second)] = apart.items
    difference = counts.sum(axis=1) - counts.sum(axis=0)
    covariance = np.diag(counts.sum(axis=1) + counts.sum(axis=0)) - counts - counts.T
    rank = int(np.linalg.matrix_rank(covariance, hermitian=True))
    statistic = float(difference @ np.linalg.pinv(covariance, hermitian=True) @ difference)
    return _test_result("stuart_maxwell", statistic, rank)


def bowker(table: CrossTable | ArrayLike) -> HomogeneityTest:
    r"""Bowker's test of symmetry, :math:`\chi^2 = \sum_{i<j} (n_{ij} - n_{ji})^2 / (n_{ij} + n_{ji})`.

    Pairs of categories that were never confused add nothing, neither to the statistic nor to its degrees of
    freedom. A skewed pair shows coders who draw a line in different places.

    References: Bowker (1948).
    """
    _, _, one, other = CrossTable.of(table).directions()
    if not len(one):
        return _test_result("bowker", note=NOTHING)
    return _test_result("bowker", float(((one - other) ** 2 / (one + other)).sum()), len(one))


def _test_result(
    name: str,
    statistic: float | None = None,
    degrees_of_freedom: int | None = None,
    *,
    p_value: float | None = None,
    note: str | None = None,
) -> HomogeneityTest:
    if statistic is not None:
        p_value = float(chdtrc(degrees_of_freedom, statistic))
    return HomogeneityTest(
        name=name, statistic=statistic, degrees_of_freedom=degrees_of_freedom, p_value=p_value, note=note
    )
