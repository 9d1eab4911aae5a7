"""Charts of agreement: coefficients with their intervals, and groups side by side."""

from math import isnan
from typing import Any

from concurrence.agreement.results import Agreement, AgreementReport, GroupedReport
from concurrence.report.document import Chart

BLUE = "#0072B2"
MOST_GROUPS = 60


def interval_chart(report: AgreementReport) -> Chart | None:
    """Every coefficient as a dot with its interval; ``None`` where none has a value."""
    rows = [_row(found.title, found) for found in report.coefficients.values() if not isnan(found.value)]
    if not rows:
        return None
    caption = f"Each coefficient with its {report.level:.0%} interval; 0 is what chance would give."
    return Chart(specification=_dots(rows, "value"), caption=caption)


def group_chart(grouped: GroupedReport, name: str) -> Chart | None:
    """One coefficient of every group, best first; ``None`` where too many groups or no values are there."""
    found = {group: report[name] for group, report in grouped.groups.items() if name in report.coefficients}
    rows = [_row(group, one) for group, one in found.items() if not isnan(one.value)]
    if not 1 < len(rows) <= MOST_GROUPS:
        return None
    rows.sort(key=lambda row: -row["value"])
    title = next(iter(found.values())).title
    return Chart(specification=_dots(rows, title), caption=f"{title} of each group with its interval.")


def _row(label: str, found: Agreement) -> dict[str, Any]:
    low, high = found.confidence_interval()
    known = not isnan(low)
    return {"label": label, "value": found.value, "low": low if known else None, "high": high if known else None}


def _dots(rows: list[dict[str, Any]], title: str) -> dict[str, Any]:
    lowest = min(0.0, *(row["low"] if row["low"] is not None else row["value"] for row in rows))
    scale = {"domain": [max(-1.0, lowest), 1.0], "nice": True}
    place = {"field": "label", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 260}}
    along = {"type": "quantitative", "scale": scale, "title": title}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "data": {"values": rows},
        "width": 420,
        "height": {"step": 22},
        "encoding": {"y": place},
        "layer": [
            {"mark": {"type": "rule", "color": "#999", "strokeDash": [3, 3]}, "encoding": {"x": {"datum": 0}, "y": {}}},
            {
                "mark": {"type": "rule", "color": BLUE, "strokeWidth": 2},
                "encoding": {"x": {"field": "low", **along}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70, "color": BLUE, "opacity": 1},
                "encoding": {"x": {"field": "value", **along}, "tooltip": _tooltip()},
            },
        ],
    }


def _tooltip() -> list[dict[str, Any]]:
    names = {"label": "nominal", "value": "quantitative", "low": "quantitative", "high": "quantitative"}
    shown = [{"field": name, "type": kind, "format": ".3f"} for name, kind in names.items()]
    return [{"field": "label", "type": "nominal"}, *shown[1:]]
