"""The log of decisions as a table: every event, in the order it came, withdrawn and changed ones too.

Times are milliseconds since 1970.
"""

import polars as pl
from sqlalchemy import Connection, select

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.database.schema import CODER, EVENT, ITEM, ROUND, TASK

OWN = ("question", "answer", "unsure", "note", "origin", "manual_version", "duration")
TIMES = ("client_time", "server_time", "moment")


def export_events(connection: Connection, campaign: Campaign) -> pl.DataFrame:
    """``event,item,coder,round,question,answer,…``; an event without an answer withdraws one."""
    query = (
        select(
            EVENT.c.id.label("event"),
            ITEM.c.key.label("item"),
            CODER.c.name.label("coder"),
            ROUND.c.name.label("round"),
            TASK.c.repeat,
            *(EVENT.c[name] for name in (*OWN, *TIMES)),
        )
        .join(TASK, TASK.c.id == EVENT.c.task_id)
        .join(ITEM, ITEM.c.id == EVENT.c.item_id)
        .join(CODER, CODER.c.id == EVENT.c.coder_id)
        .join(ROUND, ROUND.c.id == TASK.c.round_id)
        .where(EVENT.c.campaign_id == campaign.id)
        .order_by(EVENT.c.id)
    )
    names = ("event", "item", "coder", "round", "repeat", *OWN, *TIMES)
    rows = connection.execute(query).all()
    return pl.DataFrame(
        {name: [_cell(value) for value in column] for name, column in zip(names, zip(*rows, strict=True), strict=True)}
        if rows
        else {},
        schema=dict.fromkeys(names, pl.String),
    )


def _cell(value: object) -> str | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return None if value is None else str(value)
