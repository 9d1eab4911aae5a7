"""The chart of Bland and Altman: differences between coders over the size of what they rate."""

from typing import Any

from concurrence.agreement.ratings.limits import LimitsOfAgreement
from concurrence.agreement.ratings.results import RatingsReport
from concurrence.core import Interval
from concurrence.report.render.charts import PALETTE, finished, layer, quantity
from concurrence.report.render.document import Chart

FEWEST = 3


def difference_chart(report: RatingsReport) -> tuple[Chart, ...]:
    """Differences over means with the limits of agreement and their intervals; none for fewer than three points."""
    points, limits = report.points, report.limits_of_agreement
    if points is None or limits is None or points.shown < FEWEST:
        return ()
    two = limits.of == "two_coders"
    title = f"{limits.coders[0]} minus {limits.coders[1]}" if two else "rating minus mean of the item"
    rows = [{"mean": float(m), "difference": float(d)} for m, d in zip(points.mean, points.difference, strict=True)]
    dots = layer(
        rows,
        {"type": "point", "filled": True, "size": 45, "color": PALETTE[0], "opacity": 0.6},
        {
            "x": quantity("mean", {"title": "mean rating of the item", "scale": {"zero": False, "padding": 12}}),
            "y": quantity("difference", {"title": title, "scale": {"padding": 12}}),
            "tooltip": [quantity("mean", {"format": ".4~g"}), quantity("difference", {"format": ".4~g"})],
        },
    )
    layers = [*_bands(limits), *_lines(limits), dots] if two else [*_zero(), dots]
    few = "" if points.shown == points.all else f" {points.shown:,} of {points.all:,} points are shown."
    words = (
        f"Differences of the two coders over the mean of both. Lines: mean difference and limits of agreement; bands: "
        f"their {limits.level:.0%} intervals.{few}"
        if two
        else f"How far each rating lies from the mean of its item.{few}"
    )
    return (Chart(specification=finished({"width": 480, "height": 300, "layer": layers}), caption=words),)


def _named(limits: LimitsOfAgreement) -> list[tuple[str, float, Interval | None]]:
    return [
        ("upper limit", limits.high, limits.high_interval),
        ("mean", limits.mean, limits.mean_interval),
        ("lower limit", limits.low, limits.low_interval),
    ]


def _bands(limits: LimitsOfAgreement) -> list[dict[str, Any]]:
    rows = [{"low": ends.low, "high": ends.high} for _, _, ends in _named(limits) if ends is not None]
    mark = {"type": "rect", "color": PALETTE[1], "opacity": 0.12}
    return [layer(rows, mark, {"y": quantity("low"), "y2": {"field": "high"}})]


def _lines(limits: LimitsOfAgreement) -> list[dict[str, Any]]:
    rows = [{"name": f"{name} {place:.4g}", "at": place} for name, place, _ in _named(limits)]
    rule = layer(rows, {"type": "rule", "color": PALETTE[1], "strokeDash": [5, 3]}, {"y": quantity("at")})
    text = layer(
        rows,
        {"type": "text", "align": "right", "dy": -6, "dx": -2, "color": "#444"},
        {"y": quantity("at"), "x": {"value": "width"}, "text": {"field": "name", "type": "nominal"}},
    )
    return [*_zero(), rule, text]


def _zero() -> list[dict[str, Any]]:
    return [layer([{"at": 0}], {"type": "rule", "color": "#999"}, {"y": quantity("at")})]
