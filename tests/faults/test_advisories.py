"""What was reported of other annotation servers, tried on this one: a test for each class, with its advisories."""

import os
import re
import socket
import ssl
import stat
import subprocess
from contextlib import closing, contextmanager
from html.parser import HTMLParser
from pathlib import Path

import pytest
from sqlalchemy import select

from concurrence.annotation.campaigns.backup import back_up
from concurrence.annotation.database.schema import INSTALLATION, INVITATION, SESSION
from concurrence.annotation.database.store import Store
from concurrence.annotation.people.access import load_secret
from concurrence.annotation.people.security_log import logged_acts
from support.campaign_cases import event, make_campaign
from support.databases import ready_database
from support.desk_requests import at_desk, created, plan, upload
from support.load import prepare
from support.parts import NGINX
from support.servers import PATIENCE, Served, free_port, make_certificate, wait_until
from support.web_door import SECRET, Door

GUIDE = Path(__file__).parents[2] / "docs/howto/serving.md"
PNG = b"\x89PNG\r\n\x1a\n"
SCRIPTS = (
    '<img src=x onerror="alert(1)">',
    '"><svg onload=alert(2)>',
    "</title></textarea><script>alert(3)</script>",
    "' onfocus='alert(4)' autofocus='",
    '<a href="javascript:alert(5)">x</a>',
    "{{7919*7919}}${7919*7919}<%= 7919*7919 %>",
)
CLIMBS = (
    "/static/../../../../../../../../etc/passwd",
    "/static/..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
    "/static/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "/static//etc/passwd",
    "/static../settings.py",
    "/static..%2fsettings.py",
    "/static/..%5c..%5csettings.py",
    "/static/../settings.py",
    "/staticfiles/base.css",
    "/pictures/../static/base.css",
    "/pictures/..%2f..%2f..%2fetc%2fpasswd",
    "//etc/passwd",
    "/etc/passwd",
    "/static/%00/base.css",
    "/static/types/%252e%252e/%252e%252e/settings.py",
)


@pytest.fixture
def store(tmp_path):
    with Store(ready_database(tmp_path / "campaigns.db")) as opened:
        yield opened


@pytest.fixture
def door(store):
    return Door(store, make_campaign(store, size=4, expert="ulla"))


class ActiveContent(HTMLParser):
    """What of a page a browser would run or load from elsewhere."""

    def __init__(self, page):
        super().__init__()
        self.active = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        entries = dict(attributes)
        if (tag == "script" and "src" not in entries) or tag in ("iframe", "object", "embed", "style", "base"):
            self.active.append(self.get_starttag_text())
        for name, address in attributes:
            scheme = re.match(r"\s*([a-z]+):|//", address or "", re.IGNORECASE)
            foreign = name in ("src", "href", "action", "formaction", "srcdoc") and scheme
            if name.startswith("on") or name == "style" or (foreign and tag != "a"):
                self.active.append(self.get_starttag_text())
            if foreign and (scheme[1] or "").lower() in ("javascript", "data", "vbscript"):
                self.active.append(self.get_starttag_text())


