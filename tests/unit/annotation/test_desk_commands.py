"""The commands beside the desk in the browser: the link to it, and the whole log as a table."""

import csv

import pytest

from concurrence.annotation.database.store import Store
from concurrence.annotation.people.access import link_state, load_secret
from concurrence.annotation.people.organisers import campaigns_on_desk, organiser_names
from concurrence.annotation.people.security_log import logged_acts


@pytest.fixture
def run(concur, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.csv").write_text("l1,l2\npay,attention\nred,car\n", "utf-8")
    (tmp_path / "questions.toml").write_text('[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n', "utf-8")
    (tmp_path / "model.csv").write_text("l1,l2,label\npay,attention,yes\nred,car,no\n", "utf-8")
    create = ("create", "verbs", "--items", "items.csv", "--questions", "questions.toml", "--coders", "anna,ben")
    assert concur("campaign", *create).code == 0
    return lambda *arguments: concur("campaign", *arguments)


def test_a_link_to_a_desk_works_until_it_is_revoked(run, tmp_path):
    made = run("links", "--desk", "ada", "--url", "https://judge.example.org", "--json").json
    assert list(made["links"]) == ["ada"]
    token = made["links"]["ada"].removeprefix("https://judge.example.org/join#")
    secret = load_secret(tmp_path / "concurrence.db.secret")
    with Store() as store:
        assert store.read(lambda c: link_state(c, token, secret)) == "valid"
        assert store.read(lambda c: campaigns_on_desk(c, 1)) == []
    assert run("links", "verbs", "--desk", "ada").code == 0
    with Store() as store:
        assert store.read(organiser_names) == ["ada"]
        assert [led.name for led in store.read(lambda c: campaigns_on_desk(c, 1))] == ["verbs"]
    assert run("links", "--desk", "ada", "--revoke", "ada", "--json").json["revoked"] == {"ada": 2}
    with Store() as store:
        assert store.read(lambda c: link_state(c, token, secret)) == "revoked"
    assert "desk" in run("log").out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("links",), "Name the campaign, or the person"),
        (("links", "--desk", "ada", "--coder", "anna"), "--desk is for one person"),
        (("links", "--desk", "ada", "--revoke", "ben"), "--desk is for one person"),
        (("links", "--desk", "ada", "--revoke", "ada"), "no organiser 'ada'"),
        (("links", "none", "--desk", "ada"), "no campaign 'none'"),
        (("export", "verbs", "--events", "--gold", "collocation=yes", "-o", "x.csv"), "--events writes the whole log"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(run, arguments, sentence):
    done = run(*arguments)
    assert done.code == 2
    assert sentence in done.err


def test_the_json_of_a_change_says_its_kind(run, tmp_path):
    (tmp_path / "more.csv").write_text("l1,l2\nmake,sense\n", "utf-8")
    kinds = {
        "Staffed": ("coder", "add", "verbs", "dora"),
        "Added": ("items", "add", "verbs", "more.csv"),
        "Created": ("create", "nouns", "--items", "more.csv", "--questions", "questions.toml", "--coders", "anna"),
    }
    assert {kind: run(*arguments, "--json").json["kind"] for kind, arguments in kinds.items()} == {
        kind: kind for kind in kinds
    }


def test_the_whole_log_is_exported(run, tmp_path):
    assert run("import", "verbs", "model.csv", "--as", "labels", "--coder", "model-a").code == 0
    assert run("export", "verbs", "--events", "-o", "events.csv").code == 0
    with (tmp_path / "events.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert [(row["item"], row["coder"], row["answer"], row["origin"]) for row in rows] == [
        ("pay attention", "model-a", "yes", "import"),
        ("red car", "model-a", "no", "import"),
    ]


def test_what_the_desk_logs_the_commands_log_too(run, tmp_path):
    (tmp_path / "more.csv").write_text("l1,l2\nmake,sense\n", "utf-8")
    (tmp_path / "manual.md").write_text("# What counts\n", "utf-8")
    acts = [
        ("coder", "add", "verbs", "dora"),
        ("coder", "replace", "verbs", "anna", "clara"),
        ("coder", "remove", "verbs", "ben"),
        ("items", "add", "verbs", "more.csv"),
        ("import", "verbs", "manual.md", "--as", "manual"),
        ("close", "verbs"),
        ("reopen", "verbs", "--round", "main"),
        ("backup", "-o", "copy.db"),
        ("delete", "verbs", "--yes"),
    ]
    for arguments in acts:
        assert run(*arguments).code == 0, arguments
    with Store() as store:
        logged = [(act.act, act.detail) for act in store.read(logged_acts) if "command line" in (act.detail or "")]
    assert logged == [
        ("campaign made", "command line"),
        ("coder added", "dora, command line"),
        ("coder replaced", "anna by clara, command line"),
        ("coder removed", "ben, command line"),
        ("items added", "more.csv, command line"),
        ("manual changed", "command line"),
        ("closed", "command line"),
        ("reopened", "round main, command line"),
        ("backup", "command line"),
        ("campaign deleted", "command line"),
    ]


def test_items_that_the_questions_cannot_be_asked_of_are_not_added(concur, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.csv").write_text("id,a,b\n1,left,right\n", "utf-8")
    (tmp_path / "more.csv").write_text("id,a\n2,left\n", "utf-8")
    (tmp_path / "questions.toml").write_text('[[question]]\nid = "better"\ntype = "preference"\n', "utf-8")
    create = ("create", "t", "--items", "items.csv", "--questions", "questions.toml", "--coders", "anna,ben")
    assert concur("campaign", *create).code == 0
    refused = concur("campaign", "items", "add", "t", "more.csv")
    assert refused.code == 2
    assert "'2'" in refused.err
    assert concur("campaign", "status", "t", "--json").json["campaign"] == "t"
