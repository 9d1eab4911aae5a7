"""The adjudication page: the disputed items in a row, the votes with the majority first, all rulings at once."""

import uuid

import pytest

from concurrence.annotation.decisions.adjudication import Opinions
from concurrence.web.leader.adjudicate import count_votes
from support.campaign_cases import event, make_campaign
from support.web_door import Door


def judge(door, coder, answers):
    """``answers`` by the number of the item: ``["yes", "figurative"]`` or ``["no"]``."""
    client = door.join(coder)
    events = []
    for item in client.get(f"{door.api}/part").json()["items"]:
        number = int(item["text"].split("verb")[1].split()[0])
        given = zip(("collocation", "kind"), answers.get(number, ()), strict=False)
        events += [event(item["id"], question, answer) for question, answer in given]
    receipts = client.post(f"{door.api}/events", json={"events": events}).json()["receipts"]
    assert {receipt["status"] for receipt in receipts} == {"stored"}


@pytest.fixture
def door(store):
    """Three coders on four pairs: they differ on 2 (collocation), on 3 (kind) and on nothing else."""
    made = Door(store, make_campaign(store, size=4, coders=("anna", "ben", "carla")))
    yes, no = ["yes", "figurative"], ["no"]
    judge(made, "anna", {1: no, 2: yes, 3: yes, 4: no})
    judge(made, "ben", {1: no, 2: no, 3: ["yes", "support verb"]})
    judge(made, "carla", {1: no, 2: no, 3: yes})
    return made


def data(door, item=None):
    query = "" if item is None else f"?item={item}"
    answer = door.join("leader").get(f"{door.api}/adjudicate{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def rule(door, item, rulings, status=200):
    body = [{"uuid": str(uuid.uuid4()), "question": q, "answer": a, "reason": "rule 1"} for q, a in rulings]
    sent = door.join("leader").post(f"{door.api}/rulings", json={"item": item, "rulings": body})
    assert sent.status_code == status, sent.text
    return sent.json()


def test_the_disputed_items_stand_in_a_row(door):
    first = data(door)
    assert (first["text"], first["place"], first["total"], first["decided"]) == ("verb2 noun2", 1, 2, 0)
    assert (first["previous"], first["next"], first["next_open"]) == (None, 3, 3)
    third = data(door, 3)
    assert (third["place"], third["previous"], third["next"], third["next_open"]) == (2, 2, None, 2)
    agreed = data(door, 1)
    assert (agreed["place"], agreed["open"], agreed["next_open"]) == (None, False, 2)


def test_the_majority_comes_first_and_a_tie_has_none(door):
    by_question = {entry["question"]: entry for entry in data(door, 2)["questions"]}
    assert [(vote["answer"], vote["coders"]) for vote in by_question["collocation"]["votes"]] == [
        ("no", ["ben", "carla"]),
        ("yes", ["anna"]),
    ]
    assert by_question["collocation"]["majority"] == "no"
    assert (by_question["kind"]["majority"], by_question["kind"]["differ"]) == ("figurative", False)
    tie = Opinions(item_id=1, item="x", part="all", question="q", answers={"a": "1", "b": "2"}, unsure=(), notes={})
    assert count_votes(tie).majority is None


def test_all_rulings_on_an_item_are_recorded_or_none(door):
    told = rule(door, 2, [("kind", "figurative"), ("collocation", "no")], 422)["error"]
    assert "'kind' does not apply" in told
    assert data(door, 2)["history"] == []
    rule(door, 2, [("kind", "figurative"), ("collocation", "yes")])
    after = data(door)
    assert (after["text"], after["decided"], after["next_open"]) == ("verb3 noun3", 1, None)
    ruled = data(door, 2)
    assert {name: entry["answer"] for name, entry in ruled["rulings"].items()} == {
        "collocation": "yes",
        "kind": "figurative",
    }
    assert [entry["question"] for entry in ruled["history"]] == ["collocation", "kind"]
    rule(door, 2, [("collocation", None), ("kind", None)])
    assert (data(door)["text"], data(door)["decided"]) == ("verb2 noun2", 0)


def test_a_ruling_that_ends_a_dispute_on_a_follow_up_decides_the_item(door):
    rule(door, 3, [("collocation", "no")])
    assert data(door, 3)["open"] is False


def test_unknown_items_and_questions_are_told(door):
    leader = door.join("leader")
    assert leader.get(f"{door.api}/adjudicate?item=99").status_code == 404
    rule(door, 2, [("colour", "red")], 404)
    rule(door, 99, [("collocation", "no")], 422)
    assert door.join("anna").post(f"{door.api}/rulings", json={"item": 2, "rulings": []}).status_code in (403, 422)


def test_a_ruling_on_stretches_must_fit_the_item(store):
    questions = '[[question]]\nid = "names"\ntype = "span"\nlabels = ["PER"]'
    rows = [{"id": "1", "text": "Ada met Ben"}]
    door = Door(store, make_campaign(store, rows=rows, questions=questions))
    told = rule(door, 1, [("names", '[[0,30,"PER"]]')], 422)["error"]
    assert told == "A stretch ends at 30, but the item has 11 characters."
    rule(door, 1, [("names", '[[0,3,"PER"]]')])


def test_two_texts_stand_in_the_order_of_their_columns(store):
    questions = '[[question]]\nid = "better"\ntype = "preference"'
    rows = [{"id": str(n), "a": f"first {n}", "b": f"second {n}"} for n in range(8)]
    door = Door(store, make_campaign(store, rows=rows, questions=questions))
    for item in range(1, 9):
        shown = data(door, item)["shown"]["better"]
        assert (shown["order"], shown["texts"]) == (["a", "b"], [f"first {item - 1}", f"second {item - 1}"])


def test_a_campaign_without_disputes_says_so(store):
    door = Door(store, make_campaign(store))
    assert data(door) == {
        "item_id": None, "total": 0, "decided": 0, "place": None, "open": False,
        "previous": None, "next": None, "next_open": None,
    }  # fmt: skip
    page = door.join("leader").get(f"{door.pages}/leader/adjudicate").text
    assert "There are no disagreements." in page
