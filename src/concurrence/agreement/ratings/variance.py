"""Where ratings vary: between items, between coders, and beyond both.

Every rating is y_ij = mean + item i + coder j + the rest. Where every coder rated every item the mean squares of the
analysis of variance say all there is to say; where ratings are missing, the variances are estimated by restricted
maximum likelihood (REML), and the mean squares are those that a complete table with the same variances would have.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf, log, nan

import numpy as np

from concurrence.core.arrays import Reals
from concurrence.core.values import value

LOWEST, HIGHEST = -16.0, 24.0  # logarithms of the ratios of two variances that are looked at
NOTHING = 1e-6  # a share of variance below this is zero that the search could not reach
ROUNDING = 1e-12  # of the largest distance from the mean; what varies less does not vary


@value
class VarianceComponents:
    """The variance between items, between coders, and of the rest; ``method`` is ``anova`` or ``reml``."""

    items: float
    coders: float
    error: float
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanSquares:
    """What the F distributions of the intraclass correlations need.

    ``between`` items, ``coders``, ``error`` (after coders) and ``within`` items (coders and error together), each with
    its degrees of freedom. ``per_item`` ratings and ``per_coder`` ratings are n and k of a complete table.
    """

    between: float
    coders: float
    error: float
    within: float
    free_between: float
    free_coders: float
    free_error: float
    free_within: float
    per_item: float
    per_coder: float


def complete_mean_squares(ratings: Reals, *, rounding: float = 0.0) -> MeanSquares:
    """The mean squares of a table without gaps, items x coders; ``rounding`` is how exact its numbers are.

    >>> squares = complete_mean_squares(np.array([[9, 2], [6, 1], [8, 4], [7, 1.0]]))
    >>> round(squares.between, 3), round(squares.error, 3)
    (2.833, 0.833)
    """
    n, k = ratings.shape
    centred = ratings - ratings.mean()
    of_items, of_coders = centred.mean(axis=1), centred.mean(axis=0)
    rest = centred - of_items[:, None] - of_coders[None, :]
    least = _least(centred, rounding)
    between, coders = k * _sum_of_squares(of_items, least), n * _sum_of_squares(of_coders, least)
    error = _sum_of_squares(rest, least)
    return MeanSquares(
        between=between / (n - 1),
        coders=coders / (k - 1),
        error=error / ((n - 1) * (k - 1)),
        within=(coders + error) / (n * (k - 1)),
        free_between=n - 1,
        free_coders=k - 1,
        free_error=(n - 1) * (k - 1),
        free_within=n * (k - 1),
        per_item=k,
        per_coder=n,
    )


def _least(centred: Reals, rounding: float) -> float:
    """The size below which numbers are only rounding errors, of the arithmetic or of the ratings themselves."""
    return max(ROUNDING * float(np.abs(centred).max()), rounding)


def _sum_of_squares(values: Reals, least: float) -> float:
    """The sum of squares; 0 if it is only rounding error."""
    total = float((values**2).sum())
    return total if total > values.size * least**2 else 0.0


def complete_components(squares: MeanSquares) -> VarianceComponents:
    """The variances of a complete table; none is below 0."""
    return VarianceComponents(
        items=max(squares.between - squares.error, 0.0) / squares.per_item,
        coders=max(squares.coders - squares.error, 0.0) / squares.per_coder,
        error=squares.error,
        method="anova",
    )


@dataclass(frozen=True, eq=False)
class Gaps:
    """Ratings with gaps, centred: where they are (1 or 0), their sums, and how many each item and each coder has.

    What varies by less than ``least`` is rounding alone.
    """

    present: Reals
    ratings: Reals
    least: float

    @classmethod
    def of(cls, ratings: Reals, *, rounding: float = 0.0) -> "Gaps":
        """The ratings of items x coders; NaN is a gap, and ``rounding`` is how exact they are."""
        present = np.isfinite(ratings)
        centred = np.where(present, ratings - np.nanmean(ratings), 0.0)
        return cls(present.astype(np.float64), centred, _least(centred, rounding))

    @property
    def connected(self) -> bool:
        """Whether every two coders are linked by items that both rated, if need be through other coders."""
        from scipy.sparse import coo_array  # takes longer to load than to run
        from scipy.sparse.csgraph import connected_components

        n, m = self.present.shape
        rows, columns = np.nonzero(self.present)
        graph = coo_array((np.ones(len(rows)), (rows, columns + n)), shape=(n + m, n + m))
        return int(connected_components(graph, directed=False)[0]) == 1

    @cached_property
    def shift(self) -> Reals:
        """How much higher each coder rates than the mean of all coders, items taken into account."""
        matrix, right, _, _ = self.absorbed(inf)
        shift = np.linalg.pinv(matrix, hermitian=True) @ right
        centred: Reals = shift - shift.mean()
        return centred

    @cached_property
    def scatter(self) -> float:
        """The sum of squares that items and coders leave."""
        return self._within_items(self.items, self.ratings - self.present * self.shift)

    @cached_property
    def items(self) -> Reals:
        """The mean rating of each item, the levels of its coders taken into account."""
        level: Reals = self.means - (self.present @ self.shift) / self.present.sum(axis=1)
        return level

    @cached_property
    def means(self) -> Reals:
        """The mean rating of each item."""
        mean: Reals = self.ratings.sum(axis=1) / self.present.sum(axis=1)
        return mean

    @cached_property
    def within(self) -> float:
        """The sum of squares within items."""
        return self._within_items(self.means, self.ratings)

    def _within_items(self, items: Reals, ratings: Reals) -> float:
        return _sum_of_squares((ratings - items[:, None])[self.present > 0], self.least)

    def absorbed(self, ratio: float) -> tuple[Reals, Reals, float, float]:
        """The normal equations of the coders after items with this ratio of variance to error were absorbed.

        Matrix and right side, the sum of squares of the ratings, and the logarithm of the determinant. An infinite
        ratio compares coders within items alone.
        """
        per_item = self.present.sum(axis=1)
        weight = 1 / per_item if ratio == inf else ratio / (1 + ratio * per_item)
        sums = self.ratings.sum(axis=1)
        matrix = np.diag(self.present.sum(axis=0)) - (self.present * weight[:, None]).T @ self.present
        right = self.ratings.sum(axis=0) - self.present.T @ (weight * sums)
        squares = float((self.ratings**2).sum() - weight @ sums**2)
        return matrix, right, squares, nan if ratio == inf else float(np.log1p(ratio * per_item).sum())


def reml_components(gaps: Gaps) -> VarianceComponents:
    """Items and coders at random: the variances that make the ratings most likely (REML).

    Where the search ends at its upper edge, hardly any scatter is left, or none at all.
    """
    if gaps.scatter == 0:
        return _by_effects(gaps)
    from scipy.optimize import minimize  # takes longer to load than to run

    size = gaps.present.sum()

    def criterion(logs: Reals) -> float:
        squares, determinants = _random_coders(gaps, *np.exp(logs))
        return float((size - 1) * log(max(squares, 1e-300)) + determinants)

    starts = [np.array([a, b]) for a, b in ((0.0, -3.0), (1.0, 0.5))]
    bounds = [(LOWEST, HIGHEST)] * 2
    solutions = [minimize(criterion, start, method="L-BFGS-B", bounds=bounds, tol=1e-12) for start in starts]
    best = min(solutions, key=lambda one: one.fun)
    best = minimize(criterion, best.x, method="Nelder-Mead", bounds=bounds, options={"xatol": 1e-9, "fatol": 1e-12})
    if best.x[0] > HIGHEST - 1:
        return _by_effects(gaps)
    items, coders = (_ratio(one) for one in best.x)
    error = float(_random_coders(gaps, items, coders)[0] / (size - 1))
    return VarianceComponents(items=items * error, coders=coders * error, error=error, method="reml")


def _by_effects(gaps: Gaps) -> VarianceComponents:
    """What REML goes to where scatter vanishes beside the items: items and coders are known, and so is how they vary.

    The levels of the coders are the less certain of the two, by the trace of their normal equations' inverse.
    """
    n, m = gaps.present.shape
    error = gaps.scatter / max(float(gaps.present.sum()) - n - m + 1, 1.0)
    sure = float(np.trace(np.linalg.pinv(gaps.absorbed(inf)[0], hermitian=True)))
    coders = max(float((gaps.shift**2).sum()) - error * sure, 0.0) / (m - 1)
    least = gaps.least**2
    return VarianceComponents(
        items=float(gaps.items.var(ddof=1)),
        coders=coders if coders > least else 0.0,
        error=error,
        method="reml",
    )


def reml_items(gaps: Gaps, *, by_coder: bool) -> tuple[float, float]:
    """Items at random, each coder with a mean of its own or all with one: variances of items and of the rest."""
    n, m = gaps.present.shape
    size, fixed = gaps.present.sum(), m if by_coder else 1
    means = gaps.items if by_coder else gaps.means
    left, free = (gaps.scatter, size - n - m + 1) if by_coder else (gaps.within, size - n)
    if left == 0:
        return float(means.var(ddof=1)), 0.0
    parts = _fixed_coders if by_coder else _one_mean

    def criterion(logarithm: float) -> float:
        squares, determinants = parts(gaps, exp(logarithm))
        return float((size - fixed) * log(max(squares, 1e-300)) + determinants)

    best = _lowest(criterion)
    if best > HIGHEST - 1:
        return float(means.var(ddof=1)), left / float(free)
    ratio = _ratio(best)
    error = float(parts(gaps, ratio)[0] / (size - fixed))
    return ratio * error, error


def _lowest(criterion: Callable[[float], float]) -> float:
    from scipy.optimize import minimize_scalar  # takes longer to load than to run

    grid = np.arange(LOWEST, HIGHEST + 1)
    place = int(np.argmin([criterion(point) for point in grid]))
    bounds = grid[max(place - 1, 0)], grid[min(place + 1, len(grid) - 1)]
    return float(minimize_scalar(criterion, bounds=bounds, method="bounded", options={"xatol": 1e-10}).x)


def _ratio(logarithm: float) -> float:
    ratio = exp(logarithm)
    return ratio if ratio > NOTHING else 0.0


def _random_coders(gaps: Gaps, items: float, coders: float) -> tuple[float, float]:
    from scipy.linalg import cho_factor, cho_solve

    matrix, right, squares, determinant = gaps.absorbed(items)
    inner = np.eye(len(matrix)) + coders * matrix
    factor = cho_factor(inner, lower=True)
    ones = matrix.sum(axis=1)
    solved, mixed = cho_solve(factor, ones), cho_solve(factor, right)
    total = float(ones.sum() - coders * ones @ solved)
    mean = float(right.sum() - coders * ones @ mixed) / total
    left = squares - coders * float(right @ mixed) - mean**2 * total
    return left, determinant + 2 * float(np.log(np.diag(factor[0])).sum()) + log(total)


def _fixed_coders(gaps: Gaps, items: float) -> tuple[float, float]:
    from scipy.linalg import cho_factor, cho_solve

    matrix, right, squares, determinant = gaps.absorbed(items)
    factor = cho_factor(matrix, lower=True)
    left = squares - float(right @ cho_solve(factor, right))
    return left, determinant + 2 * float(np.log(np.diag(factor[0])).sum())


def _one_mean(gaps: Gaps, items: float) -> tuple[float, float]:
    matrix, right, squares, determinant = gaps.absorbed(items)
    total = float(matrix.sum())
    return squares - float(right.sum()) ** 2 / total, determinant + log(total)


def gap_mean_squares(gaps: Gaps, kind: str, components: VarianceComponents) -> MeanSquares:
    """Mean squares that a complete table with the same variances would have.

    Its numbers of ratings per item and per coder are the harmonic means of the real ones, as Thomas and Hultquist
    (1978) have it for one-way designs. ``kind`` is the first figure of Shrout and Fleiss's names: 1, 2 or 3.
    """
    n, m = gaps.present.shape
    size = float(gaps.present.sum())
    per_item = float(1 / np.mean(1 / gaps.present.sum(axis=1)))
    per_coder = float(1 / np.mean(1 / gaps.present.sum(axis=0)))
    items, coders, error, within = components.items, components.coders, components.error, nan
    if kind == "1":
        items, within = reml_items(gaps, by_coder=False)
        coders = error = nan
    elif kind == "3":
        items, error = reml_items(gaps, by_coder=True)
    return MeanSquares(
        between=per_item * items + (within if kind == "1" else error),
        coders=per_coder * coders + error,
        error=error,
        within=within,
        free_between=n - 1,
        free_coders=m - 1,
        free_error=size - n - m + 1,
        free_within=size - n,
        per_item=per_item,
        per_coder=per_coder,
    )
