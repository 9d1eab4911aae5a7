"""What annotation tools export, as a sheet of items, coders and labels.

* Label Studio: JSON, tasks with ``annotations``, and ``predictions`` of models, which are named by their
  ``model_version``; a question is a ``from_name``. Its CSV and JSON-MIN have one annotation
  per row, the answers beside the fields of the task; the item is ``id``, the coder ``annotator``.
* Prodigy: JSON lines with hashes; choices have ``accept``, binary tasks an ``answer``.
* Potato: see ``potato``; results of crowd platforms: see ``crowd``; lists of labels in a column: see ``listed``.
* doccano: JSON lines, one file per annotator in a ``.zip``, or ``annotations`` with their ``user``.
* Argilla, and the logs of programs that run judges (Inspect, promptfoo, DeepEval, lm-evaluation-harness, AltTest):
  see ``judge_logs``.

An annotation that was skipped (cancelled, ignored) is left out; one without a choice is a blank. The fields of a task
stay beside its labels, so that they can name groups.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.files.labels.annotations import (
    Annotation,
    all_annotations,
    as_list,
    as_object,
    detect_tool,
    kinds_of,
    label_studio_annotations,
    objects,
    only_question,
)
from concurrence.files.labels.codes import columns_option
from concurrence.files.labels.crowd import crowd_sheet, refuse_without_answers
from concurrence.files.labels.judge_logs import LOGS, SeveralValues, detect_log, is_argilla
from concurrence.files.labels.listed import listed_annotations, listed_roles
from concurrence.files.labels.potato import is_potato, potato_annotations
from concurrence.files.tables.formats import as_text
from concurrence.files.tables.sheets import Record, Sheet, sheet_of_records, with_records

EXPORTS = ("label-studio", "prodigy", "doccano", "potato", *LOGS)

ANSWERS = ("choices", "taxonomy", "rating", "number", "selected", "datetime", "text")
REGION = ("start", "x", "points", "brushlabels", "ranges")
DOCCANO_LABELS = ("label", "labels", "cats", "entities")
DOCCANO_CODERS = ("coder", "annotator", "user", "username", "annotated_by")
FIELDS = ("meta", "data", "metadata", "vars", "doc")
PRODIGY_CODERS = ("_annotator_id", "_session_id")
ID_COLUMNS = {"id", "annotator", "annotation_id"}
DATE_COLUMNS = {"created_at", "updated_at", "lead_time"}


def export_sheet(
    sheet: Sheet,
    shape: str,
    columns: Mapping[str, str],
    sets: str | None,
    coders: Collection[str] = (),
    named: Collection[str] = (),
) -> tuple[Sheet, Mapping[str, str]]:
    """The sheet behind an export, and how its columns are called; other sheets pass untouched.

    Where ``coders`` are chosen, only theirs is read; ``named`` are those that must be readable.
    """
    if shape in ("auto", "label-studio") and is_label_studio_min(sheet):
        return label_studio_min_sheet(sheet, columns)
    if shape == "auto" and sheet.records is None:
        refuse_without_answers(sheet)
        if (crowd := crowd_sheet(sheet, columns)) is not None:
            return crowd
    tool = shape if shape in EXPORTS else detect_label_tool(sheet) if shape == "auto" else None
    if tool is None:
        whole = with_records(sheet) if any(map(_is_list, sheet.frame.dtypes)) else sheet
        roles = listed_roles(whole, columns) if shape == "auto" else None
        return (sheet, columns) if roles is None else (_table_of(listed_annotations(whole, roles), whole, sets), {})
    if sheet.records is None and tool == "argilla":
        sheet = with_records(sheet)
    if sheet.records is None:
        raise InvalidInputError(f"{sheet.name}: a {tool} export is JSON or JSON Lines.")
    if tool in LOGS:
        sheet = LOGS[tool].entries(sheet)
    annotations = list((_READERS[tool] if tool in _READERS else LOGS[tool].read)(sheet, columns))
    if not annotations:
        raise InvalidInputError(f"{sheet.name}: this export contains no annotations.")
    if tool in LOGS and "label" in columns and not any(any(map(as_text, entry.labels)) for entry in annotations):
        raise InvalidInputError(
            f"{sheet.name}: nothing in it is named {columns['label']!r} ({columns_option('label')})."
        )
    return _table_of(_readable(annotations, sheet, coders, named), sheet, sets), {}


def _is_list(dtype: pl.DataType) -> bool:
    return isinstance(dtype, pl.List | pl.Array)


def _table_of(annotations: Sequence[Annotation], sheet: Sheet, sets: str | None) -> Sheet:
    """Annotations as a table with a row for each."""
    records = [_as_record(entry, sheet, sets) for entry in annotations]
    table = sheet_of_records(records, sheet.name, lambda row: sheet.place(annotations[row].row))
    return replace(table, kinds=kinds_of(annotations))


def _readable(
    annotations: list[Annotation], sheet: Sheet, coders: Collection[str], named: Collection[str]
) -> list[Annotation]:
    """The annotations of the ``coders``, if any of these is here, each coder's labels as text.

    Scorers of a log may differ in type; only the labels of one coder must be of one. A score of several values is
    refused, unless other coders were ``named``: then it is no label.
    """
    chosen = [entry for entry in annotations if as_text(entry.coder) in coders] or annotations
    unread = [entry for entry in chosen if any(isinstance(label, SeveralValues) for label in entry.labels)]
    for entry in unread:
        if not named or as_text(entry.coder) in named:
            raise _several_values_error(entry, sheet)
    without_label = set(map(id, unread))
    chosen = [replace(entry, labels=[]) if id(entry) in without_label else entry for entry in chosen]
    types: dict[str | None, set[type]] = {}
    for entry in chosen:
        types.setdefault(as_text(entry.coder), set()).update(
            {type(one) for one in entry.labels if one not in (None, "")}
        )
    if len(types) < 2 or not all(len(kinds) < 2 for kinds in types.values()):
        return chosen
    return [
        replace(entry, labels=[one if isinstance(one, list | dict) else as_text(one) for one in entry.labels])
        for entry in chosen
    ]


def _several_values_error(entry: Annotation, sheet: Sheet) -> InvalidInputError:
    names = list(entry.labels[0])
    return InvalidInputError(
        f"{sheet.place(entry.row)}: the score {as_text(entry.coder)} has several values ({', '.join(names)}). Choose "
        f"one with {columns_option('label', names[0] if names else '')}, or read other scores with "
        f"{option_or_keyword('--coders', 'coders=')}."
    )


def detect_label_tool(sheet: Sheet) -> str | None:
    """The tool that wrote this, recognised by fields that only it writes."""
    if sheet.records is None:
        names = dict.fromkeys(sheet.frame.columns)
        return "argilla" if is_argilla(names) else None
    if not sheet.records:
        return None
    if (log := detect_log(sheet)) is not None:
        return log
    for record in sheet.records:
        if is_potato(record):
            return "potato"
        if (tool := detect_tool(record)) is not None:
            return tool
        if any("label" in annotation and "user" in annotation for annotation in all_annotations(record)):
            return "doccano"
        if {"text", "data", "filename"} & set(record) and _doccano_label(record, {}) is not None:
            return "doccano"
    return None


def is_label_studio_min(sheet: Sheet) -> bool:
    """Whether the columns are those that only Label Studio writes."""
    columns = set(sheet.frame.columns)
    return columns >= ID_COLUMNS and bool(columns & DATE_COLUMNS) and "annotations" not in columns


def label_studio_min_sheet(sheet: Sheet, columns: Mapping[str, str]) -> tuple[Sheet, Mapping[str, str]]:
    """The sheet with plain labels, and its columns by their roles."""
    roles = {"item": "id", "coder": "annotator", "label": columns.get("label") or _label_column(sheet), **columns}
    if roles["label"] not in sheet.frame.columns:
        return sheet, roles  # the reader says that there is no such column
    name = roles["label"]
    if sheet.records is not None:
        records = [
            {**record, name: _labels_of(record.get(name), sheet, row)} for row, record in enumerate(sheet.records)
        ]
        return sheet_of_records(records, sheet.name, sheet.place), roles
    cells = [_labels_of(_parse_cell(cell), sheet, row) for row, cell in enumerate(sheet.column(name).to_list())]
    all_text = all(cell is None or isinstance(cell, str) for cell in cells)
    lists = cells if all_text else [[cell] if isinstance(cell, str) else cell for cell in cells]
    series = pl.Series(name, lists, dtype=pl.String if all_text else pl.List(pl.String))
    return replace(sheet, frame=sheet.frame.with_columns(series)), roles


def _label_column(sheet: Sheet) -> str:
    """The one column that could be the label; fields that differ from task to task are the task's own."""
    candidates = [name for name in sheet.frame.columns if name not in ID_COLUMNS | DATE_COLUMNS]
    answers = [name for name in candidates if not _is_task_text(sheet, name)]
    if len(answers) == 1:
        return answers[0]
    possible = answers or candidates
    raise InvalidInputError(
        f"{sheet.name} is a Label Studio export: the item is id, the coder annotator. Which column is the label? "
        f"It could be {', '.join(possible) or 'none of them'}; name it with "
        f"{columns_option('label', possible[0] if possible else '')}."
    )


