"""Answers of every type at the server's door: checked against their item, exported as their command reads them."""

import csv
import io

import pytest

from concurrence.core.errors import InvalidInputError
from support.campaign_cases import event, make_campaign
from support.questions import BETTER, NAMES, questionnaire
from support.web_door import Door

QUESTIONS = questionnaire(
    NAMES | {"labels": ["PER", "LOC"]},
    {"id": "kind", "when": "names=PER", "choices": ["real", "fictional"]},
    BETTER,
)
TEXT = "\U0001f3a9 Ada"  # five characters, though browsers count six
ROWS = [{"id": str(n), "text": TEXT, "a": f"left {n}", "b": f"right {n}"} for n in (1, 2)]


@pytest.fixture
def door(store):
    return Door(store, make_campaign(store, rows=ROWS, questions=QUESTIONS))


def send(door, coder, *answers):
    """The receipts of answers to the first item."""
    client = door.join(coder)
    task = client.get(f"{door.api}/part").json()["items"][0]["id"]
    events = [event(task, question, text) for question, text in answers]
    receipts = client.post(f"{door.api}/events", json={"events": events}).json()["receipts"]
    return [receipt["reason"] or receipt["status"] for receipt in receipts]


def test_a_stretch_lies_within_its_item_counted_in_characters(door):
    assert send(door, "anna", ("names", '[[2,6,"PER"]]')) == ["A stretch ends at 6, but the item has 5 characters."]
    assert send(door, "anna", ("names", '[[2,5,"PER"]]')) == ["stored"]


def test_a_follow_up_waits_for_a_label_that_was_used(door):
    refused = "The question 'kind' is asked only after names=PER."
    assert send(door, "anna", ("names", '[[2,5,"LOC"]]'), ("kind", "real")) == ["stored", refused]
    assert send(door, "ben", ("names", '[[0,1,"LOC"],[2,5,"PER"]]'), ("kind", "real")) == ["stored", "stored"]


def test_what_the_leader_downloads_of_a_question_is_what_its_command_reads(door):
    send(door, "anna", ("names", '[[2,5,"PER"]]'), ("better", "a"))
    leader = door.join("leader")
    spans, sides = (
        list(csv.DictReader(io.StringIO(leader.get(f"{door.api}/export?question={name}").text)))
        for name in ("names", "better")
    )
    assert [(row["start"], row["end"], row["label"], row["text"], row["length"]) for row in spans] == [
        ("2", "5", "PER", "Ada", "5")
    ]
    part = door.join("anna").get(f"{door.api}/part").json()
    shown = part["items"][0]["shown"]["better"]
    assert (sides[0]["a"], sides[0]["b"]) == tuple(shown["texts"])
    assert sides[0][sides[0]["winner"]].startswith("left")
    everything = list(csv.DictReader(io.StringIO(leader.get(f"{door.api}/export").text)))
    assert [row["label"] for row in everything] == ['[[2,5,"PER"]]', "a"]


@pytest.mark.parametrize("path", ["agreement", "pairs", "pairs?question=names", "expert", "items?only=all", ""])
def test_every_page_of_the_leader_opens_before_and_after_the_first_answers(door, path):
    leader = door.join("leader")
    assert leader.get(f"{door.pages}/leader/{path}".rstrip("/")).status_code == 200
    for coder in ("anna", "ben"):
        send(door, coder, ("names", "[]"), ("better", "tie"))
    assert leader.get(f"{door.pages}/leader/{path}".rstrip("/")).status_code == 200
    items = leader.get(f"{door.api}/items?only=all").json()["data"]["items"]
    assert leader.get(f"{door.pages}/leader/items/{items[0]['item_id']}").status_code == 200


def test_an_item_without_the_texts_to_compare_is_refused(store):
    with pytest.raises(InvalidInputError, match="Item '1' has nothing in the column 'b', which the question 'better'"):
        make_campaign(store, rows=[{"id": "1", "text": "x", "a": "y"}], questions=QUESTIONS)


def test_a_ruling_on_stretches_is_chosen_among_the_answers_and_told_in_words(door):
    for coder, marked in (("anna", '[[2,5,"PER"]]'), ("ben", "[]")):
        client = door.join(coder)
        tasks = client.get(f"{door.api}/part").json()["items"]
        sent = [event(task["id"], "names", marked) for task in tasks]
        client.post(f"{door.api}/events", json={"events": sent})
    leader = door.join("leader")
    number = leader.get(f"{door.api}/items?only=differing").json()["data"]["items"][0]["item_id"]
    page = leader.get(f"{door.pages}/leader/items/{number}").text
    for words in ("<bdi>PER: Ada (2–5)</bdi>", "<bdi>nothing marked</bdi>", "answer it yourself"):
        assert words in page
    assert '<input type="text" name="answer"' not in page
    ruling = {"uuid": event(1, "q", "a")["uuid"], "item": number, "question": "names", "answer": "[]"}
    assert leader.post(f"{door.api}/adjudications", json=ruling | {"reason": "A hat."}).json() == {"done": True}
    page = leader.get(f"{door.pages}/leader/items/{number}").text
    assert "Adjudicated: <bdi>nothing marked</bdi>" in page
    assert "<strong>nothing marked</strong>" in leader.get(f"{door.pages}/leader/items").text
