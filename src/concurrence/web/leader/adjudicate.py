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
class OfItem:
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
class Row:
    """The items on which coders differ, in order, and those that still need a ruling."""

    disputed: Numbers
    open: Numbers

    def around(self, item: int | None) -> dict[str, Any]:
        """Where an item stands in the row, and what comes before and after it."""
        here = 0 if item is None else item
        before, after = self.disputed[self.disputed < here], self.disputed[self.disputed > here]
        later = self.open[self.open > here]
        waiting = later if len(later) else self.open[self.open != here]
        place = np.flatnonzero(self.disputed == here)
        return {
            "total": len(self.disputed),
            "decided": len(self.disputed) - len(self.open),
            "place": int(place[0]) + 1 if len(place) else None,
            "open": bool((self.open == here).any()),
            "previous": int(before[-1]) if len(before) else None,
            "next": int(after[0]) if len(after) else None,
            "next_open": int(waiting[0]) if len(waiting) else None,
        }


def disputed_row(campaign: Campaign, standing: CurrentAnswers, held: dict[tuple[int, str], Ruling]) -> Row:
    """The items on which coders differ on any question."""
    done: dict[str, list[int]] = defaultdict(list)
    for item, question in settled(campaign, held):
        done[question].append(item)
    disputed, waiting = [], []
    for said in map(standing.said, campaign.questionnaire.ids):
        differing = said.items[said.differ]
        disputed.append(differing)
        waiting.append(differing[~np.isin(differing, done[said.question])])
    return Row(disputed=np.unique(np.concatenate(disputed)), open=np.unique(np.concatenate(waiting)))


def adjudicate_page(store: Store, campaign: Campaign, wanted: OfItem) -> dict[str, Any]:
    """One item to rule on: everyone's answers, the majority, the rulings so far, and how many items are decided."""
    whole = load_current_answers(store, campaign)

    def work(connection: Connection) -> dict[str, Any]:
        standing = answers_of_round(connection, campaign, whole, None)
        all_rulings = rulings(connection, campaign)
        held = rulings_in_force(campaign, all_rulings)
        row = disputed_row(campaign, standing, held)
        first = row.open if len(row.open) else row.disputed
        item = wanted.item if wanted.item is not None else (int(first[0]) if len(first) else None)
        if item is None:
            return {"item_id": None, **row.around(None)}
        mine = [ruling for ruling in all_rulings if ruling.item_id == item]
        return {**_item(connection, campaign, item), **row.around(item), **_ruled(mine, held, item)}

    return store.read(work)


def _item(connection: Connection, campaign: Campaign, item: int) -> dict[str, Any]:
    here = (ITEM.c.id == item) & (ITEM.c.campaign_id == campaign.id)
    found = connection.execute(select(ITEM.c.key, ITEM.c.part).where(here)).first()
    if found is None:
        raise UnknownNameError("item", str(item), [])
    columns = item_columns(connection, campaign, items=[item])[found.key]
    text = item_text(columns, campaign.display.text, found.key)
    judged = judged_items(connection, campaign, items=[item])
    return {
        "item_id": item,
        "item": found.key,
        "text": text,
        "part": found.part,
        "contexts": context_lines(columns, campaign.display),
        "facts": {name: columns[name] for name in campaign.display.facts if name in columns},
        "shown": _shown(campaign, found.key, text, columns),
        "coders": sorted({row.coder for row in judged}),
        "questions": [count_votes(opinion) for opinion in opinions(campaign, judged)],
        "comments": comments_on(connection, campaign, [item]) if campaign.questionnaire.comments else None,
    }


def _shown(campaign: Campaign, key: str, text: str, columns: dict[str, str]) -> dict[str, Any]:
    """What questions show of the item beside its text; two texts stand in the order of their columns."""
    seen = SeenItem(item=key, text=text, columns=columns, coder="", round="", repeat=False, seed=campaign.seed)
    shown = campaign.questionnaire.shown(seen)
    for entry in shown.values():
        if list(entry.get("order", ())) == ["b", "a"]:
            entry |= {"order": ["a", "b"], "texts": entry["texts"][::-1]}
    return shown


def _ruled(mine: Sequence[Ruling], held: dict[tuple[int, str], Ruling], item: int) -> dict[str, Any]:
    return {
        "rulings": {question: ruling for (number, question), ruling in held.items() if number == item},
        "history": mine,
    }


def _manual(store: Store, campaign: Campaign) -> dict[str, Any]:
    version, text = store.read(lambda connection: manual_of(connection, campaign))
    return {"manual_version": version, "manual_html": manual_html(text)}


PAGES = (LeaderPage(name="adjudicate", tab="Adjudicate", data=adjudicate_page, query=OfItem, beside=_manual),)
