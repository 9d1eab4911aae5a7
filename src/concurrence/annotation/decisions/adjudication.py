"""Where coders differ, and the leader's ruling on it, with its reason."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from uuid import uuid4 as new_uuid

from sqlalchemy import Connection, func, insert, select

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.campaigns.item_rules import item_objection
from concurrence.annotation.database.schema import ADJUDICATION, CODER, ITEM, STANDING, TASK
from concurrence.annotation.database.standing import answers_in_force
from concurrence.annotation.database.store import now
from concurrence.annotation.decisions.outcomes import JudgedItem, judged_items
from concurrence.core.errors import InvalidInputError

LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A ruling on one question of one item; the newest counts, earlier ones stay on record."""

    item_id: int
    item: str
    question: str
    answer: str | None
    reason: str
    by: str
    time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinions:
    """What everybody said on one question of one item, as labels."""

    item_id: int
    item: str
    part: str
    question: str
    answers: dict[str, str]
    unsure: tuple[str, ...]
    notes: dict[str, str]

    @property
    def differ(self) -> bool:
        return len(set(self.answers.values())) > 1


def adjudicate(
    connection: Connection,
    campaign: Campaign,
    leader_id: int,
    *,
    uuid: str,
    item_id: int,
    question: str,
    answer: str | None,
    reason: str,
) -> None:
    """Record a ruling; ``answer`` is ``None`` where an earlier one is withdrawn. The same UUID counts once.

    A ruling under which follow-ups do not apply withdraws the rulings on them; a ruling on a follow-up that does not
    apply is refused.
    """
    if not connection.execute(select(ITEM.c.id).where(ITEM.c.id == item_id, ITEM.c.campaign_id == campaign.id)).first():
        raise InvalidInputError("This item is not in the campaign.")
    questioned = campaign.questionnaire[question]
    if answer is not None and (
        sentence := questioned.objection(answer) or item_objection(connection, campaign, questioned, item_id, answer)
    ):
        raise InvalidInputError(sentence)
    if not reason.strip():
        raise InvalidInputError("An adjudication needs a reason, so that the manual can be improved.")
    same = (ADJUDICATION.c.campaign_id == campaign.id) & (ADJUDICATION.c.uuid == uuid)
    if connection.execute(select(ADJUDICATION.c.id).where(same)).first():
        return
    in_force = rulings_in_force(campaign, rulings(connection, campaign, item_id=item_id))
    if answer is not None:
        _refuse_contradiction(connection, campaign, item_id, question, in_force)
    row = {"uuid": uuid, "campaign_id": campaign.id, "item_id": item_id, "question": question, "answer": answer}
    row |= {"reason": reason, "coder_id": leader_id, "server_time": now()}
    rows = [row]
    for follower in campaign.questionnaire.followers(question):
        if (
            answer is not None
            and (item_id, follower) in in_force
            and not _may_apply(campaign, follower, {question: answer})
        ):
            why = f"does not apply since the ruling on {question}: {reason}"[:LONGEST_REASON]
            rows.append(row | {"uuid": str(new_uuid()), "question": follower, "answer": None, "reason": why})
    connection.execute(insert(ADJUDICATION), rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRuling:
    """A ruling on one question, as a client sends it; ``answer`` is ``None`` where an earlier one is withdrawn."""

    uuid: str
    question: str
    answer: str | None
    reason: str


def adjudicate_item(
    connection: Connection, campaign: Campaign, leader_id: int, item_id: int, new: Sequence[NewRuling]
) -> None:
    """Record the rulings on several questions of one item, all or none; the questions above come first."""
    places = campaign.questionnaire.ids
    for ruling in new:
        campaign.questionnaire[ruling.question]
    for ruling in sorted(new, key=lambda one: places.index(one.question)):
        adjudicate(
            connection,
            campaign,
            leader_id,
            uuid=ruling.uuid,
            item_id=item_id,
            question=ruling.question,
            answer=ruling.answer,
            reason=ruling.reason,
        )


def _may_apply(campaign: Campaign, question: str, ruled: dict[str, str]) -> bool:
    """Whether no ruling on the questions above one keeps it from being asked."""
    chain = campaign.questionnaire.chain(question)
    return all(campaign.questionnaire.applies(step, ruled) for above, step in pairwise(chain) if above in ruled)


def _refuse_contradiction(
    connection: Connection, campaign: Campaign, item_id: int, question: str, in_force: "dict[tuple[int, str], Ruling]"
) -> None:
    answers = judged_items(connection, campaign, items=[item_id])
    for above, step in pairwise(campaign.questionnaire.chain(question)):
        conditions = campaign.questionnaire[step].parent_answers
        parent = campaign.questionnaire[above]
        ruling = in_force.get((item_id, above))
        parent_answers = {row.answers[above] for row in answers if above in row.answers}
        if ruling is not None and not parent.meets(ruling.answer, conditions):
            raise InvalidInputError(
                f"{step!r} does not apply: the ruling on {above!r} is {ruling.answer!r}. Change that ruling first."
            )
        if ruling is None and parent_answers and not any(parent.meets(answer, conditions) for answer in parent_answers):
            raise InvalidInputError(
                f"{step!r} does not apply: no coder answered {above!r} with {' or '.join(map(repr, conditions))}. "
                f"Rule on {above!r} first."
            )


def rulings(connection: Connection, campaign: Campaign, *, item_id: int | None = None) -> list[Ruling]:
    """All rulings, oldest first."""
    query = (
        select(ITEM.c.key.label("item"), CODER.c.name.label("by"), ADJUDICATION.c.server_time.label("time"))
        .add_columns(*(ADJUDICATION.c[name] for name in ("item_id", "question", "answer", "reason")))
        .join(ITEM, ITEM.c.id == ADJUDICATION.c.item_id)
        .join(CODER, CODER.c.id == ADJUDICATION.c.coder_id)
        .where(ADJUDICATION.c.campaign_id == campaign.id)
        .order_by(ADJUDICATION.c.id)
    )
    if item_id is not None:
        query = query.where(ADJUDICATION.c.item_id == item_id)
    return [Ruling(**row._mapping) for row in connection.execute(query)]


def rulings_in_force(campaign: Campaign, all_rulings: Sequence[Ruling]) -> dict[tuple[int, str], Ruling]:
    """The rulings that hold, by item and question: the newest on each, where those above it let the question apply."""
    newest = {(ruling.item_id, ruling.question): ruling for ruling in all_rulings}
    answered = {key: ruling for key, ruling in newest.items() if ruling.answer is not None}
    by_item: dict[int, dict[str, str]] = defaultdict(dict)
    for (item, question), ruling in answered.items():
        by_item[item][question] = ruling.answer or ""
    return {key: ruling for key, ruling in answered.items() if _may_apply(campaign, key[1], by_item[key[0]])}


def settled(campaign: Campaign, in_force: dict[tuple[int, str], Ruling]) -> set[tuple[int, str]]:
    """The items and questions that need no ruling any more: those ruled on, and follow-ups that do not apply by one."""
    void = {
        (item, follower)
        for (item, question), ruling in in_force.items()
        for follower in campaign.questionnaire.followers(question)
        if not _may_apply(campaign, follower, {question: ruling.answer or ""})
    }
    return {*in_force, *void}


def next_open(
    connection: Connection, campaign: Campaign, in_force: dict[tuple[int, str], Ruling], item_id: int
) -> int | None:
    """The next item, around the end, on which coders differ and nobody has ruled."""
    done = settled(campaign, in_force)
    for side in (STANDING.c.item_id > item_id, STANDING.c.item_id < item_id):
        query = (
            answers_in_force(STANDING.c.item_id, STANDING.c.question)
            .join(TASK, TASK.c.id == STANDING.c.task_id)
            .where(side, STANDING.c.campaign_id == campaign.id, TASK.c.repeat.is_(False))
            .group_by(STANDING.c.item_id, STANDING.c.question)
            .having(func.count(STANDING.c.answer.distinct()) > 1)
            .order_by(STANDING.c.item_id)
        )
        for item, question in connection.execute(query):
            if (item, question) not in done and _differs(connection, campaign, item, question):
                return int(item)
    return None


def _differs(connection: Connection, campaign: Campaign, item: int, question: str) -> bool:
    rows = opinions(campaign, judged_items(connection, campaign, items=[item]))
    return any(row.differ for row in rows if row.question == question)


def opinions(campaign: Campaign, judged: Sequence[JudgedItem]) -> list[Opinions]:
    """What everybody said, by item and question."""
    by_item: dict[str, list[JudgedItem]] = defaultdict(list)
    for row in judged:
        by_item[row.item].append(row)
    return [
        Opinions(
            item_id=rows[0].item_id,
            item=item,
            part=rows[0].part,
            question=question,
            answers=answers,
            unsure=tuple(row.coder for row in rows if question in row.unsure),
            notes={row.coder: row.notes[question] for row in rows if question in row.notes},
        )
        for item, rows in by_item.items()
        for question in campaign.questionnaire.ids
        if (answers := {row.coder: row.labels[question] for row in rows if question in row.labels})
    ]
