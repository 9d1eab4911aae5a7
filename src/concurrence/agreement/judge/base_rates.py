"""How often each coder gives each category, with exact intervals."""

import numpy as np

from concurrence.core import Interval, Labels
from concurrence.core.values import value
from concurrence.kernels.intervals import clopper_pearson


@value
class BaseRate:
    """The share of a category among the labels of a coder, and the number of ``items`` with a label of that coder.

    Without items the share is NaN, and there is no interval.
    """

    share: float
    interval: Interval | None
    items: int


def base_rates(labels: Labels, level: float) -> dict[str, dict[str, BaseRate]]:
    """The rates of every coder and category; the intervals are those of Clopper and Pearson (1934).

    >>> labels = Labels.from_rows([["y"], ["y"], ["n"], ["y"]], coders=("gpt",))
    >>> rate = base_rates(labels, 0.95)["gpt"]["y"]
    >>> rate.share, [round(end, 3) for end in rate.interval], rate.items
    (0.75, [0.194, 0.994], 4)
    """
    size = len(labels.categories)
    given = [codes[codes >= 0] for codes in labels.codes.T]
    counts = np.stack([np.bincount(codes, minlength=size) for codes in given])
    items = counts.sum(axis=1, keepdims=True)
    low, high = clopper_pearson(counts, np.maximum(items, 1), level=level)

    def rate(coder: int, category: int) -> BaseRate:
        total = int(items[coder, 0])
        if not total:
            return BaseRate(share=float("nan"), interval=None, items=0)
        ends = {"low": float(low[coder, category]), "high": float(high[coder, category])}
        interval = Interval(**ends, level=level, method="clopper_pearson")
        return BaseRate(share=float(counts[coder, category] / total), interval=interval, items=total)

    return {
        coder: {category: rate(k, c) for c, category in enumerate(labels.categories)}
        for k, coder in enumerate(labels.coders)
    }
