"""A coder's own part: all that the coder's page needs, in one value."""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from concurrence.annotation.campaigns.campaign import Campaign, closings_of, find_round, manual_version, rounds_of
from concurrence.annotation.campaigns.items import item_text, shown_json
from concurrence.annotation.campaigns.training import PartTraining, is_locked, part_training
from concurrence.annotation.database.schema import CODER, ITEM, STANDING, TASK
from concurrence.annotation.database.standing import answers_in_force
from concurrence.annotation.decisions.comments import part_comments
from concurrence.annotation.decisions.events import newest_moment
from concurrence.annotation.questions.questionnaire import Question
from concurrence.annotation.questions.types.row import SeenItem


@dataclass(frozen=True, slots=True, kw_only=True)
class PartTask:
    """One item as its coder sees it; its number tells nothing of the item, its part or a repeat.

    ``shown`` is what the coder sees, as JSON: it was made once, when the items came in. ``own`` is what the questions
    need beside it, for this coder and round.
    """

    id: int
    closed: bool
    shown: str
    own: dict[str, dict[str, Any]]

    @property
    def text(self) -> str:
        return str(json.loads(self.shown)["text"])

    @property
    def json(self) -> str:
        own = json.dumps(self.own, ensure_ascii=False, separators=(",", ":")) if self.own else "{}"
        return f'{{"id":{self.id},"closed":{"true" if self.closed else "false"},"shown":{own},{self.shown[1:]}'


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDecision:
    task: int
    question: str
    answer: str
    unsure: bool
    note: str | None
    moment: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnComment:
    """A comment on an item of the coder's, by anybody."""

    task: int
    by: str
    role: str
    text: str
    time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CoderPart:
    """A coder's round: tasks in their order, questions, the decisions so far (oldest first).

    ``comments`` is ``None`` where the campaign has none; ``training`` is there in the training round.
    """

    campaign: str
    round: str
    rounds: tuple[str, ...]
    manual_version: int
    questions: tuple[Question, ...]
    tasks: list[PartTask]
    decisions: list[OwnDecision]
    newest: int
    comments: list[OwnComment] | None
    training: PartTraining | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDecisions:
    """What can change in a coder's round: the decisions so far, and which tasks are closed."""

    manual_version: int
    decisions: list[OwnDecision]
    closed: list[int]
    newest: int
    comments: list[OwnComment] | None


def load_part(connection: Connection, campaign: Campaign, coder_id: int, round_name: str | None = None) -> CoderPart:
    """The part of a coder in a round, by default the newest one that holds something for them."""
    chosen, names = _rounds(connection, campaign, coder_id, round_name)
    round_id = find_round(connection, campaign, chosen)
    return CoderPart(
        campaign=campaign.name,
        round=chosen,
        rounds=names,
        manual_version=manual_version(connection, campaign),
        questions=campaign.questionnaire.questions,
        tasks=_tasks(connection, campaign, coder_id, round_id, chosen),
        decisions=_decisions(connection, campaign, coder_id, round_id),
        newest=newest_moment(connection, coder_id),
        comments=_comments(connection, campaign, coder_id, round_id),
        training=part_training(connection, campaign, coder_id, round_id),
    )


def load_decisions(
    connection: Connection, campaign: Campaign, coder_id: int, round_name: str | None = None
) -> OwnDecisions:
    """What may have changed since a coder's part was loaded."""
    round_id = find_round(connection, campaign, _rounds(connection, campaign, coder_id, round_name)[0])
    closings = closings_of(connection, campaign)
    query = (
        select(TASK.c.id, ITEM.c.part)
        .join(ITEM, ITEM.c.id == TASK.c.item_id)
        .where(TASK.c.coder_id == coder_id, TASK.c.round_id == round_id)
    )
    rows = connection.execute(query).all() if closings.rows else []
    return OwnDecisions(
        manual_version=manual_version(connection, campaign),
        decisions=_decisions(connection, campaign, coder_id, round_id),
        closed=[row.id for row in rows if closings.closed(round_id, row.part)],
        newest=newest_moment(connection, coder_id),
        comments=_comments(connection, campaign, coder_id, round_id),
    )


