"""Results that commands printed as JSON, read back and put together to one document."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concurrence.cli.documents import provenance_section
from concurrence.core.errors import InvalidInputError
from concurrence.files.text import read_text
from concurrence.report.document import Block, Chart, Document, Formula, Paragraph, Section, Table

BLOCKS: dict[frozenset[str], type[Block]] = {
    frozenset({"text", "warning"}): Paragraph,
    frozenset({"columns", "rows", "caption"}): Table,
    frozenset({"specification", "caption"}): Chart,
    frozenset({"name", "words", "latex", "reference"}): Formula,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """One result: what it says and how it was made."""

    document: Document
    provenance: dict[str, Any]


def read_result(path: Path) -> Saved:
    """What a command printed with ``--json``."""
    text = read_text(path)
    try:
        whole = json.loads(text)
        return Saved(document=_document(whole["document"]), provenance=whole["provenance"])
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInputError(
            f"{path} is not the result of a command; make it with: concur agree … --json > result.json"
        ) from error


def study_document(saved: list[Saved], *, title: str | None = None) -> Document:
    """All results as one document: answers, evidence, the methods once, and how everything was made."""
    made = provenance_section(*(one.provenance for one in saved))
    if len(saved) == 1:
        only = saved[0].document
        sections = (*only.sections, made)
        return Document(title=title or only.title, question=only.question, answer=only.answer, sections=sections)
    titles = _titles(saved)
    evidence = [section for one, name in zip(saved, titles, strict=True) for section in _titled(one.document, name)]
    methods = {block: None for one in saved for block in _methods(one.document)}
    closing = [Section(title="Methods", blocks=tuple(methods))] if methods else []
    return Document(
        title=title or "Study",
        question=" ".join(dict.fromkeys(one.document.question for one in saved)),
        answer=tuple(f"{name}. {' '.join(one.document.answer)}" for one, name in zip(saved, titles, strict=True)),
        sections=(*evidence, *closing, made),
    )


def _titles(saved: list[Saved]) -> list[str]:
    """The names of the results; two of the same kind are told apart by their first input."""
    names = [one.document.title for one in saved]
    inputs = [next(iter(one.provenance.get("inputs") or {}), "") for one in saved]
    return [
        f"{name} ({Path(first).stem})" if names.count(name) > 1 and first else name
        for name, first in zip(names, inputs, strict=True)
    ]


def _titled(document: Document, name: str) -> list[Section]:
    """The sections of a result under its own name, without its methods."""
    kept = [section for section in document.sections if section.title != "Methods"]
    return [Section(title=f"{name}: {section.title}", blocks=section.blocks) for section in kept]


def _methods(document: Document) -> list[Formula]:
    return [block for section in document.sections for block in section.blocks if isinstance(block, Formula)]


def _document(found: dict[str, Any]) -> Document:
    sections = tuple(
        Section(title=section["title"], blocks=tuple(map(_block, section["blocks"]))) for section in found["sections"]
    )
    return Document(title=found["title"], question=found["question"], answer=tuple(found["answer"]), sections=sections)


def _block(found: dict[str, Any]) -> Block:
    kind = BLOCKS[frozenset(found)]
    if kind is Table:
        return Table.of(found["caption"], found["columns"], found["rows"])
    return kind(**found)
