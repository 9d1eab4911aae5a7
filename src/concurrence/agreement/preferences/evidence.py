"""What intervals and tests of comparisons rest on: the coders where there are several, otherwise the comparisons.

The comparisons of one coder follow that coder's taste, so they are not independent. Leaving out each coder in turn
shows how much coders differ; the number of coders, not that of comparisons, says how well that is known.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import erfc, ndtri, stdtr, stdtrit

from concurrence.agreement.preferences.model import ComparisonCounts, Fit, fit
from concurrence.core import Interval
from concurrence.core.arrays import Reals
from concurrence.core.sentences import count_noun

FEWEST_CODERS = 3  # with fewer, leaving out one says nothing
MOST_LEFT_OUT = 1000  # times that comparisons are left out; with more coders, several at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """A fit with the errors of its parameters.

    ``by_coders`` is their covariance from leaving out each coder in turn, and ``degrees`` what it is worth in degrees
    of freedom; both only where there are coders enough. ``doubt`` says why errors cannot be trusted.
    """

    fitted: Fit
    by_coders: Reals | None = None
    degrees: float = np.inf
    doubt: str | None = None

    @property
    def method(self) -> str:
        return "information" if self.by_coders is None else "coders"

    @property
    def methods(self) -> tuple[str, ...]:
        """Everything that errors may rest on, the one to report last."""
        return ("information",) if self.by_coders is None else ("information", "coders")

    @property
    def trusted(self) -> bool:
        return self.doubt is None

    def errors(self, contrasts: Reals, method: str) -> Reals:
        """The standard errors of sums of parameters: (..., parameters) to (...).

        Coders who differ by chance less than independent comparisons would do not make the error smaller.
        """
        error = _quadratic_root(contrasts, self.fitted.covariance)
        if method == "coders" and self.by_coders is not None:
            return np.maximum(error, _quadratic_root(contrasts, self.by_coders))
        return error

    def interval(self, value: float, error: float, level: float, method: str) -> Interval:
        tail = (1 + level) / 2
        reach = error * float(stdtrit(self.degrees, tail) if method == "coders" else ndtri(tail))
        return Interval(low=value - reach, high=value + reach, level=level, method=method)

    def p_values(self, statistics: Reals) -> Reals:
        """Two-sided, of values over their errors; NaN where no test can be trusted."""
        if not self.trusted:
            return np.full_like(statistics, np.nan)
        if self.method == "coders":
            return np.asarray(2 * stdtr(self.degrees, -np.abs(statistics)))
        return np.asarray(erfc(np.abs(statistics) / sqrt(2)))

    @property
    def ratio(self) -> float:
        """How much larger the errors of the strengths are by coders than those of independent comparisons."""
        contrasts = self.fitted.strength_contrasts
        if self.by_coders is None:
            return float("nan")
        return float(np.median(_quadratic_root(contrasts, self.by_coders) / self.errors(contrasts, "information")))


def _quadratic_root(contrasts: Reals, covariance: Reals) -> Reals:
    return np.asarray(np.sqrt(np.maximum(np.einsum("...i,ij,...j->...", contrasts, covariance, contrasts), 0.0)))


def evidence_of(design: ComparisonCounts, fitted: Fit) -> Evidence:
    """The errors of a fit, by coders where several compared.

    One coder is asked about that coder alone; where nobody knows who compared, comparisons count as independent.
    """
    of_coder = design.counts.sum(axis=(1, 2))
    active = design.counts[of_coder > 0]
    n = len(active)
    if n == 1:
        return Evidence(fitted=fitted)
    degrees = _degrees(of_coder[of_coder > 0])
    if degrees < FEWEST_CODERS - 1 - 1e-9:
        return Evidence(fitted=fitted, doubt=_too_few(n))
    by_coders = leave_out_coders(design, active)
    if by_coders is None:
        why = "Without the comparisons of one of the coders, the items are no longer linked"
        return Evidence(fitted=fitted, doubt=f"{why}, so that how much coders differ is not known")
    return Evidence(fitted=fitted, by_coders=by_coders, degrees=degrees)


def _too_few(n: int) -> str:
    if n < FEWEST_CODERS:
        return f"{count_noun(n, 'coder').capitalize()} cannot show how much coders differ"
    return f"Nearly all comparisons are by one or two of the {n:,} coders, which cannot show how much coders differ"


def _degrees(sizes: Reals) -> float:
    """The degrees of freedom of a variance between coders who made so many comparisons each (Satterthwaite).

    >>> _degrees(np.array([10.0, 10.0, 10.0, 10.0, 10.0]))
    4.0
    """
    return float((sizes**2).sum() ** 2 / (sizes**4).sum() - 1)


def leave_out_coders(design: ComparisonCounts, counts: Reals) -> Reals | None:
    """The covariance of the parameters from leaving out each coder in turn (with reduced bias), if all can be.

    References: Efron (1987).
    """
    if len(counts) > MOST_LEFT_OUT:
        counts = np.stack([counts[k::MOST_LEFT_OUT].sum(axis=0) for k in range(MOST_LEFT_OUT)])
    start = fit(design, design.together, reduced=True).parameters
    left_out = []
    for own in counts:
        again = fit(design, design.together - own, reduced=True, start=start)
        if not again.converged or np.linalg.matrix_rank(again.covariance) < len(again.covariance):
            return None
        left_out.append(again.parameters)
    spread = np.array(left_out) - np.mean(left_out, axis=0)
    n = len(counts)
    return np.asarray((n - 1) / n * spread.T @ spread)
