"""Charts of agreement: coefficients with their intervals, and groups side by side."""

from typing import Any

from concurrence.agreement.results import Agreement, AgreementReport, GroupedReport
from concurrence.report.charts import PALETTE, SCHEMA
from concurrence.report.document import Chart

MOST_GROUPS = 60


def interval_chart(report: AgreementReport) -> tuple[Chart, ...]:
    """Every coefficient as a dot with its interval; none where none has a value."""
    rows = [_row(one.title, one) for one in report.rows()]
    caption = f"Each coefficient with its {report.level:.0%} interval; 0 is what chance would give."
    return (Chart(specification=dots(rows, "value"), caption=caption),) if rows else ()


def group_chart(grouped: GroupedReport, name: str) -> tuple[Chart, ...]:
    """One coefficient of every group, best first; none where there are too many groups or no values."""
    each = {group: report[name] for group, report in grouped.groups.items() if name in report.coefficients}
    rows = [_row(group, one) for group, one in each.items() if one.defined]
    if not 1 < len(rows) <= MOST_GROUPS:
        return ()
    rows.sort(key=lambda row: -row["value"])
    title = next(iter(each.values())).title
    return (Chart(specification=dots(rows, title), caption=f"{title} of each group with its interval."),)


def _row(label: str, one: Agreement) -> dict[str, Any]:
    low, high = (None if end != end else end for end in one.interval)
    return {"label": label, "value": one.value, "low": low, "high": high}


def dots(rows: list[dict[str, Any]], title: str) -> dict[str, Any]:
    """Values as dots with their intervals, one per row."""
    lowest = min(0.0, *(row["low"] if row["low"] is not None else row["value"] for row in rows))
    scale = {"domain": [max(-1.0, lowest), 1.0], "nice": True}
    place = {"field": "label", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 260}}
    along = {"type": "quantitative", "scale": scale, "title": title}
    numbers = [{"field": name, "type": "quantitative", "format": ".3f"} for name in ("value", "low", "high")]
    tooltip = [{"field": "label", "type": "nominal"}, *numbers]
    return {
        "$schema": SCHEMA,
        "data": {"values": rows},
        "width": 420,
        "height": {"step": 22},
        "encoding": {"y": place},
        "layer": [
            {"mark": {"type": "rule", "color": "#999", "strokeDash": [3, 3]}, "encoding": {"x": {"datum": 0}, "y": {}}},
            {
                "mark": {"type": "rule", "color": PALETTE[0], "strokeWidth": 2},
                "encoding": {"x": {"field": "low", **along}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70, "color": PALETTE[0], "opacity": 1},
                "encoding": {"x": {"field": "value", **along}, "tooltip": tooltip},
            },
        ],
    }
