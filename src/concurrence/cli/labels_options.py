"""How commands that take judgements are told to read them: the same options everywhere."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from concurrence.core.labels import Labels


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelOptions:
    """What the user said of a label file."""

    table: bool = False
    wide: bool = False
    columns: dict[str, str] | None = None
    by: str | None = None
    coders: tuple[str, ...] | None = None
    categories: tuple[str, ...] | None = None
    missing: tuple[str, ...] | None = None
    repeats: str = "error"
    unmarked: str | None = None
    sets: str | None = None

    @property
    def shape(self) -> str:
        """The shape of the file, ``auto`` where the user left it open."""
        return "table" if self.table else "wide" if self.wide else "auto"


class NameList(click.ParamType[tuple[str, ...]]):
    """Names between commas; ``"a,b",c`` quotes a name that has one."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Split at commas."""
        import csv

        return value if isinstance(value, tuple) else tuple(next(csv.reader([value]), ()))


class NumberList(click.ParamType[tuple[float, ...]]):
    """Numbers between commas."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, ...]:
        """Split at commas; each part must be a number."""
        try:
            return value if isinstance(value, tuple) else tuple(float(part) for part in value.split(","))
        except ValueError:
            self.fail(f"write numbers between commas, such as 0.68,0.60,0.51, not {value!r}.", param, ctx)


class Assignments(click.ParamType[dict[str, str]]):
    """``item=…,coder=…,label=…``."""

    name = "columns"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, str]:
        """Split at commas and the first sign of equality."""
        if isinstance(value, dict):
            return value
        parts = [entry.partition("=") for entry in NameList().convert(value, param, ctx)]
        if not parts or not all(role and sign and column for role, sign, column in parts):
            self.fail(f"write it as item=…,coder=…,label=…, not {value!r}.", param, ctx)
        return {role.strip(): column for role, _, column in parts}


_OPTIONS = (
    click.option("--table", is_flag=True, help="The file is a square contingency table, rows the first coder."),
    click.option("--wide", is_flag=True, help="The file has an item a row and a coder a column."),
    click.option(
        "--columns",
        type=Assignments(),
        metavar="ROLE=NAME,…",
        help="The columns of item, coder, label (or count) where they are called otherwise.",
    ),
    click.option("--by", metavar="COLUMN", help="The column with the group of an item, such as its word."),
    click.option("--coders", type=NameList(), metavar="A,B,…", help="These coders alone, in this order."),
    click.option("--categories", type=NameList(), metavar="A,B,…", help="All categories there are, in their order."),
    click.option("--missing", type=NameList(), metavar="A,B,…", help="Labels that mean no label."),
    click.option(
        "--repeats",
        type=click.Choice(("error", "first", "last")),
        default="error",
        show_default=True,
        help="What counts where a coder labelled an item twice.",
    ),
    click.option(
        "--unmarked", metavar="LABEL", help="The label that a blank cell stands for, where coders mark only some items."
    ),
    click.option("--sets", metavar="MARK", help="Labels are sets; this stands between the members, such as '+'."),
)


def label_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options for reading labels, as one argument ``reading``.

    >>> @label_options
    ... def command(labels: Path, *, reading: LabelOptions) -> str:
    ...     return reading.shape
    """

    @wraps(command)
    def with_reading(*arguments: Any, **options: Any) -> Any:
        said = {name: options.pop(name) for name in LabelOptions.__dataclass_fields__}
        return command(*arguments, reading=LabelOptions(**said), **options)

    for option in reversed(_OPTIONS):
        with_reading = option(with_reading)
    return with_reading


def read_from_options(path: Path, reading: LabelOptions) -> "Labels":
    """Read a label file as the user said."""
    from concurrence.files.labels import read_labels

    if reading.table and reading.wide:
        raise click.UsageError("--table and --wide are two shapes; a file has one of them.")
    return read_labels(
        path,
        shape=reading.shape,
        columns=reading.columns,
        missing=reading.missing or (),
        categories=reading.categories,
        coders=reading.coders,
        by=reading.by,
        repeats=reading.repeats,
        unmarked=reading.unmarked,
        sets=reading.sets,
    )
