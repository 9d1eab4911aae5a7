"""Tables with lists in their columns, as datasets have them: one row per item, with all its annotators' labels."""

from collections.abc import Mapping
from typing import Any

from concurrence.core.errors import InvalidInputError
from concurrence.files.labels.annotations import Annotation
from concurrence.files.labels.codes import columns_option
from concurrence.files.tables.sheets import Sheet

CODERS = (
    "annotators",
    "annotator_ids",
    "annotator_id",
    "coders",
    "coder_ids",
    "workers",
    "worker_ids",
    "raters",
    "users",
)
LABELS = ("labels", "annotations", "ratings", "label", "votes", "judgements", "judgments")
ITEMS = ("item", "id", "item_id", "task_id", "unit_id", "text_id", "idx")


def listed_roles(sheet: Sheet, columns: Mapping[str, str]) -> dict[str, str] | None:
    """The columns of item, coders and labels, if coders and labels are lists of the same lengths in every row."""
    coder, label = (_role(sheet, columns.get(role), names) for role, names in (("coder", CODERS), ("label", LABELS)))
    if coder is None or label is None or coder == label:
        return None
    pairs = list(zip(_cells(sheet, coder), _cells(sheet, label), strict=True))
    if not pairs or not all(isinstance(a, list) and isinstance(b, list) for a, b in pairs):
        return None
    if any(isinstance(one, dict | list) for _, labels in pairs for one in labels):
        return None
    item = _role(sheet, columns.get("item"), ITEMS)
    roles = {"coder": coder, "label": label}
    return roles if item is None else {"item": item, **roles}


def listed_annotations(sheet: Sheet, roles: Mapping[str, str]) -> list[Annotation]:
    """An annotation for each entry of the lists; without a column of items, rows are numbered."""
    items = _cells(sheet, roles["item"]) if "item" in roles else list(range(1, sheet.height + 1))
    annotations = []
    columns = zip(items, _cells(sheet, roles["coder"]), _cells(sheet, roles["label"]), strict=True)
    for row, (item, coders, labels) in enumerate(columns):
        if len(coders) != len(labels):
            raise InvalidInputError(
                f"{sheet.place(row)}: {roles['coder']!r} has {len(coders)} entries, but {roles['label']!r} has "
                f"{len(labels)}; each label needs its coder. Name the columns with {columns_option('coder')}."
            )
        annotations += [
            Annotation(row=row, item=item, coder=coder, labels=[label])
            for coder, label in zip(coders, labels, strict=True)
        ]
    return annotations


def _role(sheet: Sheet, named: str | None, names: tuple[str, ...]) -> str | None:
    if named is not None:
        return named if named in sheet.frame.columns else None
    by_plain_name = {name.strip().lower(): name for name in sheet.frame.columns}
    return next((by_plain_name[name] for name in names if name in by_plain_name), None)


def _cells(sheet: Sheet, name: str) -> list[Any]:
    return [record.get(name) for record in sheet.records or ()]