def test_addresses_in_data_are_never_opened(door, concur, tmp_path, monkeypatch):
    """CVE-2022-36551, CVE-2023-47116, CVE-2025-25297: a server that opens addresses from imports, tasks or storages."""
    monkeypatch.chdir(tmp_path)
    with closing(socket.create_server(("127.0.0.1", 0), backlog=100)) as trap:
        trap.setblocking(False)
        address = f"http://127.0.0.1:{trap.getsockname()[1]}/latest/meta-data"
        ada = at_desk(door, "ada")
        table = f"id,text,url,image\n1,{address},{address},{address}\n2,<img src='{address}'>,file:///etc/passwd,{address}\n"
        manual = f"# {address}\n\n![x]({address}) [y]({address}) <img src={address}>\n\n[r]: {address}\n"
        questions = [
            {"id": "q", "text": address, "type": "choice", "choices": [{"id": address, "text": address}, "no"]}
        ]
        columns = {"key": "id", "text": ["text"], "contexts": ["image"], "facts": ["url"]}
        draft = f"/api/desk/drafts/{upload(ada, table)['draft']}"
        form = plan(columns=columns, questions=questions, manual=manual)
        for path in ("preview", "campaign"):
            answer = ada.post(f"{draft}/{path}", json=form)
            assert answer.status_code == 200, answer.text
        made = answer.json()
        for name, body in ((f"{address}.csv", b"id,text\n1,a\n"), ("a.csv", address.encode()), (address, b"x")):
            ada.post("/api/desk/tables", params={"name": name, "url": address}, content=body)
        ada.post("/api/desk/tables", json={"url": address, "endpoint": address}, params={"name": "a.jsonl"})
        for path in (made["page"], f"{made['page']}/manual", f"/c/{made['campaign']}/leader/items?only=all", "/desk"):
            assert ada.get(path, headers={"referer": address, "x-forwarded-host": address}).status_code == 200
        for options in (("--items", address), ("--items", "items.csv", "--manual", address)):
            (tmp_path / "items.csv").write_text(table, "utf-8")
            (tmp_path / "q.toml").write_text('[[question]]\nid = "q"\nchoices = ["a", "b"]\n', "utf-8")
            made = concur(
                "campaign", "create", "c", *options, "--questions", "q.toml", "--coders", "a,b", "--db", "c.db"
            )
            assert made.code == 2
        with pytest.raises(BlockingIOError):
            trap.accept()
        with closing(socket.create_connection(trap.getsockname())):
            trap.setblocking(True)
            trap.accept()[0].close()  # it would have been seen


