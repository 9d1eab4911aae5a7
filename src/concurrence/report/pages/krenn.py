"""Figures 1 to 4 of Evert & Krenn (2005) as a document, and the numbers behind them as a table."""

from dataclasses import replace
from typing import Any

import polars as pl

from concurrence.evaluation.krenn import MEASURES, PrecisionFigures, select_measures
from concurrence.evaluation.results import Evaluation, Evaluations
from concurrence.evaluation.study import with_titles
from concurrence.report.pages.evaluation import evaluation_document, evaluation_table
from concurrence.report.pages.precision import precision_chart, side_by_side
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Chart, Document, Section


def krenn_document(result: PrecisionFigures, *, charts: bool = True) -> Document:
    """The four figures, then the numbers of the sample."""
    # One section for all: the page shows the first chart at its top, which would leave a section of its own empty.
    sections = [Section(title="Figures", blocks=tuple(_figures(result)))] if charts else []
    numbers = evaluation_document(result.sample, charts=False)
    return Document.of(
        "Precision graphs",
        "What do random samples say of n-best precision?",
        result.sentences,
        (*sections, *numbers.sections),
        warnings=result.warnings,
    )


def krenn_table(result: PrecisionFigures) -> pl.DataFrame:
    """One row per measure and n, of the whole list and of the sample."""
    both = {"whole": result.whole, f"sample of {result.rate:.0%}": result.sample}
    return evaluation_table(Evaluations(data_sets=both))


def _figures(result: PrecisionFigures) -> list[Chart]:
    best, other, worst = MEASURES[0], MEASURES[1], MEASURES[-1]
    rate = f"a sample of {result.rate:.0%}"
    left, right = _bare(select_measures(result.whole, upto=result.upto)), _lines(_bare(result.sample))
    one, two = (select_measures(result.sample, (name,)) for name in (best, worst))
    titles = result.sample.titles
    pair = select_measures(result.sample, (best, other))
    return [
        _figure(1, _chart(_bare(result.whole), "All candidates"), "n-best precision in the whole list."),
        _figure(
            2,
            side_by_side({"All candidates": with_titles(left), f"Estimated from {rate}": with_titles(right)}),
            f"n-best precision in the whole list, and estimated from {rate}.",
        ),
        _figure(
            3,
            side_by_side({titles[best]: with_titles(one), titles[worst]: with_titles(two)}),
            "Confidence intervals; solid: estimated from the sample, dotted: true precision.",
        ),
        _figure(
            4,
            _chart(_without_truth(pair), f"{titles[best]} and {titles[other]}"),
            "Overlapping confidence intervals, and below them the lists for which Fisher's test of the difference sets "
            "is significant.",
        ),
    ]


def _figure(number: int, specification: dict[str, Any], caption: str) -> Chart:
    return Chart(specification=specification, caption=f"Figure {number}. {caption}")


def _chart(evaluation: Evaluation, title: str) -> dict[str, Any]:
    return precision_chart(with_titles(evaluation), title=title)


def _bare(evaluation: Evaluation) -> Evaluation:
    return replace(evaluation, comparisons=())


def _lines(evaluation: Evaluation) -> Evaluation:
    """Graphs without regions; that of the baseline stays, as in the paper."""
    curves = {
        name: replace(curve, low=curve.precision, high=curve.precision, true_precision=None)
        for name, curve in evaluation.measures.items()
    }
    return replace(evaluation, measures=curves)


def _without_truth(evaluation: Evaluation) -> Evaluation:
    curves = {name: replace(curve, true_precision=None) for name, curve in evaluation.measures.items()}
    return replace(evaluation, measures=curves)


PRESENTERS: Presenters = (Presenter(PrecisionFigures, krenn_document, krenn_table),)
