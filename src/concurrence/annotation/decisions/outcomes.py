"""What the coders decided: their current answers, as labels, as progress, as timing."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, select

from concurrence.annotation.campaigns.campaign import Campaign, closings_of, coders_of, find_round, rounds_of
from concurrence.annotation.database.schema import CODER, EVENT, ITEM, ROUND, STANDING, TASK
from concurrence.annotation.database.standing import answers_in_force
from concurrence.annotation.decisions.current_answers import CurrentAnswers, read_current_answers

PAUSE_MILLISECONDS = 5 * 60 * 1000
FAST_MILLISECONDS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedItem:
    """One coder on one item in one round: every answer that stands, as it was given and as its label."""

    item_id: int
    item: str
    part: str
    coder: str
    round: str
    repeat: bool
    answers: dict[str, str]
    labels: dict[str, str]
    unsure: frozenset[str] = frozenset()
    notes: dict[str, str]
    manual_versions: dict[str, int]


def judged_items(
    connection: Connection,
    campaign: Campaign,
    *,
    round_name: str | None = None,
    repeats: bool = False,
    items: Sequence[int] | None = None,
    training: bool = False,
) -> list[JudgedItem]:
    """All tasks with at least one standing answer, by item and coder; repeats alone where they are asked for.

    The training round is left out unless it is named, or ``training`` asks for it beside the others.
    """
    if round_name is not None:
        find_round(connection, campaign, round_name)
    query = (
        answers_in_force(
            *STANDING.columns,
            TASK.c.repeat,
            ITEM.c.key,
            ITEM.c.part,
            CODER.c.name.label("coder"),
            ROUND.c.name.label("round"),
        )
        .join(TASK, TASK.c.id == STANDING.c.task_id)
        .join(ITEM, ITEM.c.id == STANDING.c.item_id)
        .join(CODER, CODER.c.id == STANDING.c.coder_id)
        .join(ROUND, ROUND.c.id == TASK.c.round_id)
        .where(STANDING.c.campaign_id == campaign.id, TASK.c.repeat.is_(repeats))
        .order_by(TASK.c.round_id, STANDING.c.item_id, STANDING.c.coder_id, STANDING.c.moment, STANDING.c.event_id)
    )
    if items is not None:
        query = query.where(STANDING.c.item_id.in_(items))
    if round_name is not None:
        query = query.where(ROUND.c.name == round_name)
    elif campaign.questionnaire.training is not None and not training:
        query = query.where(ROUND.c.name != campaign.questionnaire.training.round)
    by_task = defaultdict(list)
    for row in connection.execute(query):
        by_task[row.task_id].append(row)
    return [
        JudgedItem(
            item_id=rows[0].item_id,
            item=rows[0].key,
            part=rows[0].part,
            coder=rows[0].coder,
            round=rows[0].round,
            repeat=rows[0].repeat,
            answers={row.question: row.answer for row in rows},
            labels={row.question: campaign.questionnaire[row.question].label(row.answer) for row in rows},
            unsure=frozenset(row.question for row in rows if row.unsure),
            notes={row.question: row.note for row in rows if row.note},
            manual_versions={row.question: row.manual_version for row in rows},
        )
        for rows in by_task.values()
    ]


def item_columns(
    connection: Connection, campaign: Campaign, *, items: Sequence[int] | None = None
) -> dict[str, dict[str, str]]:
    """The row of every item, or of some, by its key, in the order of the items."""
    query = select(ITEM.c.key, ITEM.c.columns).where(ITEM.c.campaign_id == campaign.id).order_by(ITEM.c.id)
    if items is not None:
        query = query.where(ITEM.c.id.in_(items))
    return {row.key: json.loads(row.columns) for row in connection.execute(query)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A coder's progress in a round."""

    coder: str
    role: str
    round: str
    items: int
    done: int
    unsure: int
    notes: int
    closed: bool
    last_decision: int | None


