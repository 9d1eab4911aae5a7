"""Coders at work, many at once, against a running server; used by tests and benchmarks alike."""

import asyncio
import itertools
import json
import math
import random
import re
import sqlite3
import time
import uuid
from contextlib import closing
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from sqlalchemy import func, select, text

from concurrence.annotation.database.schema import EVENT
from concurrence.annotation.database.standing import check_standing
from concurrence.annotation.database.store import Store
from concurrence.annotation.people.access import invite, load_secret
from support.campaign_cases import make_campaign
from support.servers import PATIENCE

GONE = (OSError, asyncio.IncompleteReadError)  # the server is away; a timeout is an OSError too

TWO_STEPS = """
[[question]]
id = "a"
choices = ["x", "y"]

[[question]]
id = "b"
when = "a=x"
choices = ["z", "w"]
"""

EVERY_TYPE = """
[[question]]
id = "choice"
choices = ["x", "y"]

[[question]]
id = "choices"
type = "choices"
choices = ["x", "y", "z"]

[[question]]
id = "scale"
type = "scale"

[[question]]
id = "text"
type = "text"

[[question]]
id = "span"
type = "span"
labels = ["PER", "LOC"]
overlap = true

[[question]]
id = "preference"
type = "preference"
"""


def every_type(size=200):
    """A campaign in which each item is judged in every way there is, as keywords of ``prepare``."""
    rows = [{"id": str(n), "text": f"Sentence {n} on Ada in Rome", "a": f"a {n}", "b": f"b {n}"} for n in range(size)]
    return {"questions": EVERY_TYPE, "rows": rows}


@dataclass
class Tally:
    """What happened under load; times in milliseconds."""

    acknowledged: set = field(default_factory=set)
    sent: int = 0
    errors: list = field(default_factory=list)
    times: list = field(default_factory=list)

    def percentile(self, share):
        return sorted(self.times)[int(share * (len(self.times) - 1))]


def prepare(database, secret_file, *, coders, size=200, questions=TWO_STEPS, rows=None):
    """A campaign for a number of coders, and the token of each."""
    secret = load_secret(secret_file)
    names = [f"coder{n}" for n in range(coders)]
    with Store(database) as store:
        campaign = make_campaign(store, size=size, coders=names, questions=questions, rows=rows)
        return store.write(lambda c: [invite(c, campaign, name, secret) for name in names])


def work(url, tokens, tally, *, seconds=math.inf, turns=None, pause=0.0, batch=3):
    """Let every coder judge for some seconds or turns; they stop early where the server is gone."""
    asyncio.run(_all(url, tokens, tally, seconds, turns, pause, batch))


async def _all(url, tokens, tally, seconds, turns, pause, batch):
    visits = [Visit(url) for _ in tokens]
    try:
        parts = await asyncio.gather(*(_join(visit, token) for visit, token in zip(visits, tokens, strict=True)))
        deadline = time.monotonic() + seconds
        await asyncio.gather(
            *(
                _judge(visit, part, tally, deadline, turns, pause, batch)
                for visit, part in zip(visits, parts, strict=True)
            )
        )
    except GONE as error:
        tally.errors.append(repr(error))
    finally:
        for visit in visits:
            visit.close()


