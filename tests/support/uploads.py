"""A leader who uploads a large table and makes a campaign of it, while a coder saves one decision after another."""

import threading
import time
import uuid
from contextlib import closing

import httpx

from concurrence.annotation.database.store import Store
from concurrence.annotation.people.access import load_secret
from concurrence.annotation.people.organisers import invite_organiser
from support.load import prepare
from support.servers import PATIENCE, Served

PAUSE = 0.05  # seconds between two saves; a server slows down whoever sends more
FORM = {
    "columns": {"key": "id", "text": ["text"], "contexts": ["context"]},
    "questions": [{"id": "good", "choices": ["yes", "no"]}],
    "coders": ["a", "b"],
}


def long_table(items, characters):
    """A table of texts and contexts of so many characters, each of other words."""
    lines = ["id,text,context"]
    for n in range(items):
        words = " ".join(f"w{n * 31 + k:x}ord" for k in range(characters // 7 + 1))[:characters]
        lines.append(f"{n},{words[: characters // 2]},{words[characters // 2 :]}")
    return "\n".join(lines).encode()


def save_while_uploading(database, secret_file, *, items, characters):
    """How many seconds every save takes while a leader uploads a table and makes a campaign, and how many she needs."""
    [token] = prepare(database, secret_file, coders=1)
    with Store(database) as store:
        secret = load_secret(secret_file)
        organiser = store.write(lambda c: invite_organiser(c, "ada", secret))
    served, waits, done = Served(database, secret_file).start(), [], threading.Event()
    try:
        with closing(served.join(f"#{token}")) as coder, closing(served.join(f"#{organiser}")) as leader:
            saving = threading.Thread(target=_save, args=(coder, waits, done))
            saving.start()
            begin = time.perf_counter()
            try:
                _make(leader, long_table(items, characters))
            finally:
                needed = time.perf_counter() - begin
                done.set()
                saving.join(PATIENCE)
    finally:
        served.stop()
    return waits, needed


def _save(coder, waits, done):
    [campaign] = [name.rpartition("_")[2] for name in coder.cookies if "_coder_" in name]
    items = coder.get(f"/api/campaigns/{campaign}/part").json()["items"]
    turn = 0
    while not done.is_set():
        event = {
            "uuid": str(uuid.uuid4()),
            "item": items[turn % len(items)]["id"],
            "question": "a",
            "manual_version": 1,
        }
        event |= {"answer": "xy"[turn // len(items) % 2], "client_time": int(time.time() * 1000)}
        begin = time.perf_counter()
        answer = coder.post(f"/api/campaigns/{campaign}/events", json={"events": [event]})
        waits.append(time.perf_counter() - begin)
        if answer.status_code != 200 or answer.json()["receipts"][0]["status"] != "stored":
            raise RuntimeError(answer.text)
        turn += 1
        time.sleep(PAUSE)


def _make(leader, table):
    leader.timeout = httpx.Timeout(PATIENCE * 5)
    answer = leader.post("/api/desk/tables", params={"name": "items.csv"}, content=table)
    answer.raise_for_status()
    draft = f"/api/desk/drafts/{answer.json()['draft']}"
    for act in ("preview", "campaign"):
        answer = leader.post(f"{draft}/{act}", json={"name": "large", **FORM})
        answer.raise_for_status()
