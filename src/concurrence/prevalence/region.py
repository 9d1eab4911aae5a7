"""How far a rate or an error may lie from its estimate: the ends of the profile likelihood.

The end of a profile interval is the furthest that the quantity gets inside the region whose likelihood ratio is within
the limit, whatever the other unknowns are. It is searched for from several starts inside, since at an edge (a share of
0 or 1) the likelihood has no slope, and every point that one search finds in the region is a start for the others.

The likelihood alone is too sure of a share near 0 or 1: a judge who made no error among 42 would be right in at least
95.5%, though one who is right in 95% makes none among 42 in every ninth study. The ends are therefore the outer ones of
two regions, that of the likelihood and that with half a verdict of each kind added for every share.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from scipy.special import chdtri, expit

from concurrence.core.arrays import Reals
from concurrence.core.results import Interval
from concurrence.prevalence.results import EstimatedShare
from concurrence.prevalence.verdicts import EDGE, INSIDE, Loss, VerdictPatterns, fitted_near

Quantity = Callable[[Reals], tuple[float, Reals]]
"""What is sought, and its slope."""

NEAR = 1e-3
"""How exact the likelihood is at an end, and how much further another search must have come to be followed."""
PRECISE = {"maxiter": 150, "ftol": 1e-11}


def shares_in_region(
    patterns: VerdictPatterns, best: Reals, level: float
) -> tuple[list[EstimatedShare], EstimatedShare]:
    """Each unknown share with its interval, and the rate of all parts together with its own."""
    quantities = [*(_one(place, len(best)) for place in range(len(best))), _overall(patterns)]
    cautious = fitted_near(patterns.cautious_loss, best)
    regions = [
        _Region(patterns, patterns.loss, best, level),
        _Region(patterns, patterns.cautious_loss, cautious, level),
    ]
    each = np.array([region.ends(quantities) for region in regions])
    *ends, overall = np.stack([each[..., 0].min(axis=0), each[..., 1].max(axis=0)], axis=1).tolist()
    shares = [
        _estimated(float(expit(at)), [_share(end) for end in pair], level) for at, pair in zip(best, ends, strict=True)
    ]
    return shares, _estimated(quantities[-1](best)[0], overall, level)


def _estimated(value: float, ends: Sequence[float], level: float) -> EstimatedShare:
    low, high = min(ends[0], value), max(ends[1], value)
    return EstimatedShare(value=value, interval=Interval(low=low, high=high, level=level, method="profile_likelihood"))


def _share(at: float) -> float:
    """A logit as a share; at the edge it is 0 or 1."""
    return float(at > 0) if abs(at) > EDGE - 0.1 else float(expit(at))


def _one(place: int, size: int) -> Quantity:
    slope = np.eye(size)[place]
    return lambda at: (float(at[place]), slope)


def _overall(patterns: VerdictPatterns) -> Quantity:
    """The rate of all parts together."""

    def rate(at: Reals) -> tuple[float, Reals]:
        rates, slope = expit(at[: len(patterns.parts)]), np.zeros(len(at))
        slope[: len(rates)] = patterns.weights * rates * (1 - rates)
        return float(patterns.weights @ rates), slope

    return rate


class _Region:
    """The unknowns that the counts leave possible, where judges are right more often than not."""

    def __init__(self, patterns: VerdictPatterns, loss: Loss, best: Reals, level: float) -> None:
        self.patterns, self.best = patterns, best
        self.limit = loss(best)[0] + float(chdtri(1, 1 - level)) / 2
        self.points = [best]
        remembered = lru_cache(maxsize=4)(lambda at: loss(np.frombuffer(at)))
        self.loss: Loss = lambda at: remembered(at.tobytes())
        self.rules = [
            {"type": "ineq", "fun": lambda at: self.limit - self.loss(at)[0], "jac": lambda at: -self.loss(at)[1]},
            {
                "type": "ineq",
                "fun": lambda at: self._margin_of_judges(at)[0],
                "jac": lambda at: self._margin_of_judges(at)[1],
            },
        ]

    def ends(self, quantities: Sequence[Quantity]) -> list[tuple[float, float]]:
        """The smallest and the largest value of each quantity in the region."""
        sides = [(quantity, side) for quantity in quantities for side in (-1.0, 1.0)]
        inside = [np.clip(self.best, -most, most) for most in INSIDE]
        extremes = [max([side * quantity(self.best)[0], *(self._search(start, quantity, side) for start in inside)])
                   for quantity, side in sides]  # fmt: skip
        for number, (quantity, side) in enumerate(sides):
            further = max(self.points, key=lambda at, q=quantity, s=side: s * q(at)[0])  # type: ignore[misc]
            if side * quantity(further)[0] > extremes[number] + NEAR:
                value = self._search(np.clip(further, -INSIDE[-1], INSIDE[-1]), quantity, side)
                extremes[number] = max(value, side * quantity(further)[0])
        return [(-low, high) for low, high in zip(extremes[::2], extremes[1::2], strict=True)]

    def _search(self, start: Reals, quantity: Quantity, side: float) -> float:
        """How far a search from a start gets; what it finds in the region is kept."""
        from scipy.optimize import minimize  # takes longer to load than to run

        def away(at: Reals) -> tuple[float, Reals]:
            value, slope = quantity(at)
            return -side * value, -side * slope

        bounds = [(-EDGE, EDGE)] * len(start)
        at = minimize(away, start, jac=True, method="SLSQP", bounds=bounds, constraints=self.rules, options=PRECISE).x
        if self.loss(at)[0] > self.limit + NEAR or self._margin_of_judges(at)[0] < -NEAR:
            return -np.inf
        self.points.append(at)
        return side * quantity(at)[0]

    def _margin_of_judges(self, at: Reals) -> tuple[float, Reals]:
        """By how much sensitivities and specificities together exceed those of judges who guess."""
        shares, slope = expit(at[len(self.patterns.parts) :]), np.zeros(len(at))
        slope[len(self.patterns.parts) :] = shares * (1 - shares)
        return float(shares.sum()) - len(self.patterns.judges), slope
