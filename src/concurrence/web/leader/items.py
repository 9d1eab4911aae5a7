"""What leaders see of the items: everyone's answers, where they differ, and the rulings on them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import Path, Query
from sqlalchemy import select

from concurrence.annotation.campaigns.campaign import Campaign, coders_of
from concurrence.annotation.campaigns.items import context_lines, item_text
from concurrence.annotation.database.schema import ITEM
from concurrence.annotation.database.store import Store
from concurrence.annotation.decisions.adjudication import (
    Ruling,
    next_open,
    opinions,
    rulings,
    rulings_in_force,
    settled,
)
from concurrence.annotation.decisions.comments import commented_items, comments_on
from concurrence.annotation.decisions.current_answers import (
    CurrentAnswers,
    Flags,
    QuestionAnswers,
    answers_of_round,
    load_current_answers,
)
from concurrence.annotation.decisions.item_search import items_with_text
from concurrence.annotation.decisions.outcomes import item_columns, judged_items
from concurrence.core.errors import UnknownNameError
from concurrence.core.values import to_json
from concurrence.web.leader.page import LeaderPage
from concurrence.web.models import LARGEST_ID, NO_NUL, OptionalName

Row = tuple[int, str]  # an item and a question
MaybeName = Annotated[str | None, Query(max_length=200, pattern=NO_NUL)]  # forms send what is left empty
MaybeFlag = Annotated[bool | None, Query()]
Only = Annotated[Literal["all", "differing", "open", "unsure", "adjudicated"], Query()]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter:
    """Which items a leader wants to see; ``first`` to ``second_answer`` name a cell of a confusion matrix.

    ``coder`` to ``unsure`` ask for one answer of which all of them hold. What a form sends empty is not asked for.
    """

    question: MaybeName = None
    text: MaybeName = None
    coder: MaybeName = None
    answer: MaybeName = None
    note: MaybeFlag = None
    unsure: MaybeFlag = None
    comment: MaybeFlag = None
    first: OptionalName = None
    first_answer: OptionalName = None
    second: OptionalName = None
    second_answer: OptionalName = None
    only: Only = "all"
    start: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0
    limit: Annotated[int, Query(ge=1, le=1000)] = 100

    def __post_init__(self) -> None:
        for name in ("question", "text", "coder", "answer"):
            if getattr(self, name) == "":
                object.__setattr__(self, name, None)

    @property
    def narrowed(self) -> bool:
        """Whether an answer is asked for, whoever gave it."""
        return bool(self.coder or self.answer or self.note or self.unsure)

    def lets_through(self, answers: QuestionAnswers, ruled: Flags, done: Flags, coders: dict[str, int]) -> Flags:
        """By item, whether what everybody said to a question is wanted."""
        if self.question not in (None, answers.question):
            return np.zeros(len(answers.items), dtype=bool)
        kinds = {
            "all": np.ones(len(answers.items), dtype=bool),
            "differing": answers.differ,
            "open": answers.differ & ~done,
            "unsure": answers.unsure,
            "adjudicated": ruled,
        }
        matching = kinds[self.only]
        for coder, answer in ((self.first, self.first_answer), (self.second, self.second_answer)):
            if coder is not None:
                matching = matching & answers.by(coders.get(coder, 0), answer)
        if self.narrowed:
            coder_id = None if self.coder is None else coders.get(self.coder, 0)
            matching = matching & answers.any(
                coder=coder_id, label=self.answer, unsure=bool(self.unsure), noted=bool(self.note)
            )
        return matching


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFilter(ItemFilter):
    """The page begins with the disagreements."""

    only: Only = "differing"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemQuery:
    """One item, by the number in its address."""

    item: Annotated[int, Path(ge=1, le=LARGEST_ID)]


def items_page(store: Store, campaign: Campaign, query: ItemFilter) -> dict[str, Any]:
    """The items with everyone's answers: all, those on which coders differ, or those of one matrix cell."""
    if query.question is not None:
        campaign.questionnaire[query.question]

    whole = load_current_answers(store, campaign)

    def work(connection: Any) -> dict[str, Any]:
        current = _among(connection, campaign, answers_of_round(connection, campaign, whole, None), query)
        in_force = rulings_in_force(campaign, rulings(connection, campaign))
        people = coders_of(connection, campaign, "coder", "expert", "model")
        done = settled(campaign, in_force)
        rows = _wanted_rows(current, query, in_force.keys(), done, {person.name: person.id for person in people})
        page_rows = rows[query.start : query.start + query.limit]
        return {
            "total": len(rows),
            "total_items": len({item for item, _ in rows}),
            "filter": query,
            "coders": [person.name for person in people],
            "items": _shown_rows(connection, campaign, page_rows, in_force),
        }

    return store.read(work)


