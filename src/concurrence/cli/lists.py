"""What options take: values between commas (names, numbers, shares, list sizes), and NAME=VALUE."""

import csv
from collections.abc import Callable, Iterable
from math import isfinite
from typing import Any, Generic, TypeVar

import click

from concurrence.core.errors import InvalidInputError

T = TypeVar("T")


class CommaList(click.ParamType[tuple[T, ...]], Generic[T]):
    """What ``parse`` reads from each part between commas; ``"a,b",c`` quotes a part that has one.

    A part that ``parse`` refuses with a ValueError, or a list of nothing, is refused by saying what is ``expected``;
    without that an empty list is allowed.
    """

    def __init__(self, parse: Callable[[str], Iterable[T]], *, name: str, expected: str = "") -> None:
        self.parse = parse
        self.name = name
        self.expected = expected

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[T, ...]:
        if not isinstance(value, str):
            return tuple(value)
        try:
            entries = tuple(entry for part in next(csv.reader([value]), ()) for entry in self.parse(part))
        except ValueError as error:
            self.fail(str(error) if not self.expected else f"{self.expected}, not {value!r}.", param, ctx)
        if self.expected and not entries:
            self.fail(f"{self.expected}, not {value!r}.", param, ctx)
        return entries


def parse_share(text: str) -> float:
    """A share between 0 and 1, written as 0.1 or as 10%.

    >>> parse_share("10%")
    0.1
    """
    stripped = text.strip()
    try:
        number = float(stripped.removesuffix("%")) / (100 if stripped.endswith("%") else 1)
    except ValueError:
        number = -1.0
    if not (isfinite(number) and 0 <= number <= 1):
        raise ValueError(f"a share must lie between 0 and 1, written as 0.1 or 10%, not {stripped!r}.")
    return number


def _parse_whole(text: str) -> Iterable[int]:
    return _parse_sizes(f"{int(text)}")


def _parse_sizes(text: str) -> Iterable[int]:
    """A size, or those from a first to a last in steps: ``100:5000:50``."""
    start, stop, step = map(int, text.split(":")) if ":" in text else (int(text), int(text), 1)
    if step < 1 or start < 1:
        raise ValueError(text)
    return range(start, stop + 1, step)


class Named(click.ParamType[tuple[str, str]]):
    """``NAME=VALUE``."""

    name = "named"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        if isinstance(value, tuple):
            return (str(value[0]), str(value[1]))
        name, sign, rest = str(value).partition("=")
        if not name or not sign or not rest:
            self.fail(f"expected NAME=VALUE, not {value!r}.", param, ctx)
        return name, rest


def numbers_by_name(_: click.Context, param: click.Parameter, value: tuple[tuple[str, str], ...]) -> dict[str, float]:
    """The callback of an option that takes NAME=NUMBER several times."""
    numbers = {}
    for name, text in value:
        try:
            numbers[name] = float(text)
        except ValueError as error:
            message = f"The {param.opts[0].lstrip('-')} {name}={text} needs a number after the equals sign."
            raise InvalidInputError(message) from error
    return numbers


NAMES = CommaList(lambda text: [text], name="names")
"""Names exactly as they are written."""

COLUMNS = CommaList(lambda text: [text.strip()] if text.strip() else [], name="names")
"""Names without the white space around them."""

WHOLE_NUMBERS = CommaList(_parse_whole, name="numbers", expected="give whole numbers above 0, separated by commas")
NUMBERS = CommaList(
    lambda text: [float(text)], name="numbers", expected="give numbers separated by commas, such as 0.68,0.60,0.51"
)
SHARES = CommaList(lambda text: [parse_share(text)], name="shares")
SIZES = CommaList(_parse_sizes, name="sizes", expected="give list sizes as 100,500,1000 or 100:5000:50")
"""List sizes: ``100,500,1000``, or ``100:5000:50`` for a grid, or both with commas between them."""
