"""What charts have in common: their look, and Vega-Lite specifications put together from their parts."""

from collections.abc import Mapping, Sequence
from typing import Any

from concurrence.core.sentences import join_words
from concurrence.report.render.document import Chart, Document

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

# The hues of Okabe & Ito, which colour-blind readers can tell apart, dark enough to be read as text (4.5:1 on paper).
PALETTE = ("#0072B2", "#B84A00", "#007A5A", "#9D4C7C", "#8A6500", "#000000", "#0A7B98")
# Lines that can be told apart without any colour; the first is whole.
DASHES = ([1, 0], [8, 3], [3, 3], [10, 3, 2, 3], [6, 2, 2, 2, 2, 2], [14, 4], [2, 2])
WORDS, QUIET, GRID = "#333333", "#565e68", "#e8e8e8"
STYLE: dict[str, Any] = {
    "padding": 8,
    "background": "white",
    "font": "Liberation Sans, Arial, Helvetica, sans-serif",  # letters as wide where it is shown as where it was drawn
    "view": {"stroke": "#cccccc"},
    "axis": {
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelColor": WORDS,
        "titleColor": WORDS,
        "domainColor": "#888888",
        "gridColor": GRID,
    },
    "legend": {"labelFontSize": 12, "titleFontSize": 12, "labelColor": WORDS},
    "title": {"anchor": "start", "fontSize": 15, "subtitleColor": WORDS, "subtitleFontSize": 12},
}
"""The one look of every chart."""

SHADED = (
    "Shaded: what Landis & Koch (1977) call such values of kappa; the limits are arbitrary, as they say themselves."
)

Spec = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]
Band = tuple[float, float, str]


def finished(parts: Spec) -> Spec:
    """A whole specification, in the one look."""
    return {"$schema": SCHEMA, **parts, "config": STYLE}


def quantity(field: str, more: Mapping[str, Any] = {}) -> Spec:
    """A number of the data as a channel of a mark, such as its place along an axis."""
    return {"field": field, "type": "quantitative", **more}


def layer(data: Rows | str, mark: Spec, encoding: Spec) -> Spec:
    """Marks for rows, or for the rows of a data set of that name."""
    source = {"name": data} if isinstance(data, str) else {"values": list(data)}
    return {"data": source, "mark": mark, "encoding": encoding}


def seen_if(parameter: str) -> Spec:
    """An opacity that only the selected point has."""
    return {"condition": {"param": parameter, "value": 1, "empty": False}, "value": 0}


def forest(
    rows: Rows,
    title: str,
    *,
    scale: Spec | None = None,
    bands: Sequence[Band] = (),
    reference: float | None = 0.0,
    form: str = ".3f",
    tick: str = "",
    width: int = 560,
) -> Spec:
    """Values (``label``, ``value``, ``low``, ``high``) as dots with their intervals, one per row, on one axis.

    ``bands`` are named stretches behind them, ``reference`` the place of a line across.
    """
    names = {"labelLimit": 260, "ticks": False, "domain": False, "labelPadding": 8, "grid": True}
    across = {"field": "label", "type": "nominal", "sort": None, "title": None, "axis": names}
    along = {"scale": scale or {"zero": False}, "title": title} | ({"axis": {"format": tick}} if tick else {})
    numbers = [quantity(name, {"format": form}) for name in ("value", "low", "high")]
    tooltip = [{"field": "label", "type": "nominal"}, *numbers]
    whole = {"x": quantity("low", along), "x2": {"field": "high"}, "y": across}
    line = [] if reference is None else [{"at": reference}]
    with_interval = [row for row in rows if row.get("low") is not None]
    return {
        "width": width,
        "height": {"step": 26},
        "layer": [
            *(_bands(bands, along) if bands else ()),
            *([layer(line, {"type": "rule", "color": "#666666"}, {"x": quantity("at", along)})] if line else ()),
            layer(with_interval, {"type": "rule", "color": PALETTE[0], "strokeWidth": 2.5, "clip": True}, whole),
            layer(
                rows,
                {"type": "point", "filled": True, "size": 80, "color": PALETTE[0], "opacity": 1},
                {"x": quantity("value", along), "y": across, "tooltip": tooltip},
            ),
        ],
    }


def _bands(bands: Sequence[Band], along: Spec) -> list[Spec]:
    """Words above their stretches, every other one shaded."""
    rows = [{"low": low, "high": high, "middle": (low + high) / 2, "word": word} for low, high, word in bands]
    ends = {"x": quantity("low", along), "x2": {"field": "high"}}
    word = {"x": quantity("middle", along), "y": {"value": -8}, "text": {"field": "word", "type": "nominal"}}
    return [
        layer(rows[::2], {"type": "rect", "color": "#666666", "opacity": 0.08}, ends),
        layer(rows, {"type": "text", "color": QUIET, "fontSize": 11}, word),
    ]


def agreement_chart(parts: Sequence[Document]) -> Chart:
    """What each of several results says of agreement, on one axis."""
    agreements = [(part, part.agreement) for part in parts if part.agreement is not None]
    names = {one.name for _, one in agreements}
    rows = [
        {
            "label": agreed_on(part),
            "value": one.value,
            "low": None if one.low != one.low else one.low,
            "high": None if one.high != one.high else one.high,
        }
        for part, one in agreements
    ]
    name, level = join_words(sorted(names)), agreements[0][1].level
    caption = f"{name} with its {level:.0%} interval; 0 is what chance would give. {SHADED}"
    return Chart(specification=dots(rows, name, bands=True, width=380), caption=caption)


def agreed_on(part: Document) -> str:
    """What a result about agreement is called among others of its kind: ``term`` for *Agreement (term)*."""
    return part.title.removeprefix("Agreement (").removesuffix(")")


def dots(rows: list[Spec], title: str, *, bands: bool = False, width: int = 560) -> Spec:
    """Coefficients as dots with their intervals on one axis that ends at 1; with ``bands``, what Landis & Koch say."""
    lowest = min(0.0, *(row["low"] if row["low"] is not None else row["value"] for row in rows))
    scale = {"domain": [max(-1.0, lowest), 1.0], "nice": True}
    return finished(forest(rows, title, scale=scale, bands=_words_of_kappa() if bands else (), width=width))


def _words_of_kappa() -> list[Band]:
    from concurrence.agreement.labels.diagnosis.scales import SCALES

    bands = [band for band in SCALES["landis_koch"].bands if band.high > 0]
    return [(max(band.low, 0.0), band.high, band.name) for band in bands]
