"""How sure the share of right labels of a coder is."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from concurrence.core import Interval
from concurrence.core.arrays import Reals
from concurrence.core.values import value
from concurrence.kernels.intervals import clopper_pearson

if TYPE_CHECKING:
    from concurrence.agreement.labels.coders.models import LabelVotes

LEVEL, METHOD = 0.95, "clopper_pearson"
FEWEST_ITEMS, FEWEST_LABELS, MOST_DOUBT = 30, 5, 0.015
CLEAR_LEAD, MOSTLY_CLEAR = 3, 0.85
"""Simulated intervals held with so many items of a coder and labels per item, truths as sure as this, and a category
that leads by so many votes on so many of the items: where votes are close, the model is surer than it should be."""


@value
class CoderRate:
    """How often a coder is right, with its interval and the number of ``items`` it rests on.

    ``trusted`` tells that simulation has shown such intervals to hold.
    """

    competence: float
    interval: Interval
    items: int
    trusted: bool


def rate_from_json(rate: Mapping[str, Any]) -> CoderRate:
    """A rate from its JSON."""
    low, high = rate["interval"]
    interval = Interval(low=low, high=high, level=LEVEL, method=METHOD)
    return CoderRate(competence=rate["competence"], interval=interval, items=rate["items"], trusted=rate["trusted"])


def coder_rates(votes: "LabelVotes", posterior: Reals, competence: Reals, *, simulated: bool) -> tuple[CoderRate, ...]:
    """The rates of all coders; what the model does not know of the items makes as if there were fewer of them.

    The variance of a share of right labels has two parts: that of n draws, and that of the labels whose truth is
    uncertain, the sum of p (1 - p) over them. Clopper and Pearson's interval is taken for the number of draws that
    would have this variance. ``simulated`` tells that the intervals of the
    model were.
    """
    right, squares = (_own_sums(votes, weight) for weight in (posterior, posterior**2))
    items = np.asarray(votes.table.sum(axis=0)).reshape(votes.n_coders, votes.n_labels).sum(axis=1)
    per_item = np.asarray(votes.table.sum(axis=1)).ravel()
    labels, clear = (
        _own_sums(votes, np.repeat(per_row[:, None], votes.n_labels, axis=1)) / np.maximum(items, 1)
        for per_row in (per_item, _lead(votes) >= CLEAR_LEAD)
    )
    doubt = np.maximum(right - squares, 0.0)
    moderate = (competence * items + 1) / (items + 2)
    variance = moderate * (1 - moderate)
    draws = np.maximum(variance / (variance / np.maximum(items, 1) + doubt / np.maximum(items, 1) ** 2), 1e-9)
    low, high = clopper_pearson(competence * draws, draws, level=LEVEL)
    sure = (items >= FEWEST_ITEMS) & (labels >= FEWEST_LABELS) & (doubt <= MOST_DOUBT * items)
    sure &= clear >= MOSTLY_CLEAR
    return tuple(
        CoderRate(
            competence=float(competence[k]),
            interval=Interval(low=float(low[k]), high=float(high[k]), level=LEVEL, method=METHOD),
            items=int(items[k]),
            trusted=bool(simulated and sure[k]),
        )
        for k in range(votes.n_coders)
    )


def _lead(votes: "LabelVotes") -> Reals:
    """By how many votes the first category of each item leads."""
    counts = votes.shares * np.asarray(votes.table.sum(axis=1))
    top = np.sort(counts, axis=1)[:, ::-1]
    return np.asarray(top[:, 0] - (top[:, 1] if votes.n_labels > 1 else 0))


def _own_sums(votes: "LabelVotes", weights: Reals) -> Reals:
    """The sum over a coder's labels of the weight that the item gives to the label."""
    return np.asarray(np.diagonal(votes.counts(weights), axis1=1, axis2=2).sum(axis=1))
