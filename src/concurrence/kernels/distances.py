"""How much two categories differ, or agree: square matrices from numbers, ranks or sets."""

from collections.abc import Sequence

import numpy as np

from concurrence.core.arrays import Numbers, Reals


def linear_weights(values: Numbers) -> Reals:
    """Agreement weights that fall with the distance: 1 - |x - y| / range."""
    return _as_weights(np.abs(np.subtract.outer(values, values)).astype(np.float64))


def quadratic_weights(values: Numbers) -> Reals:
    """Agreement weights that fall with the squared distance."""
    return _as_weights(np.subtract.outer(values, values).astype(np.float64) ** 2)


def ordinal_weights(n_categories: int) -> Reals:
    """Gwet's ordinal weights: 1 minus the share of pairs of ranks that lie between two ranks.

    >>> ordinal_weights(3).round(3).tolist()
    [[1.0, 0.667, 0.0], [0.667, 1.0, 0.667], [0.0, 0.667, 1.0]]
    """
    between = np.abs(np.subtract.outer(np.arange(n_categories), np.arange(n_categories))) + 1
    return _as_weights(between * (between - 1) / 2.0)


def ratio_distances(values: Numbers) -> Reals:
    """Krippendorff's ratio metric, ((x - y) / (x + y))², zero where both are zero."""
    return relative_difference(values[:, None], values[None, :])


def relative_difference(one: Numbers, other: Numbers) -> Reals:
    """((x - y) / (x + y))² of numbers that are not negative, zero where both are zero."""
    totals, gaps = np.asarray(one + other, dtype=np.float64), np.asarray(one - other, dtype=np.float64)
    shares: Reals = np.divide(gaps, totals, out=np.zeros_like(gaps), where=totals != 0)
    return shares**2


def circular_distances(values: Numbers, period: float) -> Reals:
    """Krippendorff's circular metric, sin²(π (x - y) / period)."""
    distances: Reals = np.sin(np.pi * np.subtract.outer(values, values) / period) ** 2
    return distances


def jaccard_distances(sets: Sequence[frozenset[str]]) -> Reals:
    """1 - shared members / all members; two empty sets are equal."""
    return SetDistances(sets, masi=False).columns(slice(None))


def masi_distances(sets: Sequence[frozenset[str]]) -> Reals:
    """Passonneau's MASI: 1 - Jaccard x monotonicity (1 equal, 2/3 subset, 1/3 overlap, 0 disjoint).

    >>> masi_distances([frozenset("a"), frozenset("ab"), frozenset("bc")]).round(3).tolist()
    [[0.0, 0.667, 1.0], [0.667, 0.0, 0.889], [1.0, 0.889, 0.0]]
    """
    return SetDistances(sets, masi=True).columns(slice(None))


class SetDistances:
    """Distances of sets, MASI or Jaccard: between single ones, or from all to some."""

    def __init__(self, sets: Sequence[frozenset[str]], *, masi: bool) -> None:
        members = sorted(frozenset[str]().union(*sets))
        holds = np.array([[member in one for member in members] for one in sets], dtype=np.float32)
        self.holds = holds.reshape(len(sets), len(members))
        self.sizes = self.holds.sum(axis=1).astype(np.float64)
        self.masi = masi

    def columns(self, some: slice) -> Reals:
        """From every set to some."""
        shared = (self.holds @ self.holds[some].T).astype(np.float64)
        return self._from_shared(shared, self.sizes[:, None], self.sizes[None, some])

    def entries(self, one: Numbers, two: Numbers) -> Reals:
        """From one set to one other, so many times."""
        shared = np.zeros(len(one))
        for member in self.holds.T:
            shared += member[one] * member[two]
        return self._from_shared(shared, self.sizes[one], self.sizes[two])

    def _from_shared(self, shared: Reals, one: Reals, two: Reals) -> Reals:
        """The distance from how many members two sets share; two empty sets are equal."""
        union = one + two - shared
        overlap = np.divide(shared, union, out=np.ones_like(shared), where=union > 0)
        if not self.masi:
            return 1 - overlap
        smaller, larger = np.minimum(one, two), np.maximum(one, two)
        equal = (shared == larger) & (smaller == larger)
        monotonicity = np.select([equal, shared == 0, shared == smaller], [1.0, 0.0, 2 / 3], 1 / 3)
        return np.asarray(1 - overlap * monotonicity)


def _as_weights(distances: Reals) -> Reals:
    largest = distances.max(initial=0.0)
    return 1 - distances / largest if largest > 0 else np.ones_like(distances)
