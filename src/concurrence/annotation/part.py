"""A coder's own part: all that the coder's page needs, in one value."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from concurrence.annotation.campaigns import Campaign, closings_of, find_round, manual_of, rounds_of
from concurrence.annotation.items import Segment, context_lines
from concurrence.annotation.questions import Question
from concurrence.annotation.schema import CODER, DECISION, EVENT, ITEM, TASK
from concurrence.annotation.types.row import Seen


@dataclass(frozen=True, slots=True, kw_only=True)
class PartTask:
    """One item as its coder sees it; its number tells nothing of the item, its part or a repeat."""

    id: int
    text: str
    contexts: list[list[Segment]]
    facts: dict[str, str]
    closed: bool
    shown: dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDecision:
    task: int
    question: str
    answer: str
    unsure: bool
    note: str | None
    moment: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CoderPart:
    """A coder's round: tasks in their order, questions, the decisions so far (oldest first)."""

    campaign: str
    round: str
    rounds: tuple[str, ...]
    manual_version: int
    questions: tuple[Question, ...]
    tasks: list[PartTask]
    decisions: list[OwnDecision]
    newest: int


def load_part(connection: Connection, campaign: Campaign, coder_id: int, round_name: str | None = None) -> CoderPart:
    """The part of a coder in a round, by default the newest one that holds something for them."""
    rounds = rounds_of(connection, campaign)
    mine = set(connection.execute(select(TASK.c.round_id).where(TASK.c.coder_id == coder_id).distinct()).scalars())
    names = tuple(row.name for row in rounds if row.id in mine)
    chosen = round_name if round_name is not None else (names[-1] if names else rounds[-1].name)
    round_id = find_round(connection, campaign, chosen)
    return CoderPart(
        campaign=campaign.name,
        round=chosen,
        rounds=names,
        manual_version=manual_of(connection, campaign)[0],
        questions=campaign.questionnaire.questions,
        tasks=_tasks(connection, campaign, coder_id, round_id, chosen),
        decisions=_decisions(connection, campaign, coder_id, round_id),
        newest=int(
            connection.execute(select(func.max(EVENT.c.moment)).where(EVENT.c.coder_id == coder_id)).scalar() or 0
        ),
    )


def _tasks(connection: Connection, campaign: Campaign, coder_id: int, round_id: int, round_name: str) -> list[PartTask]:
    closings, display = closings_of(connection, campaign), campaign.display
    wanted = (
        select(TASK.c.id, TASK.c.repeat, ITEM.c.key, ITEM.c.part, ITEM.c.columns)
        .join(ITEM, ITEM.c.id == TASK.c.item_id)
        .where(TASK.c.coder_id == coder_id, TASK.c.round_id == round_id)
        .order_by(TASK.c.position)
    )
    rows = [(row, json.loads(row.columns)) for row in connection.execute(wanted)]
    coder = None
    if campaign.questionnaire.shows:
        coder = connection.execute(select(CODER.c.name).where(CODER.c.id == coder_id)).scalar_one()
    return [
        PartTask(
            id=row.id,
            text=item_text(columns, display.text, row.key),
            contexts=context_lines(columns, display),
            facts={name: columns[name] for name in display.facts if name in columns},
            closed=closings.closed(round_id, row.part),
            shown={}
            if coder is None
            else campaign.questionnaire.shown(_seen(campaign, row, columns, coder, round_name)),
        )
        for row, columns in rows
    ]


def _seen(campaign: Campaign, row: Any, columns: dict[str, str], coder: str, round_name: str) -> Seen:
    return Seen(
        item=row.key,
        text=item_text(columns, campaign.display.text, row.key),
        columns=columns,
        coder=coder,
        round=round_name,
        repeat=row.repeat,
        seed=campaign.seed,
    )


def item_text(columns: dict[str, str], names: Sequence[str], key: str) -> str:
    return " ".join(columns[name] for name in names if columns.get(name)) or key


def _decisions(connection: Connection, campaign: Campaign, coder_id: int, round_id: int) -> list[OwnDecision]:
    wanted = (
        select(DECISION.c.task_id.label("task"))
        .add_columns(*(DECISION.c[name] for name in ("question", "answer", "unsure", "note", "moment")))
        .join(TASK, TASK.c.id == DECISION.c.task_id)
        .where(DECISION.c.campaign_id == campaign.id, DECISION.c.coder_id == coder_id, TASK.c.round_id == round_id)
        .order_by(DECISION.c.moment, DECISION.c.id)
    )
    return [OwnDecision(**row._mapping) for row in connection.execute(wanted)]
