"""The server's doors: sessions, roles, batches, limits, and answers that repeat nothing."""

import json
import re
import threading

import pytest

from concurrence.annotation.campaigns.campaign import set_closed
from concurrence.web.coder.models import PartAnswer
from concurrence.web.leader.page_routes import LEADER_PAGES
from concurrence.web.network.guard import HEADERS
from support.campaign_cases import event, make_campaign
from support.web_door import Door


def tasks_of(door, client):
    return [task["id"] for task in client.get(f"{door.api}/part").json()["items"]]


def send(door, client, *events):
    answer = client.post(f"{door.api}/events", json={"events": list(events)})
    assert answer.status_code == 200, answer.text
    return [receipt["status"] for receipt in answer.json()["receipts"]]


def test_a_link_is_exchanged_for_a_cookie_that_scripts_cannot_read(door):
    answer = door.client().post("/api/sessions", json={"token": door.token("anna")})
    assert answer.json() == {"campaign": 1, "name": "anna", "role": "coder", "page": "/c/1"}
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie


def test_under_tls_the_cookie_is_secure(store):
    door = Door(store, make_campaign(store), public_url="https://judge.example.org")
    assert "Secure" in door.client().post("/api/sessions", json={"token": door.token("anna")}).headers["set-cookie"]


def test_a_coder_who_floods_is_slowed(store):
    door = Door(store, make_campaign(store), requests_per_second=0.001, burst=3)
    anna = door.join("anna")
    assert [anna.get(f"{door.api}/part").status_code for _ in range(4)] == [200, 200, 200, 429]


def test_the_whole_part_comes_in_one_request(door):
    anna = door.join("anna")
    part = anna.get(f"{door.api}/part").json()
    assert len(part["items"]) == 6
    assert {item["text"] for item in part["items"]} == {f"verb{n} noun{n}" for n in range(1, 7)}
    assert [question["id"] for question in part["questions"]] == ["collocation", "kind"]
    assert "f" not in json.dumps([item["facts"] for item in part["items"]])
    first = part["items"][0]["id"]
    assert (
        send(door, anna, event(first, "collocation", "yes", unsure=True), event(first, "kind", "figurative"))
        == ["stored"] * 2
    )
    again = door.join("anna").get(f"{door.api}/part").json()
    assert [(d["question"], d["answer"], d["unsure"]) for d in again["decisions"]] == [
        ("collocation", "yes", True),
        ("kind", "figurative", False),
    ]
    assert again["newest"] == again["decisions"][-1]["moment"]


def test_two_coders_have_their_own_orders(door):
    anna, ben = door.join("anna"), door.join("ben")
    texts = [[item["text"] for item in client.get(f"{door.api}/part").json()["items"]] for client in (anna, ben)]
    assert texts[0] != texts[1]
    assert sorted(texts[0]) == sorted(texts[1])


