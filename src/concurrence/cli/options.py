"""Kinds of option values that several commands read."""

from math import isfinite
from typing import Any

import click


class Share(click.ParamType[float]):
    """A share between 0 and 1, written as 0.1 or as 10%."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the share."""
        text = str(value).strip()
        try:
            share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            share = -1.0
        if not (isfinite(share) and 0 <= share <= 1):
            self.fail(f"a share is written as 0.1 or 10% and lies between 0 and 1, not {text!r}.", param, ctx)
        return share


class Numbers(click.ParamType[tuple[int, ...]]):
    """Whole numbers above zero with commas between them."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Read the numbers."""
        if isinstance(value, tuple):
            return value
        try:
            numbers = tuple(int(part) for part in str(value).split(","))
        except ValueError:
            numbers = ()
        if not numbers or min(numbers) < 1:
            self.fail(f"whole numbers above 0 with commas between them are expected, not {value!r}.", param, ctx)
        return numbers


class Shares(click.ParamType[tuple[float, ...]]):
    """Shares with commas between them."""

    name = "shares"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, ...]:
        """Read the shares."""
        if isinstance(value, tuple):
            return value
        return tuple(Share().convert(part, param, ctx) for part in str(value).split(","))
