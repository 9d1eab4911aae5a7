"""Ratings ready for arithmetic: a table of items x coders, NaN where a rating is missing."""

from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from scipy.special import fdtrc

from concurrence.agreement.ratings.limits import ShiftTest
from concurrence.agreement.ratings.variance import (
    Gaps,
    MeanSquares,
    VarianceComponents,
    complete_components,
    complete_mean_squares,
    gap_mean_squares,
    reml_components,
)
from concurrence.core import InvalidInputError, Labels, UndefinedError
from concurrence.core.arrays import Reals
from concurrence.core.labels import MISSING
from concurrence.core.numerals import parse_numbers

WIDEST, NARROWEST = 1e60, 1e-60  # distances of ratings; the fourth power of any between is a number


@dataclass(frozen=True, kw_only=True, eq=False)
class RatingStudy:
    """The items that have a rating x the coders who gave one; ``anonymous`` where nobody knows who gave which."""

    ratings: Reals
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
    def shared(self) -> Reals:
        """The items that every coder rated."""
        return self.ratings[np.isfinite(self.ratings).all(axis=1)]

    @cached_property
    def centred(self) -> Reals:
        """The ratings minus their median, so that an offset of the scale loses no digits."""
        present = np.sort(self.ratings[np.isfinite(self.ratings)])
        centred: Reals = self.ratings - present[len(present) // 2]
        return centred

    @cached_property
    def shared_centred(self) -> Reals:
        """The items that every coder rated, minus the median rating."""
        return self.centred[np.isfinite(self.ratings).all(axis=1)]

    @cached_property
    def rounding(self) -> float:
        """How exact the ratings are: the distance of the largest of them to the next number."""
        return float(np.spacing(np.nanmax(np.abs(self.ratings))))

    @cached_property
    def gaps(self) -> Gaps:
        return Gaps.of(self.centred, rounding=self.rounding)

    @cached_property
    def varies(self) -> bool:
        """Whether any two ratings differ."""
        present = self.ratings[np.isfinite(self.ratings)]
        return bool(present.max() > present.min())

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
    def _complete_squares(self) -> MeanSquares:
        return complete_mean_squares(self.centred, rounding=self.rounding)

    @cached_property
    def components(self) -> VarianceComponents:
        """The variances of items, coders and error."""
        if self.complete:
            return complete_components(self._complete_squares)
        return reml_components(self.gaps)

    def squares(self, design: str) -> MeanSquares:
        """The mean squares that a design needs."""
        if self.complete:
            return self._complete_squares
        nothing = VarianceComponents(items=0.0, coders=0.0, error=0.0, method="none")
        return gap_mean_squares(self.gaps, design, self.components if design == "2" else nothing)

    @cached_property
    def levels(self) -> tuple[Reals, ShiftTest | None]:
        """How much higher each coder rates than the mean of all, items taken into account, and the F test of it."""
        gaps, free = self.gaps, self.n_coders - 1
        test = None
        if gaps.scatter > 0:
            of_coders = float(gaps.shift @ gaps.absorbed(inf)[1])
            statistic = of_coders / free / (gaps.scatter / self.free_error)
            p_value = float(fdtrc(free, self.free_error, statistic))
            test = ShiftTest(
                method="f_test", statistic=statistic, degrees_of_freedom=(free, self.free_error), p_value=p_value
            )
        return gaps.shift, test


def rating_study(labels: Labels) -> RatingStudy:
    """The ratings of labels that are numbers; items without any and coders who gave none are left out."""
    numbers = parse_numbers(labels.categories)
    if numbers is None or labels.set_separator is not None:
        word = next((name for name in labels.categories if parse_numbers((name,)) is None), labels.categories[0])
        raise InvalidInputError(f"Ratings are numbers, and {word!r} is not one.")
    table = np.where(labels.codes == MISSING, np.nan, np.append(numbers, np.nan)[labels.codes])
    present = np.isfinite(table)
    rows, columns = np.asarray(present.any(axis=1)), np.asarray(present.any(axis=0))
    if columns.sum() < 2:
        raise UndefinedError("Agreement takes at least two coders, and only one gave ratings.")
    if rows.sum() < 2:
        raise UndefinedError("Agreement on ratings takes at least two items, and only one has ratings.")
    _require_computable(table[present])
    coders = tuple(name for name, there in zip(labels.coders, columns, strict=True) if there)
    return RatingStudy(ratings=table[np.ix_(rows, columns)], coders=coders, anonymous=labels.anonymous)


def _require_computable(numbers: Reals) -> None:
    """Refuse ratings whose squared differences overflow or underflow."""
    with np.errstate(over="ignore"):
        reach = float(numbers.max() - numbers.min())
    if reach == 0 or NARROWEST <= reach <= WIDEST:
        return
    size = "far beyond" if reach > WIDEST else "far below"
    raise InvalidInputError(
        f"The ratings lie between {numbers.min():.3g} and {numbers.max():.3g}, and their differences are {size} what "
        "can be computed with: give the ratings in another unit, which changes no coefficient."
    )
