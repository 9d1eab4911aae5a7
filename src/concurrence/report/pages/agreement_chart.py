"""Charts of agreement: coefficients with their intervals, and groups side by side."""

from typing import Any

import numpy as np

from concurrence.agreement.labels.diagnosis.sentences import coder_name
from concurrence.agreement.labels.results import Agreement, AgreementReport, GroupedReport
from concurrence.kernels.digits import round_score
from concurrence.report.render.charts import PALETTE, SHADED, dots, finished, layer, quantity
from concurrence.report.render.document import Chart

NOT_CORRECTED = ("percent_agreement", "bangdiwala_b")
MOST_GROUPS = 60
MOST_AREAS = 12


def interval_chart(report: AgreementReport) -> tuple[Chart, ...]:
    """Every coefficient that chance would leave at 0 as a dot with its interval; none where none has a value."""
    rows = [_row(one.title, one) for one in report.rows() if one.coefficient not in NOT_CORRECTED]
    caption = f"Each coefficient with its {report.level:.0%} interval; 0 is what chance would give. {SHADED}"
    return (Chart(specification=dots(rows, "value", bands=True), caption=caption),) if rows else ()


def area_chart(report: AgreementReport) -> tuple[Chart, ...]:
    """Bangdiwala's agreement chart of two coders; none where there are more, or too many categories to tell apart."""
    pairs, names = report.pairs, report.data.categories
    if len(report.data.coders) != 2 or len(pairs) != 1 or pairs[0].confusion is None or len(names) > MOST_AREAS:
        return ()
    counts = np.asarray(pairs[0].confusion)
    first, second = map(coder_name, pairs[0].coders)
    high, wide = counts.sum(axis=1), counts.sum(axis=0)
    rows = []
    for k, name in enumerate(names):
        corner = float(wide[:k].sum()), float(high[:k].sum())
        inside = corner[0] + float(counts[:k, k].sum()), corner[1] + float(counts[k, :k].sum())
        agreed = float(counts[k, k])
        rows.append(_area(name, "used", corner, float(wide[k]), float(high[k])))
        rows.append(_area(name, "agreed", inside, agreed, agreed))
    caption = (
        f"Agreement chart: the width of a rectangle is how often {second} gave the category, its height "
        f"how often {first} did; the dark square is where both agree. Bangdiwala's B is the share of the "
        "rectangles that is dark. Off the dashed diagonal, one coder gave a category more often than the other."
    )
    return (Chart(specification=_areas(rows, (first, second), float(counts.sum())), caption=caption),)


def _area(name: str, what: str, corner: tuple[float, float], width: float, height: float) -> dict[str, Any]:
    x, y = corner
    return {"category": name, "what": what, "x": x, "x2": x + width, "y": y, "y2": y + height, "items": width}


def _areas(rows: list[dict[str, Any]], coders: tuple[str, str], n: float) -> dict[str, Any]:
    scale = {"domain": [0, n], "nice": False}
    place = {
        "x": quantity("x", {"scale": scale, "title": f"items by category of {coders[1]}"}),
        "x2": {"field": "x2"},
        "y": quantity("y", {"scale": scale, "title": f"items by category of {coders[0]}"}),
        "y2": {"field": "y2"},
    }
    tooltip = [{"field": "category", "type": "nominal"}, {"field": "what", "type": "nominal"}]
    used, agreed = ([row for row in rows if row["what"] == what] for what in ("used", "agreed"))
    middle = [{"category": row["category"], "x": row["x2"], "y": row["y"]} for row in used]
    corners = {"x": quantity("x", {"scale": scale}), "y": quantity("y", {"scale": scale})}
    parts = {
        "width": 340,
        "height": 340,
        "layer": [
            layer(
                used,
                {"type": "rect", "color": PALETTE[0], "opacity": 0.25, "stroke": PALETTE[0]},
                {**place, "tooltip": tooltip},
            ),
            layer(agreed, {"type": "rect", "color": PALETTE[0]}, {**place, "tooltip": [*tooltip, quantity("items")]}),
            layer(
                [{"x": 0, "y": 0}, {"x": n, "y": n}], {"type": "line", "color": "#666", "strokeDash": [4, 3]}, corners
            ),
            layer(
                middle,
                {"type": "text", "align": "left", "dx": 4, "dy": -6, "color": "#333"},
                {**corners, "text": {"field": "category", "type": "nominal"}},
            ),
        ],
    }
    return finished(parts)


def group_chart(grouped: GroupedReport, name: str) -> tuple[Chart, ...]:
    """One coefficient of every group, best first; none where there are too many groups or no values."""
    each = {group: report[name] for group, report in grouped.groups.items() if name in report.coefficients}
    rows = [_row(group, one) for group, one in each.items() if one.defined]
    if not 1 < len(rows) <= MOST_GROUPS:
        return ()
    rows.sort(key=lambda row: -round_score(row["value"]))
    title = next(iter(each.values())).title
    return (Chart(specification=dots(rows, title), caption=f"{title} of each group with its interval."),)


def _row(label: str, one: Agreement) -> dict[str, Any]:
    low, high = (None if end != end else end for end in one.interval)
    return {"label": label, "value": one.value, "low": low, "high": high}
