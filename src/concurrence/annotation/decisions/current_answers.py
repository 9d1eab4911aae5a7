"""What stands in a whole campaign, as arrays: one row per task, one column per question.

The table ``standing`` is read once for all figures of the leader's pages, and again only when something changed.
``judged_items`` of ``decisions`` gives the same one item at a time; tests compare the two.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Select, func, select

from concurrence.annotation.campaigns.campaign import Campaign, find_round
from concurrence.annotation.database.schema import (
    ADJUDICATION,
    CLOSING,
    CODER,
    COMMENT,
    EVENT,
    ITEM,
    MANUAL,
    ROUND,
    STANDING,
    TASK,
)
from concurrence.annotation.database.standing import answers_in_force, changed_tasks
from concurrence.annotation.database.store import Store
from concurrence.annotation.questions.questionnaire import Questionnaire
from concurrence.core.labels import MISSING, Labels, ordered_categories

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

ARRAYS = ("tasks", "items", "coders", "rounds", "repeats", "times", "answers", "unsure", "noted")
MANY = 2000  # tasks that changed; beyond, everything is read again

_MARK = select(*(select(func.max(table.c.id)).scalar_subquery() for table in (EVENT, ADJUDICATION, CLOSING, MANUAL)))
_MARK = _MARK.add_columns(select(func.max(COMMENT.c.id)).scalar_subquery())
_MARK = _MARK.add_columns(*(select(func.max(table.c.id)).scalar_subquery() for table in (ROUND, CODER, ITEM, TASK)))
_MARK = _MARK.add_columns(select(func.max(CODER.c.removed)).scalar_subquery())


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseVersion:
    """How far the database has come; figures made at the same mark are the same."""

    event: int
    rulings: tuple[int, ...]  # and closings, manuals and comments
    people: tuple[int, ...]  # and rounds, items and tasks


def database_version(connection: Connection) -> DatabaseVersion:
    """How far the database has come: the newest row of each table that figures are made of."""
    first, *rest = (int(number or 0) for number in connection.execute(_MARK).one())
    return DatabaseVersion(event=first, rulings=tuple(rest[:4]), people=tuple(rest[4:]))


def new_decisions(connection: Connection, campaign: Campaign, since: int) -> int:
    """How many decisions came in after an event of this number."""
    later = (EVENT.c.id > since) & (EVENT.c.campaign_id == campaign.id) & (EVENT.c.origin != "rule")
    return int(connection.execute(select(func.count()).select_from(EVENT).where(later)).scalar() or 0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuestionAnswers:
    """What everybody said to one question: by item whether they differ and whether someone was unsure.

    ``rows``, ``coders`` and ``labels`` are the single answers: the place of the item, who, and what; ``doubted`` and
    ``noted`` tell which of them are unsure and which have a note.
    """

    question: str
    items: Numbers
    differ: Flags
    unsure: Flags
    rows: Numbers
    coders: Numbers
    labels: NDArray[Any]
    doubted: Flags
    noted: Flags

    def by(self, coder: int, label: str | None) -> Flags:
        """By item, whether a coder gave this label, or any."""
        return self.any(coder=coder, label=label)

    def any(
        self, *, coder: int | None = None, label: str | None = None, unsure: bool = False, noted: bool = False
    ) -> Flags:
        """By item, whether there is one answer of which all of this holds: whose it is, what, unsure, with a note."""
        matching = np.ones(len(self.rows), dtype=bool) if coder is None else self.coders == coder
        matching &= True if label is None else np.asarray(self.labels == label, dtype=bool)
        matching &= (self.doubted | (not unsure)) & (self.noted | (not noted))
        flags = np.zeros(len(self.items), dtype=bool)
        flags[self.rows[matching]] = True
        return flags


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurrentAnswers:
    """Every answer that stands, by round, item and coder; ``answers`` are numbers into ``texts``, -1 where none stands.

    ``times`` are those of the newest decision on a task. ``tasks`` to ``rounds`` are row numbers of the database, with
    their names beside them.
    """

    questionnaire: Questionnaire
    tasks: Numbers
    items: Numbers
    coders: Numbers
    rounds: Numbers
    repeats: Flags
    times: Numbers
    answers: NDArray[np.int32]
    unsure: Flags
    noted: Flags
    texts: tuple[tuple[str, ...], ...]
    item_names: dict[int, tuple[str, str]]  # key and part
    coder_names: dict[int, str]
    round_names: dict[int, str]

    def where(self, rows: Flags | Numbers) -> "CurrentAnswers":
        """Some of the tasks, or all in another order."""
        return replace(self, **{name: getattr(self, name)[rows] for name in ARRAYS})

    def complete(self) -> Flags:
        """By task, whether every question that applies has an answer."""
        done = np.ones(len(self.items), dtype=bool)
        for place, question in enumerate(self.questionnaire.questions):
            applies = np.ones(len(done), dtype=bool)
            if question.parent is not None:
                parent = self.questionnaire.ids.index(question.parent)
                above = self.questionnaire.questions[parent]
                calls = [above.meets(text, question.parent_answers) for text in self.texts[parent]]
                applies = np.array([*calls, False])[self.answers[:, parent]]
            done &= (self.answers[:, place] >= 0) | ~applies
        return done

    def label_codes(self, question: str, *, combined: bool = False) -> tuple[NDArray[np.int64], tuple[str, ...], bool]:
        """By task the number of its label, or -1; the labels; and whether they were declared."""
        chain = self.questionnaire.chain(question) if combined else [question]
        columns = self.answers[:, [self.questionnaire.ids.index(step) for step in chain]]
        kinds, inverse = _distinct_rows(columns)
        names = [self._name(question, chain, kind, combined=combined) for kind in kinds.tolist()]
        declared = self.questionnaire.path_labels(question) if combined else self.questionnaire[question].categories
        labels = declared or ordered_categories({name for name in names if name is not None})
        index = {name: code for code, name in enumerate(labels)}
        codes = np.array([MISSING if name is None else index[name] for name in names], dtype=np.int64)
        return codes[inverse], labels, bool(declared)

    def _name(self, question: str, chain: Sequence[str], kind: list[int], *, combined: bool) -> str | None:
        places = [self.questionnaire.ids.index(step) for step in chain]
        answers = {
            step: self.texts[place][code] for step, place, code in zip(chain, places, kind, strict=True) if code >= 0
        }
        if combined:
            return self.questionnaire.path_label(answers, question)
        return self.questionnaire[question].label(answers[question]) if answers else None

    def answers_to(self, question: str) -> "QuestionAnswers":
        """Who said what to a question, by item and coder, hidden repeats left out; the last round's word counts."""
        codes, labels, _ = self.label_codes(question)
        place = self.questionnaire.ids.index(question)
        answered = np.flatnonzero((codes >= 0) & ~self.repeats)
        keys = (self.items[answered] << 32) + self.coders[answered]
        _, backwards = np.unique(keys[::-1], return_index=True)  # rows stand by round, so the last is the newest
        last = answered[len(answered) - 1 - backwards]
        items, inverse = np.unique(self.items[last], return_inverse=True)
        low, high = np.full(len(items), len(labels)), np.full(len(items), -1)
        np.minimum.at(low, inverse, codes[last])
        np.maximum.at(high, inverse, codes[last])
        unsure = np.isin(items, self.items[answered[self.unsure[answered, place]]])
        return QuestionAnswers(
            question=question,
            items=items,
            differ=low != high,
            unsure=unsure,
            rows=inverse,
            coders=self.coders[last],
            labels=np.array([*labels, ""], dtype=object)[codes[last]],
            doubted=self.unsure[last, place],
            noted=self.noted[last, place],
        )

    def labels(self, question: str, *, combined: bool = False) -> Labels:
        """The answers to one question as labels with the declared choices; the groups are the items' parts.

        A follow-up has a label only where its coder met the condition, so two coders meet on the items that both
        called so. With ``combined`` the label is the whole path, such as ``no`` or ``yes/figurative``.
        """
        codes, categories, declared = self.label_codes(question, combined=combined)
        answered = np.flatnonzero(codes >= 0)
        several = len(np.unique(self.rounds[answered])) > 1
        rows, inverse = np.unique(self.items[answered] + several * (self.rounds[answered] << 32), return_inverse=True)
        people, first, column = np.unique(self.coders[answered], return_index=True, return_inverse=True)
        order = np.argsort(first)
        table = np.full((len(rows), len(people)), MISSING, dtype=np.int32)
        table[inverse, np.argsort(order)[column]] = codes[answered]
        names = [self.item_names[row & (2**32 - 1)] for row in rows.tolist()]
        suffixes = [f" ({self.round_names[row >> 32]})" if several else "" for row in rows.tolist()]
        return Labels(
            codes=table,
            categories=categories,
            coders=tuple(self.coder_names[number] for number in people[order].tolist()),
            items=np.array([key + end for (key, _), end in zip(names, suffixes, strict=True)], dtype=object),
            groups=np.array([part for _, part in names], dtype=object),
            categories_declared=declared,
        )

    def repeated_labels(self, coder: int, question: str) -> Labels | None:
        """A coder's first and second answers on the hidden repeats as the labels of two coders, if there are any."""
        codes, labels, declared = self.label_codes(question)
        mine = (self.coders == coder) & (codes >= 0)
        keys = (self.rounds << 32) + self.items
        both, once, again = np.intersect1d(keys[mine & ~self.repeats], keys[mine & self.repeats], return_indices=True)
        if not len(both):
            return None
        pairs = np.stack([codes[mine & ~self.repeats][once], codes[mine & self.repeats][again]], axis=1)
        rows = [[labels[first], labels[second]] for first, second in pairs.tolist()]
        return Labels.from_rows(rows, coders=["first", "again"], categories=labels if declared else None)


