"""What every command shares: its options, its JSON, its provenance."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from concurrence.core.errors import InvalidInputError
from concurrence.core.values import plain
from concurrence.files.provenance import Provenance, checksums

if TYPE_CHECKING:
    import polars as pl

SCHEMA = 2

TABLES = (".csv", ".tsv", ".jsonl", ".parquet")
PAGES = (".html", ".md", ".tex")
CHARTS = (".svg", ".png")

F = TypeVar("F", bound=Callable[..., Any])


def json_option(command: F) -> F:
    """``--json``: unrounded numbers for machines, on standard output."""
    return click.option("--json", "json_", is_flag=True, help="Print unrounded numbers as JSON.")(command)


def output_option(what: str, *, endings: tuple[str, ...] = TABLES, required: bool = False) -> Callable[[F], F]:
    """``-o FILE``: the format follows the ending."""
    return click.option("-o", "--output", type=OutputPath(endings), metavar="FILE", required=required, help=what)


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
        """Make it a path, and look at it."""
        from concurrence.files.atomic import refuse_unwritable

        path = Path(value)
        refuse_unwritable(path)
        if _ending(path) not in self.endings:
            kinds = ", ".join(self.endings)
            raise InvalidInputError(f"{path}: the ending tells the format; this is written as one of {kinds}.")
        if ctx is not None and param is not None:
            _refuse_twice(path, param, ctx)
        return path


def _ending(path: Path) -> str:
    from concurrence.files.text import table_ending

    ending = path.suffix.lower()
    return ending if ending in (*PAGES, *CHARTS) else f".{table_ending(path)}"


def _refuse_twice(path: Path, param: click.Parameter, ctx: click.Context) -> None:
    """Refuse one file for two outputs, of which the second would replace the first."""
    taken = ctx.meta.setdefault("concurrence.outputs", {})
    if taken.setdefault(path.absolute(), param.name) != param.name:
        raise InvalidInputError(f"{path} is named for two outputs; each needs a file of its own.")


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
            self.fail(f"the seed must be a whole number that is not negative, or 'random', not {value!r}.", param, ctx)
        return seed


def seed_option(command: F) -> F:
    """``--seed``: the same number, the same result."""
    words = "A number, or 'random' to draw one."
    return click.option("--seed", type=Seed(), default=0, show_default=True, help=words)(command)


def announce_seed(seed: int) -> None:
    """Tell on standard error which seed a random step used."""
    click.echo(f"seed: {seed}", err=True)


def note(sentence: str) -> None:
    """Say something on standard error that is not part of the result."""
    click.echo(sentence, err=True)


def note_written(*paths: Path | None) -> None:
    """Say on standard error which files there are now."""
    for path in paths:
        if path is not None:
            note(f"Written to {path}.")


def provenance(*, inputs: Iterable[str | Path] = (), seed: int | None = None, **details: Any) -> Provenance:
    """The provenance of what the running command makes."""
    context = click.get_current_context()
    return Provenance(command=context.command_path, seed=seed, inputs=checksums(inputs), details=details)


def print_json(result: Any, made: Provenance) -> None:
    """Print a result as JSON with its schema, kind and provenance; a table in it is printed row by row."""
    whole = {"schema": SCHEMA, "kind": type(result).__name__, "provenance": plain(made.as_json()), "warnings": []}
    entries = {key: _json_pieces(entry) for key, entry in {**whole, **plain(result)}.items()}
    for place, (key, pieces) in enumerate(entries.items()):
        click.echo(f"{', ' if place else '{'}{json.dumps(key, ensure_ascii=False)}: ", nl=False)
        for piece in pieces:
            click.echo(piece, nl=False)
    click.echo("}")


def _json_pieces(value: Any) -> Iterable[str]:
    """The text of a value: whole, or of a table in pieces, since as one text it could fill the memory."""
    if hasattr(value, "iter_slices"):
        return _rows_as_list(value)
    return (json.dumps(value, ensure_ascii=False, allow_nan=False),)


def _rows_as_list(frame: "pl.DataFrame") -> Iterator[str]:
    from concurrence.files.tables import json_lines

    for place, lines in enumerate(json_lines(frame)):
        yield f"{', ' if place else '['}{lines[:-1].replace(chr(10), ', ')}"
    yield "]" if len(frame) else "[]"


def print_rich(*renderables: Any) -> None:
    """Print tables and sentences on standard output, at the width of the terminal or of a page."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    for renderable in renderables:
        console.print(renderable)
