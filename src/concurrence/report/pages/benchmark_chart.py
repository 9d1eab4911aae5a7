"""The chart of a benchmark: measures by tables, with what can be said of each."""

from collections.abc import Sequence
from typing import Any

from concurrence.evaluation.benchmark.results import Benchmark
from concurrence.evaluation.benchmark.sentences import against_chance
from concurrence.report.render.charts import Spec, finished, layer

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
