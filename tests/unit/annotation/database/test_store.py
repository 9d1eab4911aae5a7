"""The store: migrations with a backup, group commit, links and sessions."""

import re
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest
from alembic import op
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, delete, func, insert, inspect, select, text, update
from sqlalchemy.exc import IntegrityError

from concurrence.annotation.campaigns.backup import back_up, delete_campaign
from concurrence.annotation.campaigns.campaign import add_manual, find_campaign, find_coder
from concurrence.annotation.database import store as store_module
from concurrence.annotation.database.migrate import upgrade_database
from concurrence.annotation.database.schema import CAMPAIGN, EVENT, INVITATION, METADATA, SESSION, STANDING
from concurrence.annotation.database.store import DatabaseError, Store, database_url
from concurrence.annotation.decisions.coder_part import load_part
from concurrence.annotation.decisions.events import NewEvent, record
from concurrence.annotation.decisions.exports import export_labels
from concurrence.annotation.people.access import (
    end_sessions,
    invite,
    load_secret,
    open_session,
    revoke,
    secret_path,
    visitor_of,
)
from concurrence.core.errors import InvalidInputError
from support.campaign_cases import event, make_campaign
from support.databases import ready_database


def test_the_migrations_make_the_tables_that_the_code_names(store):
    def differences(connection):
        context = MigrationContext.configure(
            connection, opts={"include_object": lambda o, n, t, r, c: n != "alembic_version"}
        )
        return compare_metadata(context, METADATA)

    assert store.read(differences) == []


def test_an_older_database_is_upgraded_with_a_backup(tmp_path):
    path = tmp_path / "old.db"
    engine = create_engine(database_url(path))
    assert upgrade_database(engine, target="0001") is None
    with engine.begin() as connection:
        row = {"name": "kept", "questions": "", "display": "{}", "seed": 0, "created": 0}
        connection.execute(insert(CAMPAIGN).values(row))
    engine.dispose()
    with Store(path) as opened:
        assert opened.backup is not None
        assert opened.read(lambda c: c.execute(select(CAMPAIGN.c.name)).scalar()) == "kept"
    with closing(sqlite3.connect(opened.backup)) as copy:
        assert copy.execute("SELECT name FROM campaign").fetchall() == [("kept",)]
        assert copy.execute("SELECT name FROM sqlite_master WHERE name = 'decision'").fetchall() == []
    assert stat.S_IMODE(opened.backup.stat().st_mode) == 0o600
    with Store(path) as again:
        assert again.backup is None


def test_a_migration_that_fails_leaves_the_database_as_it_was(database, monkeypatch):
    execute = op.execute

    def fails_at_the_view(statement):
        if "CREATE VIEW" in statement:
            raise ZeroDivisionError
        execute(statement)

    monkeypatch.setattr(op, "execute", fails_at_the_view)
    with pytest.raises(ZeroDivisionError):
        Store(database)
    engine = create_engine(database_url(database))
    assert inspect(engine).get_table_names() == []
    engine.dispose()
    monkeypatch.undo()
    Store(database).close()


def test_no_number_is_used_twice(store):
    """Neither a campaign's nor that of anything in it, of which browsers and servers may remember something."""
    old = numbers(store, make_campaign(store))
    store.write(lambda c: delete_campaign(c, find_campaign(c, "verbs")))
    new = numbers(store, make_campaign(store))
    assert old.keys() == new.keys()
    assert [name for name in old if old[name] >= new[name]] == []


def numbers(store, campaign):
    """The highest number of each table that has rows of a campaign, after one decision."""
    coder = store.read(lambda c: find_coder(c, campaign, "anna")).id
    task = store.read(lambda c: load_part(c, campaign, coder)).tasks[0].id
    store.write(lambda c: record(c, campaign, coder, [said_yes(task)]))
    tables = [table for table in METADATA.sorted_tables if "id" in table.c and table.name != "installation"]
    highest = {
        table.name: store.read(lambda c, t=table: c.execute(select(func.max(t.c.id))).scalar()) for table in tables
    }
    return {name: number for name, number in highest.items() if number is not None}


def test_an_upgrade_keeps_every_row_and_every_guard(tmp_path):
    path = tmp_path / "old.db"
    engine = create_engine(database_url(path))
    upgrade_database(engine, target="0006")
    engine.dispose()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys=ON")
        for statement in OLD_ROWS:
            connection.execute(statement)
        connection.commit()
        before = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in OLD_TABLES}
        objects = connection.execute("SELECT type, name FROM sqlite_master WHERE type != 'table' ORDER BY 2").fetchall()
    with Store(path) as store:
        assert store.write(lambda c: c.exec_driver_sql("PRAGMA foreign_keys").scalar()) == 1
        with pytest.raises(IntegrityError, match="append-only"):
            store.write(lambda c: c.execute(update(EVENT).values(answer="no")))
    with closing(sqlite3.connect(path)) as connection:
        assert {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in OLD_TABLES} == before
        assert connection.execute("SELECT * FROM round_item").fetchall() == [(1, 5), (1, 6)]
        query = "SELECT type, name FROM sqlite_master WHERE type != 'table' ORDER BY 2"
        assert [row for row in connection.execute(query) if "round_item" not in row[1]] == objects


