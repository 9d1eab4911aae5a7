"""Compiled loops over the labels of each item, two at a time."""

from typing import Any

import numba
import numpy as np


@numba.njit(cache=True)  # type: ignore[untyped-decorator,unused-ignore]
def count_pairs(
    starts: Any, coders: Any, labels: Any, weights: Any, n_coders: int, n_categories: int
) -> tuple[Any, Any, Any]:
    """Shared items, agreements, and each coder's label totals on the items shared with each other."""
    items = np.zeros((n_coders, n_coders))
    agreed = np.zeros((n_coders, n_coders))
    habits = np.zeros((n_coders, n_coders, n_categories), dtype=np.float32)
    for row in range(len(weights)):
        weight = weights[row]
        if weight == 0:
            continue
        for a in range(starts[row], starts[row + 1]):
            for b in range(a + 1, starts[row + 1]):
                one, two = coders[a], coders[b]
                items[one, two] += weight
                if labels[a] == labels[b]:
                    agreed[one, two] += weight
                habits[one, two, labels[a]] += weight
                habits[two, one, labels[b]] += weight
    return items, agreed, habits


@numba.njit(cache=True)  # type: ignore[untyped-decorator,unused-ignore]
def expected_agreement(items: Any, habits: Any) -> tuple[Any, Any]:
    """Cohen's and Scott's expected agreement of every two coders."""
    cohen = np.full(items.shape, np.nan)
    scott = np.full(items.shape, np.nan)
    for one in range(items.shape[0]):
        for two in range(one + 1, items.shape[0]):
            n = items[one, two]
            if n == 0:
                continue
            own, shared = 0.0, 0.0
            for k in range(habits.shape[2]):
                left, right = np.float64(habits[one, two, k]), np.float64(habits[two, one, k])
                own += left * right
                shared += (left + right) ** 2
            cohen[one, two] = own / n**2
            scott[one, two] = shared / (4 * n**2)
    return cohen, scott


@numba.njit(cache=True)  # type: ignore[untyped-decorator,unused-ignore]
def spread_influence(
    starts: Any,
    coders: Any,
    labels: Any,
    items: Any,
    observed: Any,
    expected: Any,
    kappas: Any,
    known: Any,
    habits: Any,
) -> Any:
    """The sum over pairs of what an item adds to Cohen's kappa, per shared item of the pair."""
    added = np.zeros(len(starts) - 1)
    for row in range(len(added)):
        for a in range(starts[row], starts[row + 1]):
            for b in range(a + 1, starts[row + 1]):
                one, two = coders[a], coders[b]
                if not known[one, two]:
                    continue
                n, chance = items[one, two], expected[one, two]
                both = (habits[two, one, labels[a]] + habits[one, two, labels[b]]) / n
                credit = 1.0 if labels[a] == labels[b] else 0.0
                part = credit - observed[one, two] - (1 - kappas[one, two]) * (both - 2 * chance)
                added[row] += part / ((1 - chance) * n)
    return added