def test_the_same_batch_eight_times_five_in_parallel_is_stored_once(door):
    anna = door.join("anna")
    batch = [event(task, "collocation", "no") for task in tasks_of(door, anna)]
    statuses = []

    def once():
        statuses.append(send(door, anna, *batch))

    for _ in range(2):
        once()
    threads = [threading.Thread(target=once) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    once()
    assert sum(row.count("stored") for row in statuses) == 6
    assert sum(row.count("known") for row in statuses) == 42
    frame = door.join("leader").get(f"{door.api}/export").text
    assert len(frame.splitlines()) == 7


def test_a_closed_part_is_refused_with_a_sentence(door):
    anna = door.join("anna")
    (first, *_) = tasks_of(door, anna)
    door.store.write(lambda c: set_closed(c, door.campaign, closed=True))
    answer = anna.post(f"{door.api}/events", json={"events": [event(first, "collocation", "no")]}).json()
    assert answer["receipts"][0]["status"] == "refused"
    assert "closed" in answer["receipts"][0]["reason"]


def routes(door):
    """All addresses of the server with values filled in."""
    document = door.client().get("/api/openapi.json").json()
    for path, methods in document["paths"].items():
        for method in methods:
            yield method.upper(), path.replace("{campaign}", "1").replace("{item}", "1").replace("{session}", "1")
    for row in LEADER_PAGES:
        yield "GET", f"/c/1/leader{row.page.format(item=1)}"


OPEN_TO_CODERS = {
    "/api/sessions",
    "/api/campaigns/1/part",
    "/api/campaigns/1/decisions",
    "/api/campaigns/1/manual",
    "/api/campaigns/1/events",
    "/api/campaigns/1/comments",
    "/api/campaigns/1/session",
    "/api/campaigns/1/sessions",
    "/api/campaigns/1/sessions/1",
}


def test_what_can_change_is_read_without_the_items(door):
    anna = door.join("anna")
    part = anna.get(f"{door.api}/part").json()
    first, second = (item["id"] for item in part["items"][:2])
    sent = anna.post(f"{door.api}/events", json={"events": [event(first, "collocation", "yes", counter=2**50)]}).json()
    assert sent["newest"] == 2**50
    again = anna.get(f"{door.api}/decisions").json()
    whole = anna.get(f"{door.api}/part").json()
    PartAnswer.model_validate(whole | {"tasks": whole["items"], "decisions": []})
    assert {name: again[name] for name in ("coder", "decisions", "newest", "manual_version")} == {
        name: whole[name] for name in ("coder", "decisions", "newest", "manual_version")
    }
    assert again["closed"] == []
    door.store.write(lambda c: set_closed(c, door.campaign, closed=True))
    assert sorted(anna.get(f"{door.api}/decisions").json()["closed"]) == sorted(item["id"] for item in part["items"])
    assert second in anna.get(f"{door.api}/decisions?round=main").json()["closed"]
    assert anna.get(f"{door.api}/decisions?round=none").status_code == 404


def test_an_older_page_corrects_what_a_newer_one_counted(door):
    """No field but those of the first version; its clock may say what it wants."""
    anna = door.join("anna")
    task = anna.get(f"{door.api}/part").json()["items"][0]["id"]
    for answer, more in (("no", {"counter": 2**50}), ("yes", {"at": 0}), ("no", {"at": 2**53 - 1}), ("yes", {"at": 1})):
        sent = anna.post(f"{door.api}/events", json={"events": [event(task, "collocation", answer, **more)]}).json()
        assert sent["receipts"][0]["status"] == "stored"
        assert [entry["answer"] for entry in anna.get(f"{door.api}/part").json()["decisions"]] == [answer]


def test_a_large_part_is_compressed_for_who_takes_it(store):
    door = Door(store, make_campaign(store, size=300))
    anna = door.join("anna")
    packed = anna.get(f"{door.api}/part", headers={"accept-encoding": "gzip"})
    plain = anna.get(f"{door.api}/part", headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert 5 * int(packed.headers["content-length"]) < int(plain.headers["content-length"])
    assert packed.json()["items"] == plain.json()["items"]


def test_a_coder_sees_nothing_of_others(door):
    anna = door.join("anna")
    closed = [(method, path) for method, path in routes(door) if path not in OPEN_TO_CODERS]
    assert len(closed) >= 16
    for method, path in closed:
        answer = anna.request(method, path, json={} if method == "POST" else None)
        desk = path.startswith(("/api/desk", "/desk"))  # for which a coder is nobody
        assert answer.status_code in ((401,) if desk else (403, 404)), (method, path)


def test_nobody_sees_anything_without_a_session(door):
    for method, path in routes(door):
        if path != "/api/sessions":
            assert door.client().request(method, path, json={}).status_code == 401, (method, path)
    assert door.client().get("/c/1").status_code == 401


def test_a_session_of_one_campaign_opens_no_other(door):
    make_campaign(door.store, name="other")
    anna = door.join("anna")
    ((name, session),) = anna.cookies.items()
    anna.cookies.set(name.replace("_1", "_2"), session)
    anna.cookies.set(name.replace("coder", "leader"), session)
    assert anna.get("/api/campaigns/2/part").status_code == 401
    assert anna.get("/api/campaigns/1/progress").status_code == 403


def test_a_leader_does_not_judge(door):
    assert door.join("leader").get(f"{door.api}/part").status_code == 403


def test_a_session_can_be_ended(door):
    anna = door.join("anna")
    kept = dict(anna.cookies)
    assert anna.delete(f"{door.api}/session").status_code == 200
    client = door.client()
    client.cookies.update(kept)
    assert client.get(f"{door.api}/part").status_code == 401


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "same-origin"}, 422),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://testserver"}, 422),
        ({}, 422),
    ],
)
def test_no_other_site_can_write(door, headers, status):
    assert door.join("anna").post(f"{door.api}/events", json={"events": []}, headers=headers).status_code == status


