"""The table of the answers in force: its trigger, damage that ``concur doctor`` finds, and making it again."""

import hashlib
import sqlite3
import uuid
from contextlib import closing

import pytest
from sqlalchemy import delete, insert, select, text, update

from concurrence.annotation.campaigns.campaign import find_coder
from concurrence.annotation.database.schema import STANDING
from concurrence.annotation.database.standing import check_standing, has_trigger, rebuild_standing
from concurrence.annotation.database.store import Store
from concurrence.annotation.decisions.coder_part import load_part
from concurrence.annotation.decisions.events import NewEvent, record
from concurrence.annotation.people.security_log import logged_acts
from support.campaign_cases import make_campaign
from support.databases import ready_database


def judge(store, answers):
    """These answers of anna's, one item after another; ``None`` withdraws the one before."""
    campaign = make_campaign(store, size=6)
    anna = store.read(lambda c: find_coder(c, campaign, "anna")).id
    tasks = store.read(lambda c: load_part(c, campaign, anna)).tasks
    for task, answer in answers:
        event = NewEvent(
            uuid=str(uuid.uuid4()),
            task=tasks[task].id,
            question="collocation",
            answer=answer,
            client_time=0,
            manual_version=1,
        )
        store.write(lambda c, event=event: record(c, campaign, anna, [event]))
    return campaign


ANSWERS = [(0, "no"), (1, "no"), (2, "no"), (2, None), (0, "yes")]


@pytest.fixture
def rows(store):
    judge(store, ANSWERS)
    return store.read(lambda c: c.execute(select(STANDING)).all())


def change(connection):
    connection.execute(update(STANDING).where(STANDING.c.answer == "yes").values(answer="no", note="hm"))


def lose(connection):
    connection.execute(delete(STANDING).where(STANDING.c.answer.is_(None)))


def invent(connection):
    row = dict(connection.execute(select(STANDING)).mappings().first())
    connection.execute(insert(STANDING).values(row | {"question": "kind"}))


DAMAGE = {
    change: ("changed", ("answer", "note")),
    lose: ("missing", ()),
    invent: ("surplus", ()),
}


def test_a_migrated_database_has_the_trigger_that_stands_beside_the_schema(database):
    with Store(database) as store:
        assert store.read(has_trigger)


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_found_and_mended(store, rows, damage):
    assert store.read(check_standing).passed
    store.write(damage)
    check = store.read(check_standing)
    assert (check.differences, check.events, check.answers, check.trigger) == (1, 5, 2, True)
    kind, columns = DAMAGE[damage]
    (place,) = check.first
    assert (place.campaign, place.coder, place.kind, place.columns) == ("verbs", "anna", kind, columns)
    store.write(rebuild_standing)
    assert store.read(check_standing).passed
    assert sorted(store.read(lambda c: c.execute(select(STANDING)).all())) == sorted(rows)


def test_without_its_trigger_new_decisions_are_missed_until_both_are_made_again(store):
    on = "" if store.path else " ON event"
    store.write(lambda c: c.execute(text(f"DROP TRIGGER event_stands{on}")))
    judge(store, ANSWERS)
    check = store.read(check_standing)
    assert (check.differences, check.trigger, len(check.first)) == (3, False, 3)
    store.write(rebuild_standing)
    assert store.read(check_standing).passed


def test_only_the_first_places_are_named(store, rows):
    store.write(lambda c: c.execute(delete(STANDING)))
    check = store.read(lambda c: check_standing(c, most=2))
    assert (check.differences, len(check.first)) == (len(rows), 2)


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Store(ready_database(tmp_path / "campaigns.db")) as store:
        judge(store, ANSWERS)
    return tmp_path / "campaigns.db"


def tamper(path, *statements):
    """Change a file by hand, as no program of ours would: without triggers and references."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def folder(path):
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in path.parent.iterdir()}


def test_an_intact_database_is_told_in_one_sentence_and_stays_as_it_is(concur, file):
    before = folder(file)
    done = concur("doctor", "--db", file.name)
    assert done.out == "The answers in force in campaigns.db are those of its log: 2 answers from 5 events.\n"
    assert (done.code, done.err) == (0, "")
    found = concur("doctor", "--db", file.name, "--rebuild", "--json").json
    assert (found["passed"], found["differences"], found["first"], found["trigger"]) == (True, 0, [], True)
    assert (found["events"], found["answers"], found["rebuilt"], found["backup"]) == (5, 2, False, None)
    assert folder(file) == before


def test_a_database_that_is_open_is_checked_with_what_is_not_in_the_file_yet(concur, file):
    with Store(file) as store:
        store.write(lose)
        assert concur("doctor", "--db", file.name).code == 3
        store.write(rebuild_standing)
        assert concur("doctor", "--db", file.name).code == 0


def test_a_damaged_database_is_listed_and_made_again(concur, file):
    tamper(
        file,
        "UPDATE standing SET answer = 'no' WHERE answer = 'yes'",
        "DELETE FROM standing WHERE answer IS NULL",
        "DROP TRIGGER event_stands",
        "UPDATE standing SET coder_id = 99 WHERE event_id = 2",
    )
    before = folder(file)
    done = concur("doctor", "--db", file.name)
    assert done.code == 3
    assert done.out.startswith("4 answers in force in campaigns.db differ from its log (2 answers from 5 events).\n")
    assert "number 99" in done.out
    assert "changed: answer" in done.out
    assert (
        "The trigger event_stands in campaigns.db, which keeps the answers in force, is missing or changed." in done.out
    )
    assert done.err == "Run this again with --rebuild to make the answers in force again from the log.\n"
    assert folder(file) == before
    shown = concur("doctor", "--db", file.name, "--json")
    assert (shown.code, shown.json["passed"], shown.json["differences"]) == (3, False, 4)
    assert {"campaign", "coder", "item", "question", "kind", "columns"} == shown.json["first"][0].keys()
    mended = concur("doctor", "--db", file.name, "--rebuild")
    assert mended.code == 0
    (backup,) = file.parent.glob("campaigns.db.backup-rebuild-*")
    assert f"The database as it was is kept in {backup.name}." in mended.out
    assert concur("doctor", "--db", file.name).code == 0
    assert concur("doctor", "--db", backup.name).code == 3
    with Store(file) as store:
        assert store.read(logged_acts)[0].act == "answers rebuilt"


@pytest.mark.postgres
def test_postgresql_is_checked_and_made_again(concur, postgres):
    database = postgres.new_database(ready=True)
    with Store(database) as store:
        judge(store, ANSWERS)
        assert concur("doctor", "--db", database).code == 0
        store.write(change)
    assert concur("doctor", "--db", database).code == 3
    mended = concur("doctor", "--db", database, "--rebuild", "--json").json
    assert (mended["passed"], mended["rebuilt"], mended["backup"]) == (True, True, None)
    assert concur("doctor", "--db", database).code == 0


def test_what_cannot_be_checked_is_told(concur, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "--rebuild needs the database" in concur("doctor", "--rebuild").err
    assert "There is no database none.db." in concur("doctor", "--db", "none.db").err
    (tmp_path / "notes.txt").write_text("no database at all, but long enough to look at" * 50)
    assert "not a campaign database" in concur("doctor", "--db", "notes.txt").err
    with Store("old.db"):
        pass
    tamper("old.db", "UPDATE alembic_version SET version_num = '0004'")
    assert "concur campaign list --db old.db upgrades an older one" in concur("doctor", "--db", "old.db").err
    tamper("old.db", "UPDATE alembic_version SET version_num = '9999'")
    assert "install a newer concurrence" in concur("doctor", "--db", "old.db").err
