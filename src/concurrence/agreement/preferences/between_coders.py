"""Whether coders prefer the same items: agreement on comparisons beyond chance."""

from math import sqrt

import numpy as np
from scipy.special import stdtrit

from concurrence.core import Interval
from concurrence.core.arrays import Reals
from concurrence.core.results import CERTAIN
from concurrence.core.values import value


@value
class CoderAgreement:
    """How often two coders who compared the same two items gave the same answer.

    ``expected`` is what guessing would give at the same rate of ties; without ties it is one half, and ``value`` is
    Kendall's coefficient of agreement. ``pairs`` of items were compared by at least two coders.
    """

    value: float
    observed: float
    expected: float
    standard_error: float
    interval: Interval | None
    interval_method: str | None
    pairs: int
    note: str | None


def coder_agreement(counts: Reals, *, coders_known: bool, level: float) -> CoderAgreement:
    """Agreement from (coders, pairs of items, outcomes); its error leaves out each pair of items in turn."""
    if not coders_known:
        return _undefined("the comparisons do not say who made them")
    totals, of_coder = counts.sum(axis=0), counts.sum(axis=2)
    same = ((totals**2).sum(axis=-1) - (counts**2).sum(axis=(0, 2))) / 2
    all_pairs = (totals.sum(axis=-1) ** 2 - (of_coder**2).sum(axis=0)) / 2
    shared = all_pairs > 0
    if not shared.any():
        return _undefined("no two coders compared the same two items")
    parts = np.stack([same, all_pairs, totals[:, 2], totals.sum(axis=-1)], axis=-1)[shared]
    observed, expected, coefficient = (float(one) for one in _value(parts.sum(axis=0)))
    n = len(parts)
    if np.isnan(coefficient):
        return _undefined("every shared comparison is a tie")
    error, interval, note = np.nan, None, None
    if n > 2:
        left_out = np.array([_value(parts.sum(axis=0) - part)[2] for part in parts])
        error = sqrt((n - 1) / n * float(((left_out - left_out.mean()) ** 2).sum()))
        reach = float(stdtrit(n - 1, (1 + level) / 2)) * error
        interval = Interval(
            low=max(coefficient - reach, -1.0), high=min(coefficient + reach, 1.0), level=level, method="jackknife"
        )
        note = f"Agreement between coders: {CERTAIN}" if error < 1e-12 and coefficient > 1 - 1e-12 else None
    else:
        note = "Too few pairs of items were compared by several coders for an interval."
    return CoderAgreement(
        value=coefficient,
        observed=observed,
        expected=expected,
        standard_error=float(error),
        interval=interval,
        interval_method=None if interval is None else "jackknife",
        pairs=n,
        note=note,
    )


def _undefined(why: str) -> CoderAgreement:
    return CoderAgreement(
        value=np.nan,
        observed=np.nan,
        expected=np.nan,
        standard_error=np.nan,
        interval=None,
        interval_method=None,
        pairs=0,
        note=f"Agreement between coders has no value: {why}.",
    )


def _value(sums: Reals) -> tuple[float, float, float]:
    same, all_pairs, tied, whole = sums
    ties = tied / whole
    observed, expected = same / all_pairs, ties**2 + (1 - ties) ** 2 / 2
    return observed, expected, np.nan if expected >= 1 else (observed - expected) / (1 - expected)
