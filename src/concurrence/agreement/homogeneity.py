"""Do two coders use the categories equally often? Tests of marginal homogeneity and of symmetry."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, chdtrc

from concurrence.core.errors import InvalidInputError


@dataclass(frozen=True, slots=True, kw_only=True)
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


def homogeneity_tests(table: ArrayLike) -> tuple[HomogeneityTest, ...]:
    """The tests that fit the table: McNemar for two categories, Stuart-Maxwell and Bowker for any number."""
    counts = _checked(table)
    two = (mcnemar_exact(counts), mcnemar(counts)) if len(counts) == 2 else ()
    return (*two, stuart_maxwell(counts), bowker(counts))


def mcnemar(table: ArrayLike, *, corrected: bool = False) -> HomogeneityTest:
    r"""McNemar's test, :math:`\chi^2 = (n_{12} - n_{21})^2 / (n_{12} + n_{21})`.

    ``corrected`` subtracts 1 from the difference first (Edwards).

    References: McNemar (1947).
    """
    one, other = _off_diagonal_pair(table)
    if one + other == 0:
        return _undefined("mcnemar")
    difference = max(abs(one - other) - (1 if corrected else 0), 0)
    return _chi_squared("mcnemar_corrected" if corrected else "mcnemar", difference**2 / (one + other), 1)


def mcnemar_exact(table: ArrayLike) -> HomogeneityTest:
    """McNemar's exact test: disagreements fall to either side like a fair coin; the smaller tail doubled.

    >>> round(mcnemar_exact([[40, 2], [10, 48]]).p_value, 5)
    0.03857
    """
    one, other = _off_diagonal_pair(table)
    if one + other == 0:
        return _undefined("mcnemar_exact")
    p_value = min(1.0, 2 * float(bdtr(min(one, other), one + other, 0.5)))
    return HomogeneityTest(name="mcnemar_exact", statistic=None, degrees_of_freedom=None, p_value=p_value)


def stuart_maxwell(table: ArrayLike) -> HomogeneityTest:
    r"""Stuart and Maxwell's test that both coders use every category equally often.

    .. math:: \chi^2 = d' S^{-1} d

    with :math:`d_i = n_{i\cdot} - n_{\cdot i}` and its covariance under homogeneity. Categories without any
    disagreement carry no information and are left out.

    References: Stuart (1955); Maxwell (1970).
    """
    counts = _checked(table)
    apart = counts - np.diag(np.diagonal(counts))
    confused = np.flatnonzero(apart.sum(axis=0) + apart.sum(axis=1))
    if not len(confused) or len(confused) > MOST_CATEGORIES:
        return _undefined("stuart_maxwell", TOO_MANY if len(confused) else NOTHING)
    counts = apart[np.ix_(confused, confused)]
    difference = counts.sum(axis=1) - counts.sum(axis=0)
    covariance = np.diag(counts.sum(axis=1) + counts.sum(axis=0)) - counts - counts.T
    rank = int(np.linalg.matrix_rank(covariance, hermitian=True))
    statistic = float(difference @ np.linalg.pinv(covariance, hermitian=True) @ difference)
    return _chi_squared("stuart_maxwell", statistic, rank)


def bowker(table: ArrayLike) -> HomogeneityTest:
    r"""Bowker's test of symmetry, :math:`\chi^2 = \sum_{i<j} (n_{ij} - n_{ji})^2 / (n_{ij} + n_{ji})`.

    Pairs of categories that were never confused add nothing, neither to the statistic nor to its degrees of
    freedom. A skewed pair shows coders who draw a line in different places.

    References: Bowker (1948).
    """
    counts = _checked(table)
    upper = np.triu_indices(len(counts), k=1)
    one, other = counts[upper], counts.T[upper]
    seen = one + other > 0
    if not seen.any():
        return _undefined("bowker")
    statistic = ((one - other)[seen] ** 2 / (one + other)[seen]).sum()
    return _chi_squared("bowker", float(statistic), int(seen.sum()))


def _checked(table: ArrayLike) -> NDArray[Any]:
    counts = np.asarray(table, dtype=np.float64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        raise InvalidInputError("Tests of homogeneity need a square table, the same categories both ways.")
    return counts


def _off_diagonal_pair(table: ArrayLike) -> tuple[int, int]:
    counts = _checked(table)
    if len(counts) != 2:
        raise InvalidInputError(f"McNemar's test is for two categories, not {len(counts)}; take stuart_maxwell.")
    return int(counts[0, 1]), int(counts[1, 0])


def _chi_squared(name: str, statistic: float, degrees_of_freedom: int) -> HomogeneityTest:
    return HomogeneityTest(
        name=name,
        statistic=statistic,
        degrees_of_freedom=degrees_of_freedom,
        p_value=float(chdtrc(degrees_of_freedom, statistic)),
    )


def _undefined(name: str, note: str = NOTHING) -> HomogeneityTest:
    return HomogeneityTest(name=name, statistic=None, degrees_of_freedom=None, p_value=None, note=note)
