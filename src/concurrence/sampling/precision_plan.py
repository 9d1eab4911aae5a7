"""How many judgements for an interval of a given width."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np

from concurrence.core.arrays import Reals
from concurrence.core.errors import InvalidInputError
from concurrence.core.plans import Plans
from concurrence.core.sentences import Sentence, warnings_of
from concurrence.core.values import value
from concurrence.kernels.intervals import clopper_pearson, hypergeometric
from concurrence.kernels.ranking import Ranking
from concurrence.sampling.budget import expected_widths
from concurrence.sampling.frame import Frame, make_frame
from concurrence.sampling.options import PrecisionPlanOptions

CHART_SIZES = (25, 50, 100, 200, 500, 1000)


@value
class PrecisionPlan:
    """What a given width costs: how many of the n-best list must be judged, and the judgements each design needs.

    ``judgements`` holds, per design, how many candidates must be drawn in total; a design whose list of candidates
    is not known is left out. ``fewest`` is the design that needs the fewest, ``within_budget`` whether that is few
    enough.
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

    @property
    def rows(self) -> list[Mapping[str, Any]]:
        """The plan as a row, with a column for the judgements of each design."""
        names = ("n", "precision", "width", "level", "sampled", "budget", "fewest", "within_budget")
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
    {'simple': 5862}
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
    sampled = needed_in_list(n, precision, width, level=level)
    judgements = _costs(n, sampled, precision, width, options, frames)
    fewest = min(judgements, key=lambda design: judgements[design]) if judgements else None
    within = None if budget is None or fewest is None else judgements[fewest] <= budget
    text = f"For a {level:.0%} interval of width {width:g} at n = {n:,} (expected precision {precision:g}), "
    text += f"{sampled:,} candidates of the list must be judged"
    if judgements:
        text += f"; judgements in total: {', '.join(f'{design} {number:,}' for design, number in judgements.items())}"
    short = f" A budget of {budget:,} judgements is not enough." if within is False else ""
    return PrecisionPlan(
        n=n, precision=precision, width=width, level=level, sampled=sampled, judgements=judgements, budget=budget,
        fewest=fewest, within_budget=within,
        sentence=Sentence(code="over_budget" if short else "plan", text=f"{text}.{short}", warning=bool(short)),
    )  # fmt: skip


def needed_in_list(n: int, precision: float, width: float, *, level: float = 0.95) -> int:
    """The smallest sample of a list of n from which on the exact interval is never wider than ``width``.

    >>> needed_in_list(500, 0.3, 0.1)
    200
    """
    m = np.arange(1, n + 1)
    widths = np.zeros(n)
    for hits in (np.floor(precision * m), np.ceil(precision * m)):
        low, high = hypergeometric(hits.astype(np.int64), m, n, level=level)
        widths = np.maximum(widths, (high - low) / n)
    too_wide = np.flatnonzero(widths > width + 1e-12)
    return int(m[too_wide[-1]]) + 1 if too_wide.size else 1


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
        costs["simple"] = ceil(sampled * options.population / n)
    if options.union is not None and not frames:
        costs["union"] = ceil(sampled * options.union / n)
    for name, frame in frames.items():
        if name == "union":
            costs[name] = ceil(sampled * int(frame.sizes.sum()) / n)
        else:
            costs[name] = _cheapest(frame, n, precision, width, options.level)
    return costs


def _cheapest(frame: Frame, n: int, precision: float, width: float, level: float) -> int:
    """The smallest budget under which the expected width is reached, by bisection: it falls with the budget."""
    low, high = int(np.minimum(frame.sizes, 2).sum()), int(frame.sizes.sum())
    while low < high:
        middle = (low + high) // 2
        if expected_widths(frame, middle, at=[n], precision=precision, level=level)[0].width <= width:
            high = middle
        else:
            low = middle + 1
    return low
