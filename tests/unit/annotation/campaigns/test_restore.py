"""A backup becomes a database again: whole, one campaign, or up to an event; on both databases."""

import sqlite3
import uuid
from contextlib import closing

import pytest
from sqlalchemy import insert, select, text

from concurrence.annotation.campaigns.backup import back_up, delete_campaign
from concurrence.annotation.campaigns.campaign import campaign_names, find_campaign, find_coder
from concurrence.annotation.campaigns.restore import rehearse, rehearse_backup, restore
from concurrence.annotation.database.digests import database_digests, highest_numbers, whole_checksum
from concurrence.annotation.database.migrate import upgrade_database
from concurrence.annotation.database.schema import CODER, EVENT, ORGANISER
from concurrence.annotation.database.standing import check_standing
from concurrence.annotation.database.store import DatabaseError, Store, database_url
from concurrence.annotation.decisions.coder_part import load_part
from concurrence.annotation.decisions.events import NewEvent, record
from concurrence.annotation.decisions.exports import export_labels
from concurrence.core.errors import InvalidInputError, UnknownNameError
from support.campaign_cases import make_campaign
from support.databases import ready_database


@pytest.fixture
def empty(database, request, tmp_path):
    """A second, empty database of the same kind."""
    if "://" in database:
        return request.getfixturevalue("postgres").new_database()
    return str(tmp_path / "restored.db")


def judge(store, campaign, who, *answers):
    """Answer the first tasks of a coder, one event after the other."""
    number = store.read(lambda c: find_coder(c, campaign, who)).id
    tasks = store.read(lambda c: load_part(c, campaign, number)).tasks
    for n, (task, answer) in enumerate(zip(tasks, answers, strict=False)):
        entry = NewEvent(
            uuid=str(uuid.uuid4()),
            task=task.id,
            question="collocation",
            answer=answer,
            client_time=n,
            manual_version=1,
        )
        [receipt] = store.write(lambda c, entry=entry: record(c, campaign, number, [entry]))
        assert receipt.status == "stored"


def labels(store, campaign):
    return store.read(lambda c: export_labels(c, campaign)).rows()


def test_a_restored_backup_is_the_database(store, empty, tmp_path):
    campaign = make_campaign(store, size=8)
    judge(store, campaign, "anna", "yes", "no", "yes")
    judge(store, campaign, "anna", "no")
    before = store.read(database_digests)
    path = back_up(store, tmp_path / "copy.db")
    with Store(empty) as target:
        restored = restore(path, target)
        assert (restored.campaigns, restored.events) == (("verbs",), 4)
        assert target.read(database_digests) == before
        assert restored.checksum == whole_checksum(before)
        assert labels(target, campaign) == labels(store, campaign)
        judge(target, campaign, "ben", "yes")
        assert target.read(lambda c: max(c.execute(select(EVENT.c.id)).scalars())) == 5
        assert target.read(check_standing).passed
        with pytest.raises(InvalidInputError, match="never takes the place of anything"):
            restore(path, target)


def test_every_event_is_a_point_to_return_to(store, empty, tmp_path):
    campaign = make_campaign(store, size=4)
    history = []
    for answers in (("yes",), ("no",), ("no", "no"), ("yes",)):
        judge(store, campaign, "anna", *answers)
        history.append(store.read(lambda c: max(c.execute(select(EVENT.c.id)).scalars())))
    path = back_up(store, tmp_path / "copy.db")
    place = database_url(empty)
    for event in (1, 3, history[-1]):
        assert rehearse(path, place, until_event=event).restored.events == event
    with Store(empty) as target:
        restore(path, target, until_event=2)
        assert [row[3] for row in labels(target, campaign)] == ["no"]
        assert target.read(check_standing).passed
        judge(target, campaign, "ben", "yes")
        # A number that was used, also by an event that was left behind, is never used again.
        assert target.read(lambda c: max(c.execute(select(EVENT.c.id)).scalars())) == history[-1] + 1
    for event in (history[-1] + 1, 10**9):
        with pytest.raises(InvalidInputError, match=rf"copy\.db has no event {event}; its events are 1 to"):
            rehearse(path, place, until_event=event)