NASTY = {
    "a lone surrogate": b'{"events":[{"uuid":"\\ud800 secret-text"}]}',
    "a lone surrogate as a name": b'{"\\ud800 secret-text": 1}',
    "NaN": b'{"events": NaN, "x": "secret-text"}',
    "infinity": b'{"events":[{"client_time": Infinity, "note": "secret-text"}]}',
    "deep nesting": b"[" * 100_000,
    "no JSON": b"secret-text",
    "no UTF-8": b'{"events": "\xff\xfe secret-text"}',
    "nothing": b"",
    "an array": b'["secret-text"]',
    "too many": json.dumps({"events": [event(1, "collocation", "no")] * 201}).encode(),
}


@pytest.mark.parametrize("body", NASTY.values(), ids=NASTY.keys())
def test_what_cannot_be_read_is_refused_and_not_repeated(door, body):
    answer = door.join("anna").post(f"{door.api}/events", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert "secret-text" not in answer.text
    assert set(answer.json()) == {"error"}


@pytest.mark.parametrize(
    "change",
    [
        {"item": False}, {"item": "1"}, {"item": 1.0}, {"item": 2**31}, {"unsure": 1}, {"unsure": "true"},
        {"uuid": "x"}, {"uuid": "7E7E0AD3-F2C7-4778-86AD-5004B522C552"}, {"note": "a\0b"},
        {"note": "x" * 2001}, {"answer": ""},
        {"client_time": -1}, {"client_time": 2**53}, {"client_time": True}, {"manual_version": 0}, {"extra": 1},
        {"question": "a\0"},
    ],
    ids=str,
)  # fmt: skip
def test_nothing_is_guessed(door, change):
    answer = door.join("anna").post(f"{door.api}/events", json={"events": [event(1, "collocation", "no") | change]})
    assert answer.status_code == 422


def test_a_body_over_the_limit_is_refused_stated_or_not(door):
    anna = door.join("anna")
    assert anna.post(f"{door.api}/events", content=b" " * 4_000_001).status_code == 413

    def pieces():
        for _ in range(5):
            yield b" " * 1_000_000

    headers = {"content-type": "application/json"}
    assert anna.post(f"{door.api}/events", content=pieces(), headers=headers).status_code == 413


def test_every_answer_carries_the_headers(door):
    anna = door.join("anna")
    for path in ("/", "/join", "/c/1", "/api/campaigns/1/part", "/nowhere", "/static/coder.js", "/c/1/leader"):
        headers = anna.get(path).headers
        assert {name: headers[name] for name in HEADERS} == HEADERS
    assert "unsafe" not in HEADERS["content-security-policy"]
    assert anna.get("/c/1").headers["cache-control"] == "no-store"


def test_no_page_names_another_host_or_holds_a_script(door):
    anna, leader = door.join("anna"), door.join("leader")
    pages = [anna.get(path).text for path in ("/", "/join", "/api", "/c/1")]
    pages += [
        leader.get(f"/c/1/leader{path}").text for path in ("", "/timing", "/agreement", "/expert", "/pairs", "/items")
    ]
    for page in pages:
        assert not re.findall(r"""(?:src|href|action)=["'](?:[a-z]+:)?//""", page)
        assert not re.findall(r"<script(?![^>]*\bsrc=)", page)
        assert not re.findall(r"\sstyle=|\son\w+=", page)


XSS = '<img src=x onerror="alert(1)">'


def test_text_is_never_inserted_as_html(store):
    rows = [{"l1": XSS, "l2": "b", "examples": f"{XSS} b"}, {"l1": "c", "l2": "d", "examples": "e"}]
    links = "[x](javascript:alert(1)) ![i](http://evil/x.png) <a href='javascript:alert(1)'>x</a> <b onclick=x>bold</b>"
    manual = f"# {XSS}\n\n<script>alert(1)</script>\n\n{links}"
    questions = f"[[question]]\nid='a'\ntext='''{XSS}'''\nchoices=[{{id='''{XSS}'''}}, 'y']"
    door = Door(
        store,
        make_campaign(
            store,
            name=XSS.replace("/", "").replace("=", ""),
            rows=rows,
            coders=("<b>a", "b"),
            questions=questions,
            manual=manual,
        ),
    )
    coder, leader = door.join("<b>a"), door.join("leader")
    send(door, coder, event(tasks_of(door, coder)[0], "a", "y"))
    pages = [coder.get("/c/1").text]
    pages += [
        leader.get(f"/c/1/leader{path}").text
        for path in ("", "/items?only=all", "/items/1", "/pairs", "/agreement", "/timing", "/expert")
    ]
    for page in pages:
        assert "<img" not in page
        assert "<script>" not in page
        assert "<b>a" not in page
        assert 'href="javascript:' not in page
        assert "onclick" not in page


def test_problems_for_people_are_pages_and_for_programs_json(door):
    client = door.client()
    assert client.get("/nowhere").headers["content-type"].startswith("text/html")
    assert client.get("/api/nowhere").json() == {"error": "Not found."}
    assert client.put("/api/sessions").status_code == 405
    assert client.get("/c/99999999999").status_code == 422


def test_the_document_names_every_route_and_its_problems(door):
    document = door.client().get("/api/openapi.json").json()
    for path, methods in document["paths"].items():
        for method, route in methods.items():
            assert {"400", "403", "413", "422", "429", "503", "507"} <= set(route["responses"]), (method, path)
            assert route["description"]
    page = door.client().get("/api").text
    assert all(path in page for path in document["paths"])


def test_head_is_get_without_a_body(door):
    client = door.join("leader")
    for path in ("/", "/join", f"{door.pages}/leader", f"{door.api}/manual", "/static/base.css", "/nothing"):
        whole, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (whole.status_code, b""), path
        assert head.headers.get("content-type") == whole.headers.get("content-type"), path


def test_a_full_disk_is_said_so_without_the_address_of_the_database(door):
    anna = door.join("anna")
    items = tasks_of(door, anna)
    limit = "PRAGMA max_page_count = 1"
    door.store.write(lambda c: c.exec_driver_sql(limit).scalar())
    events = [event(items[0], "collocation", "no", note="x" * 2000) for _ in range(100)]
    answer = anna.post(f"{door.api}/events", json={"events": events})
    assert answer.status_code == 507
    assert answer.json() == {"error": "The server's disk is full, so nothing was saved; tell the leader."}
    assert anna.get(f"{door.api}/part").json()["decisions"] == []


def test_the_database_away_is_said_so(door, monkeypatch):
    from sqlalchemy.exc import OperationalError

    anna = door.join("anna")

    def away(_work):
        raise OperationalError("SELECT secret-text", {}, Exception("gone"))

    monkeypatch.setattr(door.store, "read", away)
    answer = anna.get(f"{door.api}/part")
    assert answer.status_code == 503
    assert "secret-text" not in answer.text
