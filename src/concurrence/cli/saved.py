"""Results that commands printed as JSON, read back and put together to one document."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from concurrence.core.errors import InvalidInputError
from concurrence.core.values import value
from concurrence.files.tables.text import read_text
from concurrence.report.files import provenance_section
from concurrence.report.presenters import document_of, result_of
from concurrence.report.render.document import Document, Formula, Section


@value
class Saved:
    """One result: what it says and how it was made."""

    document: Document
    provenance: dict[str, Any]


def read_result(path: Path) -> Saved:
    """What a command printed with ``--json``."""
    text = read_text(path)
    try:
        whole = json.loads(text)
        kind = str(whole["kind"]) if isinstance(whole, dict) else ""
        return Saved(document=document_of(result_of(kind, whole)), provenance=whole["provenance"])
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInputError(
            f"{path} is not a result of concur; make one with: concur agree … --json > result.json"
        ) from error


def study_document(saved: list[Saved], *, title: str | None = None) -> Document:
    """All results as one document: one part for each, the methods once, and how everything was made."""
    made = provenance_section(*(one.provenance for one in saved))
    if len(saved) == 1:
        only = saved[0].document
        return replace(only, title=title or only.title, sections=(*only.sections, made))
    documents = [one.document for one in saved]
    parts = tuple(
        replace(document, title=name, sections=tuple(one for one in document.sections if not one.is_methods))
        for name, document in zip(_titles(saved), documents, strict=True)
    )
    methods = {block: None for document in documents for block in _formulas(document)}
    closing = [Section(title="Methods", blocks=tuple(methods), is_methods=True)] if methods else []
    return Document(title=title or "Study", question="", answer=(), sections=(*closing, made), parts=parts)


def _titles(saved: list[Saved]) -> list[str]:
    """The names of the results; two of the same kind are told apart by their first input."""
    names = [one.document.title for one in saved]
    inputs = [next(iter(one.provenance.get("inputs") or {}), "") for one in saved]
    return [
        f"{name} ({Path(first).stem})" if names.count(name) > 1 and first else name
        for name, first in zip(names, inputs, strict=True)
    ]


def _formulas(document: Document) -> list[Formula]:
    return [block for section in document.sections for block in section.blocks if isinstance(block, Formula)]
