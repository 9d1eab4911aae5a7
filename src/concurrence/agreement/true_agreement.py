"""How much of the agreement is true: the dual model's intervals, as a value."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from concurrence.agreement import dual_model as dual
from concurrence.core import Interval, InvalidInputError
from concurrence.core.notebook import html_sentences, html_table

NOTHING_FITS = "no amount of true agreement explains these data"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrueAgreement:
    """The rate of true agreement of two coders on a yes/no decision, as shares of all items.

    ``homogeneity`` assumes that true and chance agreement have the same share of *yes*; ``conservative``
    assumes nothing (Fisher's test), ``conservative_kappa`` the same with a test of kappa = 0. An interval is
    ``None`` where no amount of true agreement explains the table.
    """

    table: tuple[tuple[int, int], tuple[int, int]]
    level: float
    estimate: float
    homogeneity: Interval | None
    conservative: Interval | None
    conservative_kappa: Interval | None

    @property
    def n_items(self) -> int:
        """How many items both coders decided."""
        return sum(map(sum, self.table))

    @property
    def value(self) -> float:
        """The point estimate under homogeneity."""
        return self.estimate

    @property
    def note(self) -> str | None:
        """What a reader must know where a number is missing."""
        models = {
            "under homogeneity": self.homogeneity,
            "by Fisher's test": self.conservative,
            "by the test of kappa": self.conservative_kappa,
        }
        empty = [name for name, interval in models.items() if interval is None]
        if empty:
            where = "" if len(empty) == len(models) else f" {' or '.join(empty)}"
            return f"{NOTHING_FITS.capitalize()}{where}."
        if np.isnan(self.estimate):
            return "All labels are one category, so nothing tells true agreement from coincidence."
        return None

    def _repr_html_(self) -> str:
        known = (("homogeneity", self.homogeneity), ("conservative", self.conservative))
        rows = [(name, *interval) for name, interval in known if interval is not None]
        return html_sentences([str(self)]) + html_table(("true agreement", f"{self.level:.0%} from", "to"), rows)

    def __str__(self) -> str:
        if self.homogeneity is None:
            return f"true agreement: {NOTHING_FITS} ({self.n_items} items)"
        low, high = self.homogeneity
        found = "undefined" if np.isnan(self.estimate) else f"{self.estimate:.1%}"
        return (
            f"true agreement = {found} [{low:.1%}, {high:.1%}] ({self.level:.0%} CI, homogeneity, {self.n_items} items)"
        )


def true_agreement(table: Any, *, level: float = 0.95, kappa_error: str = "null") -> TrueAgreement:
    """The rate of true agreement from a 2x2 table, rows the first coder, *yes* first.

    ``kappa_error`` chooses the standard error of the kappa test: ``null`` (its square is chi-squared) or
    ``non-null``.

    >>> found = true_agreement([[40, 15], [20, 25]])
    >>> print(found)
    true agreement = 28.7% [9.0%, 44.0%] (95% CI, homogeneity, 100 items)
    >>> tuple(found.conservative)
    (0.06, 0.46)

    References: Krenn, Evert & Zinsmeister (2004).
    """
    counts = _checked(table)
    if not 0 < level < 1:
        raise InvalidInputError(f"The level must lie between 0 and 1, such as 0.95, not {level:g}.")
    n12, n21 = int(counts[0, 1]), int(counts[1, 0])
    n = int(counts.sum())
    return TrueAgreement(
        table=((int(counts[0, 0]), n12), (n21, int(counts[1, 1]))),
        level=level,
        estimate=dual.homogeneity_estimate(counts),
        homogeneity=_shares(dual.homogeneity_bounds(counts, level), n, level),
        conservative=_shares(dual.conservative_bounds(counts, dual.fisher_test(n12, n21, level)), n, level),
        conservative_kappa=_shares(_kappa_bounds(counts, level, kappa_error), n, level),
    )


def _kappa_bounds(counts: NDArray[np.int64], level: float, error: str) -> dual.Bounds:
    n12, n21 = int(counts[0, 1]), int(counts[1, 0])
    if error == "null":
        return dual.conservative_bounds(counts, dual.kappa_test(n12, n21, level))
    if error != "non-null":
        raise InvalidInputError(f"The error of the kappa test is 'null' or 'non-null', not {error!r}.")
    n11, n22 = int(counts[0, 0]), int(counts[1, 1])
    accepted = [m for m in range(n11 + n22 + 1) if _some_division_fits(n11, n12, n21, n22, m, level)]
    return (accepted[0], accepted[-1]) if accepted else None


def _some_division_fits(n11: int, n12: int, n21: int, n22: int, m: int, level: float) -> bool:
    """Whether kappa over its own (non-null) error is small for some division of m."""
    a = np.arange(max(0, n11 - m), n11 - max(0, m - n22) + 1)
    p = np.stack([a, np.full_like(a, n12), np.full_like(a, n21), n11 + n22 - m - a]) / max(1, n11 + n12 + n21 + n22 - m)
    row, column = p[0] + p[1], p[0] + p[2]
    chance = row * column + (1 - row) * (1 - column)
    missed = p[1] + p[2]
    own = p[0] * (1 - chance - (row + column) * missed) ** 2
    own += p[3] * (1 - chance - (2 - row - column) * missed) ** 2
    other = missed**2 * (p[1] * (column + 1 - row) ** 2 + p[2] * (1 - column + row) ** 2)
    spread = own + other - ((1 - missed) * chance - 2 * chance + 1 - missed) ** 2
    limit = float(ndtri((1 + level) / 2)) ** 2 * np.maximum(spread, 0) / max(1, n11 + n12 + n21 + n22 - m)
    return bool((((1 - missed - chance) * (1 - chance)) ** 2 <= limit + 1e-12).any())


def _checked(table: Any) -> NDArray[np.int64]:
    counts = np.asarray(table)
    if counts.shape != (2, 2):
        raise InvalidInputError("True agreement takes a 2x2 table of counts: yes and no of two coders.")
    if (counts < 0).any() or (counts != np.floor(counts)).any() or counts.sum() == 0:
        raise InvalidInputError("A table of counts holds whole numbers that are not negative, and not all are zero.")
    return counts.astype(np.int64)


def _shares(bounds: dual.Bounds, n: int, level: float) -> Interval | None:
    if bounds is None:
        return None
    return Interval(low=bounds[0] / n, high=bounds[1] / n, level=level, method="exact")
