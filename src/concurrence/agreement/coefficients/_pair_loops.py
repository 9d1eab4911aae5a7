"""Compiled loops over the labels of each item, two at a time.

Coders are taken one after the other, so that what is counted for one coder against all others stays small
enough for the processor's cache.
"""

from typing import Any

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
def all_pairs(
    starts: Any, coders: Any, labels: Any, weights: Any, n_coders: int, n_categories: int, influence: bool
) -> tuple[Any, Any, Any, Any, Any]:
    """Shared items, agreements, Cohen's and Scott's expected agreement, and what an item adds to all kappas."""
    items = np.zeros((n_coders, n_coders))
    agreed = np.zeros((n_coders, n_coders))
    cohen = np.full((n_coders, n_coders), np.nan)
    scott = np.full((n_coders, n_coders), np.nan)
    added = np.zeros(len(starts) - 1)
    places, rows, begins = _by_coder(starts, coders, n_coders)
    own = np.zeros((n_coders, n_categories))
    other = np.zeros((n_coders, n_categories))
    for one in range(n_coders):
        own[:] = 0
        other[:] = 0
        for entry in range(begins[one], begins[one + 1]):
            a, row = places[entry], rows[entry]
            for b in range(a + 1, starts[row + 1]):
                two = coders[b]
                items[one, two] += weights[row]
                if labels[a] == labels[b]:
                    agreed[one, two] += weights[row]
                own[two, labels[a]] += weights[row]
                other[two, labels[b]] += weights[row]
        _expect(one, items, own, other, cohen, scott)
        if influence:
            for entry in range(begins[one], begins[one + 1]):
                _spread(
                    one, places[entry], rows[entry], starts, coders, labels, items, agreed, cohen, own, other, added
                )
    return items, agreed, cohen, scott, added


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
def _by_coder(starts: Any, coders: Any, n_coders: int) -> tuple[Any, Any, Any]:
    """Where each coder's labels stand, and on which items: a counting sort."""
    begins = np.zeros(n_coders + 1, dtype=np.int64)
    for coder in coders:
        begins[coder + 1] += 1
    begins = np.cumsum(begins)
    free = begins.copy()
    places = np.empty(len(coders), dtype=np.int64)
    rows = np.empty(len(coders), dtype=np.int64)
    for row in range(len(starts) - 1):
        for place in range(starts[row], starts[row + 1]):
            at = free[coders[place]]
            places[at], rows[at] = place, row
            free[coders[place]] = at + 1
    return places, rows, begins


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
def _expect(one: int, items: Any, own: Any, other: Any, cohen: Any, scott: Any) -> None:
    """Expected agreement of one coder with each later one."""
    for two in range(one + 1, items.shape[0]):
        n = items[one, two]
        if n == 0:
            continue
        apart, shared = 0.0, 0.0
        for k in range(own.shape[1]):
            apart += own[two, k] * other[two, k]
            shared += (own[two, k] + other[two, k]) ** 2
        cohen[one, two] = apart / n**2
        scott[one, two] = shared / (4 * n**2)


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
def _spread(
    one: int,
    a: int,
    row: int,
    starts: Any,
    coders: Any,
    labels: Any,
    items: Any,
    agreed: Any,
    cohen: Any,
    own: Any,
    other: Any,
    added: Any,
) -> None:
    """Add what an item does to the kappas of one coder with the others, per shared item of the pair."""
    for b in range(a + 1, starts[row + 1]):
        two = coders[b]
        n, chance = items[one, two], cohen[one, two]
        if 1 - chance < 1e-13:
            continue
        observed = agreed[one, two] / n
        both = (other[two, labels[a]] + own[two, labels[b]]) / n
        credit = 1.0 if labels[a] == labels[b] else 0.0
        missed = (1 - observed) / (1 - chance)
        added[row] += (credit - observed - missed * (both - 2 * chance)) / ((1 - chance) * n)
