"""Which items hold a text in what coders see of them; asked of the database, which has all items at hand."""

from typing import Any

import numpy as np
from sqlalchemy import JSON, ColumnElement, Connection, cast, func, or_, select

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.database.schema import ITEM
from concurrence.annotation.decisions.current_answers import Numbers


def items_with_text(connection: Connection, campaign: Campaign, text: str) -> Numbers:
    """The items whose name, text or examples hold a text, in capitals or not."""
    names = dict.fromkeys((*campaign.display.text, *campaign.display.contexts))
    places = [ITEM.c.key, *(_cell(connection, name) for name in names)]
    sqlite = connection.dialect.name == "sqlite"
    folded, wanted_text = (func.casefold, text.casefold()) if sqlite else (func.lower, text.lower())
    matching = or_(*(folded(place).contains(wanted_text, autoescape=True) for place in places))
    query = select(ITEM.c.id).where(ITEM.c.campaign_id == campaign.id, matching)
    return np.array(connection.execute(query).scalars().all(), dtype=np.int64)


def _cell(connection: Connection, name: str) -> ColumnElement[Any]:
    """A cell of an item's row, which is kept as JSON."""
    if connection.dialect.name == "sqlite":
        # A path such as $."name" cannot name a column with a quote in it.
        cells = func.json_each(ITEM.c.columns).table_valued("key", "value")
        return select(cells.c.value).where(cells.c.key == name).scalar_subquery()
    cell: ColumnElement[Any] = cast(ITEM.c.columns, JSON)[name].as_string()
    return cell
