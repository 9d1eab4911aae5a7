"""Comments on items, between the leader and the coders, in campaigns that allow them.

Everyone who judges an item sees all comments on it. That lets coders agree with each other instead of judging on their
own, so it is off unless the questions file says ``comments = true``. A comment is stored once, and never changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from sqlalchemy import Connection, Select, insert, select

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.database.schema import CODER, COMMENT, ITEM, TASK
from concurrence.annotation.database.store import now
from concurrence.annotation.decisions.events import Receipt
from concurrence.core.errors import InvalidInputError

LONGEST = 2000
OFF = "This campaign has no comments; they are allowed by comments = true in its questions file."


@dataclass(frozen=True, slots=True, kw_only=True)
class NewComment:
    """A comment as a client sends it; ``task`` is the item in the coder's own part."""

    uuid: str
    task: int
    text: str
    client_time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment on an item: who wrote it, and when it reached the server."""

    item_id: int
    by: str
    role: str
    text: str
    time: int


def add_comments(
    connection: Connection, campaign: Campaign, coder_id: int, comments: Sequence[NewComment]
) -> list[Receipt]:
    """Store the comments of a coder on items of the coder's own part; each is known by its UUID and stored once."""
    tasks = [comment.task for comment in comments]
    mine = select(TASK.c.id, TASK.c.item_id).where(TASK.c.id.in_(tasks), TASK.c.coder_id == coder_id)
    items = {row.id: row.item_id for row in connection.execute(mine)}
    uuids = [comment.uuid for comment in comments]
    same = select(COMMENT.c.uuid).where(COMMENT.c.coder_id == coder_id, COMMENT.c.uuid.in_(uuids))
    stored = set(connection.execute(same).scalars())
    receipts, rows = [], []
    for comment in comments:
        reason = _objection(campaign, comment.text, items.get(comment.task))
        if comment.uuid in stored:
            receipts.append(Receipt(uuid=comment.uuid, status="known"))
            continue
        receipts.append(Receipt(uuid=comment.uuid, status="refused" if reason else "stored", reason=reason))
        if reason is None:
            stored.add(comment.uuid)
            place = {"campaign_id": campaign.id, "item_id": items[comment.task], "coder_id": coder_id}
            content = {"uuid": comment.uuid, "text": comment.text.strip(), "client_time": comment.client_time}
            rows.append(place | content | {"server_time": now()})
    if rows:
        connection.execute(insert(COMMENT), rows)
    return receipts


def _objection(campaign: Campaign, text: str, item: int | None) -> str | None:
    if not campaign.questionnaire.comments:
        return OFF
    if item is None:
        return "This item is not in your part."
    return None if text.strip() else "A comment must not be empty."


def comment_as_leader(
    connection: Connection, campaign: Campaign, leader_id: int, *, uuid: str, item_id: int, text: str
) -> None:
    """Store the leader's comment on any item; the same UUID counts once."""
    item = select(ITEM.c.id).where(ITEM.c.id == item_id, ITEM.c.campaign_id == campaign.id)
    if connection.execute(item).first() is None:
        raise InvalidInputError("This item is not in the campaign.")
    if reason := _objection(campaign, text, item_id):
        raise InvalidInputError(reason)
    same = (COMMENT.c.coder_id == leader_id) & (COMMENT.c.uuid == uuid)
    if connection.execute(select(COMMENT.c.id).where(same)).first():
        return
    row = {"uuid": uuid, "campaign_id": campaign.id, "item_id": item_id, "coder_id": leader_id, "text": text.strip()}
    connection.execute(insert(COMMENT).values(row | {"client_time": now(), "server_time": now()}))


def _query(campaign: Campaign) -> Select[Any]:
    return (
        select(COMMENT.c.item_id, COMMENT.c.text, COMMENT.c.server_time.label("time"))
        .add_columns(CODER.c.name.label("by"), CODER.c.role)
        .join(CODER, CODER.c.id == COMMENT.c.coder_id)
        .where(COMMENT.c.campaign_id == campaign.id)
        .order_by(COMMENT.c.id)
    )


def comments_on(connection: Connection, campaign: Campaign, items: Sequence[int] | None = None) -> list[Comment]:
    """All comments, or those on some items, oldest first."""
    query = _query(campaign) if items is None else _query(campaign).where(COMMENT.c.item_id.in_(items))
    return [Comment(**row._mapping) for row in connection.execute(query)]


def part_comments(
    connection: Connection, campaign: Campaign, coder_id: int, round_id: int
) -> list[tuple[int, Comment]]:
    """The comments on the items of a coder's round, each with the task it belongs to, oldest first."""
    if not campaign.questionnaire.comments:
        return []
    query = (
        _query(campaign)
        .add_columns(TASK.c.id.label("task"))
        .join(TASK, TASK.c.item_id == COMMENT.c.item_id)
        .where(TASK.c.coder_id == coder_id, TASK.c.round_id == round_id)
    )
    rows = [dict(row._mapping) for row in connection.execute(query)]
    return [(row.pop("task"), Comment(**row)) for row in rows]


def commented_items(connection: Connection, campaign: Campaign) -> list[int]:
    """The items that have a comment."""
    query = select(COMMENT.c.item_id).where(COMMENT.c.campaign_id == campaign.id).distinct()
    return list(connection.execute(query).scalars())


def export_comments(connection: Connection, campaign: Campaign) -> pl.DataFrame:
    """``item,by,role,time,comment``, oldest first; times in UTC."""
    comments = comments_on(connection, campaign)
    names = select(ITEM.c.id, ITEM.c.key).where(ITEM.c.id.in_({one.item_id for one in comments}))
    keys = {row.id: row.key for row in connection.execute(names)}
    rows = [(keys[one.item_id], one.by, one.role, one.time, one.text) for one in comments]
    schema = {"item": pl.String, "by": pl.String, "role": pl.String, "time": pl.Int64, "comment": pl.String}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return frame.with_columns(pl.from_epoch("time", time_unit="ms").dt.strftime("%Y-%m-%dT%H:%M:%SZ"))
