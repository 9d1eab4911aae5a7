"""Precision graphs: measures as lines, confidence regions shaded, the baseline with its band."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from concurrence.evaluation.results import Curve, Evaluation, MeasureComparison
from concurrence.report.render.charts import DASHES, PALETTE, Rows, Spec, finished, layer, quantity, seen_if

WIDTH, HEIGHT = 620, 380
SMALL = 380, 230
MOST_POINTS, FEW_POINTS = 400, 60
MOST_ROWS = 8
GUIDES = (500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
GREY = "#666666"
LABEL_GAP = 19  # between the middles of two names
LEADER = 16  # from the end of a line to its name
NAME: Spec = {"field": "measure", "type": "nominal"}
SIDE: Spec = {"field": "side", "type": "nominal", "legend": None}


def precision_chart(
    evaluation: Evaluation, *, title: str = "n-best precision", name: str = "near", small: bool = False
) -> Spec:
    """The curves of all measures along the list size, or along recall; ``name`` tells charts on a page apart.

    A ``small`` chart has fewer points, and neither title nor the marks of significance.
    """
    by, most = evaluation.chart_by, FEW_POINTS if small else MOST_POINTS
    width, height = SMALL if small else (WIDTH, HEIGHT)
    rows = [row for measure, curve in evaluation.measures.items() for row in _rows(measure, curve, by, most)]
    if not rows:
        return finished({"data": {"values": []}, "mark": "line", "title": "nothing was judged"})
    top, x, colour = _top(rows, evaluation), _x(rows, by), _colour(evaluation)
    layers = [
        *_backdrop(evaluation, rows, x, top, guides=by != "recall"),
        *_curves(rows, x, colour, top, name=name),
        *_labels(rows, evaluation, colour, top, size=(width, height)),
    ]
    chart = {"width": width, "height": height, "layer": layers}
    chart |= {} if small else {"title": _title(title, evaluation)}
    strip = None if small or by == "recall" else _significance(evaluation, colour)
    whole = chart if strip is None else {"vconcat": [chart, strip], "spacing": 6}
    # Layers share their rows by name: copied into each of them, they would make the page six times as long.
    return finished({**whole, "datasets": _datasets(rows, name)})


def side_by_side(evaluations: Mapping[str, Evaluation]) -> Spec:
    """Several data sets, or kinds of true positives, next to each other."""
    charts = [
        precision_chart(evaluation, title=title, name=f"near_{place}")
        for place, (title, evaluation) in enumerate(evaluations.items())
    ]
    datasets = {name: rows for chart in charts for name, rows in chart.get("datasets", {}).items()}
    whole = ("$schema", "datasets", "config")
    parts = [{key: entry for key, entry in chart.items() if key not in whole} for chart in charts]
    return finished({"concat": parts, "columns": 2, "spacing": 40, "datasets": datasets})


def _datasets(rows: Rows, name: str) -> dict[str, Any]:
    """The rows of lines, of single points, and of both."""
    points = [dict(row) for row in rows if row["point"]]
    lines = [dict(row) for row in rows if not row["point"]]
    return {f"{name}_lines": lines} | ({f"{name}_points": points, f"{name}_every": [*lines, *points]} if points else {})


def _rows(name: str, curve: Curve, by: str, most: int) -> list[dict[str, Any]]:
    """What one curve shows; a long one is thinned, since a chart has fewer pixels than lists."""
    defined = np.flatnonzero(np.isfinite(curve.precision) & (np.isfinite(curve.recall) if by == "recall" else True))
    places = np.linspace(0, len(defined) - 1, min(most, len(defined)))
    points = defined[np.unique(places.astype(np.int64))]
    rows = []
    for i in points.tolist():
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


def _top(rows: Rows, evaluation: Evaluation) -> float:
    """Where the axis ends: above every curve, but not above all of the widest intervals at the smallest n."""
    highest = max(max(row["precision"], row.get("truth", 0.0)) for row in rows)
    wide = float(np.quantile([row["high"] for row in rows], 0.9))
    band = evaluation.baseline.interval[1]
    top = max(highest * 1.15, wide, 0.0 if np.isnan(band) else band * 1.15, 0.02)
    return float(min(1.0, top))


def _x(rows: Rows, by: str) -> Spec:
    if by == "recall":
        return quantity("recall", {"title": "recall", "scale": {"domain": [0, 1]}, "axis": _axis("%")})
    scale = {"domain": [0, max(row["n"] for row in rows)], "nice": False}
    return quantity("n", {"title": "n-best list", "scale": scale, "axis": _axis(",d")})


def _axis(format_: str) -> Spec:
    return {"format": format_, "grid": False, "tickCount": 10, "labelFlush": False}


def _y(top: float) -> Spec:
    axis = {"format": ".0%", "grid": True, "gridColor": "#eeeeee"}
    return quantity("precision", {"title": "precision", "scale": {"domain": [0, top], "nice": False}, "axis": axis})


def _colour(evaluation: Evaluation) -> Spec:
    names = list(evaluation.measures)
    colours = [PALETTE[i % len(PALETTE)] for i in range(len(names))]
    return {**NAME, "scale": {"domain": names, "range": colours}, "legend": None}


def _dash(colour: Spec) -> Spec:
    """A dash for each measure, beside its colour."""
    names = colour["scale"]["domain"]
    return {**colour, "scale": {"domain": names, "range": [DASHES[i % len(DASHES)] for i in range(len(names))]}}


def _curves(rows: Rows, x: Spec, colour: Spec, top: float, *, name: str) -> list[Spec]:
    """Regions and their edges, the lines, the truth where it is known, and filters as single points."""
    lines, base, y = f"{name}_lines", {"x": x, "color": colour}, _y(top)
    area = {"type": "area", "opacity": 0.16 if len({row["measure"] for row in rows}) <= 3 else 0.09, "clip": True}
    thin = {"type": "line", "strokeWidth": 0.5, "opacity": 0.5, "clip": True}
    between = {"y": quantity("low"), "y2": {"field": "high"}}
    layers = [
        layer(lines, area, base | between),
        *(layer(lines, thin, base | {"y": quantity(side)}) for side in ("low", "high")),
        layer(lines, {"type": "line", "strokeWidth": 2, "clip": True}, base | {"y": y, "strokeDash": _dash(colour)}),
    ]
    if any("truth" in row for row in rows):
        dashed = {"type": "line", "strokeWidth": 1, "strokeDash": [1, 2], "clip": True}
        layers.append(layer(lines, dashed, base | {"y": quantity("truth")}))
    if any(row["point"] for row in rows):
        return [*layers, *_points(f"{name}_points", base, between), *_hover(f"{name}_every", base, y, name)]
    return [*layers, *_hover(lines, base, y, name)]


def _points(data: str, base: Spec, between: Spec) -> list[Spec]:
    diamond = {"type": "point", "shape": "diamond", "size": 90, "filled": True}
    name = {"type": "text", "align": "left", "dx": 9, "dy": -5, "fontSize": 12, "fontWeight": "bold"}
    return [
        layer(data, {"type": "rule", "strokeWidth": 1.2}, base | between),
        layer(data, diamond, base | {"y": quantity("precision")}),
        layer(data, name, base | {"y": quantity("precision"), "text": NAME}),
    ]


def _hover(data: str, base: Spec, y: Spec, name: str) -> list[Spec]:
    """Large unseen points carry the tooltip: where the nearest point is selected, Vega-Lite loses texts in it."""
    encoding = base | {"y": y, "tooltip": _tooltip()}
    select = {"type": "point", "on": "pointerover", "clear": "pointerout", "fields": ["n", "measure"]}
    seen = layer(data, {"type": "point", "filled": True, "size": 55}, encoding | {"opacity": seen_if(name)})
    unseen = layer(data, {"type": "point", "filled": True, "size": 320, "opacity": 0}, encoding)
    return [seen, {**unseen, "params": [{"name": name, "select": select}]}]


def _tooltip() -> list[Spec]:
    shares = {"precision": "precision", "low": "at least", "high": "at most"}
    counts = {"sampled": "judged", "true": "true among them"}
    return [
        NAME,
        quantity("n", {"format": ",d"}),
        *(quantity(field, {"title": title, "format": ".1%"}) for field, title in shares.items()),
        *(quantity(field, {"title": title, "format": ",.6~g"}) for field, title in counts.items()),
        quantity("recall", {"format": ".1%"}),
    ]


def _backdrop(evaluation: Evaluation, rows: Rows, x: Spec, top: float, *, guides: bool) -> list[Spec]:
    """Thin lines at round list sizes, and the baseline with its band."""
    layers = []
    if guides:
        sizes = [{"n": n} for n in GUIDES if n < max(row["n"] for row in rows)]
        layers.append(layer(sizes, {"type": "rule", "color": "#bbbbbb", "strokeWidth": 0.6}, {"x": x}))
    share, (low, high) = evaluation.baseline.value, evaluation.baseline.interval
    if np.isnan(share):
        return layers
    across = [{"precision": share, "low": low, "high": high}]
    band = {"y": quantity("low"), "y2": {"field": "high"}}
    line = {"type": "rule", "color": GREY, "strokeWidth": 1.4, "strokeDash": [2, 2]}
    return [
        layer(across, {"type": "rect", "color": GREY, "opacity": 0.18}, band),
        *layers,
        layer(across, line, {"y": _y(top)}),
    ]


def _labels(rows: Rows, evaluation: Evaluation, colour: Spec, top: float, *, size: tuple[int, int]) -> list[Spec]:
    """Names at the right end of their lines, moved apart where lines end together."""
    width, height = size
    ends = {row["measure"]: float(row["precision"]) for row in rows if not row["point"]}
    baseline = evaluation.baseline.value
    grey = f"baseline {baseline:.1%}"
    ends |= {} if np.isnan(baseline) else {grey: float(baseline)}
    order = sorted(ends, key=lambda name: ends[name])
    places = _apart([ends[name] for name in order], gap=LABEL_GAP / height * top, top=top)
    pairs = zip(order, places, strict=True)
    data = [{"measure": name, "precision": place, "end": ends[name]} for name, place in pairs]
    at = {"x": {"value": width + LEADER}, "y": quantity("precision"), "text": NAME}
    text = {"type": "text", "align": "left", "dx": 4, "fontSize": 12}
    named = [row for row in data if row["measure"] != grey]
    others = [row for row in data if row["measure"] == grey]
    leader = {
        "x": {"value": width},
        "x2": {"value": width + LEADER},
        "y": quantity("end"),
        "y2": {"field": "precision"},
    }
    return [
        layer(data, {"type": "rule", "color": GREY, "strokeWidth": 0.7}, leader),
        layer(named, {**text, "fontWeight": "bold"}, {**at, "color": colour}),
        layer(others, {**text, "fontWeight": "normal"}, {**at, "color": {"value": "#444444"}}),
    ]


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


def _significance(evaluation: Evaluation, colour: Spec) -> Spec | None:
    """A row of marks for each pair of measures: where the difference sets tell them apart, and for whom."""
    alpha = 1 - evaluation.method.level
    comparisons = _comparisons_in_chart(evaluation)
    rows = [row for comparison in comparisons for row in _marks(comparison, alpha)]
    if not rows:
        return None
    names = [_pair(comparison) for comparison in comparisons]
    corrected = f", corrected ({evaluation.method.correction})" if evaluation.method.correction else ""
    words = f"significantly better (p ≤ {alpha:.2g}{corrected}): ▲ the first measure, ▼ the second"
    largest = max(int(curve.n[-1]) for curve in evaluation.measures.values())
    bare = {"labels": False, "ticks": False, "grid": False, "domain": False}
    pairs = {"labelLimit": 260, "labelPadding": 8, "orient": "right", "grid": True, "gridColor": "#eeeeee"}
    scale = {"domain": [0, largest], "nice": False}
    encoding = {
        "x": quantity("n", {"title": None, "scale": scale, "axis": bare}),
        "y": {
            "field": "pair", "type": "nominal", "title": None, "sort": names, "scale": {"domain": names},
            "axis": {**pairs, "ticks": False, "domain": False},
        },
        "color": colour,
        "shape": {**SIDE, "scale": {"domain": ["first", "second"], "range": ["triangle-up", "triangle-down"]}},
        "tooltip": [
            {**NAME, "title": "better"},
            *(quantity(field, {"format": form}) for field, form in (("n", ",d"), ("p", ".3g"), ("overlap", ",d"))),
        ],
    }  # fmt: skip
    mark = {"type": "point", "filled": True, "size": 34, "opacity": 1}
    title = {"text": words, "fontSize": 11, "fontWeight": "normal", "anchor": "start", "color": "#444444"}
    return {**layer(rows, mark, encoding), "width": WIDTH, "height": 18 * len(names), "title": title}


def _comparisons_in_chart(evaluation: Evaluation) -> list[MeasureComparison]:
    """All pairs, or, where they are many, those with the measure that is best most often."""
    pairs = list(evaluation.comparisons)
    if len(pairs) <= MOST_ROWS:
        return pairs
    wins = [best.measure for best in evaluation.best]
    first = max(set(wins), key=wins.count) if wins else pairs[0].a
    return [pair for pair in pairs if first in (pair.a, pair.b)]


def _pair(comparison: MeasureComparison) -> str:
    return f"{comparison.a} / {comparison.b}"


def _marks(comparison: MeasureComparison, alpha: float) -> list[dict[str, Any]]:
    p = comparison.p if comparison.p_corrected is None else comparison.p_corrected
    marked = [i for i in range(len(p)) if p[i] <= alpha and comparison.better[i] is not None]
    step = max(1, len(comparison.n) // 80)
    return [
        {
            "pair": _pair(comparison),
            "measure": comparison.better[i],
            "side": "first" if comparison.better[i] == comparison.a else "second",
            "n": int(comparison.n[i]),
            "p": float(p[i]),
            "overlap": int(comparison.overlap[i]),
        }
        for i in marked
        if i % step == 0
    ]


def _title(title: str, evaluation: Evaluation) -> Spec:
    data, method = evaluation.data, evaluation.method
    judged = f"{data.judged:,} of {data.candidates:,} candidates judged ({data.design})"
    shaded = f"shaded: {method.level:.0%} {method.band} confidence regions ({method.interval})"
    lines = [f"{judged}; {shaded}" if data.judged < data.candidates else judged]
    if any(curve.true_precision is not None for curve in evaluation.measures.values()):
        lines.append("dotted: true precision of the whole list")
    return {"text": title, "subtitle": lines}
