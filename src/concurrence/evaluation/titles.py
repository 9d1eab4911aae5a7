"""An evaluation under the names that people read."""

from collections.abc import Mapping
from dataclasses import replace

from concurrence.evaluation.results import Evaluation, MeasureComparison


def titled(evaluation: Evaluation) -> Evaluation:
    """The evaluation with the title of each measure in the place of its name."""
    titles = evaluation.titles
    if all(name == title for name, title in titles.items()):
        return evaluation
    return replace(
        evaluation,
        measures={titles.get(name, name): curve for name, curve in evaluation.measures.items()},
        comparisons=tuple(_compared(pair, titles) for pair in evaluation.comparisons),
        best=tuple(
            replace(
                best,
                measure=titles.get(best.measure, best.measure),
                not_significantly_worse=tuple(titles.get(name, name) for name in best.not_significantly_worse),
            )
            for best in evaluation.best
        ),
        above=tuple(replace(row, measure=titles.get(row.measure, row.measure)) for row in evaluation.above),
        kinds={kind: titled(part) for kind, part in evaluation.kinds.items()},
        titles={},
    )


def _compared(pair: MeasureComparison, titles: Mapping[str, str]) -> MeasureComparison:
    return replace(
        pair,
        a=titles.get(pair.a, pair.a),
        b=titles.get(pair.b, pair.b),
        better=tuple(None if name is None else titles.get(name, name) for name in pair.better),
        regions=tuple(replace(region, better=titles.get(region.better, region.better)) for region in pair.regions),
    )