def _distinct_rows(columns: NDArray[np.int32]) -> tuple[NDArray[np.int32], Numbers]:
    """The distinct rows of a table of codes, and by row which of them it is."""
    inverse, first = np.zeros(len(columns), dtype=np.int64), np.zeros(min(len(columns), 1), dtype=np.int64)
    for column in columns.T.astype(np.int64):
        keys = inverse * (column.max(initial=0) + 2) + column + 1
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return columns[first], inverse


def load_current_answers(store: Store, campaign: Campaign) -> CurrentAnswers:
    """All that stands in a campaign; after a change, only the tasks that changed are read again."""
    version = store.read(database_version)
    return store.cache.get(
        ("standing", campaign.id, campaign.created),
        version,
        lambda: store.read(lambda connection: read_current_answers(connection, campaign)),
        lambda before, old: store.read(lambda connection: _renewed(connection, campaign, before, version, old)),
    )


def _renewed(
    connection: Connection, campaign: Campaign, before: DatabaseVersion, version: DatabaseVersion, old: CurrentAnswers
) -> CurrentAnswers:
    """What stands now, from what stood at an earlier mark and the tasks with events since."""
    changed = list(connection.execute(changed_tasks(campaign.id, before.event).limit(MANY)).scalars())
    if before.people != version.people or len(changed) == MANY:
        return read_current_answers(connection, campaign)
    if not changed:
        return old
    fresh = read_current_answers(connection, campaign, tasks=changed)
    unchanged = old.where(~np.isin(old.tasks, changed))
    texts = tuple(tuple(dict.fromkeys(one + other)) for one, other in zip(old.texts, fresh.texts, strict=True))
    parts = [replace(part, answers=_recoded(part, texts)) for part in (unchanged, fresh)]
    arrays: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS}
    whole = replace(old, texts=texts, **arrays)
    return whole.where(_order(whole))


