"""Options that commands share: files, seeds, shares, and options gather_options into one value."""

from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from concurrence.cli.lists import parse_share
from concurrence.core.errors import InvalidInputError
from concurrence.report import CHARTS as CHARTS
from concurrence.report import PAGES as PAGES

TABLES = (".csv", ".tsv", ".jsonl", ".parquet")
ENDINGS = (*TABLES, *PAGES, *CHARTS)
"""What a result with a table, a page and a chart can be written to."""

F = TypeVar("F", bound=Callable[..., Any])


def json_option(command: F) -> F:
    """``--json``: unrounded numbers for machines, on standard output."""
    return click.option("--json", "json_", is_flag=True, help="Print unrounded numbers as JSON.")(command)


def output_option(help_text: str, *, endings: tuple[str, ...] = TABLES, required: bool = False) -> Callable[[F], F]:
    """``-o FILE``: the format follows the ending."""
    return click.option("-o", "--output", type=OutputPath(endings), metavar="FILE", required=required, help=help_text)


class FilePath(click.ParamType[Path]):
    """A file's name, or ``-`` for standard input; whether it can be read is the reader's business."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Make it a path."""
        return Path(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Let the shell complete names of files."""
        return [CompletionItem(incomplete, type="file")]


class OutputPath(FilePath):
    """A file to be written: a place or an ending that cannot be is refused before anything is computed or written."""

    def __init__(self, endings: tuple[str, ...] = TABLES) -> None:
        self.endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Make it a path, and check it."""
        from concurrence.files.atomic import refuse_unwritable

        path = Path(value)
        refuse_unwritable(path)
        if _extension(path) not in self.endings:
            kinds = ", ".join(self.endings)
            raise InvalidInputError(f"{path}: the format follows the file extension, which must be one of {kinds}.")
        if ctx is not None and param is not None:
            _refuse_twice(path, param, ctx)
        return path


def _extension(path: Path) -> str:
    from concurrence.files.tables.text import table_ending

    ending = path.suffix.lower()
    return ending if ending in (*PAGES, *CHARTS) else f".{table_ending(path)}"


def _refuse_twice(path: Path, param: click.Parameter, ctx: click.Context) -> None:
    """Refuse one file for two outputs, of which the second would replace the first."""
    outputs = ctx.meta.setdefault("concurrence.outputs", {})
    if outputs.setdefault(path.absolute(), param.name) != param.name:
        raise InvalidInputError(f"{path} is used for two outputs; each needs a file of its own.")


class Seed(click.ParamType[int]):
    """A whole number, or ``random`` to draw one."""

    name = "seed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Take the number, or draw one."""
        if isinstance(value, str) and value == "random":
            import secrets

            return secrets.randbits(32)
        try:
            seed = int(value)
        except (TypeError, ValueError):
            seed = -1
        if seed < 0:
            self.fail(f"the seed must be a whole number of at least 0, or 'random', not {value!r}.", param, ctx)
        return seed


def seed_option(command: F) -> F:
    """``--seed``: the same number, the same result."""
    words = "Random seed: a number, or 'random' to pick one."
    return click.option("--seed", type=Seed(), default=0, show_default=True, help=words)(command)


class CoefficientOption(click.Option):
    """``--coefficient NAME``; its help names every row of the table."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from concurrence.kernels.coefficients import COEFFICIENTS

        self.help = f"{(self.help or '').partition(' Known names:')[0]} Known names: {', '.join(COEFFICIENTS)}."
        return super().get_help_record(ctx)


class ShareType(click.ParamType[float]):
    """A share between 0 and 1, written as 0.1 or as 10%."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            return parse_share(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def gather_options(kind: type[Any], name: str, options: Sequence[Callable[[F], F]]) -> Callable[[F], F]:
    """Give a command these options as one argument ``name``: a dataclass whose fields are called alike.

    What was not said keeps the default of its field.
    """
    has_default = {entry.name: entry.default is not MISSING for entry in fields(kind)}

    def decorate(command: F) -> F:
        @wraps(command)
        def with_value(*arguments: Any, **keywords: Any) -> Any:
            values = {field: keywords.pop(field) for field in has_default if field in keywords}
            value = kind(
                **{field: setting for field, setting in values.items() if setting is not None or not has_default[field]}
            )
            return command(*arguments, **{name: value}, **keywords)

        result: Any = with_value
        for option in reversed(options):
            result = option(result)
        return result  # type: ignore[no-any-return]

    return decorate
