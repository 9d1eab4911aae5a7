"""Label Studio's CSV and JSON-MIN: one annotation per row, the answers beside the fields of the task.

The item is ``id``, the coder ``annotator``. Which column is the label must be said where several could be.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from concurrence.core.errors import InvalidInputError
from concurrence.files.labels.column_roles import columns_option
from concurrence.files.tables.sheets import Sheet, sheet_of_records

ID_COLUMNS = {"id", "annotator", "annotation_id"}
DATE_COLUMNS = {"created_at", "updated_at", "lead_time"}


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
