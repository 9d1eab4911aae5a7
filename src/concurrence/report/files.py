"""Results as files: JSON, tables, pages and charts, each with how it was made."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.values import to_json
from concurrence.files.provenance import Provenance
from concurrence.report import CHARTS, PAGES
from concurrence.report.presenters import document_of, kind_of, presenter_of
from concurrence.report.render.document import Document, Section, Table, named_charts

SCHEMA = 2


def json_with_provenance(result: Any, provenance: Provenance) -> dict[str, Any]:
    """The JSON of a result with its schema, kind and provenance; tables are still frames."""
    head = {"schema": SCHEMA, "kind": kind_of(result), "provenance": to_json(provenance.as_json()), "warnings": []}
    return {**head, **to_json(result)}


def saved_json(result: Any) -> dict[str, Any]:
    """The JSON of a result that was made in Python; tables are lists of rows."""
    whole = json_with_provenance(result, _made_in_python(result))
    return {key: to_json(entry.to_dicts()) if hasattr(entry, "to_dicts") else entry for key, entry in whole.items()}


def save_result(
    result: Any,
    path: Path,
    provenance: Provenance | None = None,
    *,
    page: Callable[[], Document] | None = None,
    write: Callable[[Path], None] | None = None,
) -> None:
    """Write a result in the format of the ending; ``page`` and ``write`` take the place of its document and table."""
    origin = provenance or _made_in_python(result)
    if path.suffix.lower() in (*PAGES, *CHARTS):
        document = document_of(result) if page is None else page()
        ending = provenance_section(origin.as_json())
        write_document(replace(document, sections=(*document.sections, ending)), path)
    elif path.suffix.lower() == ".json":
        _write_bytes(json.dumps(saved_json(result), ensure_ascii=False, allow_nan=False).encode(), path)
    elif write is not None:
        write(path)
    elif (write_own := presenter_of(result).write) is not None:
        write_own(result, path, origin)
    else:
        from concurrence.files.tables.formats import write_table

        write_table(result.to_frame(), path, origin)


def _made_in_python(result: Any) -> Provenance:
    return Provenance(command="concurrence", seed=getattr(result, "seed", None))


def write_document(document: Document, path: Path, *, chart: str | None = None) -> None:
    """Write a document in the format of the ending: a page, Markdown, LaTeX tables, or its first chart or another."""
    from concurrence.report.render.html import render_html
    from concurrence.report.render.markup import render_latex, render_markdown

    ending = path.suffix.lower()
    writers = {".html": render_html, ".md": render_markdown, ".tex": render_latex}
    if ending in writers:
        _write_bytes(writers[ending](document).encode(), path)
        return
    if not document.charts:
        raise InvalidInputError(f"{path}: this result has no chart; write it as .html, .md or .tex.")
    charts = named_charts(document)
    if chart is not None and chart.lower() not in charts:
        raise UnknownNameError("chart", chart, charts)
    _write_bytes(_drawn((document.charts[0] if chart is None else charts[chart.lower()]).specification, ending), path)


def _write_bytes(content: bytes, path: Path) -> None:
    """Write a file whole or not at all."""
    from concurrence.files.atomic import replacing

    with replacing(path) as temporary:
        temporary.write_bytes(content)


def _drawn(specification: dict[str, Any], ending: str) -> bytes:
    import vl_convert

    if ending == ".svg":
        return vl_convert.vegalite_to_svg(specification).encode("utf-8")
    return vl_convert.vegalite_to_png(specification, scale=2)


def provenance_section(*origins: dict[str, Any]) -> Section:
    """Commands, version, seeds and checksums, as a table."""
    rows = [
        (origin.get("command"), origin.get("version"), origin.get("seed"), name, digest)
        for origin in origins
        for name, digest in (origin.get("inputs") or {"–": "–"}).items()
    ]
    columns = ("command", "version", "seed", "input", "SHA-256 of the input")
    return Section(title="How this was made", blocks=(Table.of("Provenance", columns, rows),))
