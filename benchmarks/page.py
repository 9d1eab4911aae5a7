"""All measured rows as one page, with charts of growth."""

import json
from pathlib import Path
from typing import Any

from benchmarks.rows import RESULTS, Outcome, Row
from concurrence.report.render.document import Block, Chart, Document, Section, Table
from concurrence.report.render.html import render_html

COLUMNS = ("work", "quantity", "ours", "against", "value", "ratio", "promise", "kept")


def write_page() -> Path:
    """Write ``results/index.html`` from the saved rows of every area."""
    outcomes = [Outcome.from_json(json.loads(path.read_text("utf-8"))) for path in _result_files()]
    areas = {outcome.area: list(outcome.rows) for outcome in outcomes}
    rows = [row for area in areas.values() for row in area]
    missed = [row for row in rows if not row.holds]
    answer = [f"{sum(row.limit is not None for row in rows)} promises were measured, {len(missed)} missed."]
    answer += [f"Missed: {row.area}, {row.work} ({row.ratio:.3g}, {row.limit_is} {row.limit:g})." for row in missed]
    document = Document(
        title="Benchmarks",
        question="How fast, how large, how well covered, beside the peers and the floor?",
        answer=tuple(answer),
        sections=tuple(
            Section(title=area.replace("_", " "), blocks=_blocks(area_rows)) for area, area_rows in areas.items()
        ),
    )
    page = RESULTS / "index.html"
    page.write_text(render_html(document), "utf-8")
    return page


def _result_files() -> list[Path]:
    return sorted(RESULTS.glob("*.json"))


def _blocks(rows: list[Row]) -> tuple[Block, ...]:
    table = Table.of("Ratios: ours over the other", COLUMNS, [_cells(row) for row in rows])
    sized_rows = [row for row in rows if row.size is not None]
    return (
        (table, Chart(specification=_growth(sized_rows), caption="Time against size, both logarithmic."))
        if sized_rows
        else (table,)
    )


def _cells(row: Row) -> tuple[Any, ...]:
    promise = None if row.limit is None else f"{row.limit_is} {row.limit:g}"
    holds = None if row.limit is None else row.holds
    return row.work, row.quantity, row.ours, row.peer, row.against, row.ratio, promise, holds


def _growth(rows: list[Row]) -> dict[str, Any]:
    values = [{"work": row.work, "size": row.size, "time": row.ours, "unit": row.unit} for row in rows]
    axis = {"type": "quantitative", "scale": {"type": "log"}}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "data": {"values": values},
        "width": 480,
        "height": 320,
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {"field": "size", "title": "size", **axis},
            "y": {"field": "time", "title": "seconds of CPU; of a batch, by the clock", **axis},
            "color": {"field": "work", "type": "nominal", "title": None, "legend": {"labelLimit": 300}},
            "tooltip": [{"field": name} for name in ("work", "size", "unit", "time")],
        },
    }
