"""Compiled loops over the labels of each item, two at a time.

Coders are taken one after the other, so that what is counted for one coder against all others stays small
enough for the processor's cache. Only coders who share an item are met, so thousands of coders cost no more than
their labels.
"""

from typing import Any

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
def all_pairs(
    starts: Any, coders: Any, labels: Any, weights: Any, n_coders: int, n_categories: int, influence: bool
) -> tuple[Any, Any, Any, Any, Any, Any, Any]:
    """Every two coders who share an item, their totals, and what an item adds to all kappas.

    The totals are shared items, agreements, and Cohen's and Scott's expected agreement.
    """
    places, rows, begins = _by_coder(starts, coders, n_coders)
    bounds = _count_partners(starts, coders, places, rows, begins, n_coders)
    total = bounds[n_coders]
    first, second = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int64)
    items, agreed = np.zeros(total), np.zeros(total)
    cohen, scott = np.full(total, np.nan), np.full(total, np.nan)
    added = np.zeros(len(starts) - 1)
    slot = np.full(n_coders, -1, dtype=np.int64)
    widest = 0
    for one in range(n_coders):
        widest = max(widest, bounds[one + 1] - bounds[one])
    own, other = np.zeros((widest, n_categories)), np.zeros((widest, n_categories))
    for one in range(n_coders):
        begin, end = bounds[one], bounds[one + 1]
        _partners(one, starts, coders, places, rows, begins, slot, second[begin:end])
        first[begin:end] = one
        own[: end - begin] = 0
        other[: end - begin] = 0
        for entry in range(begins[one], begins[one + 1]):
            a, row = places[entry], rows[entry]
            for b in range(a + 1, starts[row + 1]):
                place = slot[coders[b]]
                items[begin + place] += weights[row]
                if labels[a] == labels[b]:
                    agreed[begin + place] += weights[row]
                own[place, labels[a]] += weights[row]
                other[place, labels[b]] += weights[row]
        _expect(items[begin:end], own, other, cohen[begin:end], scott[begin:end])
        if influence:
            parts = items[begin:end], agreed[begin:end], cohen[begin:end]
            for entry in range(begins[one], begins[one + 1]):
                _spread(places[entry], rows[entry], starts, coders, labels, slot, parts, own, other, added)
        for place in range(begin, end):
            slot[second[place]] = -1
    return first, second, items, agreed, cohen, scott, added


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
def _count_partners(starts: Any, coders: Any, places: Any, rows: Any, begins: Any, n_coders: int) -> Any:
    """Where the pairs of each coder with later ones begin."""
    bounds = np.zeros(n_coders + 1, dtype=np.int64)
    met = np.full(n_coders, -1, dtype=np.int64)
    for one in range(n_coders):
        bounds[one + 1] = bounds[one]
        for entry in range(begins[one], begins[one + 1]):
            for b in range(places[entry] + 1, starts[rows[entry] + 1]):
                if met[coders[b]] != one:
                    met[coders[b]] = one
                    bounds[one + 1] += 1
    return bounds


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
def _partners(
    one: int, starts: Any, coders: Any, places: Any, rows: Any, begins: Any, slot: Any, partners: Any
) -> None:
    """The later coders who share an item with this one, in their order; ``slot`` is where each stands."""
    n = 0
    for entry in range(begins[one], begins[one + 1]):
        for b in range(places[entry] + 1, starts[rows[entry] + 1]):
            if slot[coders[b]] < 0:
                slot[coders[b]] = 0
                partners[n] = coders[b]
                n += 1
    partners.sort()
    for place in range(n):
        slot[partners[place]] = place


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
def _expect(items: Any, own: Any, other: Any, cohen: Any, scott: Any) -> None:
    """Expected agreement of one coder with each partner."""
    for place in range(len(items)):
        n = items[place]
        if n == 0:
            continue
        apart, shared = 0.0, 0.0
        for k in range(own.shape[1]):
            apart += own[place, k] * other[place, k]
            shared += (own[place, k] + other[place, k]) ** 2
        cohen[place] = apart / n**2
        scott[place] = shared / (4 * n**2)


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
def _spread(
    a: int, row: int, starts: Any, coders: Any, labels: Any, slot: Any, parts: Any, own: Any, other: Any, added: Any
) -> None:
    """Add what an item does to the kappas of one coder with the others, per shared item of the pair."""
    items, agreed, cohen = parts
    for b in range(a + 1, starts[row + 1]):
        place = slot[coders[b]]
        n, chance = items[place], cohen[place]
        if 1 - chance < 1e-13:
            continue
        observed = agreed[place] / n
        both = (other[place, labels[a]] + own[place, labels[b]]) / n
        credit = 1.0 if labels[a] == labels[b] else 0.0
        missed = (1 - observed) / (1 - chance)
        added[row] += (credit - observed - missed * (both - 2 * chance)) / ((1 - chance) * n)
