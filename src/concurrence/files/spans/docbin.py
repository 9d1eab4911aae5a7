"""Spans in spaCy's ``.spacy`` files: one file per coder, called after the coder; positions are tokens."""

from pathlib import Path
from typing import Any

from concurrence.core.errors import InvalidInputError
from concurrence.files.labels.codes import columns_option
from concurrence.files.spans.options import SpanFileOptions
from concurrence.files.spans.span_sheet import SpanSheet
from concurrence.files.tables.docbin import name_of_doc, read_docs

ENTITIES = "ents"


def read_docbin_spans(path: Path, data: bytes, options: SpanFileOptions) -> SpanSheet:
    """The entities, or the group of spans that was named, or the only one where there are no entities."""
    docs = read_docs(path, data)
    if not docs:
        raise InvalidInputError(f"{path} holds no documents.")
    group = (options.columns or {}).get("label") or _only_group(docs, path)
    sheet = SpanSheet(name=str(path), place=lambda number: f"{path}, document {number}", says_who_read=True)
    for number, doc in enumerate(docs, start=1):
        document = name_of_doc(doc, number)
        sheet.texts[document] = tuple(token.text for token in doc)
        reading = sheet.add(document, path.stem, number)
        for span in doc.ents if group == ENTITIES else doc.spans.get(group, ()):
            reading.mark(span.start, span.end, span.label_ or group)
    return sheet


def _only_group(docs: list[Any], path: Path) -> str:
    groups = list(dict.fromkeys(str(name) for doc in docs for name in doc.spans))
    if any(doc.ents for doc in docs) or not groups:
        return ENTITIES
    if len(groups) > 1:
        raise InvalidInputError(
            f"{path}: there are several groups of spans ({', '.join(groups)}). Choose one with "
            f"{columns_option('label', groups[0])}."
        )
    return groups[0]
