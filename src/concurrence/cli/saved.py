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
class SavedResult:
    """One result: what it says and how it was made."""

    document: Document
    provenance: dict[str, Any]


def read_result(path: Path) -> SavedResult:
    """What a command printed with ``--json``."""
    text = read_text(path)
    try:
        whole = json.loads(text)
        kind = str(whole["kind"]) if isinstance(whole, dict) else ""
        return SavedResult(document=document_of(result_of(kind, whole)), provenance=whole["provenance"])
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInputError(
            f"{path} is not a result of concur; make one with: concur agree … --json > result.json"
        ) from error


def study_document(results: list[SavedResult], *, title: str | None = None) -> Document:
    """All results as one document: one part for each, the methods once, and how everything was made."""
    origin = provenance_section(*(result.provenance for result in results))
    if len(results) == 1:
        document = results[0].document
        return replace(document, title=title or document.title, sections=(*document.sections, origin))
    documents = [result.document for result in results]
    parts = tuple(
        replace(
            document, title=name, sections=tuple(section for section in document.sections if not section.is_methods)
        )
        for name, document in zip(_titles(results), documents, strict=True)
    )
    methods = {block: None for document in documents for block in _formulas(document)}
    methods_sections = [Section(title="Methods", blocks=tuple(methods), is_methods=True)] if methods else []
    return Document(title=title or "Study", question="", answer=(), sections=(*methods_sections, origin), parts=parts)


def _titles(results: list[SavedResult]) -> list[str]:
    """The names of the results; two of the same kind are told apart by their first input."""
    names = [result.document.title for result in results]
    inputs = [next(iter(result.provenance.get("inputs") or {}), "") for result in results]
    return [
        f"{name} ({Path(input_path).stem})" if names.count(name) > 1 and input_path else name
        for name, input_path in zip(names, inputs, strict=True)
    ]


def _formulas(document: Document) -> list[Formula]:
    return [block for section in document.sections for block in section.blocks if isinstance(block, Formula)]
