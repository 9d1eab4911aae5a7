"""Nobody locks others out, servers keep apart, sessions end, and what happened at the door is logged."""

import re

import pytest
from sqlalchemy import func, select, update

from concurrence.annotation.database.schema import SECURITY_LOG, SESSION
from concurrence.annotation.database.store import Store
from concurrence.annotation.people import access
from concurrence.annotation.people.access import DAY, SessionLimits, invite
from concurrence.annotation.people.security_log import logged_acts
from concurrence.core.errors import InvalidInputError
from concurrence.web.network.guard import Guard
from concurrence.web.network.throttle import RecentSessions, Throttle, address_prefix
from concurrence.web.sessions.devices import device_of
from concurrence.web.settings import Settings
from support.campaign_cases import make_campaign
from support.web_door import SECRET, Door

WRONG = {"token": "x" * 43}
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def join(client, token, **headers):
    return client.post("/api/sessions", json={"token": token}, headers=headers)


def log_of(store):
    store.write(lambda connection: None)  # what was handed in before is written by now
    return store.read(logged_acts)


def test_wrong_links_shut_out_nobody_who_has_a_good_one(door):
    client, good = door.client(), [door.token("anna"), door.token("ben"), door.token("leader")]
    wrong = [client.post("/api/sessions", json=WRONG) for _ in range(40)]
    assert [answer.status_code for answer in wrong] == [401] * 10 + [429] * 30
    assert int(wrong[-1].headers["retry-after"]) >= 1
    assert [join(door.client(), token).status_code for token in good] == [200] * 3
    assert client.post("/api/sessions", json=WRONG).status_code == 429


def test_a_flood_shuts_out_neither_who_is_signed_in_nor_who_opens_a_link(store):
    door = Door(store, make_campaign(store), address_requests_per_second=0.001, address_burst=20)
    anna, token = door.join("anna"), door.token("ben")
    flood = [door.client().get("/api/openapi.json").status_code for _ in range(40)]
    assert flood[-1] == 429
    assert anna.get(f"{door.api}/part").status_code == 200
    ben = door.client()
    assert ben.get("/join").status_code == ben.get("/static/join.js").status_code == 200
    assert join(ben, token).status_code == 200
    assert ben.get(door.pages).status_code == 200
    forged = door.client()
    forged.cookies.set(next(iter(anna.cookies)), "x" * 43)
    assert forged.get(f"{door.api}/part").status_code == 429


def test_an_address_is_the_clients_if_a_trusted_proxy_says_so(store):
    campaign = make_campaign(store)
    for trusted, alone in (((), False), (("127.0.0.1",), True)):
        door = Door(store, campaign, trusted_proxies=trusted)
        client = door.client(address="127.0.0.1")
        for _ in range(12):
            client.post("/api/sessions", json=WRONG, headers={"x-forwarded-for": "192.0.2.1"})
        other = client.post("/api/sessions", json=WRONG, headers={"x-forwarded-for": "192.0.2.2"})
        assert other.status_code == (401 if alone else 429)
    stranger = Door(store, campaign, trusted_proxies=("10.0.0.0/8",)).client(address="198.51.100.1")
    for number in range(12):
        last = stranger.post("/api/sessions", json=WRONG, headers={"x-forwarded-for": f"192.0.2.{number}"})
    assert last.status_code == 429


def test_behind_a_trusted_proxy_tls_is_believed(store):
    campaign = make_campaign(store)
    for trusted, believed in ((("127.0.0.1",), True), ((), False)):
        door = Door(store, campaign, trusted_proxies=trusted)
        answer = join(door.client(address="127.0.0.1"), door.token("anna"), **{"x-forwarded-proto": "https"})
        assert ("Secure" in answer.headers["set-cookie"]) is believed
        assert ("strict-transport-security" in answer.headers) is believed


def test_what_a_proxy_forwards_may_be_anything(store):
    door = Door(store, make_campaign(store), trusted_proxies=("127.0.0.1",))
    answer = join(door.client(address="127.0.0.1"), door.token("anna"), **{"x-forwarded-for": "<b>" + "x" * 5000})
    assert answer.status_code == 200
    assert len(log_of(store)[-1].address) <= 64


@pytest.mark.parametrize("proxy", ["*", "proxy.example.org", "10.0.0.1/8", ""])
def test_a_proxy_is_named_by_its_address(proxy):
    with pytest.raises(InvalidInputError, match="--trusted-proxy"):
        Settings(secret=SECRET, trusted_proxies=(proxy,))


