"""Compiled loops over the labels of each item, two at a time.

One coder after the other is compared with all later ones, so that what is counted of a coder stays in the fast
part of the memory: a table of all pairs x categories would be read and written all over.
"""

from typing import Any

import numba
import numpy as np


@numba.njit(cache=True)  # type: ignore[untyped-decorator,unused-ignore]
def compare_pairs(
    starts: Any, coders: Any, labels: Any, rows: Any, places: Any, ends: Any, weights: Any, n_categories: int
) -> tuple[Any, Any]:
    """Counts of every two coders, what chance predicts for them, and what each item adds to their kappas.

    ``starts``, ``coders`` and ``labels`` list the labels of each row, ``rows`` says whose they are; ``places`` lists
    them again coder by coder, up to ``ends``. The counts are shared items, agreements, Cohen's and Scott's expected
    agreement and Cohen's kappa.
    """
    n_coders = len(ends)
    counts = np.zeros((5, n_coders, n_coders))
    added = np.zeros(len(weights))
    own = np.zeros((n_coders, n_categories), dtype=np.float32)
    other = np.zeros((n_coders, n_categories), dtype=np.float32)
    for one in range(n_coders):
        own[one:] = 0
        other[one:] = 0
        mine = places[ends[one - 1] if one else 0 : ends[one]]
        for a in mine:
            weight = weights[rows[a]]
            for b in range(a + 1, starts[rows[a] + 1]):
                two = coders[b]
                counts[0, one, two] += weight
                if labels[a] == labels[b]:
                    counts[1, one, two] += weight
                own[two, labels[a]] += weight
                other[two, labels[b]] += weight
        expect(one, counts, own, other)
        for a in mine:
            for b in range(a + 1, starts[rows[a] + 1]):
                agree = labels[a] == labels[b]
                both = other[coders[b], labels[a]] + own[coders[b], labels[b]]
                added[rows[a]] += influence(counts[:, one, coders[b]], agree, both)
    return counts, added


@numba.njit(cache=True)  # type: ignore[untyped-decorator,unused-ignore]
def expect(one: int, counts: Any, own: Any, other: Any) -> None:
    """Fill in what chance predicts for a coder and each later one, and their kappa; NaN where undefined."""
    for two in range(one + 1, counts.shape[1]):
        n = counts[0, one, two]
        cohen, scott = 0.0, 0.0
        for k in range(own.shape[1]):
            left, right = np.float64(own[two, k]), np.float64(other[two, k])
            cohen += left * right
            scott += (left + right) ** 2
        chance = cohen / n**2 if n else np.nan
        counts[2, one, two] = chance
        counts[3, one, two] = scott / (4 * n**2) if n else np.nan
        defined = n > 0 and 1 - chance >= 1e-13
        counts[4, one, two] = (counts[1, one, two] / n - chance) / (1 - chance) if defined else np.nan


@numba.njit(cache=True)  # type: ignore[untyped-decorator,unused-ignore]
def influence(pair: Any, agree: bool, both: float) -> float:
    """What a shared item adds to Cohen's kappa of a pair, per shared item; 0 where there is no kappa."""
    n, agreed, chance, kappa = pair[0], pair[1], pair[2], pair[4]
    if np.isnan(kappa):
        return 0.0
    part = (1.0 if agree else 0.0) - agreed / n - (1 - kappa) * (both / n - 2 * chance)
    return float(part / ((1 - chance) * n))
