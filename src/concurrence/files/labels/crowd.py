"""Result files of crowd platforms: Mechanical Turk and Toloka. What Prolific exports holds no answers.

* Mechanical Turk: a batch's results, with ``HITId``, ``WorkerId`` and ``Answer.…``; an answer is a column, a column for
  each option (``Answer.tone.polite`` = true), or JSON (``Answer.taskAnswers``). Rejected assignments are left out.
* Toloka: assignments, with ``INPUT:…``, ``OUTPUT:…`` and ``ASSIGNMENT:…``; only those that were accepted or submitted.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.sentences import Sentence, count_noun, join_words
from concurrence.files.labels.codes import columns_option
from concurrence.files.tables.sheets import Sheet, select_rows

ANSWER, TASK_ANSWERS, OUTPUT = "Answer.", "Answer.taskAnswers", "OUTPUT:"
TRUE = ("true", "on", "yes", "1")
PROLIFIC = (("Submission id", "Participant id"), ("submission_id", "participant_id"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CrowdPlatform:
    """What the columns of a platform's results are called, and which assignments do not count."""

    item: str
    coder: str
    status: str
    refused: tuple[str, ...]
    answers: Callable[[Sheet], dict[str, list[str | None]]]


def crowd_sheet(sheet: Sheet, columns: Mapping[str, str]) -> tuple[Sheet, Mapping[str, str]] | None:
    """The sheet of a platform's results with its roles, or nothing if the columns are not those of a platform."""
    platform = _platform(sheet)
    if platform is None:
        return None
    statuses = sheet.column(platform.status).to_list() if platform.status in sheet.frame.columns else []
    kept = [row for row, status in enumerate(statuses) if str(status).upper() not in platform.refused]
    warnings = _left_out(len(statuses) - len(kept))
    whole = sheet if len(kept) == len(statuses) else select_rows(sheet, kept)
    roles = {"item": platform.item, "coder": platform.coder, **columns}
    if roles.get("label") not in whole.frame.columns:
        label, answers = _choose_answer(sheet.name, platform.answers(whole), columns.get("label"))
        whole = replace(whole, frame=whole.frame.with_columns(pl.Series(label, answers, dtype=pl.String)))
        roles["label"] = label
    return replace(whole, warnings=warnings), roles


def refuse_without_answers(sheet: Sheet) -> None:
    """Refuse Prolific's list of participants, with what to export instead."""
    if any({*names} <= {*sheet.frame.columns} for names in PROLIFIC) and len(sheet.frame.columns) > 2:
        raise InvalidInputError(
            f"{sheet.name} is Prolific's export of participants, which holds no answers. Export the answers from the "
            "tool in which they were given, such as Qualtrics or Google Forms; if each row is a participant there, use "
            f"{option_or_keyword('--transpose', 'transpose=True')}."
        )


def _platform(sheet: Sheet) -> CrowdPlatform | None:
    names = set(sheet.frame.columns)
    if {"HITId", "WorkerId"} <= names and any(name.startswith(ANSWER) for name in names):
        return MTURK
    if "ASSIGNMENT:worker_id" in names and any(name.startswith(OUTPUT) for name in names):
        task = "ASSIGNMENT:task_id"
        inputs = [name for name in sheet.frame.columns if name.startswith("INPUT:")]
        return replace(TOLOKA, item=task if task in names else (inputs or [task])[0])
    return None


def _left_out(n: int) -> tuple[Sentence, ...]:
    if not n:
        return ()
    text = (
        f"{count_noun(n, 'assignment')} {'was' if n == 1 else 'were'} left out, since they were rejected or not done."
    )
    return (Sentence(code="annotations_left_out", text=text, warning=True),)