def test_a_deleted_campaign_comes_back_beside_the_others(store, tmp_path):
    campaign, other = make_campaign(store, size=5), make_campaign(store, name="nouns", size=3)
    store.write(lambda c: c.execute(insert(ORGANISER).values(id=7, name="ada", created=1)))
    store.write(lambda c: c.execute(CODER.update().where(CODER.c.role == "leader").values(organiser_id=7)))
    judge(store, campaign, "anna", "yes", "no")
    judge(store, other, "ben", "no")
    path, before = back_up(store, tmp_path / "copy.db"), labels(store, campaign)
    with pytest.raises(InvalidInputError, match="has a campaign 'verbs'"):
        restore(path, store, campaign="verbs")
    store.write(lambda c: delete_campaign(c, campaign))
    judge(store, other, "anna", "yes")
    with pytest.raises(UnknownNameError, match="no campaign 'verb'"):
        restore(path, store, campaign="verb")
    assert restore(path, store, campaign="verbs").events == 2
    assert labels(store, store.read(lambda c: find_campaign(c, "verbs"))) == before
    assert len(labels(store, other)) == 2
    assert set(store.read(lambda c: c.execute(select(CODER.c.organiser_id)).scalars())) == {7, None}
    assert store.read(check_standing).passed


def test_a_campaign_of_another_database_is_refused_whole(store, tmp_path):
    with Store(ready_database(tmp_path / "elsewhere.db")) as elsewhere:
        make_campaign(elsewhere, name="theirs", size=3)
        path = back_up(elsewhere, tmp_path / "theirs.db")
    make_campaign(store, size=3)
    before = store.read(database_digests)
    with pytest.raises(InvalidInputError, match=r"Rows of the table campaign cannot be stored in this database"):
        restore(path, store, campaign="theirs")
    assert store.read(database_digests) == before


def test_numbers_of_deleted_campaigns_are_not_used_after_a_restore(store, empty, tmp_path):
    make_campaign(store)
    second = make_campaign(store, name="second")
    store.write(lambda c: delete_campaign(c, second))
    path = back_up(store, tmp_path / "copy.db")
    with Store(empty) as target:
        restore(path, target)
        assert make_campaign(target, name="third").id == 3
        assert target.read(highest_numbers)["campaign"] == 3


def test_a_verified_backup_is_compared_with_its_moment(store, tmp_path):
    campaign = make_campaign(store, size=20)
    judge(store, campaign, "anna", "yes")
    rehearsals = []

    def check(copy, digests):
        judge(store, campaign, "ben", "no")  # coders go on while it is tried
        rehearsals.append(rehearse_backup(copy, store.url, digests, label="copy.db"))

    back_up(store, tmp_path / "copy.db", check=check)
    assert rehearsals[0].restored.events == 1
    assert rehearsals[0].place == store.url.get_backend_name()
    assert not list(tmp_path.glob("*rehearsal*"))
    if store.path is None:
        names = store.read(lambda c: c.execute(text("SELECT datname FROM pg_database")).scalars().all())
        assert not [name for name in names if "rehearsal" in name]


def test_a_backup_that_lacks_a_row_is_not_kept(store, tmp_path):
    campaign = make_campaign(store, size=20)
    judge(store, campaign, "anna", "yes", "no")

    def check(copy, digests):
        with closing(sqlite3.connect(copy)) as connection, connection:
            connection.execute("DROP TRIGGER event_no_delete")
            connection.execute("DELETE FROM standing WHERE event_id = 2")
            connection.execute("DELETE FROM event WHERE id = 2")
        rehearse_backup(copy, store.url, digests, label="copy.db")

    with pytest.raises(
        InvalidInputError, match=r"The table event has 1 rows instead of 2 in the restored backup copy\.db"
    ):
        back_up(store, tmp_path / "copy.db", check=check)
    assert not list(tmp_path.glob("*copy*"))


