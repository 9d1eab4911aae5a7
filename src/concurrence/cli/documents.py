"""Results as documents: shown on the terminal, printed as JSON, or written as a page, a table or a chart."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concurrence.cli.output import CHARTS, PAGES, announce_seed, note_written, print_json, print_rich
from concurrence.core.errors import InvalidInputError
from concurrence.files.provenance import Provenance

if TYPE_CHECKING:
    import polars as pl

    from concurrence.report.document import Document, Section

ENDINGS = (*PAGES, *CHARTS)


def show(
    result: Any,
    made: Provenance,
    *,
    json_: bool,
    output: Path | None = None,
    write: "Callable[[Path], None] | None" = None,
    document: "Callable[[], Document] | None" = None,
) -> None:
    """Write the file that was asked for, then print JSON, or the document where nothing else was asked for.

    ``write`` takes the place of the result's table, and ``document`` of its document, where a command has its own.
    """
    if made.seed is not None:
        announce_seed(made.seed)
    if output is not None:
        _write(result, made, output, write, document)
        note_written(output)
    if json_:
        print_json(result, made)
    elif output is None:
        from concurrence.report.terminal import terminal

        print_rich(*terminal(_document(result, document)))


def _write(
    result: Any,
    made: Provenance,
    output: Path,
    write: "Callable[[Path], None] | None",
    document: "Callable[[], Document] | None",
) -> None:
    if output.suffix.lower() in ENDINGS:
        write_document(with_provenance(_document(result, document), made), output)
    elif write is not None:
        write(output)
    else:
        from concurrence.files.tables import write_table
        from concurrence.report.shows import table_of

        write_table(table_of(result), output, made)


def _document(result: Any, document: "Callable[[], Document] | None") -> "Document":
    from concurrence.report.shows import document_of

    return document_of(result) if document is None else document()


def present(
    document: "Document",
    payload: dict[str, Any],
    made: Provenance,
    *,
    json_: bool,
    output: Path | None = None,
    table: "Callable[[], pl.DataFrame] | None" = None,
) -> None:
    """The old way of ``show``, for commands whose results are not yet in the table of shows."""
    if output is not None and table is not None:
        from concurrence.files.tables import write_table

        write_output(lambda: document, made, output, own=lambda path: write_table(table(), path, made))
    note_written(output)
    if json_:
        print_json({**payload, "document": document}, made)
    elif output is None:
        from concurrence.report.terminal import terminal

        print_rich(*terminal(document))


def write_output(
    document: "Callable[[], Document]", made: Provenance, output: Path, *, own: Callable[[Path], None]
) -> None:
    """Write the document where the ending is that of a page or a chart, else what the command has of its own."""
    if output.suffix.lower() in ENDINGS:
        write_document(with_provenance(document(), made), output)
    else:
        own(output)


def write_document(document: "Document", path: Path) -> None:
    """Write a document in the format of the ending: a page, Markdown, LaTeX tables, or its first chart."""
    from concurrence.files.atomic import replacing

    content = _rendered(document, path)
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def with_provenance(document: "Document", made: Provenance) -> "Document":
    """The document with a last section that says how it was made."""
    return replace(document, sections=(*document.sections, provenance_section(made.as_json())))


def provenance_section(*made: dict[str, Any]) -> "Section":
    """Commands, version, seeds and checksums, as a table."""
    from concurrence.report.document import Section, Table

    rows = [
        (one.get("command"), one.get("version"), one.get("seed"), name, digest)
        for one in made
        for name, digest in (one.get("inputs") or {"–": "–"}).items()
    ]
    columns = ("command", "version", "seed", "input", "SHA-256 of the input")
    return Section(title="How this was made", blocks=(Table.of("Provenance", columns, rows),))


def _rendered(document: "Document", path: Path) -> bytes:
    from concurrence.report.html import render_html
    from concurrence.report.plain import render_latex, render_markdown

    ending = path.suffix.lower()
    writers = {".html": render_html, ".md": render_markdown, ".tex": render_latex}
    if ending in writers:
        return writers[ending](document).encode("utf-8")
    if not document.charts:
        raise InvalidInputError(f"{path}: this result has no chart; write it as .html, .md or .tex.")
    return _drawn(document.charts[0].specification, ending)


def _drawn(specification: dict[str, Any], ending: str) -> bytes:
    import vl_convert

    if ending == ".svg":
        return vl_convert.vegalite_to_svg(specification).encode("utf-8")
    return vl_convert.vegalite_to_png(specification, scale=2)