def _is_task_text(sheet: Sheet, name: str) -> bool:
    """Whether a column has one value per task, and another for nearly every task: its text, not an answer."""
    values = [str(value) for value in _values(sheet, name)]
    tasks = [str(value) for value in _values(sheet, "id")]
    pairs = set(zip(tasks, values, strict=True))
    one_each = len(pairs) == len(set(tasks))
    return one_each and len(set(values)) > 0.9 * len(set(tasks)) and len(set(values)) > 1


def _values(sheet: Sheet, name: str) -> list[Any]:
    return sheet.frame[name].to_list() if sheet.records is None else [record.get(name) for record in sheet.records]


def _parse_cell(cell: str | None) -> Any:
    """A cell of the CSV: several choices are JSON."""
    if cell is None or not cell.startswith(("{", "[")):
        return cell
    try:
        return json.loads(cell)
    except ValueError:
        return cell


def _labels_of(value: Any, sheet: Sheet, row: int) -> Any:
    """The label, or the list of labels, that an answer holds."""
    choice = value.get("choices", value.get("rating")) if isinstance(value, dict) else value
    members = choice if isinstance(choice, list) else [choice]
    if any(isinstance(member, dict | list) for member in members) or (isinstance(value, dict) and choice is None):
        raise InvalidInputError(
            f"{sheet.place(row)}: the labels are of parts of the item (spans or regions), not of the item as a whole; "
            "only labels of whole items can be read."
        )
    if not isinstance(choice, list):
        return choice
    return choice if len(choice) != 1 else choice[0]


