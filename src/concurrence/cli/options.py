"""Kinds of option values that several commands read."""

from typing import Any

import click

from concurrence.cli.lists import share


class Share(click.ParamType[float]):
    """A share between 0 and 1, written as 0.1 or as 10%."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            return share(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)
