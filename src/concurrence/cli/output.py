"""What commands say: results shown, printed as JSON or written; notes and progress on standard error."""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from concurrence.core.options import Progress
from concurrence.files.provenance import Provenance, checksums
from concurrence.report.files import json_with_provenance, save_result
from concurrence.report.presenters import document_of

if TYPE_CHECKING:
    import polars as pl

    from concurrence.report.render.document import Document

PATIENCE = 1.0
LONG_LIST = 1000  # entries of a list that are made text at once


def show(
    result: Any,
    origin: Provenance,
    *,
    json_: bool,
    output: Path | None = None,
    write: "Callable[[Path], None] | None" = None,
    page: "Callable[[], Document] | None" = None,
    brief: "Callable[[], Document] | None" = None,
    tables: "Mapping[str, Callable[[], Iterable[pl.DataFrame]]] | None" = None,
    always: bool = False,
) -> None:
    """Write the file that was asked for, then print JSON, or the document where no file was (or ``always``).

    Where a command has its own, ``write`` takes the place of the result's table, ``page`` of its document in files,
    ``brief`` of its document on the terminal, and ``tables`` of the tables in its JSON, each in pieces.
    """
    if origin.seed is not None:
        announce_seed(origin.seed)
    if output is not None:
        save_result(result, output, origin, page=page, write=write)
    if json_:
        print_json(result, origin, tables=tables or {})
    elif output is None or always:
        from concurrence.report.render.terminal import terminal

        print_rich(*terminal(document_of(result) if brief is None else brief()))
    note_written(output)


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


def print_json(
    result: Any,
    origin: Provenance,
    *,
    tables: "Mapping[str, Callable[[], Iterable[pl.DataFrame]]]" = MappingProxyType({}),
) -> None:
    """Print a result as JSON with its schema, kind and provenance; a table in it is printed row by row.

    ``tables`` are those that do not fit into memory, in pieces; they take the place of what the result holds.
    """
    for place, (key, entry) in enumerate(json_with_provenance(result, origin).items()):
        click.echo(f"{', ' if place else '{'}{json.dumps(key, ensure_ascii=False)}: ", nl=False)
        is_table = hasattr(entry, "iter_slices")  # as one text it could fill the memory
        pieces = tables[key]() if key in tables else [entry] if is_table else None
        for piece in _texts_of(entry) if pieces is None else _rows_as_list(pieces):
            click.echo(piece, nl=False)
    click.echo("}")


def _texts_of(entry: Any) -> Iterator[str]:
    """An entry as JSON, a long list some entries at a time."""
    if not isinstance(entry, list) or len(entry) <= LONG_LIST:
        yield json.dumps(entry, ensure_ascii=False, allow_nan=False)
        return
    for start in range(0, len(entry), LONG_LIST):
        text = json.dumps(entry[start : start + LONG_LIST], ensure_ascii=False, allow_nan=False)
        yield f"{', ' if start else '['}{text[1:-1]}"
    yield "]"


def _rows_as_list(frames: "Iterable[pl.DataFrame]") -> Iterator[str]:
    from concurrence.files.tables.formats import json_lines

    mark = "["
    for frame in frames:
        for lines in json_lines(frame):
            yield f"{mark}{lines[:-1].replace(chr(10), ', ')}"
            mark = ", "
    yield "]" if mark != "[" else "[]"


def print_rich(*renderables: Any) -> None:
    """Print tables and sentences on standard output, at the width of the terminal or of a page."""
    from rich.console import Console

    console = Console(width=page_width(), highlight=False)
    for renderable in renderables:
        console.print(renderable)


def page_width() -> int:
    """How many characters a line of standard output has: those of the terminal, or of a page."""
    from rich.console import Console

    return Console().width if sys.stdout.isatty() else 120


@contextmanager
def progress_bar(label: str) -> Iterator[Progress]:
    """Give a function to report progress to; the bar appears once a second has gone by.

    ``with progress("counting") as report: work(progress=report)``, and the work calls ``report(done, total)``.
    """
    if not sys.stderr.isatty():
        yield _say_nothing
        return
    with ExitStack() as stack:
        yield _after_patience(label, stack)


def _say_nothing(done: int, total: int) -> None:
    """Report to nobody: standard error is not a terminal."""


def _after_patience(label: str, stack: ExitStack) -> Progress:
    start = time.monotonic()
    bars: list[Progress] = []

    def report(done: int, total: int) -> None:
        if not bars and time.monotonic() - start >= PATIENCE:
            bars.append(_bar(label, stack))
        if bars:
            bars[0](done, total)

    return report


def _bar(label: str, stack: ExitStack) -> Progress:
    from rich.console import Console
    from rich.progress import Progress

    bar = stack.enter_context(Progress(console=Console(stderr=True), transient=True))
    task = bar.add_task(label, total=None)

    def update(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total or None)

    return update
