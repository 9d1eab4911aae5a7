"""Precision graphs: measures as lines, confidence regions shaded, the baseline with its band."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from concurrence.evaluation.results import Comparison, Curve, Evaluation
from concurrence.report.charts import PALETTE

WIDTH, HEIGHT = 620, 380
MOST_POINTS = 400
MOST_ROWS = 8
GUIDES = (500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
GREY = "#666666"
LABEL_GAP = 0.05  # of the height of the chart


def precision_chart(
    evaluation: Evaluation, *, by: str = "n", title: str = "n-best precision", name: str = "near"
) -> Any:
    """The curves of all measures along the list size, or along recall; ``name`` tells charts on a page apart."""
    import altair as alt

    rows = [row for name, curve in evaluation.measures.items() for row in _rows(name, curve, by)]
    if not rows:
        return alt.Chart(alt.Data(values=[])).mark_line().properties(title="nothing was judged")
    top = _top(rows, evaluation)
    x = _x(alt, rows, by)
    colour = _colour(alt, evaluation)
    layers = [
        *_backdrop(alt, evaluation, rows, x, top, guides=by != "recall"),
        *_curves(alt, rows, x, colour, top, name=name),
        *_labels(alt, rows, evaluation, colour, top),
    ]
    chart = alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=_title(alt, title, evaluation))
    strip = None if by == "recall" else _significance(alt, evaluation, colour)
    whole = _styled(alt.vconcat(chart, strip, spacing=6) if strip is not None else chart)
    # Layers share their rows by name: copied into each of them, they would make the page six times as long.
    return whole.properties(datasets=_datasets(rows, name))


def side_by_side(evaluations: Mapping[str, Evaluation], *, by: str = "n") -> Any:
    """Several data sets, or kinds of true positives, next to each other."""
    import altair as alt

    charts = [
        precision_chart(evaluation, by=by, title=title, name=f"near_{place}")
        for place, (title, evaluation) in enumerate(evaluations.items())
    ]
    datasets: dict[str, Any] = {}
    for chart in charts:
        datasets |= chart.datasets if isinstance(chart.datasets, dict) else {}
        chart.config = chart.datasets = alt.Undefined
    return _styled(alt.concat(*charts, columns=2, spacing=40)).properties(datasets=datasets)


def _datasets(rows: Sequence[Mapping[str, Any]], name: str) -> dict[str, Any]:
    """The rows of lines, of single points, and of both."""
    points = [dict(row) for row in rows if row["point"]]
    lines = [dict(row) for row in rows if not row["point"]]
    return {f"{name}_lines": lines} | ({f"{name}_points": points, f"{name}_every": [*lines, *points]} if points else {})


def _rows(name: str, curve: Curve, by: str) -> list[dict[str, Any]]:
    """What one curve shows; a long one is thinned, since a chart has fewer pixels than lists."""
    known = np.flatnonzero(np.isfinite(curve.precision) & (np.isfinite(curve.recall) if by == "recall" else True))
    wanted = np.linspace(0, len(known) - 1, min(MOST_POINTS, len(known)))
    picked = known[np.unique(wanted.astype(np.int64))]
    rows = []
    for i in picked.tolist():
        row = {
            "measure": name,
            "n": int(curve.n[i]),
            "precision": float(curve.precision[i]),
            "low": float(curve.low[i]),
            "high": float(curve.high[i]),
            "sampled": round(float(curve.sampled[i]), 1),
            "true": round(float(curve.true_positives[i]), 1),
            "recall": _number(curve.recall[i]),
            "point": curve.filter_size is not None,
        }
        if curve.true_precision is not None:
            row["truth"] = float(curve.true_precision[i])
        rows.append(row)
    return rows


def _number(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _top(rows: Sequence[Mapping[str, Any]], evaluation: Evaluation) -> float:
    """Where the axis ends: above every curve, but not above all of the widest intervals at the smallest n."""
    highest = max(max(row["precision"], row.get("truth", 0.0)) for row in rows)
    wide = float(np.quantile([row["high"] for row in rows], 0.9))
    band = evaluation.baseline.interval[1]
    top = max(highest * 1.15, wide, 0.0 if np.isnan(band) else band * 1.15, 0.02)
    return float(min(1.0, top))


def _x(alt: Any, rows: Sequence[Mapping[str, Any]], by: str) -> Any:
    if by == "recall":
        scale = alt.Scale(domain=[0, 1])
        return alt.X("recall:Q", title="recall", scale=scale, axis=alt.Axis(format="%", grid=False))
    return alt.X("n:Q", title="n-best list", scale=_sizes(alt, rows), axis=alt.Axis(format=",d", grid=False))


def _sizes(alt: Any, rows: Sequence[Mapping[str, Any]]) -> Any:
    return alt.Scale(domain=[0, max(row["n"] for row in rows)], nice=False)


def _y(alt: Any, top: float) -> Any:
    axis = alt.Axis(format=".0%", grid=True, gridColor="#eeeeee")
    return alt.Y("precision:Q", title="precision", scale=alt.Scale(domain=[0, top], nice=False), axis=axis)


def _colour(alt: Any, evaluation: Evaluation) -> Any:
    names = list(evaluation.measures)
    colours = [PALETTE[i % len(PALETTE)] for i in range(len(names))]
    return alt.Color("measure:N", scale=alt.Scale(domain=names, range=colours), legend=None)


def _curves(alt: Any, rows: Sequence[Mapping[str, Any]], x: Any, colour: Any, top: float, *, name: str) -> list[Any]:
    has_points = any(row["point"] for row in rows)
    lines = alt.Chart(alt.NamedData(name=f"{name}_lines")).encode(x=x, color=colour)
    points = alt.Chart(alt.NamedData(name=f"{name}_points")).encode(x=x, color=colour)
    every = alt.Chart(alt.NamedData(name=f"{name}_{'every' if has_points else 'lines'}"))
    every = every.encode(x=x, color=colour, tooltip=_tooltip(alt))
    measures = len({row["measure"] for row in rows})
    region = lines.mark_area(opacity=0.16 if measures <= 3 else 0.09, clip=True).encode(y=alt.Y("low:Q"), y2="high:Q")
    edges = [lines.mark_line(strokeWidth=0.5, opacity=0.5, clip=True).encode(y=f"{side}:Q") for side in ("low", "high")]
    # Large unseen points carry the tooltip: where the nearest point is selected, Vega-Lite loses texts in it.
    near = alt.selection_point(name=name, on="pointerover", clear="pointerout", fields=["n", "measure"], empty=False)
    seen = every.mark_point(filled=True, size=55).encode(
        y=_y(alt, top), opacity=alt.condition(near, alt.value(1), alt.value(0))
    )
    hover = every.mark_point(filled=True, size=320, opacity=0).encode(y=_y(alt, top)).add_params(near)
    layers = [region, *edges, lines.mark_line(strokeWidth=2, clip=True).encode(y=_y(alt, top))]
    if any("truth" in row for row in rows):
        layers.append(lines.mark_line(strokeWidth=1.6, strokeDash=[6, 4], clip=True).encode(y="truth:Q"))
    if has_points:
        layers.append(points.mark_rule(strokeWidth=1.2).encode(y=alt.Y("low:Q"), y2="high:Q"))
        layers.append(points.mark_point(shape="diamond", size=90, filled=True).encode(y="precision:Q"))
        names = points.mark_text(align="left", dx=9, dy=-5, fontSize=12, fontWeight="bold")
        layers.append(names.encode(y="precision:Q", text="measure:N"))
    return [*layers, seen, hover]


def _tooltip(alt: Any) -> list[Any]:
    return [
        alt.Tooltip("measure:N"),
        alt.Tooltip("n:Q", format=",d"),
        alt.Tooltip("precision:Q", format=".1%"),
        alt.Tooltip("low:Q", title="at least", format=".1%"),
        alt.Tooltip("high:Q", title="at most", format=".1%"),
        alt.Tooltip("sampled:Q", title="judged", format=",.6~g"),
        alt.Tooltip("true:Q", title="true among them", format=",.6~g"),
        alt.Tooltip("recall:Q", format=".1%"),
    ]


def _backdrop(
    alt: Any, evaluation: Evaluation, rows: Sequence[Mapping[str, Any]], x: Any, top: float, *, guides: bool
) -> list[Any]:
    """Thin lines at round list sizes, and the baseline with its band."""
    layers = []
    if guides:
        sizes = [{"n": n} for n in GUIDES if n < max(row["n"] for row in rows)]
        layers.append(alt.Chart(alt.Data(values=sizes)).mark_rule(color="#bbbbbb", strokeWidth=0.6).encode(x=x))
    value, (low, high) = evaluation.baseline.value, evaluation.baseline.interval
    if np.isnan(value):
        return layers
    across = alt.Chart(alt.Data(values=[{"precision": value, "low": low, "high": high}]))
    band = across.mark_rect(color=GREY, opacity=0.18).encode(y=alt.Y("low:Q"), y2="high:Q")
    line = across.mark_rule(color=GREY, strokeWidth=1.4, strokeDash=[2, 2]).encode(y=_y(alt, top))
    return [band, *layers, line]


def _labels(alt: Any, rows: Sequence[Mapping[str, Any]], evaluation: Evaluation, colour: Any, top: float) -> list[Any]:
    """Names at the right end of their lines, moved apart where lines end together."""
    ends = {row["measure"]: float(row["precision"]) for row in rows if not row["point"]}
    baseline = evaluation.baseline.value
    grey = f"baseline {baseline:.1%}"
    ends |= {} if np.isnan(baseline) else {grey: float(baseline)}
    order = sorted(ends, key=lambda name: ends[name])
    places = _apart([ends[name] for name in order], gap=LABEL_GAP * top, top=top)
    data = [{"measure": name, "precision": place} for name, place in zip(order, places, strict=True)]

    def text(values: list[dict[str, Any]], weight: str) -> Any:
        mark = alt.Chart(alt.Data(values=values)).mark_text(align="left", dx=7, fontSize=12, fontWeight=weight)
        return mark.encode(x=alt.value(WIDTH), y="precision:Q", text="measure:N")

    named = text([row for row in data if row["measure"] != grey], "bold").encode(color=colour)
    return [named, text([row for row in data if row["measure"] == grey], "normal").encode(color=alt.value("#444444"))]


def _apart(values: Sequence[float], *, gap: float, top: float) -> list[float]:
    """Sorted places moved as little as needed to lie a gap apart and inside the chart.

    >>> [round(place, 2) for place in _apart([0.1, 0.11, 0.5], gap=0.05, top=1.0)]
    [0.08, 0.13, 0.5]
    """
    places = list(values)
    for _ in range(50):
        for i in range(1, len(places)):
            short = gap - (places[i] - places[i - 1])
            if short > 1e-9:
                places[i - 1] -= short / 2
                places[i] += short / 2
        if places and places[0] < gap / 2:
            places = [max(place, gap / 2 + i * gap) for i, place in enumerate(places)]
    return [min(place, top) for place in places]


def _significance(alt: Any, evaluation: Evaluation, colour: Any) -> Any:
    """A row of marks for each pair of measures: where the difference sets tell them apart, and for whom."""
    alpha = 1 - evaluation.method.level
    chosen = _chosen(evaluation)
    rows = [row for comparison in chosen for row in _marks(comparison, alpha)]
    if not rows:
        return None
    names = [_pair(comparison) for comparison in chosen]
    corrected = f", corrected ({evaluation.method.correction})" if evaluation.method.correction else ""
    words = f"significantly better (p ≤ {alpha:.2g}{corrected}), in the colour of the better measure"
    largest = max(int(curve.n[-1]) for curve in evaluation.measures.values())
    bare = alt.Axis(labels=False, ticks=False, grid=False, domain=False)
    pairs = alt.Axis(
        labelLimit=260, labelPadding=8, orient="right", grid=True, gridColor="#eeeeee", ticks=False, domain=False
    )
    marks = alt.Chart(alt.Data(values=rows)).mark_point(shape="triangle-up", filled=True, size=34, opacity=1)
    encoded = marks.encode(
        x=alt.X("n:Q", title=None, scale=alt.Scale(domain=[0, largest], nice=False), axis=bare),
        y=alt.Y("pair:N", title=None, sort=names, scale=alt.Scale(domain=names), axis=pairs),
        color=colour,
        tooltip=[
            alt.Tooltip("measure:N", title="better"),
            alt.Tooltip("n:Q", format=",d"),
            alt.Tooltip("p:Q", format=".3g"),
            alt.Tooltip("overlap:Q", format=",d"),
        ],
    )
    title = alt.Title(words, fontSize=11, fontWeight="normal", anchor="start", color="#444444")
    return encoded.properties(width=WIDTH, height=18 * len(names), title=title)


def _chosen(evaluation: Evaluation) -> list[Comparison]:
    """All pairs, or, where they are many, those with the measure that is best most often."""
    pairs = list(evaluation.comparisons)
    if len(pairs) <= MOST_ROWS:
        return pairs
    wins = [best.measure for best in evaluation.best]
    first = max(set(wins), key=wins.count) if wins else pairs[0].a
    return [pair for pair in pairs if first in (pair.a, pair.b)]


def _pair(comparison: Comparison) -> str:
    return f"{comparison.a} / {comparison.b}"


def _marks(comparison: Comparison, alpha: float) -> list[dict[str, Any]]:
    p = comparison.p if comparison.p_corrected is None else comparison.p_corrected
    marked = [i for i in range(len(p)) if p[i] <= alpha and comparison.better[i] is not None]
    step = max(1, len(comparison.n) // 80)
    return [
        {
            "pair": _pair(comparison),
            "measure": comparison.better[i],
            "n": int(comparison.n[i]),
            "p": float(p[i]),
            "overlap": int(comparison.overlap[i]),
        }
        for i in marked
        if i % step == 0
    ]


def _title(alt: Any, title: str, evaluation: Evaluation) -> Any:
    data, method = evaluation.data, evaluation.method
    judged = f"{data.judged:,} of {data.candidates:,} candidates judged ({data.design})"
    shaded = f"shaded: {method.level:.0%} {method.band} confidence regions ({method.interval})"
    lines = [f"{judged}; {shaded}" if data.judged < data.candidates else judged]
    if any(curve.true_precision is not None for curve in evaluation.measures.values()):
        lines.append("dashed: true precision of the whole list")
    return alt.Title(title, subtitle=lines, anchor="start", fontSize=15, subtitleColor="#444444", subtitleFontSize=11)


def _styled(chart: Any) -> Any:
    return (
        chart.configure(padding=8, background="white")
        .configure_view(stroke="#cccccc")
        .configure_axis(labelFontSize=11, titleFontSize=12, titleFontWeight="normal", domainColor="#888888")
    )
