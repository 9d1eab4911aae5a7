"""What commands say: results shown, printed as JSON or written; notes and progress on standard error."""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.options import CHARTS, PAGES
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.progress import Progress
from concurrence.core.values import to_json
from concurrence.files.provenance import Provenance, checksums
from concurrence.report.presenters import kind_of

if TYPE_CHECKING:
    import polars as pl

    from concurrence.report.render.document import Document, Section

SCHEMA = 2
PATIENCE = 1.0


def show(
    result: Any,
    made: Provenance,
    *,
    json_: bool,
    output: Path | None = None,
    write: "Callable[[Path], None] | None" = None,
    page: "Callable[[], Document] | None" = None,
    told: "Callable[[], Document] | None" = None,
    tables: "Mapping[str, Callable[[], Iterable[pl.DataFrame]]] | None" = None,
    always: bool = False,
) -> None:
    """Write the file that was asked for, then print JSON, or the document where no file was (or ``always``).

    Where a command has its own, ``write`` takes the place of the result's table, ``page`` of its document in files,
    ``told`` of its document on the terminal, and ``tables`` of the tables in its JSON, each in pieces.
    """
    if made.seed is not None:
        announce_seed(made.seed)
    if output is not None:
        _write(result, made, output, write, page)
    if json_:
        print_json(result, made, tables=tables or {})
    elif output is None or always:
        from concurrence.report.render.terminal import terminal

        print_rich(*terminal(_document(result, told)))
    note_written(output)


def _write(
    result: Any,
    made: Provenance,
    output: Path,
    write: "Callable[[Path], None] | None",
    page: "Callable[[], Document] | None",
) -> None:
    if output.suffix.lower() in (*PAGES, *CHARTS):
        document = _document(result, page)
        made_how = provenance_section(made.as_json())
        write_document(replace(document, sections=(*document.sections, made_how)), output)
    elif write is not None:
        write(output)
    else:
        from concurrence.files.tables.formats import write_table
        from concurrence.report.presenters import table_of

        write_table(table_of(result), output, made)


def _document(result: Any, own: "Callable[[], Document] | None") -> "Document":
    from concurrence.report.presenters import document_of

    return document_of(result) if own is None else own()


def write_document(document: "Document", path: Path, *, chart: str | None = None) -> None:
    """Write a document in the format of the ending: a page, Markdown, LaTeX tables, or its first chart or another."""
    from concurrence.files.atomic import replacing

    content = _rendered(document, path, chart)
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def provenance_section(*made: dict[str, Any]) -> "Section":
    """Commands, version, seeds and checksums, as a table."""
    from concurrence.report.render.document import Section, Table

    rows = [
        (one.get("command"), one.get("version"), one.get("seed"), name, digest)
        for one in made
        for name, digest in (one.get("inputs") or {"–": "–"}).items()
    ]
    columns = ("command", "version", "seed", "input", "SHA-256 of the input")
    return Section(title="How this was made", blocks=(Table.of("Provenance", columns, rows),))


def _rendered(document: "Document", path: Path, chart: str | None) -> bytes:
    from concurrence.report.render.document import named_charts
    from concurrence.report.render.html import render_html
    from concurrence.report.render.markup import render_latex, render_markdown

    ending = path.suffix.lower()
    writers = {".html": render_html, ".md": render_markdown, ".tex": render_latex}
    if ending in writers:
        return writers[ending](document).encode("utf-8")
    if not document.charts:
        raise InvalidInputError(f"{path}: this result has no chart; write it as .html, .md or .tex.")
    if chart is None:
        return _drawn(document.charts[0].specification, ending)
    named = named_charts(document)
    if chart.lower() not in named:
        raise UnknownNameError("chart", chart, named)
    return _drawn(named[chart.lower()].specification, ending)


def _drawn(specification: dict[str, Any], ending: str) -> bytes:
    import vl_convert

    if ending == ".svg":
        return vl_convert.vegalite_to_svg(specification).encode("utf-8")
    return vl_convert.vegalite_to_png(specification, scale=2)


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
    made: Provenance,
    *,
    tables: "Mapping[str, Callable[[], Iterable[pl.DataFrame]]]" = MappingProxyType({}),
) -> None:
    """Print a result as JSON with its schema, kind and provenance; a table in it is printed row by row.

    ``tables`` are those that do not fit into memory, in pieces; they take the place of what the result holds.
    """
    whole = {"schema": SCHEMA, "kind": kind_of(result), "provenance": to_json(made.as_json()), "warnings": []}
    for place, (key, entry) in enumerate({**whole, **to_json(result)}.items()):
        click.echo(f"{', ' if place else '{'}{json.dumps(key, ensure_ascii=False)}: ", nl=False)
        is_table = hasattr(entry, "iter_slices")  # as one text it could fill the memory
        pieces = tables[key]() if key in tables else [entry] if is_table else None
        whole_text = () if pieces is not None else (json.dumps(entry, ensure_ascii=False, allow_nan=False),)
        for piece in whole_text or _rows_as_list(pieces or ()):
            click.echo(piece, nl=False)
    click.echo("}")


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
