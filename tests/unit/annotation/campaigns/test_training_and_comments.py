"""Training and comments on both databases, and through the command line."""

import json
import uuid

import pytest

from concurrence.annotation.campaigns.campaign import find_coder
from concurrence.annotation.campaigns.training import is_locked, training_results
from concurrence.annotation.decisions.coder_part import load_decisions, load_part
from concurrence.annotation.decisions.comments import (
    NewComment,
    add_comments,
    comment_as_leader,
    comments_on,
    export_comments,
)
from concurrence.annotation.decisions.events import NewEvent, record
from support.campaign_cases import QUESTIONS, make_campaign, pair_rows

SETTINGS = "comments = true\n[training]\npass = 0.5\n" + QUESTIONS


def person(store, campaign, name):
    return store.read(lambda c: find_coder(c, campaign, name)).id


def say(store, campaign, coder, answers):
    tasks = store.read(lambda c: load_part(c, campaign, coder)).tasks
    events = [
        NewEvent(
            uuid=str(uuid.uuid4()), task=task.id, question="collocation", answer=answer, client_time=1, manual_version=1
        )
        for task, answer in zip(tasks, answers, strict=True)
    ]
    return [receipt.status for receipt in store.write(lambda c: record(c, campaign, coder, events))]


def test_training_and_comments_work_alike_on_both_databases(store):
    rows = [row | {"expected": "no" if n < 2 else ""} for n, row in enumerate(pair_rows(4))]
    campaign = make_campaign(store, rows=rows, questions=SETTINGS)
    anna, leader = person(store, campaign, "anna"), person(store, campaign, "leader")
    assert store.read(lambda c: is_locked(c, campaign, anna))
    assert say(store, campaign, anna, ["no", "no"]) == ["stored", "stored"]
    assert not store.read(lambda c: is_locked(c, campaign, anna))
    assert [(row.coder, row.score) for row in store.read(lambda c: training_results(c, campaign))] == [
        ("anna", 1.0),
        ("ben", None),
    ]
    part = store.read(lambda c: load_part(c, campaign, anna))
    assert (part.round, part.training) == ("main", None)

    task = part.tasks[0].id
    comment = NewComment(uuid=str(uuid.uuid4()), task=task, text="Why?", client_time=1)
    for status in ("stored", "known"):
        assert [one.status for one in store.write(lambda c: add_comments(c, campaign, anna, [comment]))] == [status]
    item = store.read(lambda c: comments_on(c, campaign))[0].item_id
    store.write(lambda c: comment_as_leader(c, campaign, leader, uuid=str(uuid.uuid4()), item_id=item, text="Rule 2."))
    own = store.read(lambda c: load_decisions(c, campaign, anna)).comments
    assert [(one.task, one.by, one.text) for one in own] == [(task, "anna", "Why?"), (task, "leader", "Rule 2.")]
    frame = store.read(lambda c: export_comments(c, campaign))
    assert frame.select("by", "role", "comment").rows() == [("anna", "coder", "Why?"), ("leader", "leader", "Rule 2.")]


def test_the_command_line_makes_the_same_campaign(tmp_path, monkeypatch, concur):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "questions.toml").write_text(SETTINGS, "utf-8")
    (tmp_path / "items.csv").write_text("l1,l2,expected,explanation\na,b,no,rule 1\nc,d,,\n", "utf-8")

    def run(*arguments):
        done = concur(*arguments)
        assert done.code == 0, done.err
        return done

    create = (
        "campaign",
        "create",
        "verbs",
        "--items",
        "items.csv",
        "--questions",
        "questions.toml",
        "--coders",
        "anna",
    )
    made = run(*create, "--db", "c.db", "--json").json
    assert (made["items"], made["rounds"], made["tasks"]) == (2, ["training", "main"], {"anna": 2})
    status = run("campaign", "status", "verbs", "--db", "c.db", "--json").json
    assert [(row["round"], row["items"]) for row in status["coders"]] == [("training", 1), ("main", 1)]
    run("campaign", "export", "verbs", "--comments", "--db", "c.db", "-o", "comments.csv")
    assert (tmp_path / "comments.csv").read_text("utf-8").splitlines()[-1] == "item,by,role,time,comment"
    run("campaign", "export", "verbs", "--training", "--db", "c.db", "-o", "labels.csv")
    assert "training" in (tmp_path / "labels.csv").read_text("utf-8").splitlines()[-1].split(",")
    assert json.dumps(made)


@pytest.mark.parametrize("setting", ["", "comments = true\n"])
def test_a_campaign_without_training_opens_as_ever(store, setting):
    campaign = make_campaign(store, questions=setting + QUESTIONS)
    anna = person(store, campaign, "anna")
    assert not store.read(lambda c: is_locked(c, campaign, anna))
    assert store.read(lambda c: training_results(c, campaign)) == []
    part = store.read(lambda c: load_part(c, campaign, anna))
    assert (part.training, part.comments) == (None, [] if setting else None)
