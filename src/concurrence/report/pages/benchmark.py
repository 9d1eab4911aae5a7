"""A benchmark as a document and as a table."""

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from concurrence.evaluation.benchmark.results import Benchmark, MeasureFigures, TableBenchmark
from concurrence.evaluation.benchmark.sentences import against_chance, twins_of
from concurrence.kernels.digits import round_score
from concurrence.report.pages.methods import methods_section
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.charts import Spec, finished, layer
from concurrence.report.render.document import Chart, Document, Paragraph, Section, Table, to_paragraphs

MARK = "*"
"""Stands behind figures that no measure is shown to better."""


def benchmark_document(result: Benchmark, *, charts: bool = True) -> Document:
    """Where which measure is among the best, the figures of all, and how they were made."""
    sections = [_overview(result, charts=charts)]
    if charts:
        sections += [_one_table(name, table, result) for name, table in result.tables.items()]
        sections.append(_methods(result))
    return Document.of(
        "Benchmark",
        "Which measures find true positives in which table?",
        result.sentences,
        sections,
        warnings=result.warnings,
    )


def benchmark_table(result: Benchmark) -> pl.DataFrame:
    """One row per table, measure and list size."""
    rows = [
        {"table": name, "measure": measure, **row}
        for name, table in result.tables.items()
        for measure, figures in table.measures.items()
        for row in _rows(table, figures)
    ]
    return pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)


def _rows(table: TableBenchmark, figures: MeasureFigures) -> Iterable[dict[str, Any]]:
    average = figures.average_precision
    ends = average.interval or (float("nan"), float("nan"))
    along = ("precision", "low", "high", "true_positives", "p_best", "better", "p_chance")
    for place, n in enumerate(table.n.tolist()):
        yield {
            "n": n,
            "headline": n == table.headline,
            **{name: getattr(figures, name)[place].item() for name in along},
            "average_precision": average.value,
            "average_precision_low": ends[0],
            "average_precision_high": ends[1],
        }


def _distinct_measures(result: Benchmark) -> list[str]:
    """The measures that differ, in the order of the summary."""
    distinct = twins_of(result.tables)
    return [row.measure for row in result.summary if row.measure in distinct]


def _overview(result: Benchmark, *, charts: bool) -> Section:
    blocks: list[Any] = []
    if charts:
        caption = (
            "Precision of the list that is as long as there are true positives, in percent. Dark: no measure is shown "
            "to be better; ▼: fewer true positives than a random choice."
        )
        blocks.append(Chart(specification=benchmark_chart(result, _distinct_measures(result)), caption=caption))
    blocks += [_precisions(result)]
    if len(result.tables) > 1:
        blocks.append(_counts(result))
    same = [f"{result.titles[one]}: {', '.join(result.titles[m] for m in names)}" for one, names in _twins(result)]
    if same:
        blocks.append(Paragraph(text=f"Measures that give the same rankings in every table: {'; '.join(same)}."))
    return Section(title="All tables", blocks=tuple(blocks))


def _twins(result: Benchmark) -> list[tuple[str, tuple[str, ...]]]:
    return [(one, names) for one, names in twins_of(result.tables).items() if names]


def _precisions(result: Benchmark) -> Table:
    rows = [
        (result.titles[measure], *(_cell(table, measure) for table in result.tables.values()))
        for measure in _distinct_measures(result)
    ]
    sizes = [("n", *(f"{table.headline:,}" for table in result.tables.values()))]
    chance = [("random choice", *(f"{100 * table.baseline:.1f}" for table in result.tables.values()))]
    caption = (
        "Precision in percent of the n-best list, n as near as possible to the number of true positives "
        f"({MARK}: no measure is shown to be better)"
    )
    return Table.of(caption, ("measure", *result.tables), [*sizes, *chance, *rows])


def _cell(table: TableBenchmark, measure: str) -> str:
    if measure not in table.measures:
        return "–"
    figures = table.measures[measure]
    return f"{100 * figures.precision[table.place]:.1f}{_mark(figures, table.place)}"


def _mark(figures: MeasureFigures, place: int) -> str:
    return MARK if figures.better[place] == 0 else ""


def _counts(result: Benchmark) -> Table:
    distinct = set(_distinct_measures(result))
    rows = [
        (
            result.titles[row.measure],
            len(row.highest_in),
            len(row.among_best_in),
            len(row.worse_in),
            len(row.above_chance_in),
            len(row.below_chance_in),
        )
        for row in result.summary
        if row.measure in distinct
    ]
    columns = ("measure", "highest", "none better", "some better", "above chance", "below chance")
    return Table.of(f"In how many of the {len(result.tables)} tables, at the sizes above", columns, rows)


