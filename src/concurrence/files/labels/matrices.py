"""Square tables of weights or distances between categories."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from concurrence.core.errors import InvalidInputError
from concurrence.core.numerals import parse_number
from concurrence.files.tables.formats import read_table
from concurrence.files.tables.sheets import row_place


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
            raise InvalidInputError(f"{path} has no category {category!r}; its categories are {', '.join(columns)}.")
    order = [rows.index(category) for category in categories]
    matrix = np.empty((len(order), len(order)), dtype=np.float64)
    for i, row in enumerate(order):
        for j, name in enumerate(categories):
            cell = frame[name][row]
            if (number := parse_number(str(cell))) is None:
                raise InvalidInputError(
                    f"{row_place(path, row)}: {'an empty cell' if cell is None else repr(cell)} is not a number."
                )
            matrix[i, j] = number
    return matrix
