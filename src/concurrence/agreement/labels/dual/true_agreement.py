"""How much of the agreement is true: the dual model's intervals, as a value."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from concurrence.agreement.labels.dual import model as dual
from concurrence.core import InvalidInputError
from concurrence.core.checks import check_level
from concurrence.core.frames import rows_as_frame
from concurrence.core.results import Result
from concurrence.core.values import value
from concurrence.kernels.cross_table import CrossTable

if TYPE_CHECKING:
    import polars as pl

NOTHING_FITS = "no amount of true agreement explains these data"
MOST_CATEGORIES = 100


@value
class Bounds:
    """The smallest and the largest share of items that can be truly agreed upon; NaN where no share can be."""

    low: float
    high: float

    def __iter__(self) -> Iterator[float]:
        """Unpack as ``low, high``."""
        yield self.low
        yield self.high

    @property
    def width(self) -> float:
        """How much is left open."""
        return self.high - self.low

    @property
    def empty(self) -> bool:
        """Whether no amount of true agreement explains the data."""
        return bool(np.isnan(self.low))


@value
class TrueAgreement(Result):
    """The rate of true agreement of two coders on a yes/no decision, as shares of all ``n`` items.

    ``homogeneity`` assumes that true and chance agreement have the same share of *yes*; ``conservative``
    assumes nothing (Fisher's test), ``conservative_kappa`` the same with a test of kappa = 0. ``estimate`` lies inside
    ``homogeneity``; it is NaN where no amount of true agreement fits.
    """

    estimate: float
    homogeneity: Bounds
    conservative: Bounds
    conservative_kappa: Bounds
    n: int
    table: tuple[tuple[int, ...], ...]
    level: float
    note: str | None = None

    @property
    def value(self) -> float:
        """The point estimate under homogeneity."""
        return self.estimate

    def to_frame(self) -> "pl.DataFrame":
        """One row per interval as a table (polars): what it assumes, where it lies, and the estimate."""
        names = ("homogeneity", "conservative", "conservative_kappa")
        return rows_as_frame(
            {
                "assumption": name,
                "estimate": self.estimate if name == "homogeneity" else None,
                "low": getattr(self, name).low,
                "high": getattr(self, name).high,
                "level": self.level,
                "items": self.n,
            }
            for name in names
        )

    def __str__(self) -> str:
        if self.homogeneity.empty:
            return f"true agreement: {NOTHING_FITS} ({self.n} items)"
        low, high = self.homogeneity
        estimate = "undefined" if np.isnan(self.estimate) else f"{self.estimate:.1%}"
        return f"true agreement = {estimate} [{low:.1%}, {high:.1%}] ({self.level:.0%} CI, homogeneity, {self.n} items)"


@value
class TrueAgreementByCategory(Result):
    """True agreement on each of more than two categories against the rest."""

    by_category: dict[str, TrueAgreement]


def true_agreement(table: Any, *, level: float = 0.95, kappa_error: str = "null") -> TrueAgreement:
    """The rate of true agreement from a 2x2 table, rows the first coder, *yes* first.

    ``kappa_error`` chooses the standard error of the kappa test: ``null`` (its square is chi-squared) or
    ``non-null``.

    >>> truth = true_agreement([[40, 15], [20, 25]])
    >>> print(truth)
    true agreement = 28.7% [9.0%, 44.0%] (95% CI, homogeneity, 100 items)
    >>> tuple(truth.conservative)
    (0.06, 0.46)

    References: Krenn, Evert & Zinsmeister (2004).
    """
    counts = np.asarray(table)
    if counts.shape != (2, 2):
        raise InvalidInputError("True agreement takes a 2x2 table of counts: yes and no of two coders.")
    if (counts < 0).any() or (counts != np.floor(counts)).any() or counts.sum() == 0:
        raise InvalidInputError("A table of counts holds whole numbers that are not negative, and not all are zero.")
    check_level(level)
    counts = counts.astype(np.int64)
    n12, n21, n = int(counts[0, 1]), int(counts[1, 0]), int(counts.sum())
    ranges = {
        "under homogeneity": dual.homogeneity_range(counts, level),
        "by Fisher's test": dual.conservative_range(counts, dual.fisher_test(n12, n21, level)),
        "by the test of kappa": _kappa_range(counts, level, kappa_error),
    }
    nowhere = (float("nan"), float("nan"))
    bounds = [Bounds(low=low / n, high=high / n) for low, high in (accepted or nowhere for accepted in ranges.values())]
    estimate = float(np.clip(dual.homogeneity_estimate(counts), *bounds[0]))  # it is a share of whole items
    empty = [name for name, accepted in ranges.items() if accepted is None]
    note = None
    if empty:
        where = "" if len(empty) == len(ranges) else f" {' or '.join(empty)}"
        note = f"{NOTHING_FITS.capitalize()}{where}."
    elif np.isnan(estimate):
        note = "All labels are one category, so nothing tells true agreement from coincidence."
    return TrueAgreement(
        estimate=estimate,
        homogeneity=bounds[0],
        conservative=bounds[1],
        conservative_kappa=bounds[2],
        n=n,
        table=tuple(tuple(int(cell) for cell in row) for row in counts),
        level=level,
        note=note,
    )


def true_agreement_by_category(
    table: CrossTable, categories: Sequence[str], *, level: float
) -> TrueAgreement | TrueAgreementByCategory | None:
    """True agreement from the table of two coders: of two categories, or of each of more against the rest."""
    n = int(table.n)
    if n == 0 or not 2 <= len(categories) <= MOST_CATEGORIES:
        return None
    tables = {}
    cells = np.vstack([table.diagonal, table.totals]).astype(np.int64).T
    for category, (both, row, column) in zip(categories, cells.tolist(), strict=True):
        tables[category] = [[both, row - both], [column - both, n - row - column + both]]
    if len(categories) == 2:
        return true_agreement(tables[categories[0]], level=level)
    return TrueAgreementByCategory(
        by_category={category: true_agreement(table, level=level) for category, table in tables.items()}
    )


def _kappa_range(counts: NDArray[np.int64], level: float, error: str) -> dual.Range:
    n12, n21 = int(counts[0, 1]), int(counts[1, 0])
    if error == "null":
        return dual.conservative_range(counts, dual.kappa_test(n12, n21, level))
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
