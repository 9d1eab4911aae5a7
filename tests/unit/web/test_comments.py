"""Comments on items: off by default, everybody who judges the item sees them, stored once, exported."""

import uuid

import pytest

from concurrence.annotation.decisions.comments import OFF
from support.campaign_cases import QUESTIONS, make_campaign
from support.web_door import Door


@pytest.fixture
def door(store):
    rows = [{"l1": f"verb{n}", "l2": f"noun{n}", "part": part} for n, part in enumerate(("all", "1", "2"), start=1)]
    return Door(store, make_campaign(store, rows=rows, questions="comments = true\n" + QUESTIONS))


def items(door, who):
    part = door.join(who).get(f"{door.api}/part").json()
    return {item["text"].split()[0]: item["id"] for item in part["items"]}, part


def comment(item, text="Why?", number=None):
    return {"uuid": number or str(uuid.uuid4()), "item": item, "text": text, "client_time": 1}


def send(door, who, *comments):
    return door.join(who).post(f"{door.api}/comments", json={"comments": list(comments)})


def test_everyone_who_judges_an_item_sees_its_comments(door):
    anna, _ = items(door, "anna")
    first = comment(anna["verb1"], " Why not? ")
    assert [one["status"] for one in send(door, "anna", first).json()["receipts"]] == ["stored"]
    assert [one["status"] for one in send(door, "anna", first).json()["receipts"]] == ["known"]
    leader = door.join("leader")
    body = {"uuid": str(uuid.uuid4()), "text": "See rule 2."}
    for _ in range(2):
        assert leader.post(f"{door.api}/items/1/comments", json=body).json() == {"done": True}
    ben, part = items(door, "ben")
    told = [(one["item"], one["by"], one["role"], one["text"]) for one in part["comments"]]
    assert told == [
        (ben["verb1"], "anna", "coder", "Why not?"),
        (ben["verb1"], "leader", "leader", "See rule 2."),
    ]
    again = door.join("ben").get(f"{door.api}/decisions").json()
    assert again["comments"] == part["comments"]
    page = leader.get(f"{door.pages}/leader/items/1").text
    assert "Why not?" in page
    assert [one["text"] for one in leader.get(f"{door.api}/items/1").json()["data"]["comments"]] == [
        "Why not?",
        "See rule 2.",
    ]


def test_a_comment_on_an_item_of_another_part_is_seen_by_nobody_else(door):
    anna, _ = items(door, "anna")
    send(door, "anna", comment(anna["verb2"], "Mine alone."))
    assert items(door, "ben")[1]["comments"] == []


def test_comments_stay_in_ones_own_part_and_are_not_empty(door):
    anna, ben = items(door, "anna")[0], items(door, "ben")[0]
    answer = send(door, "anna", comment(ben["verb1"]), comment(anna["verb1"], "  ")).json()["receipts"]
    assert [(one["status"], one["reason"]) for one in answer] == [
        ("refused", "This item is not in your part."),
        ("refused", "A comment must not be empty."),
    ]
    leader = door.join("leader")
    body = {"uuid": str(uuid.uuid4()), "text": "x"}
    assert leader.post(f"{door.api}/items/99/comments", json=body).status_code == 422
    assert door.join("anna").post(f"{door.api}/items/1/comments", json=body).status_code == 403


def test_they_are_off_unless_the_questions_say_so(store):
    door = Door(store, make_campaign(store))
    anna, part = items(door, "anna")
    assert part["comments"] is None
    assert send(door, "anna", comment(anna["verb1"])).json()["receipts"][0]["reason"] == OFF
    body = {"uuid": str(uuid.uuid4()), "text": "x"}
    assert door.join("leader").post(f"{door.api}/items/1/comments", json=body).json()["error"] == OFF


def test_the_export_has_them(door):
    anna, _ = items(door, "anna")
    send(door, "anna", comment(anna["verb1"], "=1+1"))
    leader = door.join("leader")
    lines = leader.get(f"{door.api}/export?comments=true").text.splitlines()
    assert lines[0] == "item,by,role,time,comment"
    assert lines[1].startswith("verb1 noun1,anna,coder,20")
    assert lines[1].endswith("Z,'=1+1")


def test_a_new_comment_renews_the_page_of_its_item(door):
    leader = door.join("leader")
    assert leader.get(f"{door.api}/items/1").json()["data"]["comments"] == []
    anna, _ = items(door, "anna")
    send(door, "anna", comment(anna["verb1"], "New."))
    assert len(leader.get(f"{door.api}/items/1").json()["data"]["comments"]) == 1
