"""How much of the agreement is true: the amounts that the dual model accepts for a 2x2 table of two coders.

Of n items, m are truly agreed upon; on the rest any agreement is coincidence. An amount m is accepted where
chance explains the rest, and the interval is what is accepted. *Homogeneity* fixes how many of the m are
positive by their overall share; the *conservative* interval accepts m where any division of it will do.

References: Krenn, Evert & Zinsmeister (2004).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import partial
from math import log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc, ndtri

from concurrence.agreement.labels.dual.bisection import first_true
from concurrence.agreement.labels.dual.exact_homogeneity import exact_homogeneity_range
from concurrence.core import InvalidInputError
from concurrence.core.arrays import Reals
from concurrence.core.frames import rows_as_frame
from concurrence.core.options import check_level
from concurrence.core.results import Result
from concurrence.core.values import from_json, value
from concurrence.kernels import tails
from concurrence.kernels.cross_table import CrossTable

if TYPE_CHECKING:
    import polars as pl

METHODS = {"homogeneity": "homogeneity", "homogeneity_exact": "homogeneity, with the error of the rates"}
NOTHING_FITS = "no amount of true agreement explains these data"
MOST_CATEGORIES = 100
MOST_MOVED = 1 / 5  # of the width, by which the error of the rates may move an end before its interval is shown
MANY_DISAGREEMENTS = 10  # with fewer, the paper's interval was seen to cover .5 to .9
Range = tuple[int, int] | None
Score = Callable[..., Reals]
"""A score of what is left of the diagonal: it falls where there is less agreement than chance or, with ``above``, where
there is more; neither may be below 0."""

_SCAN = 4096
_MARGIN = 64
_ROUNDING = 1e-12


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


NOWHERE = Bounds(low=float("nan"), high=float("nan"))


@value
class TrueAgreement(Result):
    """The rate of true agreement of two coders on a yes/no decision, as shares of all ``n`` items.

    ``homogeneity`` assumes that true and chance agreement have the same share of *yes*, and takes the rates of the
    coders as known; ``homogeneity_exact`` carries their error; ``conservative`` assumes nothing (Fisher's test),
    ``conservative_kappa`` the same with a test of kappa = 0. ``interval`` is the one to report: ``homogeneity``, or
    ``homogeneity_exact`` where the former is too narrow (``interval_method``). ``estimate`` lies inside
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
    homogeneity_exact: Bounds = field(default_factory=lambda: NOWHERE)
    interval: Bounds = field(default_factory=lambda: NOWHERE)
    interval_method: str = "homogeneity"
    trusted: bool | None = None

    @property
    def value(self) -> float:
        """The point estimate under homogeneity."""
        return self.estimate

    def to_frame(self) -> "pl.DataFrame":
        """One row per interval as a table (polars): what it assumes, where it lies, and the estimate."""
        names = ("homogeneity", "conservative", "conservative_kappa", "homogeneity_exact")
        return rows_as_frame(
            {
                "assumption": name,
                "estimate": self.estimate if name.startswith("homogeneity") else None,
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
        low, high = self.interval
        how = METHODS[self.interval_method]
        estimate = "undefined" if np.isnan(self.estimate) else f"{self.estimate:.1%}"
        return f"true agreement = {estimate} [{low:.1%}, {high:.1%}] ({self.level:.0%} CI, {how}, {self.n} items)"


@value
class TrueAgreementByCategory(Result):
    """True agreement on each of more than two categories against the rest."""

    by_category: dict[str, TrueAgreement]


def read_true_agreement(data: dict[str, Any] | None) -> TrueAgreement | TrueAgreementByCategory | None:
    """What JSON holds: nothing, two categories, or one block for each of more."""
    if data is None:
        return None
    kind = TrueAgreementByCategory if "by_category" in data else TrueAgreement
    truth: TrueAgreement | TrueAgreementByCategory = from_json(kind, data)
    return truth


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
    if kappa_error not in ("null", "non-null"):
        raise InvalidInputError(f"The error of the kappa test is 'null' or 'non-null', not {kappa_error!r}.")
    counts = counts.astype(np.int64)
    n = int(counts.sum())
    ranges = {
        "under homogeneity": homogeneity_range(counts, level),
        "by Fisher's test": conservative_range(counts, level, fisher_score),
        "by the test of kappa": conservative_range(counts, level, kappa_score)
        if kappa_error == "null"
        else _non_null_range(counts, level),
    }
    bounds = [_bounds(accepted, n) for accepted in ranges.values()]
    estimate = float(np.clip(homogeneity_estimate(counts), *bounds[0]))  # it is a share of whole items
    empty = [name for name, accepted in ranges.items() if accepted is None]
    note = None
    if empty:
        where = "" if len(empty) == len(ranges) else f" {' or '.join(empty)}"
        note = f"{NOTHING_FITS.capitalize()}{where}."
    elif np.isnan(estimate):
        note = "All labels are one category, so nothing tells true agreement from coincidence."
    exact = _bounds(None if np.isnan(estimate) else exact_homogeneity_range(counts, level, round(estimate * n)), n)
    disagreed = int(counts[0, 1] + counts[1, 0])
    method = "homogeneity_exact" if is_too_narrow(bounds[0], exact, disagreed) else "homogeneity"
    return TrueAgreement(
        estimate=estimate,
        homogeneity=bounds[0],
        conservative=bounds[1],
        conservative_kappa=bounds[2],
        n=n,
        table=tuple(tuple(int(cell) for cell in row) for row in counts),
        level=level,
        note=note,
        homogeneity_exact=exact,
        interval=exact if method == "homogeneity_exact" else bounds[0],
        interval_method=method,
        trusted=None if bounds[0].empty else not exact.empty,
    )


def _bounds(accepted: Range, n: int) -> Bounds:
    return NOWHERE if accepted is None else Bounds(low=accepted[0] / n, high=accepted[1] / n)


def is_too_narrow(bounds: Bounds, exact: Bounds, disagreed: int) -> bool:
    """Whether the error of the rates moves an end outward, by more than a fifth of the width if many disagree."""
    moved = max(bounds.low - exact.low, exact.high - bounds.high)
    return bool(moved > (exact.width * MOST_MOVED if disagreed >= MANY_DISAGREEMENTS else 0.0))


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


def _non_null_range(counts: NDArray[np.int64], level: float) -> Range:
    """Smallest and largest m of which some division has a kappa that is small beside its own (non-null) error."""
    (n11, n12), (n21, n22) = counts.tolist()
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


def fisher_score(a: Any, d: Any, n12: int, n21: int, *, level: float, above: bool) -> Reals:
    """Fisher's exact test, doubled smaller tail."""
    tail = tails.hypergeometric_log_upper if above else tails.hypergeometric_log_lower
    return tail(a, a + n12, a + n21, a + d + n12 + n21) - (log((1 - level) / 2) - _ROUNDING)


def kappa_score(a: Any, d: Any, n12: int, n21: int, *, level: float, above: bool) -> Reals:
    """Kappa over its null standard error, the signed root of chi-squared; 0 where a margin is empty."""
    root = kappa_root(a, d, n12, n21)
    return np.asarray(-root if above else root) - (float(ndtri((1 - level) / 2)) - _ROUNDING)


def kappa_root(a: Any, d: Any, n12: int, n21: int) -> Reals:
    """Kappa over its null standard error, for diagonals ``a`` and ``d``; 0 where a margin is empty."""
    a, d = np.asarray(a, dtype=np.float64), np.asarray(d, dtype=np.float64)
    margins = (a + n12) * (n21 + d) * (a + n21) * (n12 + d)
    excess = (a * d - float(n12) * n21) * np.sqrt(a + n12 + n21 + d)
    return np.asarray(np.divide(excess, np.sqrt(margins), out=np.zeros_like(margins), where=margins > 0))


def conservative_range(table: NDArray[Any], level: float, score: Score) -> Range:
    """Smallest and largest m that some division of it explains.

    Both scores are monotone in each diagonal cell; along a constant sum of the cells the first has one hill
    and the second one valley. So three nested bisections do what a double loop over all divisions would.
    """
    (n11, n12), (n21, n22) = np.asarray(table).tolist()
    most, side = n11 + n22, partial(score, n12=n12, n21=n21, level=level)

    def holds(a: Any, left: int, *, above: bool = False) -> bool:
        cells = np.atleast_1d(a)
        return bool((side(cells, left - cells, above=above) >= 0).any())

    def hill(left: int) -> tuple[int, int, int]:
        """The limits of the first cell, and where it shows least disagreement."""
        low, high = max(0, left - n22), min(n11, left)
        falls = lambda a: bool(np.diff(side(np.array([a, a + 1]), left - np.array([a, a + 1]), above=False))[0] <= 0)  # noqa: E731
        return low, first_true(falls, low, high), high

    def accepts(left: int) -> bool:
        low, top, high = hill(left)
        if not holds(top, left):
            return False
        begin = first_true(lambda a: holds(a, left), low, top)
        end = high - first_true(lambda step: holds(high - step, left), 0, high - top)
        return holds([begin, end], left, above=True)

    # more agreement than chance: an end of the valley is highest; less: the top of the hill
    first = first_true(lambda m: holds([max(0, n11 - m), min(n11, most - m)], most - m, above=True), 0, most)
    last = most - first_true(lambda left: holds(hill(left)[1], left), 0, most)
    while first <= last and not accepts(most - first):
        first += 1
    while last >= first and not accepts(most - last):
        last -= 1
    return (first, last) if first <= last else None


def homogeneity_range(table: NDArray[Any], level: float, *, scan: int = _SCAN) -> Range:
    """Smallest and largest m that explains the table where true agreement has the overall share of positives.

    Few items are scanned; many are bisected on the two stretches where the evidence runs one way, and the
    surroundings of each crossing are scanned.
    """
    most, least = int(table[0][0] + table[1][1]), (1 - level) / 2 * (1 - _ROUNDING)
    candidates = np.arange(most + 1) if most <= scan else _crossings(table, least, most)
    lower, upper, possible = _tails(table, candidates)
    accepted = candidates[possible & (lower >= least) & (upper >= least)]
    return (int(accepted.min()), int(accepted.max())) if len(accepted) else None


def homogeneity_p(table: NDArray[Any], m: NDArray[np.int64]) -> Reals:
    """The p-value (doubled smaller tail) of the agreement that each m leaves; NaN where m leaves impossible shares."""
    lower, upper, possible = _tails(table, m)
    return np.where(possible, np.minimum(2 * np.minimum(lower, upper), 1.0), np.nan)


def homogeneity_estimate(table: NDArray[Any]) -> float:
    """The share of true agreement under homogeneity; Scott's pi where both coders have the same marginals.

    >>> round(homogeneity_estimate(np.array([[45, 5], [5, 45]])), 6)
    0.8
    """
    apart, disagreed, open_to_skill = _shape(table)
    if open_to_skill <= 0:
        return float("nan")
    inside = max(disagreed**2 - 8 * apart**2 * open_to_skill, 0.0)
    return float(1 - (disagreed + sqrt(inside)) / (2 * open_to_skill))


def _shape(table: NDArray[Any]) -> tuple[float, float, float]:
    """Half the difference of the coders' shares of *yes*, the share of disagreement, and 2 p (1 - p)."""
    p = np.asarray(table, dtype=np.float64) / np.sum(table)
    share = (2 * p[0, 0] + p[0, 1] + p[1, 0]) / 2
    return (p[0, 1] - p[1, 0]) / 2, p[0, 1] + p[1, 0], 2 * share * (1 - share)


def _tails(table: NDArray[Any], m: NDArray[np.int64]) -> tuple[Reals, Reals, NDArray[np.bool_]]:
    """Both tails of the agreement left after m, and whether m leaves possible shares at all."""
    (n11, n12), (n21, n22) = (tuple(int(x) for x in row) for row in table)
    n, row, column = n11 + n12 + n21 + n22, n11 + n12, n11 + n21
    left, agreed = n - m, n11 + n22 - m
    share = (row + column) / (2 * n)
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = (row - share * m) / left, (column - share * m) / left
    slack = _ROUNDING
    possible = (first >= -slack) & (first <= 1 + slack) & (second >= -slack) & (second <= 1 + slack)
    first, second = np.clip(first, 0, 1), np.clip(second, 0, 1)
    chance = np.clip(first * second + (1 - first) * (1 - second), 0, 1)
    lower = np.where(agreed == left, 1.0, betaincc(agreed + 1, np.maximum(left - agreed, 1), chance))
    upper = np.where(agreed == 0, 1.0, betainc(np.maximum(agreed, 1), left - agreed + 1, chance))
    return lower, upper, possible | (left == 0)


def _crossings(table: NDArray[Any], least: float, most: int) -> NDArray[np.int64]:
    """The surroundings of every m at which acceptance may begin or end."""

    def holds(m: int, side: int) -> bool:
        return bool(_tails(table, np.array([m]))[side][0] >= least)

    last = first_true(lambda m: not bool(_tails(table, np.array([m]))[2][0]), 0, most + 1) - 1
    # where the surplus of agreement, in standard errors, stops falling with m and rises again
    apart, disagreed, open_to_skill = _shape(table)
    turn = last
    if open_to_skill > 0 and apart != 0:
        v = (-disagreed + sqrt(disagreed**2 + 24 * apart**2 * open_to_skill)) / (2 * open_to_skill)
        turn = min(max(int(np.sum(table) * (1 - v)), 0), last)
    centres = [
        first_true(lambda m: holds(m, 1), 0, turn),
        first_true(lambda m: not holds(m, 0), 0, turn),
        first_true(lambda m: holds(m, 0), turn, last),
        first_true(lambda m: not holds(m, 1), turn, last),
        *(turn, last, 0),
    ]
    around = np.add.outer(centres, np.arange(-_MARGIN, _MARGIN + 1)).ravel()
    return np.unique(around[(around >= 0) & (around <= last)])
