"""Recording decisions: each once, under the rules of the questions, never changed afterwards.

A batch may come late, twice, or from two devices. An event is known by its coder and its client's UUID and
is stored once. Its moment in the coder's history is the counter its page gave it, which lies behind all that the
page had seen; an event without one lies behind everything that was acknowledged to the coder before it. Clocks
decide only between events of which neither had seen the other.

Whether an event is allowed is judged at its own moment, so that decisions made offline are taken as they were made.
Where an answer that came late or changed leaves a follow-up without its condition, the follow-up is taken back by an
event of origin ``rule``.

``record`` writes to ``event`` and to no other table. In the same transaction the database's trigger ``event_stands``
runs ``KEEP_STANDING`` of ``database/standing.py``, which puts a new event in force unless a newer one is there.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, bindparam, func, insert, select

from concurrence.annotation.campaigns.campaign import Campaign, Closings, closings_of, manual_version
from concurrence.annotation.campaigns.item_rules import item_objection
from concurrence.annotation.campaigns.training import LOCKED, is_locked, training_round
from concurrence.annotation.database.schema import EVENT, ITEM, TASK
from concurrence.annotation.database.store import now

Status = Literal["stored", "known", "refused"]
CHUNK = 500

# Made once: a statement costs more to build than SQLite needs to answer it.
# Tasks are asked for by their numbers alone: with the coder beside them, SQLite would search all tasks of the coder.
TASKS = (
    select(TASK.c.id, TASK.c.coder_id, TASK.c.item_id, TASK.c.round_id, ITEM.c.part)
    .add_columns(EVENT.c.id.label("number"), EVENT.c.question, EVENT.c.answer, EVENT.c.moment)
    .join(ITEM, ITEM.c.id == TASK.c.item_id)
    .outerjoin(EVENT, (EVENT.c.task_id == TASK.c.id) & (EVENT.c.coder_id == TASK.c.coder_id))
    .where(TASK.c.id.in_(bindparam("tasks", expanding=True)))
    .order_by(EVENT.c.moment, EVENT.c.id)
)
STORED = select(EVENT.c.uuid).where(
    EVENT.c.coder_id == bindparam("coder"), EVENT.c.uuid.in_(bindparam("uuids", expanding=True))
)
NEWEST = select(func.max(EVENT.c.moment)).where(EVENT.c.coder_id == bindparam("coder"))
NEW = insert(EVENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """A decision as a client sends it; ``answer`` is ``None`` where one is taken back.

    ``counter`` is its moment by the page's hybrid logical clock; ``None`` from clients that have none.
    """

    uuid: str
    task: int
    question: str
    answer: str | None
    unsure: bool = False
    note: str | None = None
    client_time: int
    manual_version: int
    duration: int | None = None
    counter: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What became of an event: stored now, known already, or refused with a sentence."""

    uuid: str
    status: Status
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastEvent:
    """An event in a coder's history of one task."""

    question: str
    answer: str | None
    moment: int
    number: int  # the row's, or beyond all rows for one that is about to be stored


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    id: int
    item_id: int
    round_id: int
    part: str


def record(
    connection: Connection, campaign: Campaign, coder_id: int, events: Sequence[NewEvent], *, origin: str = "coder"
) -> list[Receipt]:
    """Store the events of a batch that may be stored, and say what became of each."""
    batch = _Batch(connection, campaign, coder_id, origin)
    batch.open({event.task for event in events})
    stored = _stored_uuids(connection, coder_id, [event.uuid for event in events])
    receipts = []
    for event in events:
        if event.uuid in stored:
            receipts.append(Receipt(uuid=event.uuid, status="known"))
            continue
        moment = batch.moment(event)
        reason = batch.objection(event, moment)
        if reason is None:
            batch.take(event, moment)
            stored.add(event.uuid)
        receipts.append(Receipt(uuid=event.uuid, status="refused" if reason else "stored", reason=reason))
    batch.withdraw_orphans()
    batch.save()
    return receipts