def _one_table(name: str, table: TableBenchmark, result: Benchmark) -> Section:
    level, data = f"{result.method.level:.0%}", table.data
    once = f", {data.once:,} of them seen once" if data.once is not None else ""
    about = (
        f"{data.candidates:,} candidates{once}; {data.true_positives:,} true positives ({table.baseline:.1%})"
        + (f"; {data.clusters:,} groups by {result.method.clusters}" if result.method.clusters else "")
        + "."
    )
    distinct = [measure for measure in twins_of({name: table}) if measure in table.measures]
    falling = sorted(distinct, key=lambda measure: -round_score(table.measures[measure].average_precision.value))
    rows = [
        (
            result.titles[measure],
            table.measures[measure].average_precision.value,
            table.measures[measure].average_precision.interval,
            *(_band(table.measures[measure], place) for place in range(len(table.n))),
        )
        for measure in falling
    ]
    columns = ("measure", "average precision", f"{level} interval", *(f"n = {n:,}" for n in table.n.tolist()))
    caption = f"{name}: average precision, and precision in percent [{level} band over all n] ({MARK}: none better)"
    return Section(
        title=name, blocks=(Paragraph(text=about), *to_paragraphs(table.sentences), Table.of(caption, columns, rows))
    )


def _band(figures: MeasureFigures, place: int) -> str:
    low, high = 100 * figures.low[place], 100 * figures.high[place]
    return f"{100 * figures.precision[place]:.1f} [{low:.1f}, {high:.1f}]{_mark(figures, place)}"


def _methods(result: Benchmark) -> Section:
    formulas = methods_section(measures=dict.fromkeys(row.measure for row in result.summary))
    by = result.method.clusters
    drawn = f"candidates with the same {by} count as drawn together" if by else "candidates count as independent"
    texts = (
        f"Every candidate is judged. Tests and intervals ask what would hold for another list like it; {drawn}.",
        "Measures are compared on the true positives in their n-best lists. Where neither of two lists is better, each "
        "group of candidates might as well have its two counts the other way round; "
        f"{result.method.draws:,} random exchanges show how large the largest standardised difference over all pairs "
        f"of measures and all n of a table gets by chance. All statements on one table hold together at "
        f"{result.method.level:.0%}.",
        "Bands hold for all n of one measure together. Average precision is the mean precision at the ranks of the "
        "true positives; measures are not tested by it, because its error rests on the few first ranks. Ties are "
        "averaged over all their orders.",
        "The comparison with a random choice is Fisher's test of the list against the rest of the table, corrected by "
        "Holm's method over all measures and n of a table; it counts candidates as independent.",
    )
    return Section(
        title=formulas.title, blocks=(*(Paragraph(text=text) for text in texts), *formulas.blocks), is_methods=True
    )


HIGHEST, UNBEATEN, WORSE = "highest precision", "no measure shown to be better", "a measure shown to be better"
COLOURS = {HIGHEST: "#0072B2", UNBEATEN: "#9ecae1", WORSE: "#f0f0f0"}
CELL_WIDTH, CELL_HEIGHT = 46, 17


def benchmark_chart(result: Benchmark, measures: Sequence[str]) -> Spec:
    """A cell for each measure and table: the precision, and whether a measure is shown to be better."""
    rows = [row for measure in measures for row in _cells(result, measure)]
    tables, titles = list(result.tables), [result.titles[measure] for measure in measures]
    labels = {name: f"{name} (n = {table.headline:,})" for name, table in result.tables.items()}
    x = {
        "field": "table", "type": "nominal", "sort": [labels[name] for name in tables], "title": None,
        "axis": {"orient": "top", "labelAngle": -40, "ticks": False, "domain": False, "labelLimit": 300},
    }  # fmt: skip
    y = {
        "field": "measure", "type": "nominal", "sort": titles, "title": None,
        "axis": {"ticks": False, "domain": False, "labelLimit": 260},
    }  # fmt: skip
    for row in rows:
        row["table"] = labels[row["table"]]
    scale = {"domain": list(COLOURS), "range": list(COLOURS.values())}
    colour = {
        "field": "status", "type": "nominal", "scale": scale, "title": None,
        "legend": {"orient": "bottom", "labelLimit": 300, "columns": 3, "symbolType": "square"},
    }  # fmt: skip
    text = {"condition": {"test": f"datum.status === '{HIGHEST}'", "value": "white"}, "value": "#222222"}
    parts = {
        "width": CELL_WIDTH * len(tables),
        "height": CELL_HEIGHT * len(titles),
        "layer": [
            layer(rows, {"type": "rect", "stroke": "white"}, {"x": x, "y": y, "color": colour}),
            layer(
                rows,
                {"type": "text", "fontSize": 10},
                {"x": x, "y": y, "text": {"field": "shown", "type": "nominal"}, "color": text},
            ),
        ],
        "view": {"stroke": None},
    }
    return finished(parts)


def _cells(result: Benchmark, measure: str) -> list[dict[str, Any]]:
    rows = []
    for name, table in result.tables.items():
        if measure not in table.measures:
            continue
        figures, best, at = table.measures[measure], table.headline_best.measure, table.place
        top = measure == best or best in figures.same_ranking_as
        status = HIGHEST if top else UNBEATEN if figures.better[at] == 0 else WORSE
        below = " ▼" * (against_chance(table, measure, result.method.level) < 0)
        rows.append(
            {
                "table": name,
                "measure": result.titles[measure],
                "status": status,
                "shown": f"{100 * figures.precision[at]:.1f}{below}",
            }
        )
    return rows


PRESENTERS: Presenters = (Presenter(Benchmark, benchmark_document, benchmark_table),)
