"""A question type stands on its one row: one that a test adds goes all the way, from questions.toml to every page."""

import csv
import io

import pytest

from concurrence.annotation.decisions.exports import export_gold
from concurrence.annotation.decisions.outcomes import judged_items
from concurrence.annotation.questions.questionnaire import parse_questions
from concurrence.annotation.questions.table import QUESTION_TYPES, Choice, QuestionType
from concurrence.core.errors import InvalidInputError
from support.campaign_cases import event, make_campaign
from support.decision_twins import question_labels
from support.web_door import Door

QUESTIONS = """
[[question]]
id = "fit"
type = "stars"
most = 3

[[question]]
id = "word"
type = "word"
when = "fit=2|3"

[[question]]
id = "sure"
choices = ["yes", "no"]
"""

STARS = QuestionType(
    name="stars",
    fields=("most",),
    choices=lambda fields, _: tuple(
        Choice(id=str(n), text="*" * n, key=str(n)) for n in range(1, fields.get("most", 5) + 1)
    ),
    settings=lambda fields, _: {"most": fields.get("most", 5)},
    label=lambda _, answer: f"{answer} stars",
)
WORD = QuestionType(
    name="word",
    fields=(),
    objection=lambda _, answer: None if answer.isalpha() else "One word, please.",
    label=lambda _, answer: answer.lower(),
)


@pytest.fixture
def door(store, monkeypatch):
    for row in (STARS, WORD):
        monkeypatch.setitem(QUESTION_TYPES, row.name, row)
    return Door(store, make_campaign(store, size=3, questions=QUESTIONS))


def answer(door, coder, given):
    """Let a coder answer, by the item's number: ``{1: {"fit": "3", "word": "Red"}}``; gives the receipts."""
    client = door.join(coder)
    tasks = {int(task["text"][-1]): task["id"] for task in client.get(f"{door.api}/part").json()["items"]}
    events = [event(tasks[n], question, text) for n, answers in given.items() for question, text in answers.items()]
    receipts = client.post(f"{door.api}/events", json={"events": events}).json()["receipts"]
    return [receipt["reason"] or receipt["status"] for receipt in receipts]


@pytest.fixture
def judged(door):
    annas = {1: {"fit": "3", "word": "Red"}, 2: {"fit": "1"}, 3: {"fit": "2", "word": "blue"}}
    bens = {1: {"fit": "3", "word": "red"}, 2: {"fit": "2", "word": "green"}}
    assert {*answer(door, "anna", annas), *answer(door, "ben", bens)} == {"stored"}
    return door


def test_the_part_tells_the_page_what_the_type_needs(door):
    part = door.join("anna").get(f"{door.api}/part").json()
    fit, word, sure = part["questions"]
    assert (fit["type"], fit["settings"]) == ("stars", {"most": 3})
    assert [(choice["text"], choice["code"]) for choice in fit["choices"]] == [
        ("*", "Digit1"), ("**", "Digit2"), ("***", "Digit3")
    ]  # fmt: skip
    assert (word["type"], word["choices"], word["parent_answers"]) == ("word", [], ["2", "3"])
    assert (sure["type"], sure["settings"]) == ("choice", {})


def test_answers_are_checked_by_the_type(door):
    receipts = answer(
        door, "anna", {1: {"fit": "4"}, 2: {"fit": "2", "word": "two words"}, 3: {"fit": "1", "word": "a"}}
    )
    assert receipts == [
        "'4' is not one of the choices of the question 'fit', which are 1, 2 and 3.",
        "stored",
        "One word, please.",
        "stored",
        "The question 'word' is asked only after fit=2|3.",
    ]


def test_answers_become_labels_by_the_type(judged):
    text = judged.join("leader").get(f"{judged.api}/export").text
    rows = {(row["item"], row["coder"], row["question"]): row["label"] for row in csv.DictReader(io.StringIO(text))}
    assert rows["verb1 noun1", "anna", "fit"] == "3 stars"
    assert rows["verb1 noun1", "anna", "word"] == rows["verb1 noun1", "ben", "word"] == "red"
    gold = judged.store.read(
        lambda c: export_gold(c, judged.campaign, question="fit", answer="3 stars", by="anna")
    ).table
    assert gold["tp"].to_list() == ["1", "0", "0"]


def test_labels_have_the_declared_categories_or_those_that_were_given(judged):
    rows = judged.store.read(lambda c: judged_items(c, judged.campaign))
    fit, word = (question_labels(judged.campaign, rows, name) for name in ("fit", "word"))
    assert (fit.categories, fit.categories_declared) == (("1 stars", "2 stars", "3 stars"), True)
    assert (word.categories, word.categories_declared) == (("blue", "green", "red"), False)
    combined = question_labels(judged.campaign, rows, "word", combined=True)
    assert combined.categories == ("1 stars", "2 stars/blue", "2 stars/green", "3 stars/red")


def test_leaders_see_labels_and_rule_on_them(judged):
    leader = judged.join("leader")
    rows = leader.get(f"{judged.api}/items?only=differing").json()["data"]["items"]
    assert [row["answers"] for row in rows] == [{"anna": "1 stars", "ben": "2 stars"}]
    page = leader.get(f"{judged.pages}/leader/items/{rows[0]['item_id']}").text
    assert "<bdi>***</bdi>" in page
    assert '<input type="text" name="answer"' in page  # of the type without choices
    body = {"uuid": "0" * 8 + "-0000-4000-8000-" + "0" * 12, "item": rows[0]["item_id"], "question": "word"}
    refused = leader.post(f"{judged.api}/adjudications", json=body | {"answer": "?", "reason": "x"})
    assert (refused.status_code, refused.json()) == (422, {"error": "One word, please."})
    for path in ("agreement", "pairs?question=word", "expert", "items?only=all"):
        assert leader.get(f"{judged.pages}/leader/{path}").status_code == 200, path


def test_the_document_names_the_type(door):
    schema = door.client().get("/api/openapi.json").json()["components"]["schemas"]["QuestionOut"]
    assert schema["properties"]["type"]["enum"] == list(QUESTION_TYPES)
    assert {"choice", "stars", "word"} < set(QUESTION_TYPES)


@pytest.mark.parametrize("written", ['"choise"', "7", "[1]"])
def test_an_unknown_type_is_refused_with_the_known_ones(written):
    with pytest.raises(
        InvalidInputError, match=r"Question 'a': there is no question type '?.*\. Known types: choice, "
    ):
        parse_questions(f'[[question]]\nid="a"\ntype={written}\nchoices=["x","y"]')


def test_a_field_of_another_type_is_refused(door):
    with pytest.raises(InvalidInputError, match="no field of a question in the questions file 'choices'"):
        parse_questions('[[question]]\nid="a"\ntype="stars"\nchoices=["x","y"]')
    with pytest.raises(InvalidInputError, match=r"asked after w=1\. One word"):
        parse_questions('[[question]]\nid="w"\ntype="word"\n[[question]]\nid="a"\nchoices=["x","y"]\nwhen="w=1"')
