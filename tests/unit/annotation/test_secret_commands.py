"""``links`` and ``serve`` with different secrets would make links that never work; both refuse to."""

import json

import pytest

from concurrence.web import server
from support.campaign_cases import QUESTIONS
from support.servers import free_port


@pytest.fixture
def campaign(tmp_path, monkeypatch, concur):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.csv").write_text("l1,l2\npay,attention\nred,car\n", "utf-8")
    (tmp_path / "questions.toml").write_text(QUESTIONS, "utf-8")
    create = ("--items", "items.csv", "--questions", "questions.toml", "--coders", "anna,ben")
    assert concur("campaign", "create", "verbs", *create).code == 0
    return tmp_path


@pytest.fixture
def serve(concur, monkeypatch):
    """``concur serve`` up to the moment where it would wait for visitors."""
    monkeypatch.setattr(server.LimitedServer, "run", lambda self, sockets: None)
    return lambda *options: concur("serve", "--port", free_port(), *options)


def refused(done):
    assert done.code == 2
    assert "secret" in done.err
    assert "Traceback" not in done.err
    assert len(done.err.strip().splitlines()) == 1
    return True


def test_create_makes_no_secret_and_fixes_none(campaign, concur, serve):
    assert not list(campaign.glob("*secret*"))
    assert serve("--secret-file", "one").code == 0
    assert refused(serve("--secret-file", "two"))


def test_links_and_serve_must_have_one_secret(campaign, concur, serve):
    assert concur("campaign", "links", "verbs").code == 0
    assert refused(serve("--secret-file", "elsewhere"))
    assert not (campaign / "elsewhere").exists()
    (campaign / "other").write_bytes(b"o" * 32)
    assert refused(serve("--secret-file", "other"))
    assert refused(concur("campaign", "links", "verbs", "--secret-file", "other"))
    assert serve().code == 0
    assert serve("--secret-file", "concurrence.db.secret").code == 0


def test_a_database_without_its_secret_file_is_refused(campaign, concur, serve):
    assert serve().code == 0
    (campaign / "concurrence.db.secret").unlink()
    assert refused(serve())
    assert refused(concur("campaign", "links", "verbs"))
    assert not (campaign / "concurrence.db.secret").exists()
    assert concur("campaign", "export", "verbs", "-o", "labels.csv").code == 0  # the decisions are there all the same
    assert "Restart concur serve" in concur("campaign", "links", "verbs", "--new-secret").err
    assert serve().code == 0


@pytest.mark.parametrize("content", [b"", b"short"])
def test_a_file_that_is_no_secret_is_told(campaign, serve, content):
    (campaign / "notes").write_bytes(content)
    assert refused(serve("--secret-file", "notes"))


def test_the_log_is_printed(campaign, concur):
    link = concur("campaign", "links", "verbs", "--coder", "anna", "--days", "3", "--once", "--json").json["links"][
        "anna"
    ]
    concur("campaign", "links", "verbs", "--revoke", "anna")
    concur("campaign", "export", "verbs", "-o", "labels.csv")
    acts = concur("campaign", "log", "verbs", "--json").json["acts"]
    assert [(act["act"], act["person"]) for act in acts] == [
        ("campaign made", None),
        ("link made", "anna"),
        ("revocation", "anna"),
        ("export", None),
    ]
    assert link.partition("#")[2] not in json.dumps(acts)
    shown = concur("campaign", "log")
    assert "revocation" in shown.out
    assert concur("campaign", "log", "verb").code == 2


def test_sessions_and_proxies_are_settings_of_serve(campaign, concur, serve, monkeypatch):
    seen = []
    create = server.create_app
    monkeypatch.setattr(server, "create_app", lambda store, settings: seen.append(settings) or create(store, settings))
    assert serve("--idle-days", "1", "--session-days", "30", "--trusted-proxy", "127.0.0.1,10.0.0.0/8").code == 0
    (settings,) = seen
    day = 24 * 3600 * 1000
    assert (settings.sessions.idle, settings.sessions.absolute) == (day, 30 * day)
    assert settings.trusted_proxies == ("127.0.0.1", "10.0.0.0/8")
    assert serve("--trusted-proxy", "proxy.example.org").code == 2
    assert serve("--idle-days", "0").code == 2
    public = ("--public-url", "https://judge.example.org")
    assert "--trusted-proxy" in serve(*public).err
    assert "--trusted-proxy" not in serve(*public, "--trusted-proxy", "127.0.0.1").err
