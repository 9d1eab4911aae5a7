"""The leader's desk: coders come, leave and are replaced, items are added, a backup, the end; on both databases."""

import sqlite3
import stat
import threading
from contextlib import closing

import pytest
from sqlalchemy import delete, func, select
from sqlalchemy.exc import DBAPIError

from concurrence.annotation.campaigns.backup import back_up, delete_campaign
from concurrence.annotation.campaigns.campaign import (
    active_people,
    add_round,
    campaign_names,
    find_campaign,
    find_coder,
)
from concurrence.annotation.campaigns.items import make_items
from concurrence.annotation.database.schema import CAMPAIGN, EVENT, INSTALLATION, METADATA, SECURITY_LOG
from concurrence.annotation.database.standing import check_standing
from concurrence.annotation.database.store import Store
from concurrence.annotation.decisions.coder_part import load_part
from concurrence.annotation.decisions.current_answers import load_current_answers
from concurrence.annotation.decisions.events import NewEvent, record
from concurrence.annotation.decisions.exports import export_labels
from concurrence.annotation.decisions.outcomes import coder_progress, judged_items
from concurrence.annotation.desk.coders import add_coder, remove_coder, replace_coder
from concurrence.annotation.desk.items import add_items
from concurrence.annotation.desk.overview import desk_of
from concurrence.annotation.people.access import invite, open_session
from concurrence.core.errors import InvalidInputError, UnknownNameError
from support.campaign_cases import make_campaign

SECRET = b"s" * 32


def person(store, campaign, who):
    return store.read(lambda c: find_coder(c, campaign, who)).id


def part(store, campaign, who):
    return store.read(lambda c: load_part(c, campaign, person(store, campaign, who)))


def judge(store, campaign, who, *answers):
    """Answer the first tasks of a coder: ``no``, ``yes`` with its kind, or ``half``, which has no kind yet."""
    tasks = [task.id for task in part(store, campaign, who).tasks]
    events = []
    for task, said in zip(tasks, answers, strict=False):
        events.append((task, "collocation", "no" if said == "no" else "yes"))
        if said == "yes":
            events.append((task, "kind", "figurative"))
    made = [
        NewEvent(uuid=f"{who}{n}", task=task, question=q, answer=a, client_time=n, manual_version=1)
        for n, (task, q, a) in enumerate(events)
    ]
    receipts = store.write(lambda c: record(c, campaign, person(store, campaign, who), made))
    assert {receipt.status for receipt in receipts} <= {"stored"}


def decisions(store, campaign):
    rows = store.read(lambda c: judged_items(c, campaign))
    return {(row.coder, row.item, question, label) for row in rows for question, label in row.labels.items()}


def counts(store, campaign):
    return {row.coder: (row.done, row.items) for row in store.read(lambda c: coder_progress(c, campaign))}


def test_a_coder_is_replaced_in_the_middle_and_nothing_is_lost(store):
    campaign = make_campaign(store, size=6)
    token = store.write(lambda c: invite(c, campaign, "anna", SECRET))
    store.write(lambda c: open_session(c, token, SECRET))
    judge(store, campaign, "anna", "no", "yes", "half")
    before = decisions(store, campaign)
    texts = [task.text for task in part(store, campaign, "anna").tasks]
    load_current_answers(store, campaign)
    made = store.write(lambda c: replace_coder(c, campaign, "anna", "clara"))
    assert (made.coder, made.replaces, made.items, made.kept, made.links_ended) == ("clara", "anna", 4, 3, 1)
    assert decisions(store, campaign) == before
    assert store.read(check_standing).passed
    assert [task.text for task in part(store, campaign, "clara").tasks] == texts[2:]  # the half one and what follows
    assert store.write(lambda c: open_session(c, token, SECRET)) is None
    judge(store, campaign, "clara", "no", "no", "no", "no")
    assert before < decisions(store, campaign)
    assert counts(store, campaign) == {"anna": (2, 3), "clara": (4, 4), "ben": (0, 6)}
    items = {item for coder, item, _, _ in decisions(store, campaign) if coder in ("anna", "clara")}
    assert len(items) == 6
    assert [who.name for who in store.read(lambda c: active_people(c, campaign, "coder"))] == ["ben", "clara"]
    with pytest.raises(InvalidInputError, match="was removed from the campaign already"):
        store.write(lambda c: replace_coder(c, campaign, "anna", "dora"))
    with pytest.raises(InvalidInputError, match="Two people in the campaign are named 'ben'"):
        store.write(lambda c: replace_coder(c, campaign, "clara", "ben"))
    with pytest.raises(InvalidInputError, match="not a coder but a leader"):
        store.write(lambda c: replace_coder(c, campaign, "leader", "eva"))


