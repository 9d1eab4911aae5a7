"""Whole tables around means of counts, for methods that are defined for whole counts.

Where a list size cuts a run of equal scores, counts are means over all orders of the run, such as 3.4 true among 12.7
judged. Exact intervals and tests need whole numbers. They are computed from the few whole tables around the means, each
with such a weight that every count keeps its mean: with one number u between 0 and 1, a count x becomes the floor of
x + u. Counts that are whole give one table, and the exact method itself.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from concurrence.core.arrays import Integers, Numbers, Reals

NOISE = 1e-9


def mean_over_whole(
    method: Callable[..., Sequence[Numbers]], up: Sequence[Numbers], down: Sequence[Numbers] = ()
) -> tuple[Reals, ...]:
    """The weighted mean of what a method gives for the whole tables around some means of counts.

    Counts in ``down`` are rounded against those in ``up``, so that sums of both that are whole stay the same.

    >>> double = lambda x: (2 * x,)
    >>> mean_over_whole(double, [np.array([1.25, 3.0])])[0].tolist()
    [2.5, 6.0]
    """
    total: list[Reals] = []
    for weight, counts in whole_tables(up, down):
        found = [weight * np.asarray(part, dtype=np.float64) for part in method(*counts)]
        total = found if not total else [before + part for before, part in zip(total, found, strict=True)]
    return tuple(total)


def whole_tables(up: Sequence[Numbers], down: Sequence[Numbers] = ()) -> Iterator[tuple[Any, list[Integers]]]:
    """Whole counts with the weight of each table."""
    if all(np.issubdtype(part.dtype, np.integer) for part in (*up, *down)):
        yield 1.0, [*up, *down]
        return
    up, down = [_without_noise(part) for part in up], [_without_noise(part) for part in down]
    steps = [1 - np.mod(part, 1) for part in up] + [np.mod(part, 1) for part in down]
    ends = np.sort(np.stack([np.zeros(steps[0].shape), *steps, np.ones(steps[0].shape)]), axis=0)
    widths, middles = np.diff(ends, axis=0), (ends[:-1] + ends[1:]) / 2
    # A step of no width has no table of its own; it stands for the widest, with no weight.
    widest = np.take_along_axis(middles, widths.argmax(axis=0)[None], axis=0)[0]
    for width, middle in zip(widths, middles, strict=True):
        if width.any():
            u = np.where(width > 0, middle, widest)
            counts = [np.floor(part + u) for part in up] + [np.ceil(part - u) for part in down]
            yield width, [part.astype(np.int64) for part in counts]


def _without_noise(counts: Numbers) -> Reals:
    nearest = np.rint(counts)
    return np.where(np.abs(counts - nearest) < NOISE, nearest, counts)
