"""The answers in force: the table that a trigger keeps, against the log; the arrays, against the obvious rows."""

import itertools
import sqlite3
from contextlib import closing

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, insert, select

from concurrence.annotation.campaigns.campaign import CAMPAIGN, coders_of, find_campaign
from concurrence.annotation.database.cache import VersionedCache
from concurrence.annotation.database.migrate import upgrade_database
from concurrence.annotation.database.schema import CODER, EVENT, ITEM, MANUAL, ROUND, STANDING, TASK
from concurrence.annotation.database.standing import check_standing
from concurrence.annotation.database.store import Store, database_url
from concurrence.annotation.decisions.adjudication import opinions
from concurrence.annotation.decisions.coder_part import load_part
from concurrence.annotation.decisions.current_answers import (
    ARRAYS,
    database_version,
    load_current_answers,
    new_decisions,
    read_current_answers,
)
from concurrence.annotation.decisions.events import NewEvent, record
from concurrence.annotation.decisions.outcomes import coder_progress, judged_items
from support.campaign_cases import QUESTIONS, make_campaign
from support.decision_twins import question_labels, self_consistency_labels
from support.examples import examples

NUMBERS = itertools.count(1)

THREE_STEPS = (
    QUESTIONS
    + """
[[question]]
id = "why"
when = "kind=figurative"
choices = ["idiom", "metaphor"]
"""
)
ANSWERS = {
    "collocation": ["yes", "yes", "no", None],
    "kind": ["support verb", "figurative", None],
    "why": ["idiom", "metaphor", None],
}

acts = st.tuples(
    st.sampled_from(["anna", "ben"]),
    st.integers(0, 5),  # which task
    st.sampled_from(list(ANSWERS)).flatmap(lambda q: st.tuples(st.just(q), st.sampled_from(ANSWERS[q]))),
    st.none() | st.integers(1, 50),  # the counter: any order of arrival
    st.booleans(),
)
histories = st.lists(acts, min_size=1, max_size=40)


def play(store, history, campaign=None):
    """These events in batches of three, in a new campaign unless there is one."""
    plan = {"name": f"campaign {next(NUMBERS)}", "size": 4, "repeats": 2, "questions": THREE_STEPS}
    campaign = campaign or make_campaign(store, **plan)
    people = {row.name: row.id for row in store.read(lambda c: coders_of(c, campaign, "coder"))}
    tasks = {
        who: [task.id for task in store.read(lambda c, n=number: load_part(c, campaign, n)).tasks]
        for who, number in people.items()
    }
    for who, part in itertools.groupby(history, key=lambda act: act[0]):
        events = [
            NewEvent(
                uuid=f"{next(NUMBERS):036}",
                task=tasks[who][task],
                question=question,
                answer=answer,
                client_time=next(NUMBERS),
                counter=counter,
                unsure=unsure,
                note="hm" if unsure and question == "collocation" else None,
                manual_version=1,
            )
            for _, task, (question, answer), counter, unsure in part
        ]
        for start in range(0, len(events), 3):
            some = events[start : start + 3]
            store.write(lambda c, some=some, who=who: record(c, campaign, people[who], some))
    return campaign


few = settings(examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])


@few
@given(history=histories)
def test_the_table_always_equals_the_log(store, history):
    campaign = play(store, history)
    assert store.read(check_standing).passed
    events = store.read(lambda c: c.execute(select(EVENT).where(EVENT.c.campaign_id == campaign.id)).all())
    newest = {}
    for row in sorted(events, key=lambda row: (row.moment, row.id)):
        newest[row.task_id, row.question] = (row.id, row.answer, row.unsure, row.note)
    kept = store.read(lambda c: c.execute(select(STANDING).where(STANDING.c.campaign_id == campaign.id)).all())
    assert {(r.task_id, r.question): (r.event_id, r.answer, r.unsure, r.note) for r in kept} == newest


@few
@given(history=histories)
def test_the_arrays_say_what_the_rows_say(store, history):
    campaign = play(store, history)
    whole = store.read(lambda c: read_current_answers(c, campaign))
    first = store.read(lambda c: judged_items(c, campaign))
    again = store.read(lambda c: judged_items(c, campaign, repeats=True))
    for question in campaign.questionnaire.ids:
        for combined in (False, True):
            slow = question_labels(campaign, first, question, combined=combined)
            fast = whole.where(~whole.repeats).labels(question, combined=combined)
            assert (fast.coders, fast.categories) == (slow.coders, slow.categories)
            assert fast.items.tolist() == slow.items.tolist()
            assert fast.groups.tolist() == slow.groups.tolist()
            assert np.array_equal(fast.codes, slow.codes)
        said = whole.answers_to(question)
        rows = [row for row in opinions(campaign, first) if row.question == question]
        assert said.items.tolist() == [row.item_id for row in rows]
        assert said.differ.tolist() == [row.differ for row in rows]
        assert said.unsure.tolist() == [bool(row.unsure) for row in rows]
        for number, coder in whole.coder_names.items():
            for label in (None, *campaign.questionnaire[question].categories):
                slow = [coder in row.answers and label in (None, row.answers[coder]) for row in rows]
                assert said.by(number, label).tolist() == slow
            one = self_consistency_labels(campaign, first, again, coder, question)
            other = whole.repeated_labels(number, question)
            assert (one is None) == (other is None)
            assert one is None or sorted(one.codes.tolist()) == sorted(other.codes.tolist())


