"""A judge's share of yeses, corrected for what the judge misses and what it finds by mistake (Rogan & Gladen 1978)."""

from math import inf, nan, sqrt

from scipy.special import ndtri

from concurrence.core.interval import Interval
from concurrence.evaluation.rates.results import EstimatedShare
from concurrence.kernels.intervals import clopper_pearson

GUESSING = "The judge says yes of true and of false candidates equally often, so its share tells nothing."
OUTSIDE = "The judge's errors would explain more than it said, so the corrected share was cut at {edge}."


def rogan_gladen(share: float, sensitivity: float, specificity: float) -> float:
    """The corrected share, not cut at 0 or 1.

    >>> round(rogan_gladen(45 / 150, 0.96, 0.89), 4)
    0.2235
    """
    gained = sensitivity + specificity - 1
    return (share + specificity - 1) / gained if abs(gained) > 1e-12 else nan


def with_known_errors(
    positive: int, tested: int, sensitivity: float, specificity: float, *, level: float
) -> EstimatedShare:
    """The corrected share where sensitivity and specificity are known: exact limits of the judge's share, corrected."""
    if sensitivity + specificity - 1 <= 1e-12:
        return EstimatedShare(value=nan, interval=_interval(nan, nan, level, "clopper_pearson"), note=GUESSING)
    low, high = (float(end) for end in clopper_pearson(positive, tested, level=level))
    ends = (rogan_gladen(end, sensitivity, specificity) for end in (low, high))
    return _cut(rogan_gladen(positive / tested, sensitivity, specificity), *ends, level=level, method="clopper_pearson")


def with_estimated_errors(
    share: float, tested: float, sensitivity: tuple[float, float], specificity: tuple[float, float], *, level: float
) -> EstimatedShare:
    """The corrected share with an interval that carries the errors of all three (Lang & Reiczigel 2014).

    ``sensitivity`` and ``specificity`` are a value and how many judgements it rests on; ``tested`` is infinite where
    the judge's share is known of the whole list.
    """
    if sensitivity[0] + specificity[0] - 1 <= 1e-12 or not (sensitivity[1] and specificity[1]):
        return EstimatedShare(value=nan, interval=_interval(nan, nan, level, "lang_reiczigel"), note=GUESSING)
    z2 = float(ndtri((1 + level) / 2)) ** 2
    known = tested == inf
    p, n = (share, inf) if known else ((tested * share + z2 / 2) / (tested + z2), tested + z2)
    (se, of_se), (sp, of_sp) = (_with_error(*found) for found in (sensitivity, specificity))
    gained = se + sp - 1
    if gained <= 0:
        return EstimatedShare(value=nan, interval=_interval(nan, nan, level, "lang_reiczigel"), note=GUESSING)
    middle = (p + sp - 1) / gained
    shift = 2 * z2 * (middle * of_se - (1 - middle) * of_sp)
    spread = (0.0 if known else p * (1 - p) / n) + middle**2 * of_se + (1 - middle) ** 2 * of_sp
    half = sqrt(z2 * spread) / gained
    value = rogan_gladen(share, sensitivity[0], specificity[0])
    centre = middle + shift
    return _cut(value, min(centre - half, value), max(centre + half, value), level=level, method="lang_reiczigel")


def _with_error(value: float, judged: float) -> tuple[float, float]:
    """A share after one more judgement of each kind, and its variance; a known one is as it is."""
    if judged == inf:
        return value, 0.0
    share = (judged * value + 1) / (judged + 2)
    return share, share * (1 - share) / (judged + 2)


def _cut(value: float, low: float, high: float, *, level: float, method: str) -> EstimatedShare:
    inside = min(max(value, 0.0), 1.0)
    note = None if inside == value else OUTSIDE.format(edge=int(inside))
    low, high = (min(max(end, 0.0), 1.0) for end in (low, high))
    return EstimatedShare(value=inside, interval=_interval(low, high, level, method), note=note)


def _interval(low: float, high: float, level: float, method: str) -> Interval:
    return Interval(low=low, high=high, level=level, method=method)
