"""The annotation server: kill -9 under load, fifty coders for a minute on both databases, and a key on the page."""

import random
import shutil
import statistics
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.rows import Row, leave_out

if TYPE_CHECKING:
    from support.load import Tally

ROUNDS, CODERS, SECONDS = 50, 50, 60
PAUSE = 0.5  # seconds from an answer to the next batch of a coder
KEYS, ITEMS, KINDS = 200, 5000, 2
UPLOADED, CHARACTERS = 20_000, 3_000
QUICK = {"ROUNDS": 1, "CODERS": 2, "SECONDS": 1, "KEYS": 20, "ITEMS": 50, "KINDS": 1, "UPLOADED": 50}


def run() -> list[Row]:
    """All promises of the server; PostgreSQL and Chromium where they are installed."""
    from support.parts import POSTGRESQL
    from support.servers import Postgres, postgres_folder

    with tempfile.TemporaryDirectory() as folder:
        rows = _measure("SQLite", Path(folder), lambda: str(Path(folder) / f"{random.random()}.db"), None)
    if POSTGRESQL:
        home = postgres_folder()
        server = Postgres(home).create().start()
        try:
            with tempfile.TemporaryDirectory() as folder:
                rows += _measure("PostgreSQL", Path(folder), server.new_database, server)
        finally:
            server.stop()
            shutil.rmtree(home, ignore_errors=True)
    else:
        leave_out("server", "PostgreSQL")
    return [*rows, measure_upload(), *measure_keys()]


def measure_upload() -> Row:
    """How long a save waits at most while a leader uploads a large table and makes a campaign of it, on SQLite."""
    from support.uploads import save_while_uploading

    with tempfile.TemporaryDirectory() as folder:
        database, secret = str(Path(folder) / "campaigns.db"), Path(folder) / "secret"
        waits, _ = save_while_uploading(database, secret, items=UPLOADED, characters=CHARACTERS)
    work = f"longest of {len(waits)} saves while {UPLOADED:,} items of {CHARACTERS:,} characters are uploaded"
    return _row(work, "wall s", max(waits), "one second", 1.0, 1.0)


def measure_keys() -> list[Row]:
    """From a key press to the painted item, as Chromium tells, beside a page that only changes a text."""
    from support.key_times import press_keys
    from support.parts import CHROMIUM
    from support.sites import Site

    if CHROMIUM is None:
        leave_out("server", "Chromium")
        return []
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        site.served.start()
        try:
            ours, least = (statistics.median(waits) / 1000 for waits in press_keys(site, keys=KEYS, size=ITEMS))
        finally:
            site.served.stop()
            site.store.close()
    work = f"key to painted item of {ITEMS:,}, median"
    return [
        _row(work, "wall s", ours, "one second", 1.0, 0.05),
        _row(work, "wall s", ours, "a page that changes one text", least, None),
    ]


def _measure(name: str, folder: Path, new_database: Callable[[], str], postgres: object) -> list[Row]:
    from support.load import every_type, kill_rounds, prepare, stored_uuids
    from support.servers import Served

    def interrupt(served: Served, number: int) -> None:
        both = postgres is not None and number % 2 == 1
        if both:
            postgres.kill()
        served.kill()
        if both:
            postgres.start()

    secret, lost = folder / "secret", []
    for kind, plan in [("", {}), (", all six types of questions", every_type())][-KINDS:]:
        database = new_database()
        tokens = prepare(database, secret, coders=6, **plan)
        n_acknowledged = kill_rounds(
            Served(database, secret), tokens, rounds=ROUNDS, interrupt=interrupt, rng=random.Random(0)
        )
        # A decision that is lost ends the benchmark with an error, so what is left to tell is how many there were.
        work = f"{name}: acknowledged decisions lost in {ROUNDS} kills{kind}"
        lost.append(_row(work, "rate", 0.0, "acknowledged", n_acknowledged, 0.0))
    database = new_database()
    tally = _tally(database, secret, coders=CODERS, seconds=SECONDS)
    n_stored = len(stored_uuids(database))
    work = f"{name}, {CODERS} coders for {SECONDS} s"
    return [
        *lost,
        _row(f"{work}: errors", "rate", len(tally.errors), "batches", len(tally.times), 0.0),
        _row(f"{work}: decisions stored", "rate", n_stored, "acknowledged", len(tally.acknowledged), 1.0),
        _row(f"{work}: p95 of a batch", "wall s", tally.percentile(0.95) / 1000, "one second", 1.0, 0.5),
    ]


def _tally(database: str, secret: Path, *, coders: int, seconds: float) -> "Tally":
    from support.load import Tally, prepare, work
    from support.servers import Served

    tokens = prepare(database, secret, coders=coders)
    served, tally = Served(database, secret).start(), Tally()
    try:
        work(served.url, tokens, tally, seconds=seconds, pause=PAUSE)
    finally:
        served.stop()
    return tally


def batches_of(coders: int, *, seconds: float) -> tuple[float, float]:
    """The 95th percentile of a batch in seconds, and batches a second, with so many coders on SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        database, secret = Path(folder) / "campaigns.db", Path(folder) / "secret"
        tally = _tally(str(database), secret, coders=coders, seconds=seconds)
    return tally.percentile(0.95) / 1000, len(tally.times) / seconds


def leaders_pages(decisions: int, rng: np.random.Generator) -> Callable[[], object]:
    """Store so many decisions of five coders; gives the work of computing progress and agreement from them."""
    from concurrence.annotation.database.store import Store
    from concurrence.annotation.decisions.imports import import_labels
    from concurrence.annotation.decisions.outcomes import coder_progress
    from concurrence.web.leader.agreement import agreement_page
    from concurrence.web.leader.page import RoundQuery
    from support.campaign_cases import make_campaign, pair_rows

    pairs = pair_rows(decisions // 5)
    store = Store(Path(tempfile.mkdtemp()) / "campaigns.db")
    campaign = make_campaign(store, rows=pairs)
    for coder in "ABCDE":
        answers = rng.choice(["yes", "no"], len(pairs))
        rows = [{**pair, "label": str(answer)} for pair, answer in zip(pairs, answers, strict=True)]
        store.write(partial(import_labels, campaign=campaign, rows=rows, coder=coder))
    return lambda: (
        store.read(lambda connection: coder_progress(connection, campaign)),
        agreement_page(store, campaign, RoundQuery()),
    )


def _row(work: str, quantity: str, ours: float, peer: str, against: float, limit: float | None) -> Row:
    return Row(area="server", work=work, quantity=quantity, ours=ours, peer=peer, against=against, limit=limit)
