"""How much wider a precision interval is once the coders' disagreement is carried into it."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from concurrence.core.arrays import Booleans, Integers, Reals
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.evaluation.design import SampledList
from concurrence.evaluation.judgements import NO, YES, Judgements
from concurrence.evaluation.lists import Placing, cuts
from concurrence.evaluation.results import Curve
from concurrence.kernels.votes import NOBODY, majority

SOURCES = ("votes", "posterior")
DRAWS = 400


def drawn_verdicts(judgements: Judgements, source: str, *, seed: int) -> Booleans:
    """Verdicts (draws x candidates) as they might have been with other coders, or by a coder model.

    *votes* draws as many coders as there were, with replacement, and lets their majority decide, ties at
    random; *posterior* draws each verdict with the probability that a coder model gives.
    """
    rng = np.random.default_rng(seed)
    if source not in SOURCES:
        raise UnknownNameError("source of coder uncertainty", source, SOURCES)
    if source == "posterior":
        if judgements.posterior is None:
            raise InvalidInputError("Coder uncertainty from a model needs its probabilities; name their column.")
        chance = np.nan_to_num(judgements.posterior)
        return rng.random((DRAWS, len(chance))) < chance
    if judgements.votes is None:
        raise InvalidInputError("Coder uncertainty from votes needs a column 'coder' with more than one coder.")
    return _resampled_majorities(judgements.votes, judgements.verdicts == YES, rng)


def _resampled_majorities(votes: NDArray[np.int8], decided: Booleans, rng: np.random.Generator) -> Booleans:
    coders, size = votes.shape
    drawn = rng.multinomial(coders, np.full(coders, 1 / coders), size=DRAWS).astype(np.float32)
    winner = majority([drawn @ (votes == verdict).astype(np.float32) for verdict in (NO, YES)])
    result: Booleans = winner == YES
    undecided = np.flatnonzero(winner.ravel() < 0)
    result.ravel()[undecided] = rng.random(len(undecided)) < 0.5
    return np.where(winner == NOBODY, np.broadcast_to(decided, (DRAWS, size)), result)


def widen(curve: Curve, ranking: Placing, verdicts: Booleans, design: SampledList, *, level: float) -> Curve:
    """The curve with intervals that hold sampling and coders: distances to the bounds add in squares."""
    down, up = _spread(ranking, verdicts, design, curve.n, level)
    low = np.clip(curve.precision - np.hypot(curve.precision - curve.low, down), 0.0, 1.0)
    high = np.clip(curve.precision + np.hypot(curve.high - curve.precision, up), 0.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(high > low, 1 - (curve.high - curve.low) / (high - low), 0.0)
    return replace(curve, low=low, high=high, coder_share_of_width=share)


def _spread(
    ranking: Placing, verdicts: Booleans, design: SampledList, n: Integers, level: float
) -> tuple[Reals, Reals]:
    """How far below and above its middle the precision of each list moves over the draws."""
    at, rows = cuts(n, ranking), design.rows
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
