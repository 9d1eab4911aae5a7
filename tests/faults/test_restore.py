"""Backups under load: what was acknowledged before a verified backup began is there after a restore, once."""

import threading
import time

import pytest

from concurrence.annotation.campaigns.backup import back_up
from concurrence.annotation.campaigns.restore import rehearse_backup, restore
from concurrence.annotation.database.store import Store
from support.load import Tally, check_integrity, prepare, stored_uuids, work
from support.servers import PATIENCE, Served


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def databases(request, tmp_path):
    """One to work on, and an empty one of the same kind."""
    if request.param == "sqlite":
        return str(tmp_path / "campaigns.db"), str(tmp_path / "restored.db")
    server = request.getfixturevalue("postgres")
    return server.new_database(), server.new_database()


def test_a_backup_under_load_has_what_was_acknowledged_and_stops_nobody(databases, tmp_path):
    database, empty = databases
    tokens = prepare(database, tmp_path / "secret", coders=6)
    served, tally = Served(database, tmp_path / "secret").start(), Tally()
    worker = threading.Thread(target=work, args=(served.url, tokens, tally), kwargs={"seconds": PATIENCE})
    worker.start()
    acknowledged, verified = [], []
    try:
        with Store(database) as store:
            for number in range(2):
                wait_for(tally, len(tally.acknowledged) + 40, worker)
                acknowledged.append(set(tally.acknowledged))

                def check(copy, digests):
                    wait_for(tally, len(tally.acknowledged) + 1, worker)  # saving goes on while it is compared
                    verified.append(rehearse_backup(copy, store.url, digests, label=copy.name))

                back_up(store, tmp_path / f"copy{number}.db", check=check)
    finally:
        served.kill()
        worker.join()
    refused = [error for error in tally.errors if isinstance(error, dict)]
    assert refused == []
    for number, before in enumerate(acknowledged):
        uuids = stored_uuids(tmp_path / f"copy{number}.db")
        assert len(uuids) == len(set(uuids)) == verified[number].restored.events
        assert before <= set(uuids)
    with Store(empty) as target:
        restore(tmp_path / "copy1.db", target)
    go_on(empty, tokens, tmp_path)


def wait_for(tally, number, worker):
    deadline = time.monotonic() + PATIENCE
    while len(tally.acknowledged) < number and worker.is_alive() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(tally.acknowledged) >= number


def go_on(database, tokens, folder):
    """Coders go on with the same links where the backup ends, and nothing is doubled."""
    before = stored_uuids(database)
    served, tally = Served(database, folder / "secret").start(), Tally()
    try:
        work(served.url, tokens, tally, turns=3)
    finally:
        served.stop()
    assert tally.errors == []
    after = stored_uuids(database)
    assert len(after) == len(set(after)) == len(before) + tally.sent
    assert check_integrity(database)


@pytest.mark.parametrize("many", [1, pytest.param(3, marks=pytest.mark.thorough)])
def test_a_restore_that_is_killed_leaves_nothing_half_done(tmp_path, many):
    """The process ends inside of the transaction; the next try finds an empty database and fills it."""
    import subprocess
    import sys

    tokens = prepare(tmp_path / "campaigns.db", tmp_path / "secret", coders=2)
    with Store(tmp_path / "campaigns.db") as store:
        back_up(store, tmp_path / "copy.db")
    program = (
        "import os, sys; from concurrence.annotation.campaigns import restore as module;"
        "module.check_standing = lambda _: os._exit(9); from concurrence.annotation.database.store import Store;"
        "from pathlib import Path; module.restore(Path(sys.argv[1]), Store(sys.argv[2]))"
    )
    for _ in range(many):
        command = [sys.executable, "-c", program, tmp_path / "copy.db", tmp_path / "restored.db"]
        assert subprocess.run(command, check=False).returncode == 9
    with Store(tmp_path / "restored.db") as target:
        assert restore(tmp_path / "copy.db", target).campaigns == ("verbs",)
    go_on(tmp_path / "restored.db", tokens, tmp_path)