def _choose_answer(
    name: str, answers: Mapping[str, list[str | None]], named: str | None
) -> tuple[str, list[str | None]]:
    """The only question, or the one that was named, with its answers."""
    if named is not None and named not in answers:
        raise InvalidInputError(
            f"{name} has no answer {named!r} ({columns_option('label')}); there are {join_words(list(answers))}."
        )
    if named is None and len(answers) != 1:
        first = next(iter(answers), "")
        raise InvalidInputError(
            f"{name}: the workers answered several questions ({', '.join(answers)}). Choose one with "
            f"{columns_option('label', first)}."
        )
    question = named if named is not None else next(iter(answers))
    return question, answers[question]


def _mturk_answers(sheet: Sheet) -> dict[str, list[str | None]]:
    """The answers by question, whichever way the form wrote them."""
    if TASK_ANSWERS in sheet.frame.columns:
        return _json_answers(sheet)
    plain: dict[str, list[str | None]] = {}
    options: dict[str, dict[str, list[Any]]] = {}
    for name in sheet.frame.columns:
        if not name.startswith(ANSWER):
            continue
        question, _, option = name.removeprefix(ANSWER).rpartition(".")
        if question and _is_truth(sheet.column(name)):
            options.setdefault(question, {})[option] = sheet.column(name).to_list()
        else:
            plain[name.removeprefix(ANSWER)] = sheet.column(name).to_list()
    chosen = {
        question: [_one(sheet, row, own, question) for row, own in enumerate(_rows(columns))]
        for question, columns in options.items()
    }
    return {**plain, **chosen}


def _is_truth(column: pl.Series) -> bool:
    words = {str(value).lower() for value in column.drop_nulls().to_list()}
    return words <= {"true", "false", "on", "off"}


def _rows(columns: Mapping[str, Sequence[Any]]) -> list[list[str]]:
    """The options that were chosen in each row."""
    size = len(next(iter(columns.values())))
    return [[option for option, values in columns.items() if str(values[row]).lower() in TRUE] for row in range(size)]


def _one(sheet: Sheet, row: int, chosen: Sequence[str], question: str) -> str | None:
    if len(chosen) > 1:
        raise InvalidInputError(
            f"{sheet.place(row)}: several options of {question!r} were chosen ({', '.join(chosen)}); only one label "
            "per worker and task can be read from this file."
        )
    return chosen[0] if chosen else None


def _json_answers(sheet: Sheet) -> dict[str, list[str | None]]:
    """The answers in ``Answer.taskAnswers``: a list of one object, with an entry for each question."""
    answers: dict[str, list[str | None]] = {}
    for row, cell in enumerate(sheet.column(TASK_ANSWERS).to_list()):
        try:
            parsed = json.loads(cell) if cell else []
        except ValueError as error:
            raise InvalidInputError(f"{sheet.place(row)}: {TASK_ANSWERS} is not valid JSON ({error}).") from error
        entry = parsed[0] if isinstance(parsed, list) and parsed else parsed
        for question, value in (entry if isinstance(entry, dict) else {}).items():
            answers.setdefault(question, [None] * sheet.height)[row] = _json_answer(sheet, row, question, value)
    return answers


def _json_answer(sheet: Sheet, row: int, question: str, value: Any) -> str | None:
    if isinstance(value, dict) and set(value) == {"label"}:
        return str(value["label"])
    if isinstance(value, dict):
        return _one(sheet, row, [option for option, own in value.items() if own is True], question)
    return None if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _toloka_answers(sheet: Sheet) -> dict[str, list[str | None]]:
    names = [name for name in sheet.frame.columns if name.startswith(OUTPUT)]
    return {name.removeprefix(OUTPUT): sheet.column(name).to_list() for name in names}


MTURK = CrowdPlatform(
    item="HITId", coder="WorkerId", status="AssignmentStatus", refused=("REJECTED",), answers=_mturk_answers
)
TOLOKA = CrowdPlatform(
    item="ASSIGNMENT:task_id",
    coder="ASSIGNMENT:worker_id",
    status="ASSIGNMENT:status",
    refused=("REJECTED", "SKIPPED", "EXPIRED", "ACTIVE"),
    answers=_toloka_answers,
)
