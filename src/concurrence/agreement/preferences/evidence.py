"""What intervals and tests of strengths rest on: the information of the model, or the coders."""

from dataclasses import dataclass, replace
from math import nan, sqrt

import numpy as np
from scipy.special import erfc, ndtri, stdtr, stdtrit

from concurrence.agreement.preferences.model import ComparisonCounts, Fit, fit
from concurrence.core.arrays import Reals

FEWEST_CODERS = 5  # with fewer, leaving out one says nothing
MOST_CODERS = 1000  # up to which each is left out
ENOUGH_CODERS = 10  # from which intervals rest on the coders


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StrengthEvidence:
    """What intervals and tests rest on: the covariance of the strengths, and the degrees of freedom.

    ``by_coders`` is the covariance from leaving out each coder in turn, where there is one; with enough coders it is
    what is reported, since the comparisons of one coder need not be independent.
    """

    information: Reals
    by_coders: Reals | None
    coders: int

    @property
    def method(self) -> str:
        return "coders" if self.by_coders is not None and self.coders >= ENOUGH_CODERS else "information"

    @property
    def covariance(self) -> Reals:
        return self.by_coders if self.by_coders is not None and self.method == "coders" else self.information

    @property
    def ratio(self) -> float:
        """How much larger the errors by coders are than those of the information."""
        if self.by_coders is None:
            return nan
        return float(np.median(np.sqrt(np.diag(self.by_coders) / np.diag(self.information))))

    def quantile(self, level: float, method: str) -> float:
        tail = (1 + level) / 2
        return float(stdtrit(self.coders - 1, tail) if method == "coders" else ndtri(tail))

    def p_values(self, statistics: Reals) -> Reals:
        if self.method == "coders":
            return np.asarray(2 * stdtr(self.coders - 1, -np.abs(statistics)))
        return np.asarray(erfc(np.abs(statistics) / sqrt(2)))


def strength_evidence(design: ComparisonCounts, chosen: Fit, reduced: Fit) -> StrengthEvidence:
    """The information of the fit, and what leaving out each coder in turn gives (with reduced bias).

    The second needs five coders, and items that are linked without any one of them.
    """
    n = len(design.counts)
    alone = StrengthEvidence(information=chosen.strength_covariance, by_coders=None, coders=n)
    if not FEWEST_CODERS <= n <= MOST_CODERS:
        return alone
    left_out = []
    for own in design.counts:
        again = fit(design, design.together - own, reduced=True, start=reduced.parameters)
        if not again.converged or np.linalg.matrix_rank(again.covariance) < len(again.covariance):
            return alone
        left_out.append(again.strengths)
    spread = np.array(left_out) - np.mean(left_out, axis=0)
    return replace(alone, by_coders=(n - 1) / n * spread.T @ spread)
