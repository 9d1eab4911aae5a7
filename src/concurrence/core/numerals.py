"""Which texts are numbers: the one answer for labels, categories and columns."""

from collections.abc import Sequence
from math import inf, isfinite

import numpy as np
from numpy.typing import NDArray


def parse_number(text: str) -> float | None:
    """The number a text spells, or nothing.

    Spaces around a number do not make it a word; the underscores of program code, infinities and ``nan`` do.

    >>> [parse_number(text) for text in ("01", "-1.5", " 1e3 ", "1_000", "1e400", "inf", "nan", "")]
    [1.0, -1.5, 1000.0, None, None, None, None, None]
    """
    try:
        number = float(text) if "_" not in text else inf
    except ValueError:
        return None
    return number if isfinite(number) else None


def parse_numbers(categories: Sequence[str]) -> NDArray[np.float64] | None:
    """All categories as numbers, or nothing where one of them is none.

    >>> parse_numbers(("1", "2.50"))
    array([1. , 2.5])
    """
    try:
        numbers = np.fromiter(map(float, categories), dtype=np.float64, count=len(categories))
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() and not any("_" in name for name in categories) else None