@pytest.mark.parametrize("kind", ["html", "svg", "picture"])
def test_uploads_are_not_served_as_pages_of_ours(door, kind):
    """CVE-2023-47115, CVE-2024-23633: an uploaded picture or table with a script, opened under the server's address."""
    script = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>alert(1)</script></svg>"
    ada = at_desk(door, "ada")
    if kind != "picture":
        answer = ada.post("/api/desk/tables", params={"name": f"a.{kind}"}, content=script)
        assert (answer.status_code, answer.headers["content-type"]) == (422, "application/json")
        pictures = f"/api/campaigns/{created(ada)['campaign']}/desk/pictures"
        assert ada.post(pictures, params={"name": f"a.{kind}"}, content=script).status_code == 422
        draft = upload(ada, "id,text\n1,<script>alert(1)</script>\n")["draft"]
        for path in (f"/desk/drafts/{draft}", f"/api/desk/tables/{draft}", f"/desk/drafts/{draft}/items.csv"):
            assert ada.get(path).status_code in (404, 405)
        return
    made = created(ada)
    picture = ada.post(
        f"/api/campaigns/{made['campaign']}/desk/pictures", params={"name": "a.html"}, content=PNG + script
    ).json()
    answer = ada.get(f"/pictures/{picture['name']}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert picture["name"].endswith(".png")
    assert door.client().get(f"/pictures/{picture['name']}").status_code == 401


@pytest.mark.parametrize("script", SCRIPTS, ids=range(len(SCRIPTS)))
def test_scripts_in_data_settings_and_addresses_do_nothing(store, script):
    """CVE-2024-26152, CVE-2025-25296, CVE-2025-47783, CVE-2026-22033: scripts in tasks, settings and addresses."""
    assert ActiveContent(f"<input value='{script}'>").active or ActiveContent(script).active or "{{" in script
    safe = re.sub(r"[/|,=]", "", script)
    quoted = script.replace("\\", "")
    questions = (
        f"[[question]]\nid = 'q'\ntext = '''{quoted} '''\nrule = '''{quoted} '''\nnote = true\n"
        f"choices = [{{id = '''{safe} ''', text = '''{quoted} ''', key = 'y'}}, {{id = 'b', key = 'n'}}]"
    )
    rows = [{"l1": f"{script}{n}", "l2": "b", "examples": script, f"f{safe}": script} for n in range(2)]
    door = Door(
        store,
        make_campaign(
            store, name=f"c{safe}", rows=rows, questions=questions, coders=(f"a{safe}", "ben"), manual=script
        ),
    )
    coder, leader, ada = door.join(f"a{safe}"), door.join("leader"), at_desk(door, f"d{safe}")
    task = coder.get(f"{door.api}/part").json()["items"][0]["id"]
    assert coder.post(f"{door.api}/events", json={"events": [event(task, "q", "b", note=script)]}).status_code == 200
    base, query = f"{door.pages}/leader", {"text": script, "coder": script, "question": script, "only": script}
    pages = [(coder, "/", query), (coder, door.pages, query), (coder, "/join", query), (coder, f"/{script}", query)]
    pages += [
        (leader, f"{base}{path}", {}) for path in ("", "/agreement", "/pairs", "/timing", "/items/1", "/adjudicate")
    ]
    pages += [(leader, f"{base}/items", {"only": "all"}), (leader, f"{base}/items", {"text": script, "only": "all"})]
    pages += [(leader, f"{base}/items", query), (leader, f"{base}/agreement", query), (ada, "/desk", query)]
    for client, path, parameters in pages:
        answer = client.get(path, params=parameters, headers={"accept": "text/html"})
        assert ActiveContent(answer.text).active == [], path
        assert "62710561" not in answer.text, path
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
    for client, path in (
        (coder, f"{door.api}/part"),
        (leader, f"{door.api}/items?only=all"),
        (leader, f"{door.api}/{script}"),
    ):
        answer = client.get(path)
        assert answer.headers["content-type"].startswith("application/json")
        assert answer.headers["x-content-type-options"] == "nosniff"


ORACLES = (
    "coder=ben", "answer=yes", "only=differing", "filter=answer", "ordering=-answer", "order_by=session__token_hash",
    "coder__session__token_hash__startswith=a", "include=annotations", "fields=all", "query=%7B%22filters%22%3A1%7D",
    "secret__regex=.*", "sort=answer", "expand=coders", "limit=1&start=1",
)  # fmt: skip


def test_filters_and_orders_say_nothing_of_others(door):
    """CVE-2023-47117: filters and orders over the fields of others, down to what sessions are made with."""
    anna, ben = door.join("anna"), door.join("ben")
    tasks = [item["id"] for item in anna.get(f"{door.api}/part").json()["items"]]

    def views(query=""):
        paths = ("/part", "/decisions", "/manual")
        answers = {path: anna.get(f"{door.api}{path}{query}") for path in paths}
        assert {answer.status_code for answer in answers.values()} == {200}
        return {path: answer.json() | {"server_time": 0} for path, answer in answers.items()}

    before = views()
    theirs = [item["id"] for item in ben.get(f"{door.api}/part").json()["items"]]
    assert not set(theirs) & set(tasks)
    events = [event(task, "collocation", "no") for task in theirs]
    assert ben.post(f"{door.api}/events", json={"events": events}).status_code == 200
    assert views() == before
    for query in ORACLES:
        assert views(f"?{query}") == before, query
        for path in ("/items", "/progress", "/agreement", "/pairs", "/export", "/changes"):
            assert anna.get(f"{door.api}{path}?{query}").status_code == 403, path
    leader = door.join("leader")
    whole = leader.get(f"{door.api}/items?only=all").json()["data"]["items"]
    with_secrets = [query for query in ORACLES if "token" in query or "secret" in query]
    for query in with_secrets:
        assert leader.get(f"{door.api}/items?only=all&{query}").json()["data"]["items"] == whole, query


def test_secrets_are_random_and_nobody_reads_them(door, tmp_path):
    """CVE-2023-43791: a secret that all installations have, with which anyone makes sessions; tokens in answers."""
    secrets = [load_secret(tmp_path / name) for name in ("one", "two")]
    assert secrets[0] != secrets[1]
    assert min(map(len, secrets)) >= 32
    assert stat.S_IMODE((tmp_path / "one").stat().st_mode) == 0o600
    anna, leader, ada = door.join("anna"), door.join("leader"), at_desk(door, "ada")
    hashes = [
        str(value)
        for table in (INVITATION, SESSION)
        for value in door.store.read(lambda c, table=table: c.execute(select(table.c.token_hash)).scalars().all())
    ]
    tokens = [value for client in (anna, leader, ada) for value in client.cookies.values()]
    assert not set(tokens) & set(hashes)
    name = next(iter(anna.cookies))
    for forged in (*hashes, SECRET.hex(), "", "0" * 43):
        client = door.client()
        client.cookies.set(name, forged)
        assert client.get(f"{door.api}/part").status_code == 401
        assert door.client().post("/api/sessions", json={"token": forged}).status_code in (401, 422, 429)
    paths = [path for path in door.app.openapi()["paths"] if "get" in door.app.openapi()["paths"][path]]
    content = ""
    for client in (anna, leader, ada):
        for path in (*paths, "/c/{campaign}", "/c/{campaign}/leader", "/c/{campaign}/leader/desk", "/desk"):
            content += client.get(path.format(campaign=1, item=1, draft="x", session=1, name="x")).text
    fingerprint = door.store.read(lambda c: c.execute(select(INSTALLATION.c.fingerprint)).scalar())
    for hidden in (*hashes, *tokens, SECRET.hex(), SECRET.decode(), str(fingerprint or SECRET.hex())):
        assert hidden not in content
    alone = back_up(door.store, tmp_path / "one.db", campaign=door.campaign).read_bytes()
    assert not [value for value in hashes if value.encode() in alone]


CLIMBING = (
    "../../../../tmp/climbed",
    "..\\..\\climbed",
    "/etc/climbed",
    "a\r\nset-cookie: x=1",
    'x"; filename="y.html',
)


@pytest.mark.parametrize("name", CLIMBING, ids=range(len(CLIMBING)))
def test_names_do_not_become_paths(store, tmp_path, concur, monkeypatch, name):
    """CVE-2025-25295: names in tasks and labels that an export writes files by."""
    inside = tmp_path / "inside"
    inside.mkdir()
    monkeypatch.chdir(inside)
    rows = [{"id": f"{name}{n}", "text": name, "file": name} for n in range(2)]
    door = Door(store, make_campaign(store, rows=rows, coders=("anna", "ben")))
    made = created(at_desk(door, "ada"), name="greetings")
    leader, ada = door.join("leader"), at_desk(door, "ada")
    desk = f"/api/campaigns/{made['campaign']}/desk"
    downloads = [leader.get(f"{door.api}/export"), leader.get(f"{door.api}/export", params={"question": "kind"})]
    downloads += [ada.get(f"{desk}/events"), ada.get(f"{desk}/backup")]
    for answer in downloads:
        assert answer.status_code == 200, answer.text
        file = answer.headers["content-disposition"]
        assert re.fullmatch(r'attachment; filename="[A-Za-z0-9][\w.-]*"', file), file
        assert "set-cookie" not in answer.headers
    uploads = ada.post("/api/desk/tables", params={"name": f"{name}.csv"}, content=b"id,text\n1,a\n")
    assert uploads.status_code in (200, 422)
    for options in (("-o", "labels.csv"), ("-o", "events.csv", "--events")):
        assert concur("campaign", "export", "verbs", "--db", store.path, *options).code == 0
    assert concur("campaign", "backup", "--db", store.path).code == 0
    assert not list(tmp_path.rglob("*climbed*"))
    assert not Path("/tmp/climbed").exists()
    assert not Path("/etc/climbed").exists()


def test_addresses_end_in_their_folder(tmp_path):
    """GHSA-q9m2-fhv9-3jcf, GHSA-cpmr-mw4j-99r7: addresses that leave a folder, or begin like one; sent as they are."""
    prepare(tmp_path / "campaigns.db", tmp_path / "secret", coders=1)
    served = Served(tmp_path / "campaigns.db", tmp_path / "secret").start()
    try:
        climb(lambda: socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE))
    finally:
        served.kill()


