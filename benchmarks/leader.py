"""The leader's pages and the coder's part at 100,000 decisions: CPU seconds of each, on the server."""

import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import select

from benchmarks.rows import Row, leave_out

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from concurrence.annotation.campaigns.campaign import Campaign
    from concurrence.annotation.database.store import Store

ITEMS, CODERS = 20_000, "ABCDE"
LARGE_PART = 50_000
WARM = 3  # imports; and what is compiled after some use, once in a process
QUICK = {"ITEMS": 60, "LARGE_PART": 100, "WARM": 0}
PAGE, POLL, PART = 1.0, 0.1, 3.0  # seconds


def run() -> list[Row]:
    """Every leader's page with nothing remembered, the poll, and a large part; on both databases."""
    from support.parts import POSTGRESQL
    from support.servers import Postgres, postgres_folder

    with tempfile.TemporaryDirectory() as folder:
        rows = _measure("SQLite", str(Path(folder) / "campaigns.db"))
    if POSTGRESQL:
        home = postgres_folder()
        server = Postgres(home).create().start()
        try:
            rows += _measure("PostgreSQL", server.new_database())
        finally:
            server.stop()
            shutil.rmtree(home, ignore_errors=True)
    else:
        leave_out("leader", "PostgreSQL")
    return rows + open_large_part()


def _measure(name: str, database: str) -> list[Row]:
    with judged(database) as (store, campaign):
        rows = []
        for page, work in pages(store, campaign).items():
            for _ in range(WARM):
                _time(store, work, forget=True)
            rows.append(_row(f"{name}: {page}, nothing remembered", _time(store, work, forget=True), PAGE))
            judge_once_more(store, campaign)
            rows.append(_row(f"{name}: {page}, after one decision", _time(store, work, forget=False), PAGE))
        rows.append(_row(f"{name}: has anything changed", _time(store, poll(store, campaign), forget=False), POLL))
        what = f"{name}: a coder's part of {LARGE_PART:,} items"
        return [*rows, _row(what, _time(store, large_part(store), forget=False), PART)]


@contextmanager
def judged(database: str) -> "Iterator[tuple[Store, Campaign]]":
    """A campaign with as many decisions, of an expert and four others."""
    from concurrence.annotation.campaigns.campaign import coders_of
    from concurrence.annotation.database.store import Store
    from support.campaign_cases import make_campaign, pair_rows

    rng = np.random.default_rng(0)
    with Store(database) as store:
        campaign = make_campaign(store, rows=pair_rows(ITEMS), coders=CODERS[:-1], expert=CODERS[-1])
        for coder in store.read(lambda connection: coders_of(connection, campaign, "coder", "expert")):
            store.write(partial(_judge, campaign=campaign, coder=coder.id, rng=rng))
        yield store, campaign


def _judge(connection: "Connection", campaign: "Campaign", coder: int, rng: np.random.Generator) -> None:
    """Let a coder answer the first question on every item, two seconds apart."""
    from concurrence.annotation.decisions.coder_part import load_part
    from concurrence.annotation.decisions.events import NewEvent, record

    tasks = load_part(connection, campaign, coder).tasks
    answers = rng.choice(["yes", "no"], len(tasks)).tolist()
    events = [
        NewEvent(
            uuid=str(uuid.uuid4()),
            task=task.id,
            question="collocation",
            answer=answer,
            client_time=2000 * place,
            manual_version=1,
        )
        for place, (task, answer) in enumerate(zip(tasks, answers, strict=True))
    ]
    record(connection, campaign, coder, events)


def judge_once_more(store: "Store", campaign: "Campaign") -> None:
    """Let a coder change an answer, so that nothing that was computed holds any more."""
    from concurrence.annotation.campaigns.campaign import coders_of
    from concurrence.annotation.database.schema import TASK
    from concurrence.annotation.decisions.events import NewEvent, record

    coder = store.read(lambda connection: coders_of(connection, campaign, "coder"))[0].id
    task = store.read(lambda connection: connection.execute(select(TASK.c.id).where(TASK.c.coder_id == coder)).scalar())
    event = NewEvent(
        uuid=str(uuid.uuid4()), task=task or 0, question="collocation", answer="no", client_time=1, manual_version=1
    )
    store.write(lambda connection: record(connection, campaign, coder, [event]))


