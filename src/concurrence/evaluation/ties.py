"""Averaging over several ways of breaking ties, and how much they matter."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.evaluation.results import ALONG_N, Curve, Evaluation, MeasureComparison, Spread
from concurrence.evaluation.words import best_of, comparison_in_words, significant_regions
from concurrence.kernels.intervals import Reals

COUNTED = ("overlap", "sampled_a", "sampled_b", "true_a", "true_b")


def averaged(draws: Sequence[Evaluation]) -> Evaluation:
    """The mean of evaluations that differ only in how ties were broken, with the spread that this causes."""
    first = draws[0]
    curves = {name: _curve([draw.measures[name] for draw in draws]) for name in first.measures}
    comparisons = tuple(
        _comparison([draw.comparisons[i] for draw in draws], alpha=1 - first.method.level)
        for i in range(len(first.comparisons))
    )
    best = best_of(curves, comparisons, alpha=1 - first.method.level)
    return replace(first, measures=curves, comparisons=comparisons, best=best)


def _curve(draws: Sequence[Curve]) -> Curve:
    precision = _known([draw.precision for draw in draws])
    means: dict[str, Any] = {name: _mean([getattr(draw, name) for draw in draws]) for name in ALONG_N}
    return replace(
        draws[0],
        **means,
        average_precision=float(np.mean([draw.average_precision for draw in draws])),
        ties=Spread(
            draws=len(draws),
            standard_deviation=precision.std(axis=0, ddof=1).filled(np.nan),
            low=precision.min(axis=0).filled(np.nan),
            high=precision.max(axis=0).filled(np.nan),
        ),
    )


def _comparison(draws: Sequence[MeasureComparison], *, alpha: float) -> MeasureComparison:
    first = draws[0]
    p = _mean([draw.p for draw in draws])
    corrected = [draw.p_corrected for draw in draws if draw.p_corrected is not None]
    p_corrected = _mean(corrected) if corrected else None
    votes = np.array([[{first.a: 1, first.b: -1}.get(name or "", 0) for name in draw.better] for draw in draws])
    lead = votes.sum(axis=0).tolist()
    better = tuple(first.a if v > 0 else first.b if v < 0 else None for v in lead)
    decisive = p if p_corrected is None else p_corrected
    regions = significant_regions(first.n, decisive, better, alpha=alpha)
    means: dict[str, Any] = {name: _mean([getattr(draw, name) for draw in draws]) for name in COUNTED}
    return replace(
        first,
        **means,
        p=p,
        p_corrected=p_corrected,
        better=better,
        regions=regions,
        sentence=comparison_in_words(first.a, first.b, first.n, decisive, regions),
    )


def _mean(arrays: Sequence[NDArray[np.generic]]) -> Reals:
    return np.asarray(_known(arrays).mean(axis=0).filled(np.nan))


def _known(arrays: Sequence[NDArray[np.generic]]) -> Any:
    """The draws as rows; one in which nothing of a list was judged says nothing about its precision."""
    return np.ma.masked_invalid(np.array(arrays, dtype=np.float64), copy=False)