def test_two_servers_on_one_host_keep_their_coders(tmp_path):
    with Store(tmp_path / "one.db") as one, Store(tmp_path / "two.db") as two:
        doors = [Door(store, make_campaign(store)) for store in (one, two)]
        jar = {}
        for door in doors:
            client = door.client()
            client.cookies.update(jar)
            assert join(client, door.token("anna")).status_code == 200
            jar.update(client.cookies)
        for door in doors:
            client = door.client()
            client.cookies.update(jar)
            assert client.get(f"{door.api}/part").status_code == 200


@pytest.mark.parametrize("path", ["/c/1/", "/api/sessions/", "/join/"])
def test_a_redirect_stays_on_this_site(door, path):
    answer = door.client().get(path, headers={"host": "evil.example"}, follow_redirects=False)
    assert answer.status_code == 307
    assert answer.headers["location"] == path.rstrip("/")


def test_under_tls_cookies_belong_to_the_host_and_browsers_keep_to_tls(store):
    campaign = make_campaign(store)
    door = Door(store, campaign, public_url="https://judge.example.org")
    answer = join(door.client(), door.token("anna"))
    cookie = answer.headers["set-cookie"]
    assert re.match(r"__Host-concur_[0-9a-f]{8}_coder_1=", cookie)
    assert "Secure" in cookie
    assert "Path=/" in cookie
    assert "Domain" not in cookie
    assert answer.headers["strict-transport-security"] == "max-age=31536000"
    signed_in = door.client(base_url="https://testserver")
    join(signed_in, door.token("anna"))
    ended = signed_in.delete(f"{door.api}/session").headers.get_list("set-cookie")
    assert all("Secure" in entry and "__Host-" in entry for entry in ended)
    plain = Door(store, campaign)
    assert "__Host-" not in join(plain.client(), plain.token("anna")).headers["set-cookie"]
    assert "strict-transport-security" not in plain.client().get("/").headers


@pytest.mark.parametrize(
    ("public_url", "origin", "status"),
    [
        ("https://judge.example.org", "http://judge.example.org", 403),
        ("https://judge.example.org", "https://judge.example.org", 401),
        ("https://judge.example.org:443", "https://judge.example.org", 401),
        ("https://Judge.Example.org", "https://judge.example.org", 401),
        ("https://judge.example.org", "https://judge.example.org.evil.example", 403),
        ("http://judge.example.org", "http://judge.example.org", 401),
        (None, "http://judge.example.org", 401),
        (None, "https://judge.example.org", 403),
    ],
)
def test_a_page_without_tls_cannot_write_where_people_come_by_tls(store, public_url, origin, status):
    door = Door(store, make_campaign(store), public_url=public_url)
    headers = {"origin": origin, "host": "judge.example.org"}
    assert door.client().post("/api/sessions", json=WRONG, headers=headers).status_code == status


def test_a_link_can_expire_or_work_once_on_request(door):
    def token(**options):
        return door.store.write(lambda c: invite(c, door.campaign, "anna", SECRET, **options))

    once, short, plain = token(once=True), token(days=-1), token()
    assert [join(door.client(), once).status_code for _ in range(2)] == [200, 401]
    assert "only once" in join(door.client(), once).json()["error"]
    assert "expired" in join(door.client(), short).json()["error"]
    assert [join(door.client(), plain).status_code for _ in range(3)] == [200] * 3
    assert join(door.client(), token(days=1)).status_code == 200


def test_a_session_ends_unused_or_old(store):
    limits = SessionLimits(idle=7 * DAY, absolute=60 * DAY)
    door = Door(store, make_campaign(store), sessions=limits)

    def age(**days):
        changed = {name: getattr(SESSION.c, name) - int(number * DAY) for name, number in days.items()}
        store.write(lambda c: c.execute(update(SESSION).values(changed)))

    for ages, status in (
        ({"seen": 6.9}, 200),
        ({"seen": 7.1}, 401),
        ({"created": 59.9, "expires": 59.9}, 200),
        ({"created": 60.1, "expires": 60.1}, 401),
        ({"created": 60.1}, 401),
    ):
        anna = door.join("anna")
        age(**ages)
        assert anna.get(f"{door.api}/part").status_code == status, ages
        store.write(lambda c: c.execute(SESSION.delete()))


def test_using_a_session_keeps_it(store):
    door = Door(store, make_campaign(store))
    anna = door.join("anna")
    for _ in range(3):
        store.write(lambda c: c.execute(update(SESSION).values(seen=SESSION.c.seen - 6 * DAY)))
        assert anna.get(f"{door.api}/part").status_code == 200
        store.write(lambda c: None)


def test_ended_sessions_are_purged(door):
    anna = door.join("anna")
    door.join("anna")
    anna.delete(f"{door.api}/session")
    door.join("ben")
    counted = door.store.read(lambda c: c.execute(select(func.count(SESSION.c.id))).scalar())
    assert counted == 2