@pytest.mark.nginx
@pytest.mark.openssl
def test_nginx_as_the_guide_has_it(tmp_path):
    """GHSA-q9m2-fhv9-3jcf, GHSA-cpmr-mw4j-99r7: the same behind the proxy, whose own folders cannot be left either."""
    (token,) = prepare(tmp_path / "campaigns.db", tmp_path / "secret", coders=1)
    proxied = ("--public-url", "https://judge.example.org", "--trusted-proxy", "127.0.0.1")
    served = Served(tmp_path / "campaigns.db", tmp_path / "secret", *proxied).start()
    try:
        with nginx(tmp_path, served.port) as port:
            climb(lambda: tls(port))
            with closing(tls(port)) as connection:
                body = f'{{"token": "{token}"}}'
                answer = ask(
                    connection, "POST", "/api/sessions", body, "X-Forwarded-For: 192.0.2.7", "X-Forwarded-Proto: http"
                )
            head = answer.decode("latin-1").lower()
            assert head.startswith("http/1.1 200"), head
            assert "set-cookie: __host-" in head
            assert "strict-transport-security: max-age=31536000" in head
            with closing(tls(port)) as connection:
                refused = ask(connection, "POST", "/api/sessions", body, "Origin: https://evil.example")
            assert refused.startswith(b"HTTP/1.1 403")
    finally:
        served.kill()
    with Store(tmp_path / "campaigns.db") as store:
        [join] = [act for act in store.read(logged_acts) if act.act == "join"]
        assert join.address == "127.0.0.1"  # what nginx sees, whatever the visitor says