def test_a_coder_who_is_removed_keeps_what_was_decided_and_can_come_back(store):
    campaign = make_campaign(store, size=6)
    judge(store, campaign, "anna", "no", "no")
    before = decisions(store, campaign)
    assert store.write(lambda c: remove_coder(c, campaign, "anna")).kept == 2
    assert decisions(store, campaign) == before
    assert counts(store, campaign) == {"anna": (2, 2), "ben": (0, 6)}
    given = store.write(
        lambda c: add_round(c, campaign, campaign.item_rows(make_items([{"l1": "x", "l2": "y"}])), name="second")
    )
    assert given == {"ben": 1}
    assert store.write(lambda c: add_coder(c, campaign, "anna", round_name="main")).items == 4
    assert counts(store, campaign)["anna"] == (2, 6)


def test_the_items_of_a_coder_who_left_are_there_for_who_comes(store):
    """A part that nobody has any more can be given again, and an expert judges everything."""
    rows = [{"l1": f"a{n}", "l2": "b", "part": part_} for n, part_ in enumerate(["1", "2", "all"])]
    campaign = make_campaign(store, rows=rows)
    store.write(lambda c: remove_coder(c, campaign, "anna"))
    assert store.read(lambda c: desk_of(c, campaign)).rounds[0].items == 3
    assert store.write(lambda c: add_coder(c, campaign, "ulla", expert=True)).items == 3
    assert store.write(lambda c: add_coder(c, campaign, "clara", part="1")).items == 2
    assert store.write(lambda c: add_coder(c, campaign, "anna", part="1")).items == 2


TRAINED = """
[training]
pass = 1.0

[[question]]
id = "good"
choices = ["yes", "no"]
"""


def trained(store, campaign, who, *answers):
    tasks = [task.id for task in part(store, campaign, who).tasks]
    made = [
        NewEvent(uuid=f"{who}{task}", task=task, question="good", answer=said, client_time=n, manual_version=1)
        for n, (task, said) in enumerate(zip(tasks, answers, strict=False))
    ]
    store.write(lambda c: record(c, campaign, person(store, campaign, who), made))


@pytest.mark.parametrize("answers", [(), ("yes",), ("yes", "yes"), ("yes", "yes", "no")])
def test_who_comes_later_begins_with_the_training(store, answers):
    rows = [{"id": str(n), "text": f"text {n}", "expected": "yes" if n < 2 else None} for n in range(5)]
    campaign = make_campaign(store, rows=rows, questions=TRAINED)
    trained(store, campaign, "anna", *answers[:2])
    trained(store, campaign, "anna", *answers[2:])
    change = store.write(lambda c: replace_coder(c, campaign, "anna", "clara"))
    store.write(lambda c: add_coder(c, campaign, "dora"))
    assert change.items == 5 - len(answers[2:])
    for who in ("clara", "dora"):
        mine = part(store, campaign, who)
        assert (mine.round, len(mine.tasks)) == ("training", 2)
        trained(store, campaign, who, "yes", "yes")
        assert part(store, campaign, who).round == "main"
    assert len(part(store, campaign, "clara").tasks) == 3 - len(answers[2:])
    assert len(part(store, campaign, "dora").tasks) == 3


