"""How many judgements for an interval of a given width."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import ceil, sqrt
from typing import Any

import numpy as np

from concurrence.core.arrays import Reals
from concurrence.core.errors import InvalidInputError
from concurrence.core.plans import Plans
from concurrence.core.sentences import Sentence, warnings_of
from concurrence.core.values import value
from concurrence.kernels.estimates import StratumCounts, interval
from concurrence.kernels.intervals import clopper_pearson, hypergeometric
from concurrence.kernels.ranking import Ranking
from concurrence.kernels.tails import hypergeometric_log_point
from concurrence.sampling.budget import expected_widths
from concurrence.sampling.frame import Frame, make_frame
from concurrence.sampling.options import PrecisionPlanOptions

CHART_SIZES = (25, 50, 100, 200, 500, 1000)
DRAWS = 1000


@value
class PrecisionPlan:
    """What a given width costs: how many of the n-best list must be judged, and the judgements each design needs.

    ``judgements`` holds, per design, how many candidates must be drawn in total; a design whose list of candidates
    is not known is left out. ``assurance`` is the share of studies whose interval will be no wider, 0 where the width
    is the expected one. ``fewest`` is the design that needs the fewest, ``within_budget`` whether that is few enough.
    """

    n: int
    precision: float
    width: float
    level: float
    sampled: int
    judgements: dict[str, int]
    budget: int | None
    fewest: str | None
    within_budget: bool | None
    sentence: Sentence
    assurance: float = 0.0

    @property
    def rows(self) -> list[Mapping[str, Any]]:
        """The plan as a row, with a column for the judgements of each design."""
        names = ("n", "precision", "width", "assurance", "level", "sampled", "budget", "fewest", "within_budget")
        return [{name: getattr(self, name) for name in names} | self.judgements]

    def __str__(self) -> str:
        return str(self.sentence)


@value
class PrecisionPlans(Plans[PrecisionPlan]):
    """A plan for every list size, precision and width."""

    plans: tuple[PrecisionPlan, ...]
    warnings: tuple[Sentence, ...] = ()


def plan_precision(options: PrecisionPlanOptions, *, rankings: Mapping[str, Ranking] | None = None) -> PrecisionPlans:
    """How many judgements give each width at each list size and precision.

    The members of the list are drawn without replacement, and the width is that of the exact interval. With a
    population the simple design is planned, with a union (how many candidates the lists hold together) the union
    design; with ``rankings`` all designs are.

    >>> plan_precision(PrecisionPlanOptions(n=[500], population=14654))[0].judgements
    {'simple': 6233}
    """
    if rankings is not None:
        if options.population is not None or options.union is not None:
            raise InvalidInputError(
                "The rankings already give the number of candidates and their overlap; leave out population and union."
            )
        options = replace(options, population=len(next(iter(rankings.values()))))
    plans = []
    for n in options.n:
        _check_size(n, options.population)
        frames = _frames(rankings, n)
        plans += [_plan(n, p, w, options, frames) for p in options.precision for w in options.width]
    return PrecisionPlans(plans=tuple(plans), warnings=warnings_of(plan.sentence for plan in plans))


def _plan(
    n: int, precision: float, width: float, options: PrecisionPlanOptions, frames: dict[str, Frame]
) -> PrecisionPlan:
    level, budget = options.level, options.budget
    sampled = needed_in_list(n, precision, width, level=level, assurance=options.assurance)
    judgements = _costs(n, sampled, precision, width, options, frames)
    fewest = min(judgements, key=lambda design: judgements[design]) if judgements else None
    within = None if budget is None or fewest is None else judgements[fewest] <= budget
    wish = (
        f"no wider than {width:g} in {options.assurance:.0%} of studies" if options.assurance else f"of width {width:g}"
    )
    text = f"For a {level:.0%} interval {wish} at n = {n:,} (expected precision {precision:g}), "
    text += f"{sampled:,} candidates of the list must be judged"
    if judgements:
        text += f"; judgements in total: {', '.join(f'{design} {number:,}' for design, number in judgements.items())}"
    short = f" A budget of {budget:,} judgements is not enough." if within is False else ""
    return PrecisionPlan(
        n=n, precision=precision, width=width, level=level, sampled=sampled, judgements=judgements, budget=budget,
        fewest=fewest, within_budget=within, assurance=options.assurance,
        sentence=Sentence(code="over_budget" if short else "plan", text=f"{text}.{short}", warning=bool(short)),
    )  # fmt: skip


def needed_in_list(n: int, precision: float, width: float, *, level: float = 0.95, assurance: float = 0.0) -> int:
    """The smallest sample of a list of n from which on the exact interval is never wider than ``width``.

    It is if the sample has the expected precision; with ``assurance``, in so large a share of samples.

    >>> needed_in_list(500, 0.3, 0.1), needed_in_list(500, 0.3, 0.1, assurance=0.8)
    (200, 204)
    """
    if assurance:
        return _assured_in_list(n, precision, width, level, assurance)
    m = np.arange(1, n + 1)
    widths = np.zeros(n)
    for hits in (np.floor(precision * m), np.ceil(precision * m)):
        low, high = hypergeometric(hits.astype(np.int64), m, n, level=level)
        widths = np.maximum(widths, (high - low) / n)
    too_wide = np.flatnonzero(widths > width + 1e-12)
    return int(m[too_wide[-1]]) + 1 if too_wide.size else 1


def _assured_in_list(n: int, precision: float, width: float, level: float, assurance: float) -> int:
    """The same for a share of samples: the true ones among so many drawn are hypergeometric."""
    true = round(precision * n)

    def narrow(sampled: int) -> float:
        middle = sampled * true / n
        spread = max(1.0, sqrt(middle * (1 - true / n) * (n - sampled) / max(n - 1, 1)))
        hits = np.arange(max(0, int(middle - 6 * spread)), min(sampled, true, int(middle + 6 * spread) + 1) + 1)
        hits = hits[hits >= sampled + true - n]
        low, high = hypergeometric(hits, np.full(len(hits), sampled), n, level=level)
        chances = np.exp(hypergeometric_log_point(hits, sampled, true, n))
        return float(chances[(high - low) / n <= width + 1e-12].sum())

    low, high = 1, n
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if narrow(middle) >= assurance else (middle + 1, high)
    return low


def confidence_limits(sizes: Sequence[int] = CHART_SIZES, *, level: float = 0.95, steps: int = 100) -> dict[str, Reals]:
    """The binomial confidence chart: for sample sizes and sample precisions, the interval of the true precision.

    Columns ``sampled``, ``precision``, ``low``, ``high``.
    """
    sampled, precision = (grid.ravel() for grid in np.meshgrid(sizes, np.linspace(0, 1, steps + 1), indexing="ij"))
    low, high = clopper_pearson(precision * sampled, sampled, level=level)
    return {"sampled": sampled.astype(np.float64), "precision": precision, "low": low, "high": high}


def _check_size(n: int, population: int | None) -> None:
    if n < 1 or (population is not None and n > population):
        most = "" if population is None else f" and at most {population}, the number of candidates"
        raise InvalidInputError(f"A list size must be at least 1{most}, not {n}.")


def _frames(rankings: Mapping[str, Ranking] | None, n: int) -> dict[str, Frame]:
    if rankings is None:
        return {}
    ties = next(iter(rankings.values())).ties
    choices = {"union": ("union", "cells"), "strata, bands": ("strata", "bands"), "strata, cells": ("strata", "cells")}
    return {
        name: make_frame(ties.keys, rankings, design=design, best=[n], strata=by, ties=ties)
        for name, (design, by) in choices.items()
    }


def _costs(
    n: int,
    sampled: int,
    precision: float,
    width: float,
    options: PrecisionPlanOptions,
    frames: dict[str, Frame],
) -> dict[str, int]:
    costs = {}
    if options.population is not None:
        costs["simple"] = _total(sampled, n, options.population, options.assurance)
    if options.union is not None and not frames:
        costs["union"] = _total(sampled, n, options.union, options.assurance)
    for name, frame in frames.items():
        if name == "union":
            costs[name] = _total(sampled, n, int(frame.sizes.sum()), options.assurance)
        else:
            costs[name] = _cheapest(frame, n, precision, width, options)
    return costs


def _total(sampled: int, n: int, pool: int, assurance: float) -> int:
    """How many to draw from a pool so that the share ``assurance`` of draws holds so many of the list of n."""
    total = ceil(sampled * pool / n)
    if not assurance or pool == n:
        return total
    from scipy.stats import hypergeom

    low, high = total, pool
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if hypergeom.sf(sampled - 1, pool, n, middle) >= assurance else (middle + 1, high)
    return low


def _cheapest(frame: Frame, n: int, precision: float, width: float, options: PrecisionPlanOptions) -> int:
    """The smallest budget under which the width is reached, by bisection: it falls with the budget."""

    def reached(total: int) -> bool:
        if not options.assurance:
            return expected_widths(frame, total, at=[n], precision=precision, level=options.level)[0].width <= width
        drawn = _widths_in_strata(frame, total, n, precision, options.level)
        return bool((drawn <= width + 1e-12).mean(axis=1).min() >= options.assurance)

    low, high = int(np.minimum(frame.sizes, 2).sum()), int(frame.sizes.sum())
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle + 1, high)
    return low


def _widths_in_strata(frame: Frame, total: int, n: int, precision: float, level: float) -> Reals:
    """How wide the intervals of the n-best lists are in simulated samples: (measures and kinds of lists, draws).

    True ones are anywhere in a list, or more of them at its top: half as many again in the first quarter, and three
    quarters as many in the lower half. Beyond a precision of .5 that is said of the others, from below.
    """
    sampled, strata = frame.allocation(total), len(frame.strata)
    rare = min(precision, 1 - precision)
    top = [1.5, 1.0, 0.75] if precision <= 0.5 else [0.5, 1.0, 1.25]
    drawn = []
    for ranking, factors in product(frame.rankings.values(), ([1.0, 1.0, 1.0], top)):
        random = np.random.default_rng(0)
        inside = np.flatnonzero(ranking.ranks <= n)
        shares = rare * np.array(factors)[np.searchsorted([n / 4, n / 2], ranking.ranks[inside])]
        size, rares = (np.bincount(frame.stratum[inside], weights, strata) for weights in (None, shares))
        rares = np.diff(np.round(np.cumsum(rares)), prepend=0).clip(0, size).astype(np.int64)
        true = rares if precision <= 0.5 else size - rares
        judged = random.hypergeometric(size, frame.sizes - size, sampled, (DRAWS, strata))
        hits = random.hypergeometric(true, size - true, judged)
        cells = StratumCounts(size=np.broadcast_to(size, judged.shape), sampled=judged, true=hits)
        low, high = interval(cells, method="design", level=level)
        drawn.append(high - low)
    return np.array(drawn)