def pages(store: "Store", campaign: "Campaign") -> dict[str, Callable[[], Any]]:
    """The work of each page, its HTML included."""
    from starlette.testclient import TestClient

    from concurrence.annotation.people.access import invite
    from concurrence.web.app import create_app
    from concurrence.web.leader.page_routes import LEADER_PAGES
    from concurrence.web.settings import Settings

    secret = b"s" * 32
    client = TestClient(create_app(store, Settings(secret=secret)))
    token = store.write(lambda connection: invite(connection, campaign, "leader", secret))
    client.post("/api/sessions", json={"token": token}).raise_for_status()

    def work(page: str) -> None:
        client.get(f"/c/{campaign.id}/leader{page}").raise_for_status()

    every = {f"page {row.name}": partial(work, row.page.format(item=ITEMS // 2)) for row in LEADER_PAGES}
    search = "/items?only=all&text=noun19&coder=A&answer=yes"
    return {**every, "page items, searched": partial(work, search)}


def poll(store: "Store", campaign: "Campaign") -> Callable[[], Any]:
    """Whether anything has changed since an event long ago."""
    from concurrence.annotation.decisions.current_answers import database_version, new_decisions

    def work() -> tuple[Any, int]:
        return store.read(database_version), store.read(lambda connection: new_decisions(connection, campaign, 1))

    return work


def large_part(store: "Store") -> Callable[[], Any]:
    """A part of 50,000 items, as it is read for one coder."""
    from concurrence.annotation.campaigns.campaign import find_coder
    from concurrence.annotation.decisions.coder_part import load_part
    from support.campaign_cases import make_campaign, pair_rows

    campaign = make_campaign(store, name="large", rows=pair_rows(LARGE_PART), coders=("anna",))
    anna = store.read(lambda connection: find_coder(connection, campaign, "anna"))
    return lambda: store.read(lambda connection: load_part(connection, campaign, anna.id))


def open_large_part() -> list[Row]:
    """From the address to the first of 50,000 items in Chromium, by the clock."""
    from playwright.sync_api import expect, sync_playwright

    from support.campaign_cases import pair_rows
    from support.parts import CHROMIUM
    from support.sites import ARGUMENTS, Site

    if CHROMIUM is None:
        leave_out("leader", "Chromium")
        return []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        site.served.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        try:
            campaign = site.campaign(rows=pair_rows(LARGE_PART), coders=("anna",))
            page = browser.new_page()
            waits = []
            for address in (site.link(campaign, "anna"), f"{site.served.url}/c/{campaign.id}"):
                start = perf_counter()
                page.goto(address)
                expect(page.locator("#page--count")).to_contain_text(f"of {LARGE_PART}", timeout=60_000)
                waits.append(perf_counter() - start)
        finally:
            browser.close()
            site.served.stop()
            site.store.close()
    what = f"{LARGE_PART:,} items open in the coder's page"
    return [
        Row(area="leader", work=what, quantity="wall s", ours=min(waits), peer="one second", against=1.0, limit=PART)
    ]


def _time(store: "Store", work: Callable[[], Any], *, forget: bool) -> float:
    """CPU seconds of a work."""
    from concurrence.annotation.database.cache import VersionedCache

    if forget:
        store.cache = VersionedCache()
    start = process_time()
    work()
    return process_time() - start


def _row(what: str, seconds: float, limit: float) -> Row:
    return Row(
        area="leader",
        work=f"{what}; {ITEMS * len(CODERS):,} decisions",
        quantity="CPU s",
        ours=seconds,
        peer="one second",
        against=1.0,
        limit=limit,
    )
