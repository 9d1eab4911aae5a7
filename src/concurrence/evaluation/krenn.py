"""Figures 1 to 4 of Evert & Krenn (2005): precision graphs of a whole list, and what a random sample says of them."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

import numpy as np
import polars as pl

from concurrence.core.errors import InvalidInputError
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, warnings_first
from concurrence.core.values import value
from concurrence.evaluation.options import EvaluateOptions, KrennOptions
from concurrence.evaluation.results import ALONG_N, Curve, Evaluation
from concurrence.evaluation.study import evaluate

MEASURES = ("t_score", "log_likelihood", "frequency", "chi_squared_corr")
"""The four measures of the paper; the first two are compared, the first and the last shown with their regions."""
FIRST, SIZES, SHARE = 100, 100, 3


@value
class PrecisionFigures(Result):
    """The whole list and a random sample of it, evaluated by the four measures of the paper.

    ``true_kind`` is the kind of pairs that count as true. ``upto`` is the largest list of Figures 2 to 4; the paper
    shows the first third of its list.
    """

    true_kind: str
    rate: float
    upto: int
    whole: Evaluation
    sample: Evaluation
    sentences: tuple[Sentence, ...] = ()
    warnings: tuple[Sentence, ...] = field(default=())

    def __str__(self) -> str:
        return "\n".join(map(str, warnings_first(self.sentences)))


def krenn_figures(
    table: pl.DataFrame, options: KrennOptions, *, titles: Mapping[str, str] | None = None
) -> PrecisionFigures:
    """Evaluate a list with ``l1 l2 tp`` and columns of the four scores, whole and by a random sample.

    Intervals are binomial and the test of difference sets is Fisher's, two-sided, as in the paper.
    """
    if missing := [name for name in MEASURES if name not in table.columns]:
        raise InvalidInputError(f"The table has no scores of {missing[0]}; the figures need {', '.join(MEASURES)}.")
    upto = options.upto or max(len(table) // SHARE, 1)
    if not 1 <= upto <= len(table):
        raise InvalidInputError(f"The largest list must have between 1 and {len(table):,} candidates, not {upto:,}.")
    gold, names = table.select("l1", "l2", "tp"), dict(titles or {})
    every = _sizes(len(table), [upto])
    in_full = EvaluateOptions(n=every, level=options.level, seed=options.seed, titles=names)
    whole = evaluate(table, gold, in_full, measures=MEASURES)
    by_sample = replace(in_full, n=_sizes(upto), simulate=options.rate, interval="clopper-pearson")
    sample = evaluate(table, gold, by_sample, measures=MEASURES)
    return PrecisionFigures(
        true_kind=options.kind,
        rate=options.rate,
        upto=upto,
        whole=whole,
        sample=sample,
        sentences=tuple(_sentences(whole, sample, options.kind, options.rate)),
        warnings=sample.warnings,
    )


def _sizes(last: int, more: Sequence[int] = ()) -> list[int]:
    first = min(FIRST, last)
    return sorted({*np.linspace(first, last, min(SIZES, last - first + 1)).astype(int).tolist(), *more})


def _sentences(whole: Evaluation, sample: Evaluation, kind: str, rate: float) -> list[Sentence]:
    data, drawn = whole.data, sample.data
    low, high = sample.baseline.interval
    base = (
        f"{data.true_positives:,} of {data.candidates:,} candidates are true positives of the kind {kind}: the "
        f"baseline is {whole.baseline.value:.2%}. A sample of {rate:.0%} ({drawn.judged:,} candidates) estimates it as "
        f"{sample.baseline.value:.2%} [{100 * low:.2f}, {100 * high:.2f}]."
    )
    compared = next(pair for pair in sample.comparisons if {pair.a, pair.b} == set(MEASURES[:2]))
    return [Sentence(code="baseline", text=base), compared.sentence, *sample.warnings]


def select_measures(evaluation: Evaluation, names: Sequence[str] = MEASURES, *, upto: int | None = None) -> Evaluation:
    """Some measures alone, with lists up to a size; comparisons among the measures stay."""
    curves = {name: _cut_curve(evaluation.measures[name], upto) for name in names}
    pairs = tuple(pair for pair in evaluation.comparisons if {pair.a, pair.b} <= set(names))
    return replace(evaluation, measures=curves, comparisons=pairs, best=(), kinds={})


def _cut_curve(curve: Curve, upto: int | None) -> Curve:
    if upto is None:
        return curve
    keep = curve.n <= upto
    truth = None if curve.true_precision is None else curve.true_precision[keep]
    return replace(
        curve, n=curve.n[keep], true_precision=truth, **{name: getattr(curve, name)[keep] for name in ALONG_N}
    )
