"""Ratings ready for arithmetic: a table of items x coders, NaN where a rating is missing."""

from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc

from concurrence.core import InvalidInputError, Labels, UndefinedError
from concurrence.core.labels import MISSING
from concurrence.core.numbers import numbers_of
from concurrence.rating.limits import ShiftTest
from concurrence.rating.variance import (
    Gaps,
    MeanSquares,
    VarianceComponents,
    complete_components,
    complete_mean_squares,
    gap_mean_squares,
    reml_components,
)

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class RatingStudy:
    """The items that have a rating x the coders who gave one; ``anonymous`` where nobody knows who gave which."""

    ratings: Array
    coders: tuple[str, ...]
    anonymous: bool

    @property
    def n_items(self) -> int:
        return int(self.ratings.shape[0])

    @property
    def n_coders(self) -> int:
        return int(self.ratings.shape[1])

    @cached_property
    def complete(self) -> bool:
        """Whether every coder rated every item."""
        return bool(np.isfinite(self.ratings).all())

    @cached_property
    def shared(self) -> Array:
        """The items that every coder rated."""
        return self.ratings[np.isfinite(self.ratings).all(axis=1)]

    @cached_property
    def gaps(self) -> Gaps:
        return Gaps.of(self.ratings)

    @cached_property
    def varies(self) -> bool:
        """Whether any two ratings differ."""
        known = self.ratings[np.isfinite(self.ratings)]
        return bool(known.max() > known.min())

    @cached_property
    def free_error(self) -> float:
        """Degrees of freedom that items and coders leave."""
        return float(np.isfinite(self.ratings).sum() - self.n_items - self.n_coders + 1)

    @cached_property
    def free_within(self) -> float:
        """Degrees of freedom within items."""
        return float(np.isfinite(self.ratings).sum() - self.n_items)

    @cached_property
    def separable(self) -> bool:
        """Whether items and coders can be told apart."""
        return self.why_inseparable is None and not self.anonymous

    @cached_property
    def why_inseparable(self) -> str | None:
        """Why differences of known coders cannot be told from differences of items, as a clause."""
        if self.free_error < 1:
            return "too few ratings to tell differences of coders from differences of items"
        if not self.gaps.connected:
            return (
                "some coders share no item with the others, not even through third coders, so their levels cannot be "
                "compared"
            )
        return None

    @cached_property
    def components(self) -> VarianceComponents:
        """The variances of items, coders and error."""
        if self.complete:
            return complete_components(complete_mean_squares(self.ratings))
        return reml_components(self.gaps)

    def squares(self, design: str) -> MeanSquares:
        """The mean squares that a design needs."""
        if self.complete:
            return complete_mean_squares(self.ratings)
        nothing = VarianceComponents(items=0.0, coders=0.0, error=0.0, method="none")
        return gap_mean_squares(self.gaps, design, self.components if design == "2" else nothing)

    @cached_property
    def levels(self) -> tuple[Array, ShiftTest | None]:
        """How much higher each coder rates than the mean of all, items taken into account, and the F test of it."""
        matrix, right, squares, _ = self.gaps.absorbed(inf)
        shift = np.linalg.pinv(matrix, hermitian=True) @ right
        of_coders = float(shift @ right)
        error = max(squares - of_coders, 0.0)
        free = self.n_coders - 1
        spread = max(float((self.gaps.ratings**2).sum()), 1e-300)
        test = None
        if error > 1e-13 * spread:
            statistic = of_coders / free / (error / self.free_error)
            p_value = float(fdtrc(free, self.free_error, statistic))
            test = ShiftTest(
                method="f_test", statistic=statistic, degrees_of_freedom=(free, self.free_error), p_value=p_value
            )
        return shift - shift.mean(), test


def study_of(labels: Labels) -> RatingStudy:
    """The ratings of labels that are numbers; items without any and coders who gave none are left out."""
    numbers = numbers_of(labels.categories)
    if numbers is None or labels.set_separator is not None:
        word = next((name for name in labels.categories if numbers_of((name,)) is None), labels.categories[0])
        raise InvalidInputError(f"Ratings are numbers, and {word!r} is not one.")
    table = np.where(labels.codes == MISSING, np.nan, np.append(numbers, np.nan)[labels.codes])
    known = np.isfinite(table)
    rows, columns = np.asarray(known.any(axis=1)), np.asarray(known.any(axis=0))
    if columns.sum() < 2:
        raise UndefinedError("Agreement takes at least two coders, and only one gave ratings.")
    if rows.sum() < 2:
        raise UndefinedError("Agreement on ratings takes at least two items, and only one has ratings.")
    coders = tuple(name for name, there in zip(labels.coders, columns, strict=True) if there)
    return RatingStudy(ratings=table[np.ix_(rows, columns)], coders=coders, anonymous=labels.anonymous)
