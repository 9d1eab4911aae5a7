"""What the leader's pages show: the decisions of the store, and the agreement that follows from them.

The statistics are those of ``concur agree``, on the same labels that ``concur campaign export`` writes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from concurrence.annotation.adjudication import Opinions, Ruling, last_words, opinions, rulings
from concurrence.annotation.campaigns import Campaign, coders_of, manual_of, rounds_of
from concurrence.annotation.decisions import Judged, item_columns, judged_items, progress
from concurrence.annotation.items import context_lines
from concurrence.annotation.part import item_text
from concurrence.annotation.schema import ITEM
from concurrence.annotation.store import Store
from concurrence.core.errors import UnknownNameError
from concurrence.core.values import plain


def progress_page(store: Store, campaign: Campaign) -> dict[str, Any]:
    """How far everybody is, and what there is to look at."""

    def work(connection: Any) -> dict[str, Any]:
        judged = judged_items(connection, campaign)
        held = last_words(rulings(connection, campaign))
        differing = [row for row in opinions(campaign, judged) if row.differ]
        return {
            "coders": progress(connection, campaign),
            "rounds": [row.name for row in rounds_of(connection, campaign)],
            "manual_version": manual_of(connection, campaign)[0],
            "differing": len(differing),
            "adjudicated": sum((row.item, row.question) in held for row in differing),
        }

    return store.read(work)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell of a confusion matrix: what the first and the second coder said."""

    first: str | None = None
    first_answer: str | None = None
    second: str | None = None
    second_answer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter:
    """Which items a leader wants to see."""

    question: str | None = None
    cell: Cell = Cell()
    only: str = "all"
    start: int = 0
    limit: int = 100


def items_page(store: Store, campaign: Campaign, wanted: ItemFilter) -> dict[str, Any]:
    """The items with everybody's answers, filtered."""
    if wanted.question is not None:
        campaign.questionnaire[wanted.question]
    judged, ruled = store.read(lambda connection: (judged_items(connection, campaign), rulings(connection, campaign)))
    held = last_words(ruled)
    texts = _texts(store, campaign)
    found = [row for row in opinions(campaign, judged) if _wanted(row, wanted, held)]
    shown = found[wanted.start : wanted.start + wanted.limit]
    rows = [
        plain(row)
        | {"text": texts[row.item], "differ": row.differ, "ruling": plain(held.get((row.item, row.question)))}
        for row in shown
    ]
    return {"total": len(found), "filter": wanted, "coders": _names(store, campaign), "items": rows}


def _wanted(row: Opinions, wanted: ItemFilter, held: dict[tuple[str, str], Ruling]) -> bool:
    if wanted.question is not None and row.question != wanted.question:
        return False
    for coder, answer in (
        (wanted.cell.first, wanted.cell.first_answer),
        (wanted.cell.second, wanted.cell.second_answer),
    ):
        if coder is not None and (coder not in row.answers or answer not in (None, row.answers[coder])):
            return False
    ruled = (row.item, row.question) in held
    kinds = {
        "all": True,
        "differing": row.differ,
        "open": row.differ and not ruled,
        "unsure": bool(row.unsure),
        "adjudicated": ruled,
    }
    return kinds[wanted.only]


def _texts(store: Store, campaign: Campaign) -> dict[str, str]:
    rows = store.read(lambda connection: item_columns(connection, campaign))
    return {key: item_text(columns, campaign.display.text, key) for key, columns in rows.items()}


def _names(store: Store, campaign: Campaign) -> list[str]:
    people = store.read(lambda connection: coders_of(connection, campaign, "coder", "expert", "model"))
    return [person.name for person in people]


def item_page(store: Store, campaign: Campaign, item_id: int) -> dict[str, Any]:
    """One item with all that is known of it."""

    def work(connection: Any) -> dict[str, Any]:
        key = connection.execute(
            select(ITEM.c.key).where(ITEM.c.id == item_id, ITEM.c.campaign_id == campaign.id)
        ).scalar()
        if key is None:
            raise UnknownNameError("item", str(item_id), [])
        columns = item_columns(connection, campaign)[key]
        judged = judged_items(connection, campaign)
        ruled = rulings(connection, campaign)
        return {
            "item_id": item_id,
            "item": key,
            "text": item_text(columns, campaign.display.text, key),
            "columns": columns,
            "contexts": context_lines(columns, campaign.display),
            "opinions": [plain(row) | {"differ": row.differ} for row in opinions(campaign, _of_item(judged, item_id))],
            "again": opinions(campaign, _of_item(judged_items(connection, campaign, repeats=True), item_id)),
            "rulings": [ruling for ruling in ruled if ruling.item_id == item_id],
            "next_open": _next_open(opinions(campaign, judged), last_words(ruled), item_id),
        }

    return store.read(work)


def _next_open(rows: Sequence[Opinions], held: dict[tuple[str, str], Ruling], item_id: int) -> int | None:
    """The next item, around the end, on which coders differ and nobody has ruled."""
    waiting = {row.item_id for row in rows if row.differ and (row.item, row.question) not in held} - {item_id}
    later = [item for item in waiting if item > item_id]
    return min(later or waiting, default=None)


def _of_item(judged: Sequence[Judged], item_id: int) -> list[Judged]:
    return [row for row in judged if row.item_id == item_id]