def test_a_new_coder_gets_a_part_and_the_overlap(store):
    rows = [{"l1": f"a{n}", "l2": "b", "part": part_} for n, part_ in enumerate(["1", "2", "all", "1", "2"])]
    campaign = make_campaign(store, rows=rows)
    with pytest.raises(InvalidInputError, match="The items have the parts 1, 2; name one with --part"):
        store.write(lambda c: add_coder(c, campaign, "clara"))
    with pytest.raises(UnknownNameError, match="part '3'"):
        store.write(lambda c: add_coder(c, campaign, "clara", part="3"))
    assert store.write(lambda c: add_coder(c, campaign, "clara", part="2")).items == 3
    assert store.write(lambda c: add_coder(c, campaign, "dora", part="all")).items == 1
    assert store.write(lambda c: add_coder(c, campaign, "ulla", expert=True)).items == 5
    new = [{"l1": "new", "l2": "one", "part": "2"}, {"l1": "new", "l2": "two", "part": "all"}]
    more = campaign.item_rows(make_items(new))
    added = store.write(lambda c: add_items(c, campaign, more))
    assert added.items == 2
    assert added.tasks == {"anna": 1, "ben": 2, "clara": 2, "dora": 1, "ulla": 2}
    assert {task.text for task in part(store, campaign, "ben").tasks[-2:]} == {"new one", "new two"}
    again = store.write(lambda c: add_items(c, campaign, more))
    assert (again.items, set(again.tasks.values())) == (0, {0})
    nobodys = campaign.item_rows(make_items([{"l1": "p", "l2": "q", "part": "9"}]))
    with pytest.raises(InvalidInputError, match="part '9', which no coder has"):
        store.write(lambda c: add_items(c, campaign, nobodys))
    dealt = campaign.item_rows(make_items([{"l1": f"k{n}", "l2": "q"} for n in range(8)]))
    shares = store.write(lambda c: add_items(c, campaign, dealt, each_item=1)).tasks
    assert shares == {"anna": 2, "ben": 2, "clara": 2, "dora": 2, "ulla": 8}


def test_a_backup_is_whole_while_coders_are_at_work(store, tmp_path):
    campaign = make_campaign(store, size=40)
    judge(store, campaign, "anna", "yes", "no", "half")
    stop = threading.Event()

    def work():
        for n, task in enumerate(part(store, campaign, "ben").tasks):
            if stop.is_set():
                return
            made = NewEvent(
                uuid=f"b{n}", task=task.id, question="collocation", answer="no", client_time=n, manual_version=1
            )
            store.write(lambda c, made=made: record(c, campaign, person(store, campaign, "ben"), [made]))

    worker = threading.Thread(target=work)
    worker.start()
    path = back_up(store, tmp_path / "copy.db")
    stop.set()
    worker.join()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir() if "copy" in file.name] == ["copy.db"]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with Store(path) as copy:
        assert copy.backup is None
        assert copy.read(check_standing).passed
        there = {row for row in decisions(store, campaign) if row[0] == "anna"}
        assert {row for row in decisions(copy, campaign) if row[0] == "anna"} == there
        assert decisions(copy, campaign) <= decisions(store, campaign)
        assert copy.read(lambda c: find_campaign(c, "verbs")) == campaign
        with pytest.raises(DBAPIError, match="append-only"):
            copy.write(lambda c: c.execute(delete(EVENT)))
    with pytest.raises(InvalidInputError, match="already exists"):
        back_up(store, path)


def sizes(store):
    """Rows of every table that belongs to campaigns; the installation has a name, and its log outlives campaigns."""

    def size(table):
        return store.read(lambda c: c.execute(select(func.count()).select_from(table)).scalar())

    return {table.name: size(table) for table in METADATA.sorted_tables if table not in (INSTALLATION, SECURITY_LOG)}


def test_a_campaign_is_deleted_and_no_other(store):
    kept, gone = make_campaign(store, name="kept"), make_campaign(store, name="gone")
    for campaign in (kept, gone):
        judge(store, campaign, "anna", "yes", "no")
        store.write(lambda c, campaign=campaign: invite(c, campaign, "anna", SECRET))
    before = store.read(lambda c: export_labels(c, kept))
    rows = sizes(store)
    store.write(lambda c: delete_campaign(c, gone))
    assert store.read(campaign_names) == ["kept"]
    assert store.read(lambda c: export_labels(c, kept)).equals(before)
    assert sizes(store) == {name: count // 2 for name, count in rows.items()}
    with pytest.raises(DBAPIError, match="append-only"):
        store.write(lambda c: c.execute(delete(EVENT)))
    make_campaign(store, name="gone")
    assert store.read(lambda c: c.execute(select(func.count()).select_from(CAMPAIGN)).scalar()) == 2