def _among(connection: Any, campaign: Campaign, current: CurrentAnswers, query: ItemFilter) -> CurrentAnswers:
    """What stands on the items that hold a text, and on those with a comment, where these are asked for."""
    if query.text is not None:
        current = current.where(np.isin(current.items, items_with_text(connection, campaign, query.text)))
    if query.comment:
        current = current.where(np.isin(current.items, commented_items(connection, campaign)))
    return current


def _wanted_rows(
    current: CurrentAnswers, query: ItemFilter, in_force: Collection[Row], done: Collection[Row], coders: dict[str, int]
) -> list[Row]:
    """The items and questions that are wanted, by item and in the order of the questions."""
    rows = []
    for place, question in enumerate(current.questionnaire.ids):
        answers = current.answers_to(question)
        ruled, closed = (
            np.isin(answers.items, [item for item, name in pairs if name == question]) for pairs in (in_force, done)
        )
        rows += [(item, place) for item in answers.items[query.lets_through(answers, ruled, closed, coders)].tolist()]
    return [(item, current.questionnaire.ids[place]) for item, place in sorted(rows)]


def _shown_rows(
    connection: Any, campaign: Campaign, rows: Sequence[Row], in_force: dict[Row, Ruling]
) -> list[dict[str, Any]]:
    items = sorted({item for item, _ in rows})
    columns = item_columns(connection, campaign, items=items)
    answers = {
        (row.item_id, row.question): row for row in opinions(campaign, judged_items(connection, campaign, items=items))
    }
    # What came in after the list was made is left for the next look.
    return [
        to_json(row)
        | {
            "text": item_text(columns[row.item], campaign.display.text, row.item),
            "differ": row.differ,
            "ruling": in_force.get(key),
        }
        for key in rows
        if (row := answers.get(key)) is not None
    ]


def item_page(store: Store, campaign: Campaign, query: ItemQuery) -> dict[str, Any]:
    """One item: its row, everyone's answers and notes, and all rulings on it."""

    def work(connection: Any) -> dict[str, Any]:
        condition = (ITEM.c.id == query.item) & (ITEM.c.campaign_id == campaign.id)
        key = connection.execute(select(ITEM.c.key).where(condition)).scalar()
        if key is None:
            raise UnknownNameError("item", str(query.item), [])
        columns = item_columns(connection, campaign, items=[query.item])[key]
        ruled = rulings(connection, campaign)
        judged, again = (
            judged_items(connection, campaign, repeats=repeats, items=[query.item]) for repeats in (False, True)
        )
        return {
            "item_id": query.item,
            "item": key,
            "text": item_text(columns, campaign.display.text, key),
            "columns": columns,
            "contexts": context_lines(columns, campaign.display),
            "opinions": [to_json(row) | {"differ": row.differ} for row in opinions(campaign, judged)],
            "again": opinions(campaign, again),
            "rulings": [ruling for ruling in ruled if ruling.item_id == query.item],
            "comments": comments_on(connection, campaign, [query.item]) if campaign.questionnaire.comments else None,
            "next_open": next_open(connection, campaign, rulings_in_force(campaign, ruled), query.item),
        }

    return store.read(work)


PAGES = (
    LeaderPage(name="items", tab="Disagreements", data=items_page, query=ItemFilter, page_query=PageFilter),
    LeaderPage(name="item", tab="Disagreements", data=item_page, query=ItemQuery, address="/items/{item}"),
)
