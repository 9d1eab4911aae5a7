"""Square tables of weights or distances between categories."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from concurrence.core.errors import InvalidInputError
from concurrence.files.tables import read_table


def read_matrix(path: Path, categories: Sequence[str]) -> NDArray[np.float64]:
    """A matrix in the order of the categories; the header and the first column name them.

    The first header cell is ignored. Categories that do not occur in the labels may be there; those that do
    must be.
    """
    frame = read_table(path)
    columns = frame.columns[1:]
    rows = [str(name) for name in frame[frame.columns[0]].to_list()]
    if sorted(rows) != sorted(columns):
        raise InvalidInputError(f"{path}: the header and the first column must name the same categories.")
    for category in categories:
        if category not in columns:
            raise InvalidInputError(f"{path} has no category {category!r}; it has: {', '.join(columns)}.")
    order = [rows.index(category) for category in categories]
    cells = [[_number(frame[name][place], path, place) for name in categories] for place in order]
    return np.array(cells, dtype=np.float64).reshape(len(order), len(order))


def _number(cell: str | None, path: Path, place: int) -> float:
    try:
        return float(cell) if cell is not None else float("nan")
    except ValueError:
        raise InvalidInputError(f"{path}, line {place + 2}: {cell!r} is not a number.") from None