def _comments(connection: Connection, campaign: Campaign, coder_id: int, round_id: int) -> list[OwnComment] | None:
    if not campaign.questionnaire.comments:
        return None
    return [
        OwnComment(task=task, by=comment.by, role=comment.role, text=comment.text, time=comment.time)
        for task, comment in part_comments(connection, campaign, coder_id, round_id)
    ]


def _rounds(
    connection: Connection, campaign: Campaign, coder_id: int, round_name: str | None
) -> tuple[str, tuple[str, ...]]:
    rounds = rounds_of(connection, campaign)
    mine = set(connection.execute(select(TASK.c.round_id).where(TASK.c.coder_id == coder_id).distinct()).scalars())
    names = tuple(row.name for row in rounds if row.id in mine)
    training = campaign.questionnaire.training
    if training is not None and is_locked(connection, campaign, coder_id):
        return training.round, (training.round,)
    return round_name if round_name is not None else (names[-1] if names else rounds[-1].name), names


def _tasks(connection: Connection, campaign: Campaign, coder_id: int, round_id: int, round_name: str) -> list[PartTask]:
    closings, shut = closings_of(connection, campaign), {}
    query = (
        select(TASK.c.id, ITEM.c.part, ITEM.c.shown, ITEM.c.id)
        .join(ITEM, ITEM.c.id == TASK.c.item_id)
        .where(TASK.c.coder_id == coder_id, TASK.c.round_id == round_id)
        .order_by(TASK.c.position)
    )
    rows = connection.execute(query).all()
    # Items of campaigns that were made before this was kept are shown as they were: made anew for each reader.
    older = _items_as_shown(connection, campaign) if any(shown is None for _, _, shown, _ in rows) else {}
    for part in {part for _, part, _, _ in rows}:
        shut[part] = closings.closed(round_id, part)
    own = _own(connection, campaign, coder_id, round_id, round_name) if campaign.questionnaire.shows else {}
    return [
        PartTask(id=task, closed=shut[part], shown=shown or older[item], own=own.get(task, {}))
        for task, part, shown, item in rows
    ]


def _items_as_shown(connection: Connection, campaign: Campaign) -> dict[int, str]:
    query = select(ITEM.c.id, ITEM.c.key, ITEM.c.columns).where(ITEM.c.campaign_id == campaign.id)
    rows = connection.execute(query)
    return {row.id: shown_json(json.loads(row.columns), campaign.display, row.key) for row in rows}


def _own(
    connection: Connection, campaign: Campaign, coder_id: int, round_id: int, round_name: str
) -> dict[int, dict[str, dict[str, Any]]]:
    """What questions show of each task beside the item's text, such as which of two texts stands first."""
    coder = connection.execute(select(CODER.c.name).where(CODER.c.id == coder_id)).scalar_one()
    query = (
        select(TASK.c.id, TASK.c.repeat, ITEM.c.key, ITEM.c.columns)
        .join(ITEM, ITEM.c.id == TASK.c.item_id)
        .where(TASK.c.coder_id == coder_id, TASK.c.round_id == round_id)
    )
    own = {}
    for row in connection.execute(query):
        columns = json.loads(row.columns)
        seen = SeenItem(
            item=row.key,
            text=item_text(columns, campaign.display.text, row.key),
            columns=columns,
            coder=coder,
            round=round_name,
            repeat=row.repeat,
            seed=campaign.seed,
        )
        own[row.id] = campaign.questionnaire.shown(seen)
    return own


def _decisions(connection: Connection, campaign: Campaign, coder_id: int, round_id: int) -> list[OwnDecision]:
    query = (
        answers_in_force(*(STANDING.c[name] for name in ("task_id", "question", "answer", "unsure", "note", "moment")))
        .join(TASK, TASK.c.id == STANDING.c.task_id)
        .where(STANDING.c.campaign_id == campaign.id, STANDING.c.coder_id == coder_id, TASK.c.round_id == round_id)
        .order_by(STANDING.c.moment, STANDING.c.event_id)
    )
    return [
        OwnDecision(task=task, question=question, answer=answer, unsure=unsure, note=note, moment=moment)
        for task, question, answer, unsure, note, moment in connection.execute(query)
    ]