@pytest.mark.postgres
def test_who_may_make_no_database_rehearses_in_a_file(postgres, tmp_path):
    database = postgres.new_database()
    with Store(database) as store:
        name = store.url.database
        for statement in ("CREATE ROLE modest LOGIN", f"ALTER DATABASE {name} OWNER TO modest"):
            store.write(lambda c, statement=statement: c.execute(text(statement)))
    modest = database.replace("tests@", "modest@")
    with Store(ready_database(tmp_path / "one.db")) as store:
        make_campaign(store)
        path = back_up(store, tmp_path / "copy.db")
    rehearsal = rehearse(path, database_url(modest))
    assert (rehearsal.place, rehearsal.restored.campaigns) == ("sqlite", ("verbs",))
    with pytest.raises(DatabaseError, match="Cannot open the database"):
        rehearse(path, database_url("postgresql://tests@127.0.0.1:1/nowhere"))


def test_an_older_backup_is_restored_and_stays_as_it_is(tmp_path):
    from sqlalchemy import create_engine

    old = tmp_path / "old.db"
    engine = create_engine(database_url(old))
    upgrade_database(engine, target="0004")
    with engine.begin() as connection:
        connection.execute(
            text("INSERT INTO campaign (id, name, questions, display, seed, created) VALUES (1, 'c', '', '{}', 0, 0)")
        )
    engine.dispose()
    before = old.read_bytes()
    with Store(tmp_path / "new.db") as target:
        assert restore(old, target).campaigns == ("c",)
        assert target.read(campaign_names) == ["c"]
    assert old.read_bytes() == before


def test_what_is_no_backup_is_one_sentence(tmp_path, concur, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.csv").write_text("l1,l2\n", "utf-8")
    with closing(sqlite3.connect(tmp_path / "places.db")) as connection:
        connection.execute("CREATE TABLE campaign (id)")
    with Store(ready_database(tmp_path / "whole.db")) as store:
        make_campaign(store, size=400)
        back_up(store, tmp_path / "damaged.db")
    data = bytearray((tmp_path / "damaged.db").read_bytes())
    data[20 * 4096 : 24 * 4096] = b"\x00" * 4096 * 4
    (tmp_path / "damaged.db").write_bytes(data)
    cases = {
        "nothing.db": "There is no backup nothing.db.",
        "items.csv": "items.csv is no backup of campaigns",
        "places.db": "places.db is no backup of campaigns",
        "damaged.db": "damaged.db is damaged",
    }
    for name, sentence in cases.items():
        for more in ([], ["--rehearse"]):
            refused = concur("campaign", "restore", name, "--db", "new.db", *more)
            assert (refused.code, sentence in " ".join(refused.err.split())) == (2, True), refused.err
    assert not (tmp_path / "new.db").exists()


def test_the_commands_back_up_rehearse_and_restore(tmp_path, concur, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Store(ready_database(tmp_path / "concurrence.db")) as store:
        judge(store, make_campaign(store), "anna", "yes", "no")
    verified = concur("campaign", "backup", "--verify", "-o", "saved.db", "--json").json["verified"]
    assert (verified["place"], verified["restored"]["events"]) == ("sqlite", 2)
    rehearsal = concur("campaign", "restore", "saved.db", "--rehearse", "--json").json
    assert (rehearsal["rehearsal"], rehearsal["checksum"]) == (True, verified["restored"]["checksum"])
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".db") == ["concurrence.db", "saved.db"]
    restored = concur("campaign", "restore", "saved.db", "--db", "again.db")
    assert "saved.db was restored into again.db: 1 campaign (verbs), 6 items, 2 events" in " ".join(
        restored.out.split()
    )
    assert "revoke again what was revoked since" in " ".join(restored.err.split())
    acts = [act["act"] for act in concur("campaign", "log", "--db", "again.db", "--json").json["acts"]]
    assert acts == ["restored"]
    assert concur("doctor", "--db", "again.db").code == 0