def _recoded(part: CurrentAnswers, texts: tuple[tuple[str, ...], ...]) -> NDArray[np.int32]:
    """The answers of a part as numbers into other texts."""
    columns = []
    for place, (mine, all_) in enumerate(zip(part.texts, texts, strict=True)):
        index = {text: code for code, text in enumerate(all_)}
        codes = np.array([*(index[text] for text in mine), MISSING], dtype=np.int32)
        columns.append(codes[part.answers[:, place]])
    return np.stack(columns, axis=1)


def _order(current: CurrentAnswers) -> Numbers:
    return np.lexsort((current.tasks, current.coders, current.items, current.rounds)).astype(np.int64)


def answers_of_round(
    connection: Connection, campaign: Campaign, current: CurrentAnswers, name: str | None
) -> CurrentAnswers:
    """What stands in one round, or in all that count: the answers of the training round are left out."""
    if name is not None:
        return current.where(current.rounds == find_round(connection, campaign, name))
    training = campaign.questionnaire.training
    numbers = [number for number, called in current.round_names.items() if training and called == training.round]
    return current.where(~np.isin(current.rounds, numbers)) if numbers else current


def read_current_answers(
    connection: Connection, campaign: Campaign, tasks: Sequence[int] | None = None
) -> CurrentAnswers:
    """All that stands in a campaign, or on some tasks; then without the names."""
    query = _answers_query(campaign)
    columns = _columns(connection, query if tasks is None else query.where(STANDING.c.task_id.in_(tasks)), 11)
    numbers, places, inverse = np.unique(np.array(columns[0], dtype=np.int64), return_index=True, return_inverse=True)
    questions = {name: place for place, name in enumerate(campaign.questionnaire.ids)}
    place = np.array([questions[name] for name in columns[1]], dtype=np.int64)
    texts, codes = _encoded(columns[1], columns[2], campaign.questionnaire.ids)
    cells = {"answers": codes, "unsure": columns[3], "noted": columns[4]}
    shape = (len(numbers), len(questions))
    tables = {name: _pivot((inverse, place), values, shape, name) for name, values in cells.items()}
    times = np.zeros(len(numbers), dtype=np.int64)
    earlier = np.minimum(np.array(columns[5], dtype=np.int64), np.array(columns[6], dtype=np.int64))
    np.maximum.at(times, inverse, earlier)
    items, coders, rounds, repeats = (np.array(column, dtype=np.int64)[places] for column in columns[7:])
    whole = CurrentAnswers(
        questionnaire=campaign.questionnaire,
        tasks=numbers,
        items=items,
        coders=coders,
        rounds=rounds,
        repeats=repeats.astype(bool),
        times=times,
        **tables,
        texts=texts,
        **_names(connection, campaign if tasks is None else None),
    )
    return whole.where(_order(whole))


