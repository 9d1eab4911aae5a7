"""How much wider a precision interval is once the coders' disagreement is carried into it."""

from dataclasses import replace

import numpy as np

from concurrence.core.arrays import Booleans, Integers, Reals
from concurrence.evaluation.results import Curve
from concurrence.kernels.ranking import Ranking
from concurrence.kernels.strata import SampledList


def widen(curve: Curve, ranking: Ranking, verdicts: Booleans, design: SampledList, *, level: float) -> Curve:
    """The curve with intervals that hold sampling and coders: distances to the bounds add in squares."""
    down, up = _spread(ranking, verdicts, design, curve.n, level)
    low = np.clip(curve.precision - np.hypot(curve.precision - curve.low, down), 0.0, 1.0)
    high = np.clip(curve.precision + np.hypot(curve.high - curve.precision, up), 0.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(high > low, 1 - (curve.high - curve.low) / (high - low), 0.0)
    return replace(curve, low=low, high=high, coder_share_of_width=share)


def _spread(
    ranking: Ranking, verdicts: Booleans, design: SampledList, n: Integers, level: float
) -> tuple[Reals, Reals]:
    """How far below and above its middle the precision of each list moves over the draws."""
    at, rows = ranking.cuts(n), design.rows
    rows = rows[design.weights_of(rows) > 0]
    rows = rows[np.argsort(ranking.ranks_of(rows), kind="stable")]
    weights, ranks = design.weights_of(rows), ranking.ranks_of(rows)
    inner, outer = (np.searchsorted(ranks, sizes, side="right") for sizes in (at.inner, at.outer))
    upto = np.concatenate([[0.0], weights.cumsum()])
    true_upto = np.concatenate([np.zeros((len(verdicts), 1)), (verdicts[:, rows] * weights).cumsum(axis=1)], axis=1)
    judged = upto[inner] + at.share * (upto[outer] - upto[inner])
    true = true_upto[:, inner] + at.share * (true_upto[:, outer] - true_upto[:, inner])
    precision = np.divide(true, judged, out=np.zeros((len(verdicts), len(n))), where=judged > 0)
    low, middle, high = np.quantile(precision, [(1 - level) / 2, 0.5, (1 + level) / 2], axis=0)
    return np.asarray(middle - low), np.asarray(high - middle)
