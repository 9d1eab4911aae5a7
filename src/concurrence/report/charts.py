"""What charts have in common: Vega-Lite specifications, put together from their parts."""

from collections.abc import Mapping, Sequence
from typing import Any

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"

# The hues of Okabe & Ito, which colour-blind readers can tell apart, dark enough to be read as text (4.5:1 on paper).
PALETTE = ("#0072B2", "#B84A00", "#007A5A", "#9D4C7C", "#0A7B98", "#8A6500", "#000000")
# Lines that can be told apart without any colour; the first is whole.
DASHES = ([1, 0], [8, 3], [3, 3], [10, 3, 2, 3], [6, 2, 2, 2, 2, 2], [14, 4], [2, 2])

Spec = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]


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
