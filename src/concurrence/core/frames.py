"""Frames: those of other libraries as ours, rows as a frame, and columns that must be there."""

from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from concurrence.core.errors import InvalidInputError
from concurrence.core.forks import refuse_in_fork

if TYPE_CHECKING:
    import polars as pl


def frame_of(foreign: Any) -> "pl.DataFrame":
    """A frame of any library as one of polars; frames of pandas do not need pyarrow."""
    refuse_in_fork()
    import polars as pl

    if type(foreign).__module__.partition(".")[0] != "pandas" or find_spec("pyarrow") is not None:
        return pl.DataFrame(foreign)
    columns = [foreign.iloc[:, place] for place in range(foreign.shape[1])]
    lists = [column.astype(object).where(column.notna(), None).tolist() for column in columns]
    return pl.DataFrame([pl.Series(str(column.name), cells) for column, cells in zip(columns, lists, strict=True)])


def rows_as_frame(rows: Iterable[Mapping[str, Any]]) -> "pl.DataFrame":
    """Rows with a key per column as a table (polars)."""
    import polars as pl

    return pl.DataFrame(list(rows), infer_schema_length=None)


def require_columns(frame: "pl.DataFrame", names: Iterable[str], source: Any) -> None:
    """Refuse a table that lacks a column, naming the ones it has; ``source`` is what messages call the table."""
    for name in names:
        if name not in frame.columns:
            raise InvalidInputError(f"{source} has no column {name!r}; its columns are {', '.join(frame.columns)}.")
