"""How far one side leans from another: how much more often it gives each category, or how much higher it scores.

Every item has a difference for each category, so that means, errors and tests are those of paired differences.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from concurrence.core import Interval, Labels
from concurrence.core.arrays import Reals
from concurrence.core.numerals import parse_numbers
from concurrence.core.values import value

SCORE = "score"
SCORED = ("interval", "ratio")


@value
class MeanShift:
    """The mean difference of two sides on the same items, in shares of a category or in points of a score."""

    value: float
    interval: Interval | None


def lean_names(labels: Labels, scale: str) -> tuple[str, ...]:
    """What sides can lean in: the score where labels are numbers of a scale with distances, else every category."""
    scored = scale in SCORED and parse_numbers(labels.categories) is not None
    return (SCORE,) if scored else labels.categories


def side_differences(labels: Labels, side: int, others: Sequence[int], scale: str) -> tuple[Reals, NDArray[np.bool_]]:
    """Items x what they can lean in: the side less the mean of the others; and the items that both labelled."""
    codes = labels.codes
    counted = (codes[:, side] >= 0) & (codes[:, others] >= 0).any(axis=1)
    numbers = parse_numbers(labels.categories) if lean_names(labels, scale) == (SCORE,) else None
    features = np.eye(len(labels.categories)) if numbers is None else numbers[:, None]
    of_label = np.vstack([features, np.zeros((1, features.shape[1]))])  # the last one stands for no label
    n_labels = (codes[:, others] >= 0).sum(axis=1)[:, None]
    means = sum(of_label[codes[:, k]] for k in others) / np.maximum(n_labels, 1)
    return of_label[codes[:, side]] - means, counted


def mean_shifts(differences: Reals, names: Sequence[str], level: float) -> dict[str, MeanShift]:
    """The mean of each column with its t interval; none where all differences are the same."""
    n = len(differences)
    means = differences.mean(axis=0) if n else np.full(len(names), np.nan)
    errors = differences.std(axis=0, ddof=1) / np.sqrt(n) if n > 1 else np.zeros(len(names))
    reach = float(stdtrit(n - 1, (1 + level) / 2)) if n > 1 else 0.0
    return {
        name: MeanShift(
            value=float(mean), interval=_around(float(mean), reach * float(error), level) if error > 0 else None
        )
        for name, mean, error in zip(names, means, errors, strict=True)
    }


def _around(mean: float, reach: float, level: float) -> Interval:
    return Interval(low=mean - reach, high=mean + reach, level=level, method="t")


def lean_in_words(name: str, lean: float) -> str:
    """A lean in words.

    >>> lean_in_words("yes", 0.123), lean_in_words("score", -0.5)
    ("gives 'yes' 12 percentage points more often", 'scores 0.50 points lower')
    """
    if name == SCORE:
        return f"scores {abs(lean):.2f} points {'higher' if lean > 0 else 'lower'}"
    return f"gives {name!r} {abs(lean) * 100:.0f} percentage points {'more' if lean > 0 else 'less'} often"
