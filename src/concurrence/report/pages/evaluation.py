"""An evaluation as a document and as a table."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from concurrence.core.sentences import join_words
from concurrence.evaluation.findings import better_at
from concurrence.evaluation.results import ALONG_N, Curve, Evaluation, Evaluations
from concurrence.evaluation.sentences import detectable_by_size, percentage_points
from concurrence.evaluation.study import with_titles
from concurrence.report.pages.differences import difference_blocks, difference_rows
from concurrence.report.pages.evaluation_brief import (
    FEWEST_ROUND,
    ROUND_SIZES,
    beaten_table,
    evaluation_brief,
    headline,
    headline_sizes,
    only_differences,
    precision_cell,
)
from concurrence.report.pages.methods import methods_section
from concurrence.report.pages.precision import precision_chart, side_by_side
from concurrence.report.pages.procedures import procedures
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Chart, Document, Paragraph, Section, Table

MOST_SIZES = 9
MOST_WITH_COUNTS = 3
MOST_COLUMNS = 10
MANY_TESTS = (
    "What is said here holds for all pairs and list sizes together; single p-values and marks are of one test each."
)
IN_CHART_AND_MATRIX = ("comparison", "against_baseline")


def evaluation_table(result: Evaluation | Evaluations) -> pl.DataFrame:
    """One row per measure and n, or per two measures where only their difference is known.

    Kinds of true positives and data sets have columns of their own.
    """
    rows = []
    for name, evaluation in _data_sets(result).items():
        for kind, part in (("", evaluation), *evaluation.kinds.items()):
            if only_differences(part):
                rows += [{"data_set": name, "kind": kind, **row} for row in difference_rows(part)]
                continue
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
    if curve.tie_draws is not None:
        arrays["tie_standard_deviation"] = curve.tie_draws.standard_deviation
    if curve.coder_share_of_width is not None:
        arrays["coder_share_of_width"] = curve.coder_share_of_width
    return [{"n": int(n), **{k: v[i].item() for k, v in arrays.items()}} for i, n in enumerate(curve.n.tolist())]


def evaluation_document(result: Evaluation | Evaluations, *, charts: bool = True) -> Document:
    """What the lists are worth, the table of precisions, the charts where they will be seen."""
    evaluations = {name: with_titles(evaluation) for name, evaluation in _data_sets(result).items()}
    several = len(evaluations) > 1
    sections: list[Section] = []
    answers: list[str] = []
    warnings: list[str] = []
    for name, evaluation in evaluations.items():
        prefix = f"{name}: " if several else ""
        answers.append(f"{prefix}{headline(evaluation)}")
        answers += [f"{prefix}{text}" for text in _decisions(evaluation)]
        warnings += [f"{prefix}{one.text}" for one in evaluation.warnings]
        sections.append(_section(prefix, evaluation, charts=charts and not several))
        for kind, part in evaluation.kinds.items():
            warnings += [f"{prefix}{kind}: {one.text}" for one in part.warnings]
            sections.append(_section(f"{prefix}{kind}: ", part, charts=charts))
    if several and charts:
        chart = Chart(specification=side_by_side(evaluations), caption="Data sets side by side.")
        sections.insert(0, Section(title="Precision graphs", blocks=(chart,)))
    sections.append(_methods(_data_sets(result).values()))
    return Document(
        title="Evaluation",
        question="Which measure finds true positives here, and how sure is that?",
        answer=tuple(answers),
        sections=tuple(sections),
        warnings=tuple(warnings),
    )


def _decisions(evaluation: Evaluation) -> list[str]:
    """Which measures are shown to be better than which, at the list sizes that were asked for."""
    if len(evaluation.measures) < 2:
        return []
    return [_decision(evaluation, n) for n in headline_sizes(evaluation)]


def _decision(evaluation: Evaluation, n: int) -> str:
    if better_at(evaluation.findings, n):
        best = next(one for one in evaluation.best if one.n == n)
        if best.not_significantly_worse:
            rest = f"not shown to be worse: {join_words(best.not_significantly_worse)}"
            return f"At n = {n:,}, {best.measure} has the highest precision; {rest}."
        others = [name for name in evaluation.measures if name != best.measure]
        return f"At n = {n:,}, {best.measure} beats {others[0] if len(others) == 1 else 'all others'}."
    if all((np.asarray(pair.overlap)[pair.n == n] >= n - 1e-9).all() for pair in evaluation.comparisons):
        return f"At n = {n:,}, all lists are the same."
    needed = detectable_by_size(evaluation.comparisons).get(n, np.nan)
    could = (
        f"it would have taken at least {percentage_points(needed)}"
        if np.isfinite(needed)
        else "none could have been significant"
    )
    return f"At n = {n:,}, no difference can be shown; {could}."


def _methods(evaluations: Iterable[Evaluation]) -> Section:
    """The formulas of the measures, and the intervals and tests that were used."""
    whole = list(evaluations)
    used = {one.method.interval for one in whole} | {"difference_sets" for one in whole if one.comparisons}
    formulas = methods_section(measures=dict.fromkeys(name for one in whole for name in one.measures))
    return Section(title=formulas.title, blocks=(*formulas.blocks, *procedures(used)), is_methods=True)


def _section(prefix: str, evaluation: Evaluation, *, charts: bool) -> Section:
    blocks: list[Any] = []
    if only_differences(evaluation):
        paragraphs = [Paragraph(text=one.text) for one in evaluation.sentences if not one.warning]
        blocks = [*difference_blocks(prefix, evaluation, charts=charts), *paragraphs]
        return Section(title=f"{prefix}Difference in precision", blocks=tuple(blocks))
    if charts:
        caption = (
            f"{prefix}n-best precision with {evaluation.method.level:.0%} {evaluation.method.band} confidence regions."
        )
        chart = precision_chart(evaluation, title=f"{prefix}n-best precision")
        blocks.append(
            Chart(specification=chart, caption=caption, small=precision_chart(evaluation, name="first", small=True))
        )
    if len(evaluation.measures) > 1:
        blocks.append(beaten_table(prefix, evaluation, headline_sizes(evaluation), most=MOST_COLUMNS))
    blocks.append(_precisions(prefix, evaluation))
    if any(np.isfinite(curve.recall).any() for curve in evaluation.measures.values()):
        blocks.append(_recalls(prefix, evaluation))
    if any(np.isfinite(curve.average_precision.value) for curve in evaluation.measures.values()):
        blocks.append(_averages(evaluation))
    if len(evaluation.measures) > 1:
        blocks.append(_bests(evaluation))
    drawn = IN_CHART_AND_MATRIX if charts else ()
    beside = [one for one in evaluation.sentences if not one.warning and one.code not in drawn]
    # A page does not advise on options.
    blocks += [Paragraph(text=MANY_TESTS if charts and one.code == "many_tests" else one.text) for one in beside]
    return Section(title=f"{prefix}Precision", blocks=tuple(blocks))


def table_sizes(evaluation: Evaluation) -> list[int]:
    """The list sizes of tables: all where they are few, else the round ones, or some at even distances."""
    sizes = sorted({int(n) for curve in evaluation.measures.values() for n in curve.n})
    if len(sizes) <= MOST_SIZES:
        return sizes
    special = {curve.filter_size for curve in evaluation.measures.values() if curve.filter_size is not None}
    rounded = {n for n in ROUND_SIZES if n in sizes}
    if len(rounded) < FEWEST_ROUND:
        rounded = set(sizes[:: -(-len(sizes) // MOST_SIZES)])
    return sorted(rounded | special | {sizes[0], sizes[-1]})[: MOST_SIZES + 3]


def _precisions(prefix: str, evaluation: Evaluation) -> Table:
    method, with_counts = evaluation.method, len(evaluation.measures) <= MOST_WITH_COUNTS
    cell = partial(precision_cell, decimals=1, counts=with_counts, recall=False)
    rows = [(n, *(cell(curve, n) for curve in evaluation.measures.values())) for n in table_sizes(evaluation)]
    band = f"{method.level:.0%} {method.band} {method.interval} interval"
    caption = f"{prefix}Precision [{band}]" + " true/judged" * with_counts
    return Table.of(caption, ("n", *evaluation.measures), rows)


def _recalls(prefix: str, evaluation: Evaluation) -> Table:
    rows = [(n, *(_recall(curve, n) for curve in evaluation.measures.values())) for n in table_sizes(evaluation)]
    level = f"{evaluation.method.level:.0%} interval"
    return Table.of(f"{prefix}Recall [{level}]", ("n", *evaluation.measures), rows)


def _recall(curve: Curve, n: int) -> str:
    (at,) = np.nonzero(curve.n == n)
    if not at.size or not np.isfinite(curve.recall[at[0]]):
        return "–"
    i = int(at[0])
    return f"{curve.recall[i]:.1%} [{100 * curve.recall_low[i]:.1f}, {100 * curve.recall_high[i]:.1f}]"


def _averages(evaluation: Evaluation) -> Table:
    rows = [
        (name, curve.average_precision.value, curve.average_precision.interval, curve.average_precision.note or "")
        for name, curve in evaluation.measures.items()
    ]
    has_notes = any(row[-1] for row in rows)
    columns = ("measure", "average precision", f"{evaluation.method.level:.0%} interval", "note")
    caption = "Average precision over the whole list"
    return Table.of(caption, columns if has_notes else columns[:3], [row if has_notes else row[:3] for row in rows])


def _bests(evaluation: Evaluation) -> Table:
    wanted = set(table_sizes(evaluation))
    rows = [
        (best.n, best.measure, ", ".join(best.not_significantly_worse) or "–")
        for best in evaluation.best
        if best.n in wanted
    ]
    return Table.of(
        f"The measure with the highest precision, and those not shown to be worse ({evaluation.method.test})",
        ("n", "highest precision", "not shown to be worse"),
        rows,
    )


PRESENTERS: Presenters = (
    Presenter(Evaluation, evaluation_document, evaluation_table, brief=evaluation_brief),
    Presenter(Evaluations, evaluation_document, evaluation_table, brief=evaluation_brief),
)
