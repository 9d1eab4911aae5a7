"""A result as a frame: the table that its command writes."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


def as_frame(result: Any) -> "pl.DataFrame":
    """The result as a table (polars), as its command writes it with ``-o result.csv``."""
    # named, not imported: what shows results knows them all, and they must not know it
    frame: pl.DataFrame = import_module("concurrence.report.shows").table_of(result)
    return frame
