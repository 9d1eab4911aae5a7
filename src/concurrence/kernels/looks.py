"""Looks that were planned: bounds of standardised estimates at a few looks that together err as rarely as one.

Between looks an estimate moves like a random walk in the time of its information (Armitage, McPherson & Rowe 1969): the
density of the walk that has not crossed a bound yet is carried from look to look on a grid. Bounds are the constants
of Pocock (1977) and O'Brien & Fleming (1979), or spend the error as a function of time (Lan & DeMets 1983).
"""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import ndtr, ndtri

from concurrence.core.arrays import Reals

NODES = 200
FARTHEST = 12.0
PRECISE = 1e-10
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(NODES)


def information(judged: Sequence[int], *, population: int | None = None) -> Reals:
    """The information of each look as a share of the last one's; a finite list tells ever more as it is used up.

    >>> information([100, 200, 400]).tolist()
    [0.25, 0.5, 1.0]
    >>> information([100, 200, 400], population=500).round(4).tolist()
    [0.0625, 0.1667, 1.0]
    """
    sizes = np.asarray(judged, dtype=np.float64)
    effective = sizes if population is None else sizes * population / (population - sizes)
    return np.asarray(effective / effective[-1])


def spending_bounds(times: Sequence[float], *, alpha: float, shape: str) -> Reals:
    """Two-sided bounds that spend the error as Lan and DeMets's function of a shape says.

    >>> spending_bounds([0.2, 0.4, 0.6, 0.8, 1.0], alpha=0.05, shape="obrien-fleming").round(3).tolist()
    [4.877, 3.357, 2.68, 2.29, 2.031]
    """
    spent = np.diff(spent_by(np.asarray(times, dtype=np.float64), alpha=alpha, shape=shape), prepend=0.0)
    walk, bounds = _Walk(), []
    for time, part in zip(times, spent.tolist(), strict=True):
        bounds.append(walk.bound(time, part))
        walk.pass_(time, bounds[-1])
    return np.array(bounds)


def spent_by(times: Reals, *, alpha: float, shape: str) -> Reals:
    """The error that may be spent up to each time."""
    if shape == "pocock":
        return np.asarray(alpha * np.log1p((np.e - 1) * times))
    return np.asarray(4 * ndtr(-ndtri(1 - alpha / 4) / np.sqrt(times)))


def constant_bounds(times: Sequence[float], *, alpha: float, shape: str) -> Reals:
    """Two-sided bounds of one constant: the same at every look (Pocock), or falling with time (O'Brien & Fleming).

    >>> constant_bounds([0.2, 0.4, 0.6, 0.8, 1.0], alpha=0.05, shape="pocock").round(3).tolist()
    [2.413, 2.413, 2.413, 2.413, 2.413]
    """
    grows = np.ones(len(times)) if shape == "pocock" else 1 / np.sqrt(np.asarray(times, dtype=np.float64))

    def excess(constant: float) -> float:
        return crossing(times, constant * grows) - alpha

    return np.asarray(_root(excess, float(ndtri(1 - alpha / 2)) * 0.99, FARTHEST) * grows)


def crossing(times: Sequence[float], bounds: Reals) -> float:
    """The probability that a walk without drift crosses a bound at some look."""
    walk, total = _Walk(), 0.0
    for time, bound in zip(times, bounds.tolist(), strict=True):
        total += walk.beyond(time, bound)
        walk.pass_(time, bound)
    return total


class _Walk:
    """The density of a walk that has crossed no bound so far, at points between the last bounds."""

    def __init__(self) -> None:
        self.time = 0.0
        self.places, self.masses = np.zeros(1), np.ones(1)

    def beyond(self, time: float, bound: float) -> float:
        """The probability to cross this bound now, having crossed none before."""
        edge, step = bound * np.sqrt(time), np.sqrt(time - self.time)
        outside = ndtr((self.places - edge) / step) + ndtr((-self.places - edge) / step)
        return float(self.masses @ outside)

    def bound(self, time: float, probability: float) -> float:
        """The bound that is crossed now with this probability."""
        if self.beyond(time, FARTHEST) >= probability:
            return FARTHEST
        return _root(lambda bound: self.beyond(time, bound) - probability, 0.0, FARTHEST)

    def pass_(self, time: float, bound: float) -> None:
        """Go on from this look, inside of its bounds."""
        edge, step = min(bound, 8.0) * np.sqrt(time), np.sqrt(time - self.time)
        places = edge * POINTS
        steps = (places[:, None] - self.places[None, :]) / step
        density = (np.exp(-(steps**2) / 2) / (step * np.sqrt(2 * np.pi))) @ self.masses
        self.time, self.places, self.masses = time, places, density * WEIGHTS * edge


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    from scipy.optimize import brentq  # takes longer to load than to run

    return float(brentq(function, low, high, xtol=PRECISE))
