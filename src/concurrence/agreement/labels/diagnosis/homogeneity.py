"""Do two coders use the categories equally often? Tests of marginal homogeneity and of symmetry."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr, chdtrc

from concurrence.core.errors import InvalidInputError
from concurrence.core.values import value
from concurrence.kernels.cross_table import CrossTable


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


NOTHING = "The coders never disagreed, so there is nothing to test."
TOO_MANY = "Too many categories are confused to test them all together."

MOST_CATEGORIES = 500


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
        return _tested(name, note=NOTHING)
    if exact:
        return _tested(name, p_value=min(1.0, 2 * float(bdtr(min(one, other), one + other, 0.5))))
    difference = max(abs(one - other) - (1 if corrected else 0), 0)
    return _tested(name, difference**2 / (one + other), 1)


def stuart_maxwell(table: CrossTable | ArrayLike) -> HomogeneityTest:
    r"""Stuart and Maxwell's test that both coders use every category equally often.

    .. math:: \chi^2 = d' S^{-1} d

    with :math:`d_i = n_{i\cdot} - n_{\cdot i}` and its covariance under homogeneity. Categories without any
    disagreement carry no information and are left out.

    References: Stuart (1955); Maxwell (1970).
    """
    apart = CrossTable.of(table).apart()
    confused = np.unique(np.concatenate([apart.first, apart.second]))
    if not len(confused) or len(confused) > MOST_CATEGORIES:
        return _tested("stuart_maxwell", note=TOO_MANY if len(confused) else NOTHING)
    counts = np.zeros((len(confused), len(confused)))
    counts[np.searchsorted(confused, apart.first), np.searchsorted(confused, apart.second)] = apart.items
    difference = counts.sum(axis=1) - counts.sum(axis=0)
    covariance = np.diag(counts.sum(axis=1) + counts.sum(axis=0)) - counts - counts.T
    rank = int(np.linalg.matrix_rank(covariance, hermitian=True))
    statistic = float(difference @ np.linalg.pinv(covariance, hermitian=True) @ difference)
    return _tested("stuart_maxwell", statistic, rank)


def bowker(table: CrossTable | ArrayLike) -> HomogeneityTest:
    r"""Bowker's test of symmetry, :math:`\chi^2 = \sum_{i<j} (n_{ij} - n_{ji})^2 / (n_{ij} + n_{ji})`.

    Pairs of categories that were never confused add nothing, neither to the statistic nor to its degrees of
    freedom. A skewed pair shows coders who draw a line in different places.

    References: Bowker (1948).
    """
    _, _, one, other = CrossTable.of(table).directions()
    if not len(one):
        return _tested("bowker", note=NOTHING)
    return _tested("bowker", float(((one - other) ** 2 / (one + other)).sum()), len(one))


def _tested(
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