def coder_progress(connection: Connection, campaign: Campaign, current: CurrentAnswers | None = None) -> list[Progress]:
    """Everyone's progress, round by round; hidden repeats count like any item."""
    whole = read_current_answers(connection, campaign) if current is None else current
    closings, totals = closings_of(connection, campaign), _totals(connection, campaign)
    sums = _sums(whole)
    nobody = (0, 0, 0, 0)
    return [
        Progress(
            coder=person.name,
            role=person.role,
            round=row.name,
            items=totals[person.id, row.id],
            done=done,
            unsure=unsure,
            notes=notes,
            closed=closings.closed(row.id),
            last_decision=last or None,
        )
        for row in rounds_of(connection, campaign)
        for person in coders_of(connection, campaign, "coder", "expert", "model")
        if (person.id, row.id) in totals
        for done, unsure, notes, last in [sums.get((person.id, row.id), nobody)]
    ]


def _sums(current: CurrentAnswers) -> dict[tuple[int, int], tuple[int, int, int, int]]:
    """By coder and round: tasks that are done, that have an unsure answer, that have a note; the last decision."""
    keys, inverse = np.unique((current.coders << 32) + current.rounds, return_inverse=True)
    flags = (current.complete(), current.unsure.any(axis=1), current.noted.any(axis=1))
    counts = [np.bincount(inverse, weights=flag, minlength=len(keys)).astype(int).tolist() for flag in flags]
    last = np.zeros(len(keys), dtype=np.int64)
    np.maximum.at(last, inverse, current.times)
    people = [(key >> 32, key & (2**32 - 1)) for key in keys.tolist()]
    return dict(zip(people, zip(*counts, last.tolist(), strict=True), strict=True))


def _totals(connection: Connection, campaign: Campaign) -> dict[tuple[int, int], int]:
    query = (
        select(TASK.c.coder_id, TASK.c.round_id, func.count())
        .join(CODER, CODER.c.id == TASK.c.coder_id)
        .where(CODER.c.campaign_id == campaign.id)
        .group_by(TASK.c.coder_id, TASK.c.round_id)
    )
    return {(coder, round_): count for coder, round_, count in connection.execute(query)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How a coder's time went: seconds from one decision to the next, pauses of over five minutes left out."""

    coder: str
    round: str
    decisions: int
    median_seconds: float | None
    total_minutes: float
    fast: int
    pauses: int
    undone: int


def timing(connection: Connection, campaign: Campaign) -> list[Timing]:
    """The times of all coders, by the clocks of their own devices."""
    query = (
        select(EVENT.c.coder_id, TASK.c.round_id, EVENT.c.client_time, EVENT.c.answer.is_(None))
        .join(TASK, TASK.c.id == EVENT.c.task_id)
        .where(EVENT.c.campaign_id == campaign.id, EVENT.c.origin == "coder")
        .order_by(EVENT.c.coder_id, TASK.c.round_id, EVENT.c.client_time, EVENT.c.id)
    )
    cursor = connection.execute(query).cursor
    rows = np.array(cursor.fetchall() if cursor is not None else [], dtype=np.int64).reshape(-1, 4)
    coders = {person.id: person.name for person in coders_of(connection, campaign)}
    rounds = {row.id: row.name for row in rounds_of(connection, campaign)}
    starts = np.flatnonzero(np.diff(rows[:, :2], axis=0, prepend=-1).any(axis=1))
    return [
        _timing(coders[part[0, 0]], rounds[part[0, 1]], part[:, 2], int(part[:, 3].sum()))
        for part in np.split(rows, starts[1:])
        if len(part)
    ]


def _timing(coder: str, round_name: str, times: NDArray[np.int64], undone: int) -> Timing:
    gaps = np.diff(times)
    working = gaps[gaps <= PAUSE_MILLISECONDS]
    return Timing(
        coder=coder,
        round=round_name,
        decisions=len(times) - undone,
        median_seconds=median(working.tolist()) / 1000 if working.size else None,
        total_minutes=float(working.sum()) / 60_000,
        fast=int((working < FAST_MILLISECONDS).sum()),
        pauses=int((gaps > PAUSE_MILLISECONDS).sum()),
        undone=undone,
    )
