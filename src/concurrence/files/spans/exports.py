"""Spans in the exports of annotation tools.

* Label Studio: JSON, results of a task with ``start``, ``end`` and labels; predictions are coders, as with labels. In
  pages (HTML) and dialogues, positions are ``globalOffsets``, which count the text as it was shown.
* Prodigy: JSON lines with ``spans``; texts that were rejected or ignored are left out.
* doccano: JSON lines with ``label`` or ``labels`` as lists of start, end and label, or ``entities``; one file per
  annotator in a ``.zip``, or ``annotations`` with their ``user``.

Offsets are characters. A task that a coder finished without a span is read, and nothing is marked there.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from concurrence.core.display import count_noun
from concurrence.core.errors import InvalidInputError
from concurrence.core.sentences import Sentence
from concurrence.files.labels.column_roles import naming
from concurrence.files.labels.exports import DOCCANO_CODERS, PRODIGY_CODERS
from concurrence.files.spans.span_sheet import SpanSheet
from concurrence.files.tables.formats import as_text
from concurrence.files.tables.sheets import Record, Sheet

SPAN_EXPORTS = ("label-studio", "prodigy", "doccano")
LABEL_STUDIO_LABELS = ("labels", "hypertextlabels", "paragraphlabels", "timeserieslabels", "choices")
DOCCANO_SPANS = ("label", "labels", "entities")


def detect_span_tool(sheet: Sheet) -> str | None:
    """The tool that wrote this, told from the fields that only it writes."""
    for record in sheet.records or ():
        if "_task_hash" in record or "_input_hash" in record:
            return "prodigy"
        annotations = _objects(record.get("annotations") or record.get("completions") or record.get("predictions"))
        if any("result" in annotation for annotation in annotations):
            return "label-studio"
        if any("start_offset" in annotation for annotation in annotations):
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
    found = SpanSheet(name=sheet.name, says_who_read=True)
    _READERS[tool](sheet, columns, found)
    if not found.read:
        raise InvalidInputError(f"{sheet.name}: this export holds no annotation.")
    return found


def _label_studio(sheet: Sheet, columns: Mapping[str, str], found: SpanSheet) -> None:
    given = [one for record in sheet.records or () for one in _given(record)]
    found.warnings += _left_out(sum(one.get("was_cancelled") is True for one in given), "annotation", "cancelled")
    for row, record in enumerate(sheet.records or ()):
        fields = {**record, **_object(record.get("data"))}
        document = _needed(sheet, row, "document", fields.get(columns.get("document", "id")))
        shown_as_written = True
        for annotation, coder in _annotations(record):
            place = _place(sheet, row)
            reading = found.add(document, _needed(sheet, row, "coder", coder), place)
            for result in _objects(annotation.get("result")):
                value = _object(result.get("value"))
                if "start" not in value or "end" not in value:
                    continue
                if "label" in columns and result.get("from_name") != columns["label"]:
                    continue
                for label in _labels_of(value):
                    start, end = _ends(value, sheet, row)
                    reading.mark(as_text(start), as_text(end), as_text(label))
                    shown_as_written &= "startOffset" not in value
        if isinstance(fields.get("text"), str) and shown_as_written and document in found.documents:
            found.texts[document] = str(fields["text"])


def _left_out(count: int, noun: str, why: str) -> list[Sentence]:
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


def _labels_of(value: Record) -> list[Any]:
    kinds = (value[key] for key in LABEL_STUDIO_LABELS if isinstance(value.get(key), list))
    return next(kinds, [])


def _ends(value: Record, sheet: Sheet, row: int) -> tuple[Any, Any]:
    """Where a region starts and ends; in pages and dialogues, ``start`` and ``end`` name an element of the page."""
    if "startOffset" not in value:
        return value["start"], value["end"]
    whole = _object(value.get("globalOffsets"))
    if "start" not in whole or "end" not in whole:
        raise InvalidInputError(
            f"{sheet.place(row)}: a span of this Label Studio export is given by parts of a page or dialogue and has "
            "no globalOffsets, so its position in the whole text is not known. Export a table of document, coder, "
            "start, end and label instead."
        )
    return whole["start"], whole["end"]


def _given(record: Record) -> list[Record]:
    return _objects(record.get("annotations") or record.get("completions"))


def _annotations(record: Record) -> Iterator[tuple[Record, Any]]:
    """What people marked, and what models predicted, each with its coder."""
    for annotation in _given(record):
        if annotation.get("was_cancelled") is not True:
            by = annotation.get("completed_by")
            yield annotation, by.get("email") or by.get("id") if isinstance(by, dict) else by
    for prediction in _objects(record.get("predictions")):
        if prediction.get("result"):
            yield prediction, prediction.get("model_version") or "prediction"


def _prodigy(sheet: Sheet, columns: Mapping[str, str], found: SpanSheet) -> None:
    refused = sum(record.get("answer", "accept") != "accept" for record in sheet.records or ())
    found.warnings += _left_out(refused, "answer", "rejected or ignored")
    for row, record in enumerate(sheet.records or ()):
        if record.get("answer", "accept") != "accept":
            continue
        coder = next(
            (record[key] for key in (columns.get("coder", ""), *PRODIGY_CODERS, "coder") if record.get(key)), None
        )
        named = columns.get("document")
        document = record.get(named) if named else record.get("_input_hash") or record.get("text")
        name = _needed(sheet, row, "document", document)
        reading = found.add(name, _needed(sheet, row, "coder", coder), _place(sheet, row))
        for span in _objects(record.get("spans")):
            reading.mark(as_text(span.get("start")), as_text(span.get("end")), as_text(span.get("label")))
        if isinstance(record.get("text"), str):
            found.texts[name] = str(record["text"])


def _doccano(sheet: Sheet, columns: Mapping[str, str], found: SpanSheet) -> None:
    for row, record in enumerate(sheet.records or ()):
        document = _needed(sheet, row, "document", record.get(columns.get("document", "id")))
        users: dict[Any, list[Any]] = {}
        for annotation in _objects(record.get("annotations")):
            users.setdefault(annotation.get("user"), []).append(annotation)
        if not users:
            names = (columns.get("coder", ""), *DOCCANO_CODERS)
            coder = next((record[name] for name in names if record.get(name)), None)
            spans: list[Any] = next((record[key] for key in DOCCANO_SPANS if isinstance(record.get(key), list)), [])
            users[coder] = spans
        for coder, spans in users.items():
            reading = found.add(document, _needed(sheet, row, "coder", coder), _place(sheet, row))
            for span in spans:
                reading.mark(*_doccano_span(span, sheet, row))
        if isinstance(record.get("text"), str):
            found.texts[document] = str(record["text"])


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


_READERS: dict[str, Callable[[Sheet, Mapping[str, str], SpanSheet], None]] = {
    "label-studio": _label_studio,
    "prodigy": _prodigy,
    "doccano": _doccano,
}


def _needed(sheet: Sheet, row: int, role: str, given: Any) -> str:
    text = as_text(given)
    if text is None:
        raise InvalidInputError(
            f"{sheet.place(row)}: it does not say which {role} this is. Name the field with {naming(role)}."
        )
    return text


def _place(sheet: Sheet, row: int) -> Callable[[], str]:
    return lambda: sheet.place(row)


def _objects(value: Any) -> list[Record]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _object(value: Any) -> Record:
    return value if isinstance(value, dict) else {}
