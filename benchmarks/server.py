"""The annotation server: kill -9 under load, fifty coders for a minute on both databases, and a key on the page."""

import random
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.rows import Row

ROUNDS, CODERS, SECONDS = 50, 50, 60
KEYS, ITEMS = 200, 5000

# The load and the servers are those of the fault tests.
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))


def run() -> list[Row]:
    """All promises of the server; PostgreSQL and Chromium where they are installed."""
    from servers import Postgres, postgres_folder

    with tempfile.TemporaryDirectory() as folder:
        rows = _measure("SQLite", Path(folder), lambda: str(Path(folder) / f"{random.random()}.db"), None)
    if Postgres.installed():
        home = postgres_folder()
        server = Postgres(home).create().start()
        try:
            with tempfile.TemporaryDirectory() as folder:
                rows += _measure("PostgreSQL", Path(folder), server.new_database, server)
        finally:
            server.stop()
            shutil.rmtree(home, ignore_errors=True)
    return rows + measure_keys()


def measure_keys() -> list[Row]:
    """From a key press to the painted item, as Chromium tells, beside a page that only changes a text."""
    from key_times import press_keys
    from sites import PROGRAM, Site

    if PROGRAM is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        site.served.start()
        try:
            ours, least = (statistics.median(waits) / 1000 for waits in press_keys(site, keys=KEYS, size=ITEMS))
        finally:
            site.served.stop()
            site.store.close()
    what = f"key to painted item of {ITEMS:,}, median"
    return [
        _row(what, "wall s", ours, "one second", 1.0, 0.05),
        _row(what, "wall s", ours, "a page that changes one text", least, None),
    ]


def _measure(name: str, folder: Path, new_database: Callable[[], str], postgres: object) -> list[Row]:
    from load import Tally, kill_rounds, prepare, stored_uuids, work
    from servers import Served

    def interrupt(served: Served, number: int) -> None:
        both = postgres is not None and number % 2 == 1
        if both:
            postgres.kill()
        served.kill()
        if both:
            postgres.start()

    database, secret = new_database(), folder / "secret"
    served = Served(database, secret)
    tokens = prepare(database, secret, coders=6)
    kept = kill_rounds(served, tokens, rounds=ROUNDS, interrupt=interrupt, rng=random.Random(0))
    # A decision that is lost ends the benchmark with an error, so what is left to tell is how many there were.
    lost = _row(f"{name}: acknowledged decisions lost in {ROUNDS} kills", "rate", 0.0, "acknowledged", kept, 0.0)
    database = new_database()
    tokens = prepare(database, secret, coders=CODERS)
    served, tally = Served(database, secret).start(), Tally()
    try:
        work(served.url, tokens, tally, seconds=SECONDS, pause=0.5)
    finally:
        served.stop()
    stored = len(stored_uuids(database))
    what = f"{name}, {CODERS} coders for {SECONDS} s"
    return [
        lost,
        _row(f"{what}: errors", "rate", len(tally.errors), "batches", len(tally.times), 0.0),
        _row(f"{what}: decisions stored", "rate", stored, "acknowledged", len(tally.acknowledged), 1.0),
        _row(f"{what}: p95 of a batch", "wall s", tally.percentile(0.95) / 1000, "one second", 1.0, 0.5),
    ]


def _row(what: str, quantity: str, ours: float, peer: str, against: float, limit: float | None) -> Row:
    return Row(area="server", work=what, quantity=quantity, ours=ours, peer=peer, against=against, limit=limit)
