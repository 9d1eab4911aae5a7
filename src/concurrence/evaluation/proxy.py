"""Prediction-powered precision: a model's judgement of every candidate, corrected by people's of a sample.

The estimate is the share that people found in the sample, plus λ times how much the model's mean over the
whole list exceeds its mean over the sample. λ is the slope of people's verdicts on the model's, so that a
useless model changes nothing (Angelopoulos et al. 2023, with the tuned λ of their PPI++; the regression
estimator of survey sampling).
"""

from dataclasses import dataclass

import numpy as np

from concurrence.core.arrays import Reals
from concurrence.core.errors import InvalidInputError
from concurrence.core.judgements import YES
from concurrence.evaluation.lists import Counter
from concurrence.evaluation.results import Proxy
from concurrence.kernels import estimates
from concurrence.kernels.chance import ratio
from concurrence.kernels.ranking import Ranking

LEAN = 20.0  # λ of a short list leans on that of the whole sample as if by this many judgements


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Moments:
    """Means over a list (``all_f``) and over its judged part, and spreads of the latter, by stratum."""

    judged: Reals
    all_f: Reals
    f: Reals
    y: Reals
    ff: Reals
    yf: Reals


def proxy_estimate(ranking: Ranking, column: str, values: Reals, counter: Counter, *, level: float) -> Proxy:
    """The prediction-powered precision of every n-best list."""
    if not np.isfinite(values).all():
        raise InvalidInputError(f"The proxy {column!r} must have a number for every candidate.")
    lists = counter.best(ranking)
    moments = _moments(ranking, values, counter)
    plain = estimates.stratified(lists, replacement=counter.design.replacement)
    weight, variance = plain.weight, plain.variance
    slope = _slope(moments, weight, _overall_slope(values, counter))
    shift = (weight * np.where(moments.judged > 0, moments.all_f - moments.f, 0)).sum(axis=-1)
    value = np.clip(plain.value + slope * shift, 0.0, 1.0)
    left = _variance_left(moments, weight, slope)
    low, high = estimates.effective(value, variance * left, level, freedom=plain.freedom)
    plain_low, plain_high = estimates.effective(plain.value, variance, level, freedom=plain.freedom)
    judged = lists.sampled.sum(axis=-1) > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        narrowed = (high - low) / (plain_high - plain_low)
    return Proxy(
        column=column,
        precision=np.where(judged, value, np.nan),
        low=np.where(judged, low, np.nan),
        high=np.where(judged, high, np.nan),
        width_ratio=np.where(judged, narrowed, np.nan),
    )


def _moments(ranking: Ranking, values: Reals, counter: Counter) -> _Moments:
    times = counter.design.times.astype(np.float64)
    true = (counter.judgements.verdicts == YES).astype(np.float64)
    size = counter.best(ranking).size
    judged = counter.sums(ranking, times)

    def mean(amount: Reals) -> Reals:
        return ratio(counter.sums(ranking, times * amount), judged, empty=0.0)

    f, y = mean(values), mean(true)
    return _Moments(
        judged=judged,
        all_f=ratio(counter.sums(ranking, values), size, empty=0.0),
        f=f,
        y=y,
        ff=np.maximum(mean(values**2) - f**2, 0),
        yf=mean(values * true) - f * y,
    )


def _overall_slope(values: Reals, counter: Counter) -> float:
    weights = counter.design.weights()
    rows = weights > 0
    true = (counter.judgements.verdicts[rows] == YES).astype(np.float64)
    f, w = values[rows], weights[rows]
    centred = f - np.average(f, weights=w)
    spread = float(np.average(centred**2, weights=w))
    return max(0.0, float(np.average(centred * true, weights=w)) / spread) if spread > 0 else 0.0


def _slope(moments: _Moments, weight: Reals, overall: float) -> Reals:
    spread = (weight * moments.ff).sum(axis=-1)
    together = (weight * moments.yf).sum(axis=-1)
    judged = moments.judged.sum(axis=-1)
    own = np.divide(together, spread, out=np.full(spread.shape, overall), where=spread > 1e-12)
    return np.asarray(np.maximum(0.0, (own * judged + overall * LEAN) / (judged + LEAN)))


def _variance_left(moments: _Moments, weight: Reals, slope: Reals) -> Reals:
    """The share of the variance of people's verdicts that the model does not explain."""
    y = (weight * moments.y * (1 - moments.y)).sum(axis=-1)
    ff, yf = (weight * moments.ff).sum(axis=-1), (weight * moments.yf).sum(axis=-1)
    judged = moments.judged.sum(axis=-1)
    unexplained = np.divide(y - 2 * slope * yf + slope**2 * ff, y, out=np.ones(y.shape), where=y > 1e-12)
    # One slope was fitted; with few judgements the fit flatters, hence the second term.
    left: Reals = np.clip(unexplained * judged / np.maximum(judged - 2, 1) + 2 / np.maximum(judged, 2), 0.02, None)
    return left