def climb(connect):
    """No address leaves the folder of our own files, or is answered by a file that merely begins like it."""
    for path in CLIMBS:
        with closing(connect()) as connection:
            answer = ask(connection, "GET", path)
        status = int(answer.split(b" ", 2)[1])
        assert status in (400, 401, 404), (path, answer[:300])
        for content in (b"root:", b"class Settings", b"@media"):
            assert content not in answer, path
    with closing(connect()) as connection:
        assert ask(connection, "GET", "/static/base.css").startswith(b"HTTP/1.1 200")


def ask(connection, method, path, body="", *headers):
    """The answer to a request whose address is sent as it is."""
    lines = [f"{method} {path} HTTP/1.1", "Host: judge.example.org", "Connection: close", *headers]
    lines += ["Content-Type: application/json", f"Content-Length: {len(body)}", "", body]
    connection.sendall("\r\n".join(lines).encode())
    answer = b""
    while piece := connection.recv(65536):
        answer += piece
    return answer


def tls(port):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    plain = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    return context.wrap_socket(plain, server_hostname="judge.example.org")


@contextmanager
def nginx(folder, behind):
    """nginx with the configuration of the guide, but for ports and certificate."""
    _, certificate, _, key = make_certificate(folder)
    [server] = re.findall(r"```nginx\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    port = free_port()
    for old, new in (
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("127.0.0.1:8765", f"127.0.0.1:{behind}"),
        ("/etc/nginx/judge.pem", str(certificate)),
        ("/etc/nginx/judge.key", str(key)),
    ):
        assert old in server
        server = server.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    user = "user root;\n" if os.getuid() == 0 else ""
    config = folder / "nginx.conf"
    config.write_text(
        f"{user}pid {folder}/nginx.pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{places}{server}}}\n",
        "utf-8",
    )
    command = [NGINX, "-c", str(config), "-p", str(folder), "-e", f"{folder}/error.log", "-g", "daemon off;"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)

    def is_there():
        assert process.poll() is None, (folder / "error.log").read_text("utf-8")
        with closing(socket.socket()) as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        wait_until(is_there, what="nginx")
        yield port
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
