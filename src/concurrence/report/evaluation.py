"""An evaluation as a document and as a table."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from concurrence.core.sentences import listed, warnings_first
from concurrence.evaluation.results import ALONG_N, Best, Curve, Evaluation, Evaluations
from concurrence.report.document import Chart, Document, Paragraph, Section, Table
from concurrence.report.methods import methods_section
from concurrence.report.precision import precision_chart, side_by_side
from concurrence.report.procedures import procedures

SHOWN_SIZES = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
MOST_SIZES = 9
FEWEST_ROUND = 3
MOST_WITH_COUNTS = 3


def evaluation_table(result: Evaluation | Evaluations) -> pl.DataFrame:
    """Every measure and n, a row each; kinds of true positives and data sets are told by columns."""
    rows = []
    for name, evaluation in _data_sets(result).items():
        for kind, part in (("", evaluation), *evaluation.kinds.items()):
            for measure, curve in part.measures.items():
                rows += [{"data_set": name, "kind": kind, "measure": measure, **row} for row in _table_rows(curve)]
    table = pl.DataFrame(rows, infer_schema_length=None)
    drop = [name for name in ("data_set", "kind") if table[name].n_unique() == 1]
    return table.drop(drop)


def _data_sets(result: Evaluation | Evaluations) -> dict[str, Evaluation]:
    return result.data_sets if isinstance(result, Evaluations) else {"": result}


def _table_rows(curve: Curve) -> list[dict[str, Any]]:
    arrays: dict[str, Any] = {name: getattr(curve, name) for name in ALONG_N}
    if curve.true_precision is not None:
        arrays["true_precision"] = curve.true_precision
    if curve.proxy is not None:
        arrays |= {f"proxy_{name}": getattr(curve.proxy, name) for name in ("precision", "low", "high")}
    if curve.ties is not None:
        arrays["tie_standard_deviation"] = curve.ties.standard_deviation
    if curve.coder_share_of_width is not None:
        arrays["coder_share_of_width"] = curve.coder_share_of_width
    return [{"n": int(n), **{k: v[i].item() for k, v in arrays.items()}} for i, n in enumerate(curve.n.tolist())]


def evaluation_document(result: Evaluation | Evaluations, *, charts: bool = True) -> Document:
    """What the lists are worth, the table of precisions, the charts where they will be seen."""
    evaluations = _data_sets(result)
    several = len(evaluations) > 1
    sections: list[Section] = []
    answers: list[str] = []
    for name, evaluation in evaluations.items():
        prefix = f"{name}: " if several else ""
        answers.append(f"{prefix}{_headline(evaluation)}")
        answers += _decisions(evaluation)
        sections.append(_section(prefix, evaluation, charts=charts and not several))
        for kind, part in evaluation.kinds.items():
            sections.append(_section(f"{prefix}{kind}: ", part, charts=charts))
    if several and charts:
        chart = Chart(specification=side_by_side(evaluations), caption="Data sets side by side.")
        sections.insert(0, Section(title="Precision graphs", blocks=(chart,)))
    sections.append(_methods(evaluations.values()))
    return Document(
        title="Evaluation",
        question="Which measure finds true positives here, and how sure is that?",
        answer=tuple(answers),
        sections=tuple(sections),
    )


def _headline(evaluation: Evaluation) -> str:
    data, baseline = evaluation.data, evaluation.baseline
    start = f"{data.judged:,} of {data.candidates:,} candidates judged ({data.design}), {data.true_positives:,} true."
    if np.isnan(baseline.value):
        return start
    low, high = baseline.interval
    return f"{start} Baseline {baseline.value:.2%} [{low:.2%}, {high:.2%}]."


def _decisions(evaluation: Evaluation) -> list[str]:
    """Which measure is best at a few list sizes, and which are not significantly worse."""
    if len(evaluation.measures) < 2:
        return []
    sizes = shown_sizes(evaluation)
    wanted = set(sizes[:: max(1, len(sizes) // 3)][:3])
    return [_decision(evaluation, best) for best in evaluation.best if best.n in wanted]


def _decision(evaluation: Evaluation, best: Best) -> str:
    curve = evaluation.measures[best.measure]
    precision = float(curve.precision[np.flatnonzero(curve.n == best.n)[0]])
    others = best.not_significantly_worse
    verb = "is" if len(others) == 1 else "are"
    rest = f"{listed(others)} {verb} not significantly worse" if others else "every other is significantly worse"
    return f"At n = {best.n:,} {best.measure} is best, with a precision of {precision:.1%}; {rest}."


def _methods(evaluations: Iterable[Evaluation]) -> Section:
    """The formulas of the measures, and the intervals and tests that were used."""
    whole = list(evaluations)
    used = {one.method.interval for one in whole} | {"difference_sets" for one in whole if one.comparisons}
    formulas = methods_section(measures=dict.fromkeys(name for one in whole for name in one.measures))
    return Section(title=formulas.title, blocks=(*formulas.blocks, *procedures(used)))


def _section(prefix: str, evaluation: Evaluation, *, charts: bool) -> Section:
    blocks: list[Any] = []
    if charts:
        caption = (
            f"{prefix}n-best precision with {evaluation.method.level:.0%} {evaluation.method.band} confidence regions."
        )
        chart = precision_chart(evaluation, title=f"{prefix}n-best precision")
        blocks.append(Chart(specification=chart, caption=caption))
    blocks.append(_precisions(prefix, evaluation))
    if any(np.isfinite(curve.average_precision) for curve in evaluation.measures.values()):
        blocks.append(_averages(evaluation))
    if len(evaluation.measures) > 1:
        blocks.append(_bests(evaluation))
    blocks += [Paragraph(text=one.text, warning=one.warning) for one in warnings_first(evaluation.sentences)]
    return Section(title=f"{prefix}Precision", blocks=tuple(blocks))


def shown_sizes(evaluation: Evaluation) -> list[int]:
    """The list sizes of tables: all where they are few, else the round ones, or some at even distances."""
    sizes = sorted({int(n) for curve in evaluation.measures.values() for n in curve.n})
    if len(sizes) <= MOST_SIZES:
        return sizes
    special = {curve.filter_size for curve in evaluation.measures.values() if curve.filter_size is not None}
    rounded = {n for n in SHOWN_SIZES if n in sizes}
    if len(rounded) < FEWEST_ROUND:
        rounded = set(sizes[:: -(-len(sizes) // MOST_SIZES)])
    return sorted(rounded | special | {sizes[0], sizes[-1]})[: MOST_SIZES + 3]


def _precisions(prefix: str, evaluation: Evaluation) -> Table:
    method, rows = evaluation.method, []
    with_counts = len(evaluation.measures) <= MOST_WITH_COUNTS
    for n in shown_sizes(evaluation):
        cells = [_cell(curve, n, with_counts=with_counts) for curve in evaluation.measures.values()]
        rows.append((n, *cells))
    band = f"{method.level:.0%} {method.band} {method.interval} interval" + ", true / judged" * with_counts
    return Table.of(f"{prefix}Precision in per cent [{band}]", ("n", *evaluation.measures), rows)


def _cell(curve: Curve, n: int, *, with_counts: bool) -> str:
    (at,) = np.nonzero(curve.n == n)
    if not at.size or not np.isfinite(curve.precision[at[0]]):
        return "–"
    i = int(at[0])
    share = f"{100 * curve.precision[i]:.1f} [{100 * curve.low[i]:.1f}, {100 * curve.high[i]:.1f}]"
    counts = f" {float(curve.true_positives[i]):.4g}/{float(curve.sampled[i]):.4g}"
    return share + counts * with_counts


def _averages(evaluation: Evaluation) -> Table:
    rows = [
        (name, curve.average_precision, "filter" if curve.filter_size is not None else "ranking")
        for name, curve in evaluation.measures.items()
    ]
    return Table.of("Average precision over the whole list", ("measure", "average precision", "kind"), rows)


def _bests(evaluation: Evaluation) -> Table:
    wanted = set(shown_sizes(evaluation))
    rows = [
        (best.n, best.measure, ", ".join(best.not_significantly_worse) or "–")
        for best in evaluation.best
        if best.n in wanted
    ]
    return Table.of(
        f"The best measure, and those not significantly worse, by {evaluation.method.test}",
        ("n", "best", "not significantly worse"),
        rows,
    )
