"""Another processor on this one: logarithms and powers that are off by one bit, as numpy's are elsewhere.

numpy computes them with its own instructions where a processor has AVX-512, and asks the C library otherwise; both are
right to within a bit. Which bit falls must not change what a person sees, and a machine has only one processor. So
`make numbers` runs what prints numbers once more with functions whose results are moved: a third of them up, a third
down, always the same ones for the same argument.
"""

import math
import struct
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from scipy import special

FUNCTIONS = {
    np: ("log", "log2", "log10", "log1p", "exp", "exp2", "expm1"),
    special: ("xlogy", "xlog1py", "rel_entr"),
}


def pretend() -> None:
    """Move the last bits of these functions from now on, in this process; before anything else imports them."""
    import_module("numba.np.npyimpl")  # which lists numpy's functions as they were
    for module, names in FUNCTIONS.items():
        for name in names:
            setattr(module, name, _move_last_bits(getattr(module, name)))


def _move_last_bits(function: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(*arguments: Any, **options: Any) -> Any:
        result = function(*arguments, **options)
        if isinstance(result, np.float64):
            return np.float64(_next(float(result)))
        if not isinstance(result, np.ndarray) or result.dtype != np.float64:
            return result
        # Whole results are exact on every processor: the logarithm of 1, and of powers of the base.
        with np.errstate(invalid="ignore"):
            toward = np.where(result == np.rint(result), 0, _choice(result))
        result[...] = np.where(toward == 0, result, np.nextafter(result, np.where(toward > 0, np.inf, -np.inf)))
        return result

    wrapper.__name__ = function.__name__
    return wrapper


def _choice(values: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, Any]:
    """-1, 0 or 1 for each value, from the value alone."""
    bits = np.ascontiguousarray(values).view(np.int64).reshape(values.shape)
    return bits % 3 - 1


def _next(value: float) -> float:
    """The same for one value, quickly."""
    if not math.isfinite(value) or value.is_integer():
        return value
    toward = struct.unpack("<q", struct.pack("<d", value))[0] % 3 - 1
    return math.nextafter(value, toward * math.inf) if toward else value
