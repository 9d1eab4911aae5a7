"""What charts have in common: Vega-Lite specifications, put together from their parts."""

from collections.abc import Mapping, Sequence
from typing import Any

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"

# Colours that colour-blind readers can tell apart (Okabe & Ito), dark enough for print.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")

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