def _answers_query(campaign: Campaign) -> Select[Any]:
    return (
        answers_in_force(*(STANDING.c[name] for name in ("task_id", "question", "answer", "unsure")))
        .add_columns((func.coalesce(STANDING.c.note, "") != "").label("noted"))
        .add_columns(STANDING.c.client_time, STANDING.c.server_time, STANDING.c.item_id, STANDING.c.coder_id)
        .add_columns(TASK.c.round_id, TASK.c.repeat)
        .join(TASK, TASK.c.id == STANDING.c.task_id)
        .where(STANDING.c.campaign_id == campaign.id)
    )


def _columns(connection: Connection, query: Select[Any], width: int) -> list[tuple[Any, ...]]:
    # The driver's own tuples: a hundred thousand rows need no names, and no iterator each, as zip would give them.
    cursor = connection.execute(query).cursor
    rows = cursor.fetchall() if cursor is not None else []
    return [tuple(map(itemgetter(place), rows)) for place in range(width)]


def _encoded(
    questions: Sequence[str], answers: Sequence[str], ids: Sequence[str]
) -> tuple[tuple[tuple[str, ...], ...], list[int]]:
    indexes: dict[str, dict[str, int]] = {name: {} for name in ids}
    codes = [
        index.setdefault(answer, len(index))
        for name, answer in zip(questions, answers, strict=True)
        for index in (indexes[name],)
    ]
    return tuple(tuple(index) for index in indexes.values()), codes


def _pivot(at: tuple[Any, Any], values: Any, shape: tuple[int, int], name: str) -> Any:
    table = np.full(shape, MISSING, dtype=np.int32) if name == "answers" else np.zeros(shape, dtype=bool)
    table[at] = np.array(values, dtype=table.dtype)
    return table


def _names(connection: Connection, campaign: Campaign | None) -> dict[str, Any]:
    def rows(table: Any, *names: str) -> list[tuple[Any, ...]]:
        if campaign is None:
            return []
        query = select(table.c.id, *(table.c[name] for name in names)).where(table.c.campaign_id == campaign.id)
        cursor = connection.execute(query).cursor
        return list(cursor.fetchall()) if cursor is not None else []

    return {
        "item_names": {number: (key, part) for number, key, part in rows(ITEM, "key", "part")},
        "coder_names": dict(rows(CODER, "name")),
        "round_names": dict(rows(ROUND, "name")),
    }