@few
@given(history=histories, later=histories)
def test_what_is_renewed_is_what_would_be_read_anew(store, history, later):
    campaign = play(store, history)
    old = load_current_answers(store, campaign)
    play(store, later, campaign)
    renewed, anew = load_current_answers(store, campaign), store.read(lambda c: read_current_answers(c, campaign))
    for name in ARRAYS:
        if name != "answers":
            assert np.array_equal(getattr(renewed, name), getattr(anew, name)), name
    assert answers_in_words(renewed) == answers_in_words(anew)
    assert (renewed.item_names, renewed.coder_names) == (anew.item_names, anew.coder_names)
    assert old.coder_names is renewed.coder_names  # it was not read anew


def answers_in_words(standing):
    return [
        [None if code < 0 else standing.texts[place][code] for place, code in enumerate(row)]
        for row in standing.answers.tolist()
    ]


@few
@given(history=histories)
def test_progress_counts_what_the_rows_count(store, history):
    campaign = play(store, history)
    rows = [
        row
        for repeats in (False, True)
        for row in store.read(lambda c, r=repeats: judged_items(c, campaign, repeats=r))
    ]
    for line in store.read(lambda c: coder_progress(c, campaign)):
        mine = [row for row in rows if row.coder == line.coder]
        assert line.items == 6
        assert line.done == sum(campaign.questionnaire.complete(row.answers) for row in mine)
        assert line.unsure == sum(bool(row.unsure) for row in mine)
        assert line.notes == sum(bool(row.notes) for row in mine)
        assert (line.last_decision is None) == (not mine)


def test_the_migration_builds_the_table_from_the_log(database):
    engine = create_engine(database_url(database))
    upgrade_database(engine, target="0002")
    rows = {
        CAMPAIGN: {
            "id": 1,
            "name": "old",
            "questions": QUESTIONS,
            "display": '{"text": ["l1"]}',
            "seed": 0,
            "created": 0,
        },
        MANUAL: {"campaign_id": 1, "version": 1, "text": "", "created": 0},
        ROUND: {"id": 1, "campaign_id": 1, "name": "main", "created": 0},
        ITEM: {"id": 1, "campaign_id": 1, "key": "a", "part": "all", "columns": '{"l1": "a"}'},
        CODER: {"id": 1, "campaign_id": 1, "name": "anna", "role": "coder", "seed": 0},
        TASK: {"id": 1, "coder_id": 1, "round_id": 1, "item_id": 1, "position": 1, "repeat": False},
    }
    event = {"campaign_id": 1, "coder_id": 1, "task_id": 1, "item_id": 1, "unsure": False, "origin": "coder"}
    event |= {"manual_version": 1, "client_time": 1, "server_time": 1}
    told = [("collocation", "yes", 9), ("kind", "figurative", 10), ("collocation", "no", 5), ("kind", None, 11)]
    with engine.begin() as connection:
        for table, row in rows.items():
            connection.execute(insert(table).values(row))
        for number, (question, answer, moment) in enumerate(told, start=1):
            own = {"uuid": str(number), "question": question, "answer": answer, "moment": moment}
            connection.execute(insert(EVENT).values(event | own))
    engine.dispose()
    with Store(database) as store:
        assert store.read(check_standing).passed
        kept = store.read(lambda c: c.execute(select(STANDING.c.question, STANDING.c.answer)).all())
        assert sorted(kept) == [("collocation", "yes"), ("kind", None)]
        campaign = store.read(lambda c: find_campaign(c, "old"))
        part = store.read(lambda c: load_part(c, campaign, 1))
        assert [task.text for task in part.tasks] == ["a"]  # shown though it was imported before that was kept
        assert part.newest == 11
        store.write(
            lambda c: record(
                c,
                campaign,
                1,
                [NewEvent(uuid="n", task=1, question="collocation", answer="no", client_time=0, manual_version=1)],
            )
        )
        assert store.read(check_standing).passed


def test_what_stands_is_read_again_only_after_a_change(store):
    campaign = play(store, [("anna", 0, ("collocation", "yes"), 5, False)])
    before = store.read(database_version)
    one = load_current_answers(store, campaign)
    assert load_current_answers(store, campaign) is one
    assert store.read(lambda c: new_decisions(c, campaign, before.event)) == 0
    other = play(store, [("ben", 1, ("collocation", "no"), None, False)])
    assert load_current_answers(store, campaign) is not one
    assert store.read(lambda c: new_decisions(c, campaign, before.event)) == 0
    assert store.read(lambda c: new_decisions(c, other, before.event)) == 1


def test_the_cache_forgets_what_was_not_asked_for_longest():
    cache, made = VersionedCache(most=2), []

    def look_up(key):
        return cache.get(key, 1, lambda: made.append(key))

    for key in "abacab":
        look_up(key)
    assert made == ["a", "b", "c", "b"]


def test_both_files_are_for_their_owner_alone(tmp_path):
    path = tmp_path / "campaigns.db"
    with Store(path) as store:
        make_campaign(store)
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert set(modes) >= {"campaigns.db", "campaigns.db-wal"}
    assert set(modes.values()) == {0o600}
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
