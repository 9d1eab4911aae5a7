"""What the adjudication page needs of one item: everyone's answers, most votes first, and where it stands in the row.

The page asks for the items on which coders differ, one after the other, and rules on all their questions at once.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from fastapi import Query
from sqlalchemy import Connection, select

from concurrence.annotation.campaigns.campaign import Campaign, manual_of
from concurrence.annotation.campaigns.items import context_lines, item_text
from concurrence.annotation.database.schema import ITEM
from concurrence.annotation.database.store import Store
from concurrence.annotation.decisions.adjudication import Opinions, Ruling, opinions, rulings, rulings_in_force, settled
from concurrence.annotation.decisions.comments import comments_on
from concurrence.annotation.decisions.current_answers import (
    CurrentAnswers,
    Numbers,
    answers_of_round,
    load_current_answers,
)
from concurrence.annotation.decisions.outcomes import item_columns, judged_items
from concurrence.annotation.questions.types.row import SeenItem
from concurrence.core.errors import UnknownNameError
from concurrence.web.leader.page import LeaderPage
from concurrence.web.manual import manual_html
from concurrence.web.models import LARGEST_ID


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjudicationQuery:
    """One item by its number; by default the first on which coders differ and nobody has ruled."""

    item: Annotated[int | None, Query(ge=1, le=LARGEST_ID)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """An answer and who gave it, with their notes."""

    answer: str
    coders: tuple[str, ...]
    unsure: tuple[str, ...]
    notes: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerVotes:
    """The answers to one question, most votes first; ``majority`` is the answer with more votes than any other."""

    question: str
    votes: tuple[Vote, ...]
    majority: str | None
    differ: bool


def count_votes(opinion: Opinions) -> AnswerVotes:
    """Count who said what; equal votes stay in the order in which they were met."""
    by_answer: dict[str, list[str]] = defaultdict(list)
    for coder, answer in opinion.answers.items():
        by_answer[answer].append(coder)
    ranked = sorted(by_answer.items(), key=lambda entry: -len(entry[1]))
    clear = len(ranked) == 1 or len(ranked[0][1]) > len(ranked[1][1])
    votes = tuple(
        Vote(
            answer=answer,
            coders=tuple(coders),
            unsure=tuple(coder for coder in coders if coder in opinion.unsure),
            notes={coder: opinion.notes[coder] for coder in coders if coder in opinion.notes},
        )
        for answer, coders in ranked
    )
    return AnswerVotes(
        question=opinion.question, votes=votes, majority=ranked[0][0] if clear else None, differ=opinion.differ
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeQueue:
    """The items on which coders differ, in order, and those that still need a ruling."""

    disputed: Numbers
    open: Numbers

    def around(self, item: int | None) -> dict[str, Any]:
        """Where an item stands in the queue, and what comes before and after it."""
        number = 0 if item is None else item
        before, after = self.disputed[self.disputed < number], self.disputed[self.disputed > number]
        later = self.open[self.open > number]
        waiting = later if len(later) else self.open[self.open != number]
        place = np.flatnonzero(self.disputed == number)
        return {
            "total": len(self.disputed),
            "decided": len(self.disputed) - len(self.open),
            "place": int(place[0]) + 1 if len(place) else None,
            "open": bool((self.open == number).any()),
            "previous": int(before[-1]) if len(before) else None,
            "next": int(after[0]) if len(after) else None,
            "next_open": int(waiting[0]) if len(waiting) else None,
        }


def dispute_queue(campaign: Campaign, current: CurrentAnswers, in_force: dict[tuple[int, str], Ruling]) -> DisputeQueue:
    """The items on which coders differ on any question."""
    done: dict[str, list[int]] = defaultdict(list)
    for item, question in settled(campaign, in_force):
        done[question].append(item)
    disputed, waiting = [], []
    for answers in map(current.answers_to, campaign.questionnaire.ids):
        differing = answers.items[answers.differ]
        disputed.append(differing)
        waiting.append(differing[~np.isin(differing, done[answers.question])])
    return DisputeQueue(disputed=np.unique(np.concatenate(disputed)), open=np.unique(np.concatenate(waiting)))


def adjudicate_page(store: Store, campaign: Campaign, query: AdjudicationQuery) -> dict[str, Any]:
    """One item to rule on: everyone's answers, the majority, the rulings so far, and how many items are decided."""
    whole = load_current_answers(store, campaign)

    def work(connection: Connection) -> dict[str, Any]:
        current = answers_of_round(connection, campaign, whole, None)
        all_rulings = rulings(connection, campaign)
        in_force = rulings_in_force(campaign, all_rulings)
        queue = dispute_queue(campaign, current, in_force)
        first = queue.open if len(queue.open) else queue.disputed
        item = query.item if query.item is not None else (int(first[0]) if len(first) else None)
        if item is None:
            return {"item_id": None, **queue.around(None)}
        mine = [ruling for ruling in all_rulings if ruling.item_id == item]
        return {**_item(connection, campaign, item), **queue.around(item), **_ruled(mine, in_force, item)}

    return store.read(work)


def _item(connection: Connection, campaign: Campaign, item: int) -> dict[str, Any]:
    condition = (ITEM.c.id == item) & (ITEM.c.campaign_id == campaign.id)
    entry = connection.execute(select(ITEM.c.key, ITEM.c.part).where(condition)).first()
    if entry is None:
        raise UnknownNameError("item", str(item), [])
    columns = item_columns(connection, campaign, items=[item])[entry.key]
    text = item_text(columns, campaign.display.text, entry.key)
    judged = judged_items(connection, campaign, items=[item])
    return {
        "item_id": item,
        "item": entry.key,
        "text": text,
        "part": entry.part,
        "contexts": context_lines(columns, campaign.display),
        "facts": {name: columns[name] for name in campaign.display.facts if name in columns},
        "shown": _question_extras(campaign, entry.key, text, columns),
        "coders": sorted({row.coder for row in judged}),
        "questions": [count_votes(opinion) for opinion in opinions(campaign, judged)],
        "comments": comments_on(connection, campaign, [item]) if campaign.questionnaire.comments else None,
    }


def _question_extras(campaign: Campaign, key: str, text: str, columns: dict[str, str]) -> dict[str, Any]:
    """What questions show of the item beside its text; two texts stand in the order of their columns."""
    seen = SeenItem(item=key, text=text, columns=columns, coder="", round="", repeat=False, seed=campaign.seed)
    extras = campaign.questionnaire.shown(seen)
    for entry in extras.values():
        if list(entry.get("order", ())) == ["b", "a"]:
            entry |= {"order": ["a", "b"], "texts": entry["texts"][::-1]}
    return extras


def _ruled(mine: Sequence[Ruling], in_force: dict[tuple[int, str], Ruling], item: int) -> dict[str, Any]:
    return {
        "rulings": {question: ruling for (number, question), ruling in in_force.items() if number == item},
        "history": mine,
    }


def _manual(store: Store, campaign: Campaign) -> dict[str, Any]:
    version, text = store.read(lambda connection: manual_of(connection, campaign))
    return {"manual_version": version, "manual_html": manual_html(text)}


PAGES = (
    LeaderPage(name="adjudicate", tab="Adjudicate", data=adjudicate_page, query=AdjudicationQuery, beside=_manual),
)
