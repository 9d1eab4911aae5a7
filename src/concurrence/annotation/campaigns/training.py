"""The training round: items with known answers, a score for each coder, and the bar before the other rounds open.

Training decisions are decisions like all others, in the same log; agreement and exports leave them out. The first
answer of an attempt counts, since the page shows the known one after it. Withdrawing the answer to the first question
begins a new attempt on an item; an attempt counts once every item has it.
"""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select

from concurrence.annotation.campaigns.campaign import Campaign, coders_of, rounds_of
from concurrence.annotation.database.schema import CODER, EVENT, ITEM, TASK
from concurrence.annotation.questions.questionnaire import Questionnaire
from concurrence.annotation.questions.types.row import OwnFields

EXPLANATION = "explanation"
LOCKED = "This round opens once you have passed the training round."
TRAINED = "coder"  # the role that has to pass; experts and models need not


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingResult:
    """A coder's training: attempts on all items, the share that was right in the first and in the best of them."""

    coder: str
    items: int
    judged: int
    attempts: int
    first_score: float | None
    score: float | None
    passed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PartTraining:
    """What the page of the training round needs: the bar, and by task the known answers and why."""

    share: float
    expected: dict[int, dict[str, str]] = field(default_factory=dict)
    explanations: dict[int, str] = field(default_factory=dict)


def training_round(connection: Connection, campaign: Campaign) -> int | None:
    """The number of the training round, where the campaign has one already."""
    training = campaign.questionnaire.training
    if training is None:
        return None
    return next((int(row.id) for row in rounds_of(connection, campaign) if row.name == training.round), None)


def part_training(connection: Connection, campaign: Campaign, coder_id: int, round_id: int) -> PartTraining | None:
    """The known answers of a coder's training round; nothing for another round."""
    training = campaign.questionnaire.training
    if training is None or training_round(connection, campaign) != round_id:
        return None
    rows = _tasks(connection, campaign, round_id, coder_id)
    columns_of = {row.id: row.columns for row in rows}
    return PartTraining(
        share=training.pass_,
        expected={row.id: campaign.questionnaire.expected(row.key, columns_of[row.id]) for row in rows},
        explanations={task: text for task, columns in columns_of.items() if (text := columns.get(EXPLANATION))},
    )


def is_locked(connection: Connection, campaign: Campaign, coder_id: int) -> bool:
    """Whether a coder has still to pass the training round; one who was given nothing there need not."""
    round_id = training_round(connection, campaign)
    if round_id is None:
        return False
    role = connection.execute(select(CODER.c.role).where(CODER.c.id == coder_id)).scalar()
    mine = select(TASK.c.id).where(TASK.c.coder_id == coder_id, TASK.c.round_id == round_id).limit(1)
    if role != TRAINED or connection.execute(mine).first() is None:
        return False
    return not training_results(connection, campaign, coder_id)[0].passed


def training_results(connection: Connection, campaign: Campaign, coder_id: int | None = None) -> list[TrainingResult]:
    """How everyone did who was given training items, in the order of the people."""
    round_id = training_round(connection, campaign)
    if round_id is None:
        return []
    tasks: dict[int, list[Any]] = defaultdict(list)
    for row in _tasks(connection, campaign, round_id, coder_id):
        tasks[row.coder_id].append(row)
    history = _history(connection, campaign, round_id, coder_id)
    people = coders_of(connection, campaign, "coder", "expert", "model")
    return [_result(campaign, person.name, tasks[person.id], history) for person in people if person.id in tasks]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    id: int
    coder_id: int
    key: str
    columns: OwnFields


def _tasks(connection: Connection, campaign: Campaign, round_id: int, coder_id: int | None) -> list[_Task]:
    query = (
        select(TASK.c.id, TASK.c.coder_id, ITEM.c.key, ITEM.c.columns)
        .join(ITEM, ITEM.c.id == TASK.c.item_id)
        .where(TASK.c.round_id == round_id, ITEM.c.campaign_id == campaign.id, TASK.c.repeat.is_(False))
    )
    if coder_id is not None:
        query = query.where(TASK.c.coder_id == coder_id)
    rows = connection.execute(query)
    return [_Task(id=row.id, coder_id=row.coder_id, key=row.key, columns=json.loads(row.columns)) for row in rows]


def _history(
    connection: Connection, campaign: Campaign, round_id: int, coder_id: int | None
) -> dict[int, list[tuple[str, str | None]]]:
    query = (
        select(EVENT.c.task_id, EVENT.c.question, EVENT.c.answer)
        .join(TASK, TASK.c.id == EVENT.c.task_id)
        .where(EVENT.c.campaign_id == campaign.id, TASK.c.round_id == round_id)
        .order_by(EVENT.c.moment, EVENT.c.id)
    )
    if coder_id is not None:
        query = query.where(EVENT.c.coder_id == coder_id)
    history: dict[int, list[tuple[str, str | None]]] = defaultdict(list)
    for task, question, answer in connection.execute(query):
        history[task].append((question, answer))
    return history


def attempts_of(questionnaire: Questionnaire, events: list[tuple[str, str | None]]) -> list[dict[str, str]]:
    """The first answers of each attempt on one item, by question; an attempt that was not finished has none."""
    first = questionnaire.ids[0]
    attempts: list[dict[str, str]] = [{}]
    for question, answer in events:
        if answer is None and question == first and attempts[-1]:
            attempts.append({})
        elif answer is not None:
            attempts[-1].setdefault(question, answer)
    return [attempt for attempt in attempts if attempt and questionnaire.complete(attempt)]


def _result(
    campaign: Campaign, coder: str, tasks: list[_Task], history: Mapping[int, list[tuple[str, str | None]]]
) -> TrainingResult:
    questionnaire = campaign.questionnaire
    training = questionnaire.training
    by_task = [(task, attempts_of(questionnaire, history.get(task.id, []))) for task in tasks]
    whole = min(len(attempts) for _, attempts in by_task)
    scores = [
        sum(_right(questionnaire, task, attempts[place]) for task, attempts in by_task) / len(tasks)
        for place in range(whole)
    ]
    return TrainingResult(
        coder=coder,
        items=len(tasks),
        judged=sum(bool(attempts) for _, attempts in by_task),
        attempts=whole,
        first_score=scores[0] if scores else None,
        score=max(scores, default=None),
        passed=bool(training and any(score >= training.pass_ for score in scores)),
    )


def _right(questionnaire: Questionnaire, task: _Task, answers: dict[str, str]) -> bool:
    labels = {name: questionnaire[name].label(answer) for name, answer in answers.items()}
    return all(labels.get(name) == label for name, label in questionnaire.expected(task.key, task.columns).items())
