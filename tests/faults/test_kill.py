"""kill -9 under load: every acknowledged decision is there, once, and the database is whole."""

import random
from contextlib import closing

import pytest

from support.load import every_type, kill_rounds, prepare
from support.servers import Served


def test_sqlite_keeps_what_it_acknowledged(tmp_path):
    database, secret = tmp_path / "campaigns.db", tmp_path / "secret"
    tokens = prepare(database, secret, coders=4)
    served = Served(database, secret)
    kept = kill_rounds(served, tokens, rounds=3, interrupt=lambda s, _: s.kill(), rng=random.Random(1))
    assert kept >= 3 * 30


@pytest.mark.thorough
def test_every_type_of_question_keeps_what_it_acknowledged(tmp_path):
    database, secret = tmp_path / "campaigns.db", tmp_path / "secret"
    tokens = prepare(database, secret, coders=4, **every_type(50))
    served = Served(database, secret)
    kept = kill_rounds(served, tokens, rounds=2, interrupt=lambda s, _: s.kill(), rng=random.Random(3))
    assert kept >= 2 * 30


@pytest.mark.postgres
def test_postgresql_keeps_what_it_acknowledged(postgres, tmp_path):
    """Every other round the database itself is killed too."""
    database, secret = postgres.new_database(), tmp_path / "secret"
    tokens = prepare(database, secret, coders=4)
    served = Served(database, secret)

    def interrupt(server, number):
        if number % 2:
            postgres.kill()
        server.kill()
        if number % 2:
            postgres.start()

    assert kill_rounds(served, tokens, rounds=3, interrupt=interrupt, rng=random.Random(2)) >= 3 * 30


@pytest.mark.postgres
def test_the_server_outlives_its_database(postgres, tmp_path):
    database, secret = postgres.new_database(), tmp_path / "secret"
    (token,) = prepare(database, secret, coders=1)
    served = Served(database, secret).start()
    try:
        with closing(served.join(f"#{token}")) as client:
            assert client.get("/api/campaigns/1/part").status_code == 200
            postgres.kill()
            away = client.get("/api/campaigns/1/part")
            assert away.status_code == 503
            assert set(away.json()) == {"error"}
            answer = {"uuid": "0" * 8 + "-0000-4000-8000-" + "0" * 12, "item": 1, "question": "a", "answer": "y"}
            batch = {"events": [answer | {"client_time": 1, "manual_version": 1}]}
            assert client.post("/api/campaigns/1/events", json=batch).status_code == 503
            postgres.start()
            assert client.get("/api/campaigns/1/part").status_code == 200
            assert client.post("/api/campaigns/1/events", json=batch).json()["receipts"][0]["status"] == "stored"
    finally:
        served.kill()