def test_people_see_and_end_their_own_sessions_alone(door):
    here, there, ben = door.join("anna"), door.join("anna"), door.join("ben")
    rows = here.get(f"{door.api}/sessions").json()["sessions"]
    assert sorted(row["current"] for row in rows) == [False, True]
    (bens,) = ben.get(f"{door.api}/sessions").json()["sessions"]
    assert here.delete(f"{door.api}/sessions/{bens['id']}").status_code == 404
    assert ben.get(f"{door.api}/part").status_code == 200
    (other,) = (row["id"] for row in rows if not row["current"])
    assert here.delete(f"{door.api}/sessions/{other}").status_code == 200
    assert there.get(f"{door.api}/part").status_code == 401
    more = door.join("anna")
    assert here.delete(f"{door.api}/sessions").status_code == 200
    assert more.get(f"{door.api}/part").status_code == 401
    assert here.get(f"{door.api}/part").status_code == 200


def test_the_page_of_sessions_is_linked_and_shows_them(door):
    client = door.client()
    join(client, door.token("anna"), **{"user-agent": FIREFOX})
    assert 'href="/c/1/sessions"' in client.get(door.pages).text
    assert 'href="/c/1/sessions"' in door.join("leader").get(f"{door.pages}/leader").text
    page = client.get(f"{door.pages}/sessions").text
    assert "Firefox on Linux" in page
    assert "this browser" in page
    assert door.client().get(f"{door.pages}/sessions").status_code == 401


def test_what_happened_is_logged_without_tokens(door):
    token = door.token("anna")
    client = door.client()
    join(client, token, **{"user-agent": FIREFOX})
    join(client, "x" * 43)
    session = next(iter(client.cookies.values()))
    client.delete(f"{door.api}/session")
    door.join("leader").get(f"{door.api}/export")
    acts = log_of(door.store)
    told = [(act.act, act.person, act.detail) for act in acts]
    assert told == [
        ("link made", "anna", None),
        ("join", "anna", "Firefox on Linux"),
        ("wrong link", None, "unknown"),
        ("sign out", "anna", None),
        ("link made", "leader", None),
        ("join", "leader", "Other program"),
        ("export", "leader", "labels"),
    ]
    assert {act.address for act in acts if act.act != "link made"} == {"testclient"}
    whole = str(door.store.read(lambda c: list(c.execute(select(SECURITY_LOG)))))
    assert token not in whole
    assert session not in whole
    assert "x" * 43 not in whole


def test_neither_guesses_nor_old_links_fill_the_log(door):
    old = door.store.write(lambda c: invite(c, door.campaign, "anna", SECRET, days=-1))
    for _ in range(30):
        door.client().post("/api/sessions", json=WRONG)
    assert {join(door.client(), old).status_code for _ in range(30)} == {401}
    assert sum(act.act == "wrong link" for act in log_of(door.store)) == 10


def test_a_link_opened_over_and_over_fills_nothing(store, monkeypatch):
    monkeypatch.setattr(access, "MOST_SESSIONS", 3)
    door = Door(store, make_campaign(store), join_burst=5, joins_per_minute=0.001)
    token = door.token("anna")
    assert [join(door.client(), token).status_code for _ in range(7)] == [200] * 5 + [429] * 2
    assert store.read(lambda c: c.execute(select(func.count(SESSION.c.id))).scalar()) == 3
    assert join(door.client(), door.token("ben")).status_code == 200


def test_recent_sessions_are_forgotten():
    time = [0.0]
    recent_sessions = RecentSessions(clock=lambda: time[0])
    recent_sessions.add("a")
    assert "a" in recent_sessions
    assert "b" not in recent_sessions
    time[0] = RecentSessions.SECONDS + 1
    assert "a" not in recent_sessions
    for number in range(2 * RecentSessions.MOST):
        recent_sessions.add(str(number))
    assert len(recent_sessions._until) <= RecentSessions.MOST


def test_one_visitor_with_many_addresses_is_one_visitor():
    throttle = Throttle(rate=0.001, burst=3, clock=lambda: 0.0)
    waits = [throttle.wait(address_prefix(f"2001:db8:1:2:{number:x}::1")) for number in range(5)]
    assert [wait > 0 for wait in waits] == [False] * 3 + [True] * 2
    assert address_prefix("2001:db8:1:3::1") != address_prefix("2001:db8:1:2::1")


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("<script>alert(1)</script>", "Other program"),
    ],
)
def test_a_device_is_told_in_our_own_words(agent, words):
    assert device_of(agent) == words


def test_the_guard_is_the_outermost_but_for_proxies(door):
    assert door.app.user_middleware[0].cls is Guard
