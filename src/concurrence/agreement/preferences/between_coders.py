"""Whether coders prefer the same items: agreement on comparisons beyond chance."""

from math import sqrt

import numpy as np
from scipy.special import stdtrit

from concurrence.agreement.preferences.model import ComparisonCounts
from concurrence.core import Interval
from concurrence.core.arrays import Integers, Reals
from concurrence.core.results import CERTAIN
from concurrence.core.values import value

FEWEST_ITEMS = 3
ROUNDING = 1e-12
ENOUGH_ITEMS = 20  # with fewer, coverage fell below .93


@value
class CoderAgreement:
    """How often two coders who compared the same two items gave the same answer.

    ``expected`` is what guessing would give at the same rate of ties; without ties it is one half, and ``value`` is
    Kendall's coefficient of agreement. ``pairs`` of items were compared by at least two coders.
    The interval is about other items: each item is left out in turn, with all its pairs.
    """

    value: float
    observed: float
    expected: float
    standard_error: float
    interval: Interval | None
    interval_method: str | None
    trusted: bool | None
    pairs: int
    note: str | None

    @property
    def certain(self) -> bool:
        """Whether all agree on everything, which no sample can show of others."""
        return self.value > 1 - ROUNDING and self.standard_error < ROUNDING


def coder_agreement(design: ComparisonCounts, *, coders_known: bool, level: float) -> CoderAgreement:
    """Agreement on the pairs of items; its error leaves out each item in turn, with all pairs that have it."""
    if not coders_known:
        return _undefined("the comparisons do not say who made them")
    counts = design.counts
    totals, of_coder = counts.sum(axis=0), counts.sum(axis=2)
    same = ((totals**2).sum(axis=-1) - (counts**2).sum(axis=(0, 2))) / 2
    all_pairs = (totals.sum(axis=-1) ** 2 - (of_coder**2).sum(axis=0)) / 2
    shared = all_pairs > 0
    if not shared.any():
        return _undefined("no two coders compared the same two items")
    parts = np.stack([same, all_pairs, totals[:, 2], totals.sum(axis=-1)], axis=-1)[shared]
    observed, expected, coefficient = (float(one) for one in _value(parts.sum(axis=0)))
    if np.isnan(coefficient):
        return _undefined("every shared comparison is a tie")
    left_out = _without_each_item(parts, design.first[shared], design.second[shared])
    error, interval = _error_and_interval(coefficient, left_out, level)
    note = _doubt(coefficient, error, len(left_out))
    return CoderAgreement(
        value=coefficient,
        observed=observed,
        expected=expected,
        standard_error=error,
        interval=interval,
        interval_method=None if interval is None else "jackknife",
        trusted=None if interval is None else note is None,
        pairs=len(parts),
        note=note,
    )


def _without_each_item(parts: Reals, first: Integers, second: Integers) -> Reals:
    """The coefficient without the pairs of each item in turn; pairs that share an item are not independent."""
    whole = parts.sum(axis=0)
    items = np.union1d(first, second)
    return np.array([_value(whole - parts[(first == item) | (second == item)].sum(axis=0))[2] for item in items])


def _error_and_interval(coefficient: float, left_out: Reals, level: float) -> tuple[float, Interval | None]:
    """The error of leaving out items, and Student's interval; none where an item cannot be left out."""
    n = len(left_out)
    if n < FEWEST_ITEMS or np.isnan(left_out).any():
        return np.nan, None
    error = sqrt((n - 1) / n * float(((left_out - left_out.mean()) ** 2).sum()))
    reach = float(stdtrit(n - 2, (1 + level) / 2)) * error
    low, high = max(coefficient - reach, -1.0), min(coefficient + reach, 1.0)
    return error, Interval(low=low, high=high, level=level, method="jackknife")


def _doubt(coefficient: float, error: float, n_items: int) -> str | None:
    """Why there is no interval, or why it cannot be trusted."""
    if np.isnan(error):
        return "Too few items were compared by several coders for an interval of the agreement between coders."
    if error < ROUNDING and coefficient > 1 - ROUNDING:
        return f"Agreement between coders: {CERTAIN}"
    if n_items < ENOUGH_ITEMS:
        return (
            f"The agreement between coders rests on {n_items} items; with fewer than {ENOUGH_ITEMS}, its interval was "
            "not shown to hold."
        )
    return None


def _undefined(why: str) -> CoderAgreement:
    return CoderAgreement(
        value=np.nan,
        observed=np.nan,
        expected=np.nan,
        standard_error=np.nan,
        interval=None,
        interval_method=None,
        trusted=None,
        pairs=0,
        note=f"Agreement between coders has no value: {why}.",
    )


def _value(sums: Reals) -> tuple[float, float, float]:
    same, all_pairs, tied, whole = sums
    if not all_pairs:
        return np.nan, np.nan, np.nan
    ties = tied / whole
    observed, expected = same / all_pairs, ties**2 + (1 - ties) ** 2 / 2
    return observed, expected, np.nan if expected >= 1 else (observed - expected) / (1 - expected)
