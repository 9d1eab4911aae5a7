"""Checks of options that every room takes."""

from concurrence.core.errors import InvalidInputError


def check_level(level: float) -> None:
    """Refuse a confidence level that is no share.

    >>> check_level(0.95)
    """
    if not 0 < level < 1:
        raise InvalidInputError(f"The level must lie between 0 and 1, such as 0.95, not {level:g}.")
