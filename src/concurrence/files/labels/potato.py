"""Potato's ``annotated_instances.jsonl``: one object per coder and item, with labels by schema, and spans.

A file of one user is called after the folder it stands in, as Potato keeps them; a joint file says ``user_id``.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from concurrence.files.labels.annotations import Annotation, as_object, only_question
from concurrence.files.tables.formats import as_text
from concurrence.files.tables.sheets import Record, Sheet

VALUES = ("text_box", "slider", "number", "select-one", "date")
"""Names under which an answer is the value; otherwise its name is the label that was chosen."""


def is_potato(record: Record) -> bool:
    """Whether a record has what only Potato writes."""
    return isinstance(record.get("label_annotations"), dict) and ("instance_id" in record or "id" in record)


def potato_annotations(sheet: Sheet, columns: Mapping[str, str]) -> Iterator[Annotation]:
    """The labels of one schema."""
    records = sheet.records or []
    schemas = (name for record in records for name, own in as_object(record.get("label_annotations")).items() if own)
    question = columns.get("label") or only_question(sheet.name, schemas)
    for row, record in enumerate(records):
        answer = as_object(as_object(record.get("label_annotations")).get(question or ""))
        item, coder = potato_item(record, columns), potato_user(sheet, record)
        yield Annotation(row=row, item=item, coder=coder, labels=_labels(answer))


def potato_item(record: Record, columns: Mapping[str, str]) -> Any:
    """The item of a record."""
    return record.get(columns.get("item", ""), record.get("instance_id", record.get("id")))


def potato_user(sheet: Sheet, record: Record) -> str | None:
    """The coder of a record: its user, or the folder of the file."""
    return as_text(record.get("user_id") or record.get("coder")) or Path(sheet.name).parent.name or None


def _labels(answer: Record) -> list[Any]:
    chosen = {name: value for name, value in answer.items() if value not in (None, "", False) and str(value) != "false"}
    return [value if name in VALUES or name.startswith("scale_") else name for name, value in chosen.items()]