class Visit:
    """A coder's connection, kept open with its cookie as browsers do; light, since it shares the server's cores."""

    def __init__(self, url):
        self.place = urlsplit(url)
        self.cookie = ""
        self.reader = self.writer = None

    async def ask(self, method, path, body=None):
        """Send a request; gives the status and what the answer's JSON holds."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(self.place.hostname, self.place.port)
        content = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.place.netloc}", "Sec-Fetch-Site: same-origin"]
        lines += [f"Cookie: {self.cookie}", "Content-Type: application/json", f"Content-Length: {len(content)}"]
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        async with asyncio.timeout(PATIENCE):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
            headers = dict(line.lower().split(": ", 1) for line in head.splitlines()[1:-1])
            answer = await self.reader.readexactly(int(headers["content-length"]))
        if cookie := re.search(r"^set-cookie: ([^;]*)", head, re.IGNORECASE | re.MULTILINE):
            self.cookie = cookie[1]
        return int(head.split(" ", 2)[1]), json.loads(answer)

    def close(self):
        if self.writer is not None:
            self.writer.close()


async def _join(visit, token):
    await visit.ask("POST", "/api/sessions", {"token": token})
    return (await visit.ask("GET", "/api/campaigns/1/part"))[1]


async def _judge(visit, part, tally, deadline, turns, pause, batch):
    tasks = [task["id"] for task in part["items"]]
    newest, rng = part["newest"], random.Random(tasks[0])
    await asyncio.sleep(rng.random() * pause)
    try:
        for _ in itertools.count() if turns is None else range(turns):
            if time.monotonic() >= deadline:
                break
            events = []
            for _ in range(batch):
                newest = max(newest + 1, int(time.time() * 1000))
                question = rng.choice([one for one in part["questions"] if one["parent"] is None])
                events.append(_event(rng.choice(tasks), question, newest, rng))
            await _send(visit, events, tally)
            await asyncio.sleep(pause)
    except GONE as error:
        tally.errors.append(repr(error))


def _answer(question, rng):
    """An answer of the question's type."""
    ids = [choice["id"] for choice in question["choices"]]
    if question["type"] == "choices":
        return "|".join(rng.sample(ids, rng.randint(1, len(ids))))
    if question["type"] == "text":
        return f"in my own words {rng.random()}"
    if question["type"] == "span":
        starts = sorted(rng.sample(range(8), rng.randint(0, 2)))
        return json.dumps([[start, start + 1, rng.choice(ids)] for start in starts], separators=(",", ":"))
    return rng.choice(ids)


def _event(task, question, at, rng):
    event = {"uuid": str(uuid.uuid4()), "item": task, "question": question["id"], "answer": _answer(question, rng)}
    return event | {"client_time": at, "manual_version": 1}


async def _send(visit, events, tally):
    tally.sent += len(events)
    start = time.perf_counter()
    status, answer = await visit.ask("POST", "/api/campaigns/1/events", {"events": events})
    tally.times.append((time.perf_counter() - start) * 1000)
    if status != 200:
        tally.errors.append(f"{status} {answer}")
        return
    receipts = answer["receipts"]
    tally.acknowledged.update(receipt["uuid"] for receipt in receipts if receipt["status"] == "stored")
    tally.errors.extend(receipt for receipt in receipts if receipt["status"] == "refused")


def stored_uuids(database):
    """All UUIDs in the log, as they are, repeated or not."""
    with Store(database) as store:
        return store.read(lambda c: list(c.execute(select(EVENT.c.uuid)).scalars()))


def check_integrity(database):
    """The database's own opinion of its health, and whether what stands is what the log says."""
    with Store(database) as store:
        if not store.read(check_standing).passed:
            return False
    if "://" not in str(database):
        with closing(sqlite3.connect(database)) as connection:
            return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with Store(database) as store:
        n_rows = store.read(lambda c: c.execute(select(func.count(EVENT.c.id))).scalar())
        n_sorted_rows = store.read(
            lambda c: c.execute(text("SELECT count(*) FROM (SELECT * FROM event ORDER BY uuid) AS e")).scalar()
        )
        return n_rows == n_sorted_rows


def kill_rounds(served, tokens, *, rounds, interrupt, rng):
    """Kill under load, start again, and look for every acknowledged decision; gives how many there were."""
    import threading

    acknowledged = set()
    for number in range(rounds):
        served.start()
        tally = Tally()
        worker = threading.Thread(
            target=work, args=(served.url, tokens, tally), kwargs={"seconds": PATIENCE, "pause": 0.0}
        )
        worker.start()
        while worker.is_alive() and len(tally.acknowledged) < 30:
            time.sleep(0.01)
        time.sleep(rng.random() * 0.5)
        interrupt(served, number)
        worker.join()
        acknowledged |= tally.acknowledged
        stored = stored_uuids(served.database)
        missing = acknowledged - set(stored)
        refused = [error for error in tally.errors if isinstance(error, dict)]
        if refused:
            raise AssertionError(f"round {number + 1}: refused, {refused[0]}")
        if missing or len(stored) != len(set(stored)) or not check_integrity(served.database):
            raise AssertionError(f"round {number + 1}: {len(missing)} acknowledged decisions are missing")
    return len(acknowledged)
