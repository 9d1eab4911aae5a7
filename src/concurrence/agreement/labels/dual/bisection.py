"""Bisection of whole numbers."""

from collections.abc import Callable


def first_true(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first number in [low, high) for which a statement holds from there on; ``high`` where none does.

    >>> first_true(lambda number: number**2 >= 50, 0, 100)
    8
    """
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
