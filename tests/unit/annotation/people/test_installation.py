"""A database has one secret: who comes with another, or without the file, is told before any link is made."""

import pytest
from sqlalchemy import create_engine, func, select, text

from concurrence.annotation.database.migrate import upgrade_database
from concurrence.annotation.database.schema import INSTALLATION, SESSION
from concurrence.annotation.database.store import Store, database_url, now
from concurrence.annotation.people.access import (
    DAY,
    SessionLimits,
    end_sessions,
    hashed,
    invite,
    link_state,
    open_session,
    purge_sessions,
    revoke,
    sessions_of,
    visitor_of,
)
from concurrence.annotation.people.installation import database_name, fingerprint, renew_secret, secret_of
from concurrence.annotation.people.security_log import logged_acts
from concurrence.core.errors import InvalidInputError
from support.campaign_cases import make_campaign


def kept(store):
    return store.read(lambda c: c.execute(select(INSTALLATION.c.fingerprint)).scalar())


def test_the_first_who_asks_fixes_the_secret(store, tmp_path):
    make_campaign(store)
    assert kept(store) is None
    secret = secret_of(store, tmp_path / "secret")
    assert kept(store) == fingerprint(secret)
    assert secret.hex() not in kept(store)
    assert secret_of(store, tmp_path / "secret") == secret


def test_another_secret_is_refused_and_changes_nothing(store, tmp_path):
    secret = secret_of(store, tmp_path / "secret")
    with pytest.raises(InvalidInputError, match="secret"):
        secret_of(store, tmp_path / "missing")
    assert not (tmp_path / "missing").exists()
    (tmp_path / "other").write_bytes(b"o" * 32)
    with pytest.raises(InvalidInputError, match="secret"):
        secret_of(store, tmp_path / "other")
    assert kept(store) == fingerprint(secret)


def test_links_of_an_older_version_need_their_secret_file(store, tmp_path):
    campaign, secret = make_campaign(store), b"s" * 32
    store.write(lambda c: invite(c, campaign, "anna", secret))
    with pytest.raises(InvalidInputError, match="secret"):
        secret_of(store, tmp_path / "missing")
    (tmp_path / "secret").write_bytes(secret)
    assert secret_of(store, tmp_path / "secret") == secret


def test_a_lost_secret_is_made_anew_and_ends_all_links(store, tmp_path):
    campaign, secret = make_campaign(store), secret_of(store, tmp_path / "secret")
    token = store.write(lambda c: invite(c, campaign, "anna", secret))
    session, _ = store.write(lambda c: open_session(c, token, secret))
    (tmp_path / "secret").unlink()
    fresh = renew_secret(store, tmp_path / "secret")
    assert fresh != secret
    assert secret_of(store, tmp_path / "secret") == fresh
    assert store.read(lambda c: link_state(c, token, secret)) == "revoked"
    assert store.read(lambda c: visitor_of(c, session, secret)) is None


def test_every_database_has_its_own_name(database, tmp_path):
    with Store(database) as store, Store(tmp_path / "another.db") as other:
        name = store.read(database_name)
        assert name != other.read(database_name)
    with Store(database) as again:
        assert again.read(database_name) == name


def test_links_that_expire_and_links_for_once(store):
    campaign, secret = make_campaign(store), b"s" * 32

    def made(**options):
        return store.write(lambda c: invite(c, campaign, "anna", secret, **options))

    def state(token):
        return store.read(lambda c: link_state(c, token, secret))

    once, late, soon, plain = made(once=True), made(days=-0.1), made(days=0.1), made()
    assert [state(token) for token in (once, late, soon, plain)] == ["valid", "expired", "valid", "valid"]
    assert store.write(lambda c: open_session(c, once, secret)) is not None
    assert store.write(lambda c: open_session(c, once, secret)) is None
    assert store.write(lambda c: open_session(c, late, secret)) is None
    assert [state(token) for token in (once, "x" * 43)] == ["used", "unknown"]
    for _ in range(2):
        assert store.write(lambda c: open_session(c, plain, secret)) is not None
    assert state(made()) == state(plain) == "valid"
    store.write(lambda c: revoke(c, campaign, "anna"))
    assert state(plain) == "revoked"


def test_what_has_ended_is_purged_and_what_is_open_stays(store):
    campaign, secret = make_campaign(store), b"s" * 32
    token = store.write(lambda c: invite(c, campaign, "anna", secret))
    (_, gone), (old, _), (open_, visitor) = (store.write(lambda c: open_session(c, token, secret)) for _ in range(3))
    store.write(lambda c: end_sessions(c, [gone.session_id]))
    whose = store.read(lambda c: visitor_of(c, old, secret)).session_id
    store.write(
        lambda c: c.execute(SESSION.update().where(SESSION.c.id == whose).values(seen=SESSION.c.seen - 8 * DAY))
    )
    assert store.write(purge_sessions) == 2
    assert store.read(lambda c: [entry.id for entry in sessions_of(c, [visitor.coder_id])]) == [visitor.session_id]
    assert store.read(lambda c: visitor_of(c, open_, secret)) == visitor
    assert store.write(lambda c: purge_sessions(c, SessionLimits(idle=-1, absolute=DAY))) == 1
    assert store.read(lambda c: c.execute(select(func.count(SESSION.c.id))).scalar()) == 0


def test_the_log_tells_of_one_campaign_or_of_all(store):
    first, second, secret = make_campaign(store), make_campaign(store, name="nouns"), b"s" * 32
    for campaign in (first, second):
        store.write(lambda c, campaign=campaign: invite(c, campaign, "anna", secret))
    store.write(lambda c: revoke(c, first, "anna"))
    assert [(act.act, act.detail) for act in store.read(lambda c: logged_acts(c, "verbs"))] == [
        ("link made", None),
        ("revocation", "links: 1, sessions: 0"),
    ]
    assert [act.campaign for act in store.read(logged_acts)] == ["verbs", "nouns", "verbs"]


def test_sessions_and_links_survive_the_upgrade(database):
    engine, secret, moment = create_engine(database_url(database)), b"s" * 32, now() - 30 * DAY
    upgrade_database(engine, target="0002")
    with engine.begin() as connection:
        for statement in (
            "INSERT INTO campaign (name, questions, display, seed, created) VALUES ('verbs', '', '{}', 0, 0)",
            "INSERT INTO coder (campaign_id, name, role, seed) VALUES (1, 'anna', 'coder', 0)",
            "INSERT INTO invitation (coder_id, token_hash, created) VALUES (1, :link, :moment)",
            "INSERT INTO session (coder_id, token_hash, created, expires) VALUES (1, :session, :moment, :late)",
        ):
            hashes = {"link": hashed("link", secret), "session": hashed("session", secret)}
            times = {"moment": moment, "late": moment + 60 * DAY}
            wanted = {name: entry for name, entry in (hashes | times).items() if f":{name}" in statement}
            connection.execute(text(statement), wanted)
    engine.dispose()
    with Store(database) as store:
        assert store.read(lambda c: visitor_of(c, "session", secret)).name == "anna"
        assert store.read(lambda c: link_state(c, "link", secret)) == "valid"
        assert len(store.read(database_name)) == 8
        assert kept(store) is None
