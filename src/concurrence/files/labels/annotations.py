"""Annotations in exports and logs, and the fields that several tools share."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from concurrence.core.coder_kinds import HUMAN, MODEL
from concurrence.core.errors import InvalidInputError
from concurrence.files.labels.codes import columns_option
from concurrence.files.tables.formats import as_text
from concurrence.files.tables.sheets import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """One annotation: the record it stands in, its item and coder, what the coder is, and the labels it chose."""

    row: int
    item: Any
    coder: Any
    labels: list[Any]
    kind: str = HUMAN


def objects(value: Any) -> list[Record]:
    """The objects in a list."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def as_object(value: Any) -> Record:
    """An object, empty if the value is none."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """A list, of one member if the value is none."""
    return value if isinstance(value, list) else [] if value is None else [value]


def people_annotations(record: Record) -> list[Record]:
    """What people annotated in a task of Label Studio, older versions included."""
    return objects(record.get("annotations") or record.get("completions"))


def all_annotations(record: Record) -> list[Record]:
    """The annotations of a task, or the predictions of one that only models annotated."""
    return objects(record.get("annotations") or record.get("completions") or record.get("predictions"))


def detect_tool(record: Record) -> str | None:
    """Prodigy or Label Studio, if the record has fields that only they write."""
    if "_task_hash" in record or "_input_hash" in record:
        return "prodigy"
    return "label-studio" if any("result" in annotation for annotation in all_annotations(record)) else None


def label_studio_annotations(record: Record) -> Iterator[tuple[Record, Any, str]]:
    """What people annotated and did not cancel, and what models predicted, each with its coder and what that is."""
    for annotation in people_annotations(record):
        if annotation.get("was_cancelled") is not True:
            by = annotation.get("completed_by")
            yield annotation, by.get("email") or by.get("id") if isinstance(by, dict) else by, HUMAN
    for prediction in objects(record.get("predictions")):
        if prediction.get("result"):
            yield prediction, prediction.get("model_version") or "prediction", MODEL


def kinds_of(annotations: Iterable[Annotation]) -> dict[str, str]:
    """What every coder of an export is; one who annotated as a person, too, is a person."""
    kinds: dict[str, str] = {}
    for annotation in annotations:
        coder = as_text(annotation.coder) or ""
        kinds[coder] = HUMAN if kinds.get(coder) == HUMAN else annotation.kind
    return kinds


def only_question(source: str, questions: Iterable[str | None]) -> str | None:
    """The question of an export, which may have only one."""
    names = list(dict.fromkeys(name for name in questions if name is not None))
    if len(names) > 1:
        raise InvalidInputError(
            f"{source}: the export has several questions ({', '.join(names)}). Choose one with "
            f"{columns_option('label', names[0])}."
        )
    return names[0] if names else None
