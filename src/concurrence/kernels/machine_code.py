"""Loops as machine code, which is kept on disk for the next process.

numba keeps it beside the module or in the user's cache folder. Where neither can be written, as in a container or
in an installation that many share, it refuses to compile at all; here such a process compiles for itself alone.
"""

import sys
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from concurrence.core.errors import COMMAND_LINE

F = TypeVar("F", bound=Callable[..., Any])

NOT_KEPT = (
    "Compiled code cannot be kept because no cache folder can be written, so every run compiles anew; "
    "set NUMBA_CACHE_DIR to a folder that can be written."
)


def machine_code(function: F) -> F:
    """A function of arrays and numbers as machine code, compiled when it is first called."""
    import numba  # its loading takes half a second

    return _kept_on_disk(lambda keep: numba.njit(cache=keep, nogil=True)(function))  # type: ignore[no-any-return]


def elementwise_machine_code(function: F) -> F:
    """A function of numbers as machine code that runs over arrays of them; it is compiled at once."""
    from numba import float64, vectorize

    signature = float64(*[float64] * function.__code__.co_argcount)
    return _kept_on_disk(lambda keep: vectorize([signature], cache=keep)(function))  # type: ignore[no-any-return]


def _kept_on_disk(compile_with: Callable[[bool], Any]) -> Any:
    """What is compiled with a cache, or without one where numba finds no place for it."""
    try:
        return compile_with(True)
    except RuntimeError:  # numba has no type of its own for it; another error comes again
        function = compile_with(False)
    _say_that_nothing_is_kept()
    return function


@cache
def _say_that_nothing_is_kept() -> None:
    """Say it once in a process."""
    if COMMAND_LINE.get():
        print(f"concur: {NOT_KEPT}", file=sys.stderr)
    else:
        warnings.warn(NOT_KEPT, RuntimeWarning, stacklevel=2)
