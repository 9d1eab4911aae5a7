"""Where coders differ, and the leader's ruling on it, with its reason."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select

from concurrence.annotation.campaigns import Campaign
from concurrence.annotation.decisions import Judged
from concurrence.annotation.schema import ADJUDICATION, CODER, ITEM
from concurrence.annotation.store import now
from concurrence.core.errors import InvalidInputError


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
    """Record a ruling; ``answer`` is ``None`` where an earlier one is withdrawn. The same UUID counts once."""
    if not connection.execute(select(ITEM.c.id).where(ITEM.c.id == item_id, ITEM.c.campaign_id == campaign.id)).first():
        raise InvalidInputError("This item is not in the campaign.")
    if answer is not None and (sentence := campaign.questionnaire[question].objection(answer)):
        raise InvalidInputError(sentence)
    if not reason.strip():
        raise InvalidInputError("An adjudication needs a reason, so that the manual can be improved.")
    same = (ADJUDICATION.c.campaign_id == campaign.id) & (ADJUDICATION.c.uuid == uuid)
    if connection.execute(select(ADJUDICATION.c.id).where(same)).first():
        return
    row = {"uuid": uuid, "campaign_id": campaign.id, "item_id": item_id, "question": question, "answer": answer}
    row |= {"reason": reason, "coder_id": leader_id, "server_time": now()}
    connection.execute(insert(ADJUDICATION).values(row))


def rulings(connection: Connection, campaign: Campaign, *, item_id: int | None = None) -> list[Ruling]:
    """All rulings, oldest first."""
    wanted = (
        select(ITEM.c.key.label("item"), CODER.c.name.label("by"), ADJUDICATION.c.server_time.label("time"))
        .add_columns(*(ADJUDICATION.c[name] for name in ("item_id", "question", "answer", "reason")))
        .join(ITEM, ITEM.c.id == ADJUDICATION.c.item_id)
        .join(CODER, CODER.c.id == ADJUDICATION.c.coder_id)
        .where(ADJUDICATION.c.campaign_id == campaign.id)
        .order_by(ADJUDICATION.c.id)
    )
    if item_id is not None:
        wanted = wanted.where(ADJUDICATION.c.item_id == item_id)
    return [Ruling(**row._mapping) for row in connection.execute(wanted)]


def last_words(all_rulings: Sequence[Ruling]) -> dict[tuple[str, str], Ruling]:
    """The current ruling, by item and question."""
    newest = {(ruling.item, ruling.question): ruling for ruling in all_rulings}
    return {key: ruling for key, ruling in newest.items() if ruling.answer is not None}


def opinions(campaign: Campaign, judged: Sequence[Judged]) -> list[Opinions]:
    """What everybody said, by item and question."""
    by_item: dict[str, list[Judged]] = defaultdict(list)
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