def _label_studio(sheet: Sheet, columns: Mapping[str, str]) -> Iterator[Annotation]:
    annotations = [
        (row, record, *parts)
        for row, record in enumerate(sheet.records or ())
        for parts in label_studio_annotations(record)
    ]
    answers = (answer for _, _, annotation, _, _ in annotations for answer in objects(annotation.get("result")))
    question = columns.get("label") or only_question(
        sheet.name, (as_text(answer.get("from_name")) for answer in answers)
    )
    for row, record, annotation, coder, kind in annotations:
        fields = {**record, **as_object(record.get("data"))}
        answers = (r for r in objects(annotation.get("result")) if r.get("from_name") == question)
        labels = [label for answer in answers for label in _label_studio_labels(answer, sheet, row)]
        item = fields.get(columns.get("item", "id"))
        yield Annotation(row=row, item=item, coder=coder, labels=labels, kind=kind)


def _label_studio_labels(result: Record, sheet: Sheet, row: int) -> list[Any]:
    value = as_object(result.get("value"))
    kind = next((key for key in ANSWERS if key in value), None)
    if kind is None or any(key in value for key in REGION):
        raise _span_labels_error(sheet, row)
    answer = value[kind] if isinstance(value[kind], list) else [value[kind]]
    return ["/".join(as_text(step) or "" for step in label) if isinstance(label, list) else label for label in answer]


def _prodigy(sheet: Sheet, columns: Mapping[str, str]) -> Iterator[Annotation]:
    for row, record in enumerate(sheet.records or ()):
        answer = record.get("answer", "accept")
        coder = next((record[key] for key in (columns.get("coder", ""), *PRODIGY_CODERS) if record.get(key)), None)
        if columns.get("label") is not None:
            item, labels = record.get("_input_hash"), as_list(record.get(columns["label"]))
        elif "accept" in record or "options" in record:
            item, labels = record.get("_input_hash"), as_list(record.get("accept"))
        elif record.get("spans"):
            raise _span_labels_error(sheet, row)
        else:
            yield from _prodigy_decision(row, record, coder, columns)
            continue
        if answer == "accept":
            yield Annotation(row=row, item=record.get(columns.get("item", ""), item), coder=coder, labels=labels)


