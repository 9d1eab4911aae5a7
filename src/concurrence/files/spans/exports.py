"""Spans in the exports of annotation tools.

* Label Studio: JSON, results of a task with ``start``, ``end`` and labels; predictions are models, as with labels. In
  pages (HTML) and dialogues, positions are ``globalOffsets``, which count the text as it was shown.
* Prodigy: JSON lines with ``spans``; texts that were rejected or ignored are left out.
* doccano: JSON lines with ``label`` or ``labels`` as lists of start, end and label, or ``entities``; one file per
  annotator in a ``.zip``, or ``annotations`` with their ``user``.

* Potato: JSON lines with ``span_annotations``.

Offsets are characters. A task that a coder finished without a span is read, and nothing is marked there.
"""

from collections.abc import Callable, Mapping
from typing import Any

from concurrence.core.coder_kinds import HUMAN
from concurrence.core.errors import InvalidInputError
from concurrence.core.sentences import Sentence, count_noun
from concurrence.files.labels.annotations import (
    all_annotations,
    as_object,
    detect_tool,
    label_studio_annotations,
    objects,
    people_annotations,
)
from concurrence.files.labels.codes import columns_option
from concurrence.files.labels.exports import DOCCANO_CODERS, PRODIGY_CODERS
from concurrence.files.labels.potato import is_potato, potato_item, potato_user
from concurrence.files.spans.span_sheet import SpanSheet
from concurrence.files.tables.formats import as_text
from concurrence.files.tables.sheets import Record, Sheet

LABEL_STUDIO_LABELS = ("labels", "hypertextlabels", "paragraphlabels", "timeserieslabels", "choices")
DOCCANO_SPANS = ("label", "labels", "entities")


def detect_span_tool(sheet: Sheet) -> str | None:
    """The tool that wrote this, recognised by fields that only it writes."""
    for record in sheet.records or ():
        if is_potato(record):
            return "potato"
        if (tool := detect_tool(record)) is not None:
            return tool
        if any("start_offset" in annotation for annotation in all_annotations(record)):
            return "doccano"
        if "text" in record and any(isinstance(record.get(name), list) for name in DOCCANO_SPANS):
            return "doccano"
        if isinstance(record.get("spans"), list) and "text" in record:
            return "prodigy"
    return None


def export_spans(sheet: Sheet, tool: str, columns: Mapping[str, str]) -> SpanSheet:
    """The spans of an export."""
    if sheet.records is None:
        raise InvalidInputError(f"{sheet.name}: an export of {tool} is JSON or JSON lines.")
    span_sheet = SpanSheet(name=sheet.name, place=sheet.place, says_who_read=True)
    _READERS[tool](sheet, columns, span_sheet)
    if not span_sheet.read:
        raise InvalidInputError(f"{sheet.name}: this export holds no annotation.")
    return span_sheet


def _label_studio(sheet: Sheet, columns: Mapping[str, str], span_sheet: SpanSheet) -> None:
    annotations = [annotation for record in sheet.records or () for annotation in people_annotations(record)]
    span_sheet.warnings += _left_out_warning(
        sum(annotation.get("was_cancelled") is True for annotation in annotations), "annotation", "cancelled"
    )
    for row, record in enumerate(sheet.records or ()):
        fields = {**record, **as_object(record.get("data"))}
        document = _require_text(sheet, row, "document", fields.get(columns.get("document", "id")))
        shown_as_written = True
        for annotation, by, kind in label_studio_annotations(record):
            coder = _require_text(sheet, row, "coder", by)
            span_sheet.kinds[coder] = HUMAN if span_sheet.kinds.get(coder) == HUMAN else kind
            reading = span_sheet.add(document, coder, row)
            for result in objects(annotation.get("result")):
                value = as_object(result.get("value"))
                if "start" not in value or "end" not in value:
                    continue
                if "label" in columns and result.get("from_name") != columns["label"]:
                    continue
                for label in _region_labels(value):
                    start, end = _region_ends(value, sheet, row)
                    reading.mark(as_text(start), as_text(end), as_text(label))
                    shown_as_written &= "startOffset" not in value
        if isinstance(fields.get("text"), str) and shown_as_written and document in span_sheet.documents:
            span_sheet.texts[document] = str(fields["text"])


def _left_out_warning(count: int, noun: str, why: str) -> list[Sentence]:
    """A warning that annotations do not count, whose coder then is not known to have read the document."""
    if not count:
        return []
    verb = "was" if count == 1 else "were"
    text = (
        f"{count_noun(count, noun)} {verb} left out, since {'it' if count == 1 else 'they'} {verb} {why}; "
        f"{'its coder is' if count == 1 else 'their coders are'} not taken to have read "
        f"{'the document' if count == 1 else 'these documents'}."
    )
    return [Sentence(code="annotations_left_out", text=text, warning=True)]


