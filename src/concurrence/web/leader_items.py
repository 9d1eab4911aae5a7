"""What leaders see of the items: everyone's answers, where they differ, and the rulings on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import Path, Query
from sqlalchemy import select

from concurrence.annotation.adjudication import Opinions, Ruling, last_words, opinions, rulings
from concurrence.annotation.campaigns import Campaign, coders_of
from concurrence.annotation.decisions import Judged, item_columns, judged_items
from concurrence.annotation.items import context_lines, item_text
from concurrence.annotation.schema import ITEM
from concurrence.annotation.store import Store
from concurrence.core.errors import UnknownNameError
from concurrence.core.values import plain
from concurrence.web.leader_page import LeaderPage
from concurrence.web.models import LARGEST_ID, OptionalName

Only = Annotated[Literal["all", "differing", "open", "unsure", "adjudicated"], Query()]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter:
    """Which items a leader wants to see; ``first`` to ``second_answer`` name a cell of a confusion matrix."""

    question: OptionalName = None
    first: OptionalName = None
    first_answer: OptionalName = None
    second: OptionalName = None
    second_answer: OptionalName = None
    only: Only = "all"
    start: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0
    limit: Annotated[int, Query(ge=1, le=1000)] = 100

    def lets_through(self, row: Opinions, *, ruled: bool) -> bool:
        """Whether what everybody said on a question of an item is wanted."""
        if self.question not in (None, row.question):
            return False
        for coder, answer in ((self.first, self.first_answer), (self.second, self.second_answer)):
            if coder is not None and (coder not in row.answers or answer not in (None, row.answers[coder])):
                return False
        kinds = {
            "all": True,
            "differing": row.differ,
            "open": row.differ and not ruled,
            "unsure": bool(row.unsure),
            "adjudicated": ruled,
        }
        return kinds[self.only]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFilter(ItemFilter):
    """The page begins with the disagreements."""

    only: Only = "differing"


@dataclass(frozen=True, slots=True, kw_only=True)
class OneItem:
    """One item, by the number in its address."""

    item: Annotated[int, Path(ge=1, le=LARGEST_ID)]


def items_page(store: Store, campaign: Campaign, wanted: ItemFilter) -> dict[str, Any]:
    """The items with everyone's answers: all, those on which coders differ, or those of one matrix cell."""
    if wanted.question is not None:
        campaign.questionnaire[wanted.question]

    def work(connection: Any) -> dict[str, Any]:
        held = last_words(rulings(connection, campaign))
        columns = item_columns(connection, campaign)
        rows = [
            row
            for row in opinions(campaign, judged_items(connection, campaign))
            if wanted.lets_through(row, ruled=(row.item, row.question) in held)
        ]
        people = coders_of(connection, campaign, "coder", "expert", "model")
        shown = [
            plain(row)
            | {
                "text": item_text(columns[row.item], campaign.display.text, row.item),
                "differ": row.differ,
                "ruling": held.get((row.item, row.question)),
            }
            for row in rows[wanted.start : wanted.start + wanted.limit]
        ]
        return {"total": len(rows), "filter": wanted, "coders": [person.name for person in people], "items": shown}

    return store.read(work)


def item_page(store: Store, campaign: Campaign, wanted: OneItem) -> dict[str, Any]:
    """One item: its row, everyone's answers and notes, and all rulings on it."""

    def work(connection: Any) -> dict[str, Any]:
        here = (ITEM.c.id == wanted.item) & (ITEM.c.campaign_id == campaign.id)
        key = connection.execute(select(ITEM.c.key).where(here)).scalar()
        if key is None:
            raise UnknownNameError("item", str(wanted.item), [])
        columns = item_columns(connection, campaign)[key]
        judged = judged_items(connection, campaign)
        again = judged_items(connection, campaign, repeats=True)
        ruled = rulings(connection, campaign)
        return {
            "item_id": wanted.item,
            "item": key,
            "text": item_text(columns, campaign.display.text, key),
            "columns": columns,
            "contexts": context_lines(columns, campaign.display),
            "opinions": [plain(row) | {"differ": row.differ} for row in opinions(campaign, _of_item(judged, key))],
            "again": opinions(campaign, _of_item(again, key)),
            "rulings": [ruling for ruling in ruled if ruling.item == key],
            "next_open": _next_open(opinions(campaign, judged), last_words(ruled), wanted.item),
        }

    return store.read(work)


def _of_item(judged: Sequence[Judged], key: str) -> list[Judged]:
    return [row for row in judged if row.item == key]


def _next_open(rows: Sequence[Opinions], held: dict[tuple[str, str], Ruling], item_id: int) -> int | None:
    """The next item, around the end, on which coders differ and nobody has ruled."""
    waiting = {row.item_id for row in rows if row.differ and (row.item, row.question) not in held} - {item_id}
    later = [item for item in waiting if item > item_id]
    return min(later or waiting, default=None)


PAGES = (
    LeaderPage(name="items", tab="Disagreements", data=items_page, query=ItemFilter, page_query=PageFilter),
    LeaderPage(name="item", tab="Disagreements", data=item_page, query=OneItem, address="/items/{item}"),
)