OLD_TABLES = ("campaign", "round", "item", "coder", "task", "event", "standing", "decision", "invitation")
OLD_ROWS = (
    "INSERT INTO campaign VALUES (3, 'old', '', '{}', 0, 0)",
    "INSERT INTO item VALUES (6, 3, 'of nobody', 'all', '{}', NULL)",
    "INSERT INTO round VALUES (1, 3, 'main', 0)",
    "INSERT INTO item VALUES (5, 3, 'k', 'all', '{}', NULL)",
    "INSERT INTO coder (id, campaign_id, name, role, seed) VALUES (2, 3, 'anna', 'coder', 0)",
    "INSERT INTO task VALUES (9, 2, 1, 5, 0, 0)",
    "INSERT INTO event VALUES (4, 'u', 3, 2, 9, 5, 'q', 'yes', 0, NULL, 'coder', 1, NULL, 0, 0, 0)",
    "INSERT INTO invitation (id, coder_id, token_hash, created) VALUES (8, 2, 'h', 0)",
)


def test_a_newer_database_is_left_alone(tmp_path):
    path = tmp_path / "new.db"
    Store(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(InvalidInputError, match="newer concurrence"):
        Store(path)


def test_a_file_that_is_no_database_is_told(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("no database at all, but long enough to look at" * 50)
    with pytest.raises(InvalidInputError, match="not a campaign database"):
        Store(path)
    with pytest.raises(InvalidInputError, match="folder does not exist"):
        Store(tmp_path / "nowhere" / "x.db")
    with pytest.raises(InvalidInputError, match="SQLite or PostgreSQL"):
        Store("mysql://host/db")
    with pytest.raises(InvalidInputError, match="Cannot open the database"):
        Store("postgresql://127.0.0.1:1/none")


def test_a_full_disk_is_told(tmp_path):
    with Store(tmp_path / "x.db") as store:
        store.write(lambda c: c.exec_driver_sql(f"PRAGMA max_page_count = {3 + pages(c)}").scalar())
        with pytest.raises(DatabaseError, match=r"The disk that holds the database .*x\.db is full; free some space"):
            make_campaign(store, size=2000)
        assert store.read(lambda c: c.execute(select(CAMPAIGN.c.name)).all()) == []  # nothing half-written


def pages(connection):
    return connection.exec_driver_sql("PRAGMA page_count").scalar()


def damage(path, first, last):
    """Overwrite some pages, as a failing disk does."""
    with path.open("r+b") as file:
        file.seek(first)
        file.write(b"\xa5" * (last - first))


@pytest.mark.parametrize("first", [4096 * 2, 4096 * 40, 4096 * 70])
def test_damaged_pages_are_told(tmp_path, first):
    path = tmp_path / "x.db"
    with Store(path) as store:
        make_campaign(store, size=3000)
    damage(path, first, path.stat().st_size - 4096)
    with pytest.raises(DatabaseError, match=r"The database .*x\.db is damaged; restore it from a backup\."):
        use_everything(path)


def said_yes(task):
    sent = event(task, "collocation", "yes")
    return NewEvent(task=sent.pop("item"), **sent)


def judged_database(path):
    """A campaign whose items all have an answer; gives the labels."""
    with Store(ready_database(path)) as store:
        campaign = make_campaign(store, size=60)
        anna = store.read(lambda c: find_coder(c, campaign, "anna")).id
        for task in store.read(lambda c: load_part(c, campaign, anna)).tasks:
            store.write(lambda c, task=task: record(c, campaign, anna, [said_yes(task.id)]))
        return store.read(lambda c: export_labels(c, campaign))


@pytest.mark.parametrize("content", ["zeros", "noise", "another page"])
def test_an_export_and_a_backup_are_whole_or_refused(tmp_path, content):
    """Whichever page of the database is lost."""
    whole, broken = tmp_path / "whole.db", tmp_path / "broken.db"
    labels, data = judged_database(whole), whole.read_bytes()
    size, pages = 4096, len(data) // 4096
    refused = 0
    for page in range(1, pages):
        lost = {"zeros": b"\0" * size, "noise": b"\xa5" * size, "another page": data[(page - 1) * size : page * size]}
        broken.write_bytes(data[: page * size] + lost[content] + data[(page + 1) * size :])
        for work in (labels_of, backup_of):
            try:
                result = work(broken)
            except (DatabaseError, InvalidInputError):
                refused += 1
            else:
                assert result.equals(labels), (work.__name__, page)
        for end in ("", "-wal", "-shm"):
            Path(f"{broken}{end}").unlink(missing_ok=True)
    assert refused > pages


def labels_of(path):
    with Store(path) as store:
        return store.read_whole(lambda c: export_labels(c, find_campaign(c, "verbs")))


def backup_of(path):
    copy = path.with_name("copy.db")
    copy.unlink(missing_ok=True)
    with Store(path) as store:
        back_up(store, copy)
    return labels_of(copy)


def test_a_lost_answer_is_told_before_an_export(store):
    """On both stores: the log has an answer that the table of answers in force has not."""
    campaign = make_campaign(store)
    anna = store.read(lambda c: find_coder(c, campaign, "anna")).id
    task = store.read(lambda c: load_part(c, campaign, anna)).tasks[0].id
    store.write(lambda c: record(c, campaign, anna, [said_yes(task)]))
    assert len(store.read_whole(lambda c: export_labels(c, campaign))) == 1
    store.write(lambda c: c.execute(delete(STANDING)))
    with pytest.raises(DatabaseError, match="not those of its log; concur doctor"):
        store.read_whole(lambda c: export_labels(c, campaign))


def use_everything(path):
    with Store(path) as store:
        campaign = store.read(lambda c: find_campaign(c, "verbs"))
        coder = store.read(lambda c: find_coder(c, campaign, "anna"))
        store.read(lambda c: load_part(c, campaign, coder.id))
        store.read(lambda c: export_labels(c, campaign))
        store.write(lambda c: add_manual(c, campaign, "x" * 100_000))


def test_sqlite_is_durable(tmp_path):
    with Store(tmp_path / "x.db") as store:
        pragmas = store.write(
            lambda c: [c.execute(text(f"PRAGMA {p}")).scalar() for p in ("journal_mode", "synchronous")]
        )
    assert pragmas == ["wal", 2]


@pytest.mark.postgres
def test_postgresql_is_durable(postgres):
    with Store(postgres.new_database()) as store:
        assert store.write(lambda c: c.execute(text("SHOW synchronous_commit")).scalar()) == "on"


def test_works_that_wait_are_committed_together(store, monkeypatch):
    groups, gate = [], threading.Event()
    commit = store_module._commit_group
    monkeypatch.setattr(
        store_module,
        "_commit_group",
        lambda engine, group, told: (groups.append(len(group)), commit(engine, group, told)),
    )
    blocker = store.submit(lambda c: gate.wait(10))
    while not groups:
        pass
    promises = [store.submit(lambda c, n=n: n * n) for n in range(20)]
    gate.set()
    assert blocker.result(10) is True
    assert [promise.result(10) for promise in promises] == [n * n for n in range(20)]
    assert groups == [1, 20]


def test_a_work_that_fails_takes_no_other_with_it(store):
    gate = threading.Event()
    row = {"questions": "", "display": "{}", "seed": 0, "created": 0}

    def add(name):
        return lambda c: c.execute(insert(CAMPAIGN).values(row | {"name": name})) and name

    def half(connection):
        add("half")(connection)
        raise ZeroDivisionError

    first = store.submit(lambda c: gate.wait(10))
    promises = [store.submit(add("a")), store.submit(half), store.submit(add("a")), store.submit(add("b"))]
    gate.set()
    first.result(10)
    assert [promises[0].result(10), promises[3].result(10)] == ["a", "b"]
    assert isinstance(promises[1].exception(10), ZeroDivisionError)
    assert "IntegrityError" in type(promises[2].exception(10)).__name__
    assert store.read(lambda c: list(c.execute(select(CAMPAIGN.c.name)).scalars())) == ["a", "b"]


def test_the_secret_is_made_once_and_for_the_owner_alone(tmp_path):
    path = tmp_path / "secret"
    secret = load_secret(path)
    assert len(secret) == 32
    assert load_secret(path) == secret
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_bytes(b"short")
    with pytest.raises(InvalidInputError, match="not a secret"):
        load_secret(path)


def test_the_secret_lies_beside_the_database(tmp_path, monkeypatch):
    with Store(tmp_path / "x.db") as store:
        assert secret_path(store) == tmp_path / "x.db.secret"
        monkeypatch.setenv("CONCURRENCE_SECRET_FILE", str(tmp_path / "other"))
        assert secret_path(store) == tmp_path / "other"


def test_links_open_sessions_until_they_are_revoked(store):
    campaign, secret = make_campaign(store), b"s" * 32
    token = store.write(lambda c: invite(c, campaign, "anna", secret))
    assert re.fullmatch(r"[\w-]{43}", token)  # 256 bits
    session, visitor = store.write(lambda c: open_session(c, token, secret))
    assert (visitor.name, visitor.role, visitor.campaign_id) == ("anna", "coder", campaign.id)
    kept = store.read(lambda c: str([*c.execute(select(INVITATION)), *c.execute(select(SESSION))]))
    assert token not in kept
    assert session not in kept
    assert store.write(lambda c: open_session(c, token, b"t" * 32)) is None
    other, guest = store.write(lambda c: open_session(c, token, secret))
    store.write(lambda c: end_sessions(c, [guest.session_id]))
    assert store.read(lambda c: visitor_of(c, other, secret)) is None
    assert store.read(lambda c: visitor_of(c, session, secret)) == visitor
    assert store.write(lambda c: revoke(c, campaign, "anna")) == 1
    assert store.read(lambda c: visitor_of(c, session, secret)) is None
    assert store.write(lambda c: open_session(c, token, secret)) is None