def _region_labels(value: Record) -> list[Any]:
    kinds = (value[key] for key in LABEL_STUDIO_LABELS if isinstance(value.get(key), list))
    return next(kinds, [])


def _region_ends(value: Record, sheet: Sheet, row: int) -> tuple[Any, Any]:
    """Where a region starts and ends; in pages and dialogues, ``start`` and ``end`` name an element of the page."""
    if "startOffset" not in value:
        return value["start"], value["end"]
    offsets = as_object(value.get("globalOffsets"))
    if "start" not in offsets or "end" not in offsets:
        raise InvalidInputError(
            f"{sheet.place(row)}: a span of this Label Studio export is given by parts of a page or dialogue and has "
            "no globalOffsets, so its position in the whole text is not known. Export a table of document, coder, "
            "start, end and label instead."
        )
    return offsets["start"], offsets["end"]


def _prodigy(sheet: Sheet, columns: Mapping[str, str], span_sheet: SpanSheet) -> None:
    n_refused = sum(record.get("answer", "accept") != "accept" for record in sheet.records or ())
    span_sheet.warnings += _left_out_warning(n_refused, "answer", "rejected or ignored")
    for row, record in enumerate(sheet.records or ()):
        if record.get("answer", "accept") != "accept":
            continue
        coder = next(
            (record[key] for key in (columns.get("coder", ""), *PRODIGY_CODERS, "coder") if record.get(key)), None
        )
        document_field = columns.get("document")
        document = record.get(document_field) if document_field else record.get("_input_hash") or record.get("text")
        name = _require_text(sheet, row, "document", document)
        reading = span_sheet.add(name, _require_text(sheet, row, "coder", coder), row)
        for span in objects(record.get("spans")):
            reading.mark(as_text(span.get("start")), as_text(span.get("end")), as_text(span.get("label")))
        if isinstance(record.get("text"), str):
            span_sheet.texts[name] = str(record["text"])


def _doccano(sheet: Sheet, columns: Mapping[str, str], span_sheet: SpanSheet) -> None:
    for row, record in enumerate(sheet.records or ()):
        document = _require_text(sheet, row, "document", record.get(columns.get("document", "id")))
        users: dict[Any, list[Any]] = {}
        for annotation in objects(record.get("annotations")):
            users.setdefault(annotation.get("user"), []).append(annotation)
        if not users:
            names = (columns.get("coder", ""), *DOCCANO_CODERS)
            coder = next((record[name] for name in names if record.get(name)), None)
            users[coder] = next((record[key] for key in DOCCANO_SPANS if isinstance(record.get(key), list)), [])
        for coder, spans in users.items():
            reading = span_sheet.add(document, _require_text(sheet, row, "coder", coder), row)
            for span in spans:
                reading.mark(*_doccano_span(span, sheet, row))
        if isinstance(record.get("text"), str):
            span_sheet.texts[document] = str(record["text"])


def _doccano_span(span: Any, sheet: Sheet, row: int) -> tuple[str | None, str | None, str | None]:
    if isinstance(span, list) and len(span) == 3:
        start, end, label = span
    elif isinstance(span, dict) and "start_offset" in span:
        start, end, label = span["start_offset"], span.get("end_offset"), span.get("label")
    else:
        raise InvalidInputError(
            f"{sheet.place(row)}: a label of this doccano export is not a span with start, end and label. "
            "Labels of whole texts are read by concur agree."
        )
    return as_text(start), as_text(end), as_text(label)


def _potato(sheet: Sheet, columns: Mapping[str, str], span_sheet: SpanSheet) -> None:
    for row, record in enumerate(sheet.records or ()):
        document = _require_text(sheet, row, "document", potato_item(record, columns))
        coder = _require_text(sheet, row, "coder", potato_user(sheet, record))
        reading = span_sheet.add(document, coder, row)
        for span in objects(record.get("span_annotations")):
            if "label" in columns and span.get("schema") != columns["label"]:
                continue
            label = span.get("annotation") or span.get("name") or span.get("label")
            reading.mark(as_text(span.get("start")), as_text(span.get("end")), as_text(label))
        text = record.get("displayed_text") or record.get("text")
        if isinstance(text, str):
            span_sheet.texts[document] = text


_READERS: dict[str, Callable[[Sheet, Mapping[str, str], SpanSheet], None]] = {
    "label-studio": _label_studio,
    "prodigy": _prodigy,
    "doccano": _doccano,
    "potato": _potato,
}


def _require_text(sheet: Sheet, row: int, role: str, value: Any) -> str:
    text = as_text(value)
    if text is None:
        raise InvalidInputError(
            f"{sheet.place(row)}: it does not say which {role} this is. Name the field with {columns_option(role)}."
        )
    return text