class _Batch:
    """The histories that a batch touches, and the rows it will add."""

    def __init__(self, connection: Connection, campaign: Campaign, coder_id: int, origin: str) -> None:
        self.connection, self.campaign, self.coder_id, self.origin = connection, campaign, coder_id, origin
        self.rows: list[dict[str, Any]] = []
        self.tasks: dict[int, _Task] = {}
        self.history: dict[int, list[PastEvent]] = defaultdict(list)
        self.closings: Closings = closings_of(connection, campaign)
        self.newest_manual = manual_version(connection, campaign)
        self.time = now()
        self.newest = newest_moment(connection, coder_id)
        self.touched: set[int] = set()
        self.training = training_round(connection, campaign)
        self.locked = self.training is not None and is_locked(connection, campaign, coder_id)

    def open(self, tasks: set[int]) -> None:
        """Read the tasks that are this coder's, and what happened on them."""
        for some in _chunks(sorted(tasks)):
            for row in self.connection.execute(TASKS, {"tasks": some}):
                if row.coder_id != self.coder_id:
                    continue
                self.tasks[row.id] = _Task(id=row.id, item_id=row.item_id, round_id=row.round_id, part=row.part)
                if row.number is not None:
                    self.history[row.id].append(_past(row))

    def moment(self, event: NewEvent) -> int:
        """Where an event stands in the coder's order."""
        return max(self.newest + 1, self.time) if event.counter is None else event.counter

    def objection(self, event: NewEvent, moment: int) -> str | None:
        """Why an event cannot be stored, in a sentence, or nothing."""
        task = self.tasks.get(event.task)
        if task is None:
            return "This item is not in your part."
        if self.locked and task.round_id != self.training:
            return LOCKED
        if self.closings.closed(task.round_id, task.part):
            return "This part is closed; ask the leader to reopen it."
        if event.question not in self.campaign.questionnaire.ids:
            return "This question is not in the campaign."
        question = self.campaign.questionnaire[event.question]
        if event.answer is not None and (sentence := question.objection(event.answer)):
            return sentence
        if event.answer is not None and (
            sentence := item_objection(self.connection, self.campaign, question, task.item_id, event.answer)
        ):
            return sentence
        if event.note is not None and not question.note:
            return f"The question {question.id!r} does not take a note."
        if not 1 <= event.manual_version <= self.newest_manual:
            return "This version of the manual does not exist."
        return self._broken_condition(event, moment)

    def _broken_condition(self, event: NewEvent, moment: int) -> str | None:
        question = self.campaign.questionnaire[event.question]
        if event.answer is None or question.parent is None:
            return None
        before = [past for past in self.history[event.task] if past.moment <= moment]
        answers = {
            name: past.answer or "" for name, past in self.campaign.questionnaire.events_in_force(before).items()
        }
        if self.campaign.questionnaire.applies(event.question, answers):
            return None
        # Where the condition held once, another device changed it unseen: the event is kept, and does not stand.
        parent = self.campaign.questionnaire[question.parent]
        if event.counter is not None and any(
            past.question == parent.id and parent.meets(past.answer, question.parent_answers) for past in before
        ):
            return None
        return (
            f"The question {question.id!r} is asked only after {question.parent}={'|'.join(question.parent_answers)}."
        )

    def take(self, event: NewEvent, moment: int) -> None:
        """Add an event to its history and to the rows to be stored."""
        task = self.tasks[event.task]
        self.newest = max(self.newest, moment)
        past = PastEvent(question=event.question, answer=event.answer, moment=moment, number=2**62 + len(self.rows))
        self.history[event.task].append(past)
        self.history[event.task].sort(key=lambda entry: (entry.moment, entry.number))
        self.touched.add(event.task)
        self.rows.append(
            {
                "uuid": event.uuid,
                "campaign_id": self.campaign.id,
                "coder_id": self.coder_id,
                "task_id": task.id,
                "item_id": task.item_id,
                "question": event.question,
                "answer": event.answer,
                "unsure": event.unsure and event.answer is not None,
                "note": event.note,
                "origin": self.origin,
                "manual_version": event.manual_version,
                "duration": event.duration,
                "client_time": event.client_time,
                "server_time": self.time,
                "moment": moment,
            }
        )

    def withdraw_orphans(self) -> None:
        """Take back the follow-ups that the newest answers leave without their condition."""
        for task in sorted(self.touched) if self.campaign.questionnaire.has_follow_ups else ():
            history = self.history[task]
            current = self.campaign.questionnaire.events_in_force(history)
            newest = {past.question: past for past in history}
            orphans = [past for name, past in newest.items() if past.answer is not None and name not in current]
            for orphan in orphans:
                self._withdraw(task, orphan.question, history[-1].moment)

    def _withdraw(self, task: int, question: str, moment: int) -> None:
        event = NewEvent(
            uuid=str(uuid.uuid4()),
            task=task,
            question=question,
            answer=None,
            client_time=self.time,
            manual_version=self.newest_manual,
        )
        self.take(event, moment)
        self.rows[-1]["origin"] = "rule"

    def save(self) -> None:
        if self.rows:
            self.connection.execute(NEW, self.rows)


def newest_moment(connection: Connection, coder_id: int) -> int:
    """The moment of the newest event that was acknowledged to a coder; 0 where there is none."""
    return int(connection.execute(NEWEST, {"coder": coder_id}).scalar() or 0)


def _past(row: Any) -> PastEvent:
    return PastEvent(question=row.question, answer=row.answer, moment=row.moment, number=row.number)


def _stored_uuids(connection: Connection, coder_id: int, uuids: Sequence[str]) -> set[str]:
    chunks = (connection.execute(STORED, {"uuids": some, "coder": coder_id}).scalars() for some in _chunks(uuids))
    return {number for chunk in chunks for number in chunk}


def _chunks(values: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return (values[start : start + CHUNK] for start in range(0, len(values), CHUNK))
