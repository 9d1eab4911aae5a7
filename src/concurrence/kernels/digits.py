"""Scores as they are compared: rounded to 12 significant digits, so that the last bit of a float decides nothing."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concurrence.core.arrays import Reals

# A double holds nearly 16 digits. Processors and libraries disagree about the last one, and formulas that are the same
# to a mathematician about a few more: sums and differences lose digits. Three are left for that; what still differs in
# the first twelve is a difference between the data.
DIGITS = 12
LARGEST = 290  # powers of ten beyond which scaling might overflow or lose digits
ROWS_AT_ONCE = 1 << 14  # so that what is made on the way stays in the processor's cache
SETTLED = 0.499  # nearer to half a unit, the error of scaling, which is below 0.0003, could decide

_FIRST = -330
_EXPONENTS = np.arange(_FIRST, 311)
# 10 ** (11 - exponent) as a factor and a divisor, one of them 1, exact where the exponent is between -11 and 33.
_FACTOR = np.array([float(f"1e{min(max(DIGITS - 1 - int(d), 0), 308)}") for d in _EXPONENTS])
_DIVISOR = np.array([float(f"1e{max(int(d) - DIGITS + 1, 0)}") for d in _EXPONENTS])


def _binades() -> tuple[NDArray[np.intp], Reals]:
    """The place of the decimal exponent for each exponent of a double, and the power of ten where the next begins."""
    lowest = np.array([0.0, *(2.0 ** (e - 1023) for e in range(1, 2047)), np.inf])
    powers = np.array([float(f"1e{d}") for d in range(-323, 309)])
    place = np.searchsorted(powers, lowest, side="right")
    return place + (-324 - _FIRST), np.append(powers, np.inf)[place]


_PLACE, _NEXT = _binades()


def round_scores(scores: ArrayLike) -> Reals:
    """Scores to 12 significant digits, half a unit of the last one to even; infinity, NaN and zero stay.

    The result is a function of each score alone. It is for comparing: what is shown and written is not rounded.

    >>> round_scores([0.1 + 0.2, 2 / 3, -np.inf, np.nan]).tolist()
    [0.3, 0.666666666667, -inf, nan]
    """
    values = np.asarray(scores, dtype=np.float64)
    flat = values.reshape(-1)
    rounded = np.empty_like(flat)
    for start in range(0, len(flat), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        rounded[rows] = _rounded(flat[rows])
    return rounded.reshape(values.shape)


def round_score(score: float) -> float:
    """One score to 12 significant digits.

    >>> round_score(0.1 + 0.2)
    0.3
    """
    return float(f"{score:.{DIGITS - 1}e}")


def _rounded(values: Reals) -> Reals:
    sizes = np.abs(values)
    binade = sizes.view(np.int64) >> 52
    place = _PLACE[binade]
    place += sizes >= _NEXT[binade]
    factor, divisor = _FACTOR[place], _DIVISOR[place]
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = sizes * factor
        scaled /= divisor
        whole: Reals = np.rint(scaled)
        scaled -= whole
        settled = np.abs(scaled, out=scaled) < SETTLED
        carried = np.flatnonzero(whole == 10.0**DIGITS)
        if len(carried):  # 9.999… becomes 10 and must equal what was 10 from the start
            whole[carried] /= 10
            factor[carried], divisor[carried] = _FACTOR[place[carried] + 1], _DIVISOR[place[carried] + 1]
        whole /= factor
        whole *= divisor
    np.copysign(whole, values, out=whole)
    if np.fmin.reduce(sizes) < 10.0**-LARGEST or np.fmax.reduce(sizes) > 10.0**LARGEST:
        settled &= ((sizes >= 10.0**-LARGEST) & (sizes <= 10.0**LARGEST)) | (sizes == 0)
    rest = np.flatnonzero(~settled)
    if len(rest):
        rest = rest[np.isfinite(values[rest])]
        whole[rest] = _one_by_one(values[rest])
    return whole


def _one_by_one(values: Reals) -> Any:
    """The same, exactly: by way of text."""
    different, at = np.unique(values, return_inverse=True)
    return np.array([round_score(value) for value in different.tolist()])[at]