def _prodigy_decision(row: int, record: Record, coder: Any, columns: Mapping[str, str]) -> Iterator[Annotation]:
    """A binary task: the text with its suggested label is the item, and the answer is the label."""
    item = record.get(columns.get("item", "")) or record.get("_task_hash") or record.get("_input_hash")
    if record.get("answer") != "ignore":
        yield Annotation(row=row, item=item, coder=coder, labels=as_list(record.get("answer")))


def _doccano(sheet: Sheet, columns: Mapping[str, str]) -> Iterator[Annotation]:
    annotations = []
    for row, record in enumerate(sheet.records or ()):
        item = record.get(columns.get("item", "id"))
        users: dict[str | None, list[Any]] = {}
        for annotation in objects(record.get("annotations")):
            if "start_offset" in annotation:
                raise _span_labels_error(sheet, row)
            users.setdefault(as_text(annotation.get("user")), []).append(annotation.get("label"))
        if not users:
            labels = as_list(record.get(_doccano_label(record, columns) or ""))
            users[_doccano_coder(sheet, record, row, columns)] = labels
        annotations += [Annotation(row=row, item=item, coder=coder, labels=labels) for coder, labels in users.items()]
    # Every member of a project has a file, approvers too; who labelled nothing at all is no coder.
    coders = {entry.coder for entry in annotations if entry.labels}
    return (entry for entry in annotations if entry.coder in coders)


def _doccano_coder(sheet: Sheet, record: Record, row: int, columns: Mapping[str, str]) -> str | None:
    names = (columns.get("coder", ""), *DOCCANO_CODERS)
    coder = next((as_text(record[name]) for name in names if record.get(name)), None)
    if coder is None:
        raise InvalidInputError(
            f"{sheet.place(row)}: this doccano export does not say who labelled. Give the .zip with one file per "
            f"annotator, or name the field with {columns_option('coder')}."
        )
    return coder


def _doccano_label(record: Record, columns: Mapping[str, str]) -> str | None:
    if "label" in columns:
        return columns["label"]
    return next((name for name in DOCCANO_LABELS if isinstance(record.get(name), list)), None)


_READERS: dict[str, Callable[[Sheet, Mapping[str, str]], Iterator[Annotation]]] = {
    "label-studio": _label_studio,
    "prodigy": _prodigy,
    "doccano": _doccano,
    "potato": potato_annotations,
}


def _as_record(annotation: Annotation, sheet: Sheet, sets: str | None) -> Record:
    if annotation.item is None or annotation.coder is None:
        role = "item" if annotation.item is None else "coder"
        raise InvalidInputError(
            f"{sheet.place(annotation.row)}: the {role} is missing. Name the field with {columns_option(role)}."
        )
    if any(isinstance(label, list | dict) for label in annotation.labels):
        raise _span_labels_error(sheet, annotation.row)
    labels = [label for label in annotation.labels if as_text(label) is not None]
    if len(labels) > 1 and sets is None:
        names = ", ".join(as_text(label) or "" for label in labels)
        option = option_or_keyword("--sets '+'", 'sets="+"')
        raise InvalidInputError(f"{sheet.place(annotation.row)}: several labels ({names}). Use {option} to read sets.")
    label: Any = None if not labels else labels[0] if len(labels) == 1 else labels
    record = (sheet.records or [])[annotation.row]
    parts = (as_object(record.get(name)) for name in FIELDS)
    fields = {name: field for part in (record, *parts) for name, field in part.items()}
    return {**fields, "item": as_text(annotation.item), "coder": as_text(annotation.coder), "label": label}


def _span_labels_error(sheet: Sheet, row: int) -> InvalidInputError:
    return InvalidInputError(
        f"{sheet.place(row)}: the labels are of parts of the item (spans or regions), not of the item as a whole; "
        f"{option_or_keyword('concur spans', 'concurrence.spans')} compares spans."
    )
