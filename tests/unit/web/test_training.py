"""The training round: feedback, a bar to pass, attempts, and nothing of it in agreement."""

import pytest

from concurrence.annotation.campaigns.campaign import add_round
from concurrence.annotation.campaigns.items import make_items
from concurrence.annotation.campaigns.training import LOCKED, attempts_of
from concurrence.annotation.questions.questionnaire import parse_questions
from concurrence.core.errors import InvalidInputError, UnknownNameError
from support.campaign_cases import QUESTIONS, event, make_campaign, pair_rows
from support.web_door import Door

TRAINING = '[training]\nround = "practice"\npass = 0.75\n' + QUESTIONS
KNOWN = {"verb1": ("yes", "figurative"), "verb2": ("no", ""), "verb3": ("no", ""), "verb4": ("yes", "support verb")}


def rows(size=8):
    found = []
    for row in pair_rows(size):
        known, kind = KNOWN.get(row["l1"], ("", ""))
        found.append(row | {"expected": known, "expected_kind": kind, "explanation": f"Because of {row['l1']}."})
    return found


@pytest.fixture
def door(store):
    return Door(store, make_campaign(store, rows=rows(), questions=TRAINING, expert="ulla"))


def part(door, who, query=""):
    return door.join(who).get(f"{door.api}/part{query}").json()


def answer(door, who, given, *, withdraw=False):
    """Judge the items that are given, as ``{"verb1": ("yes", "figurative")}``, after withdrawing all where asked."""
    client = door.join(who)
    events = []
    for item in client.get(f"{door.api}/part").json()["items"]:
        answers = [one for one in given.get(item["text"].split()[0], ()) if one]
        if withdraw:
            events += [event(item["id"], "kind", None), event(item["id"], "collocation", None)]
        events += [
            event(item["id"], question, one) for question, one in zip(("collocation", "kind"), answers, strict=False)
        ]
    return client.post(f"{door.api}/events", json={"events": events}).json()["receipts"]


def results(door):
    found = door.join("leader").get(f"{door.api}/progress").json()["data"]["training"]
    return {row["coder"]: row for row in found}


def test_items_with_a_known_answer_come_first_and_alone(door):
    first = part(door, "anna")
    assert (first["round"], first["rounds"], len(first["items"])) == ("practice", ["practice"], 4)
    assert first["training"]["pass"] == 0.75
    texts = {str(item["id"]): item["text"].split()[0] for item in first["items"]}
    known = {texts[task]: answers for task, answers in first["training"]["expected"].items()}
    assert known["verb1"] == {"collocation": "yes", "kind": "figurative"}
    assert known["verb2"] == {"collocation": "no"}
    assert {texts[task]: told for task, told in first["training"]["explanations"].items()}[
        "verb1"
    ] == "Because of verb1."
    assert part(door, "anna", "?round=main")["round"] == "practice"


def test_the_other_round_opens_once_the_bar_is_passed(door):
    wrong = KNOWN | {"verb1": ("no", ""), "verb2": ("yes", "figurative")}
    assert {one["status"] for one in answer(door, "anna", wrong)} == {"stored"}
    row = results(door)["anna"]
    assert (row["items"], row["judged"], row["attempts"], row["score"], row["passed"]) == (4, 4, 1, 0.5, False)
    assert part(door, "anna")["round"] == "practice"
    answer(door, "anna", KNOWN | {"verb4": ("yes", "figurative")}, withdraw=True)
    row = results(door)["anna"]
    assert (row["attempts"], row["first_score"], row["score"], row["passed"]) == (2, 0.5, 0.75, True)
    after = part(door, "anna")
    assert (after["round"], after["rounds"], after["training"]) == ("main", ["practice", "main"], None)
    assert len(after["items"]) == 4
    assert "expected" not in str(after["items"])


def test_a_decision_on_a_closed_round_is_refused(door, store):
    anna = door.join("anna")
    from sqlalchemy import select

    from concurrence.annotation.database.schema import CODER, ROUND, TASK

    wanted = (
        select(TASK.c.id)
        .join(ROUND, ROUND.c.id == TASK.c.round_id)
        .join(CODER, CODER.c.id == TASK.c.coder_id)
        .where(ROUND.c.name == "main", CODER.c.name == "anna")
    )
    task = store.read(lambda connection: connection.execute(wanted).scalar())
    sent = anna.post(f"{door.api}/events", json={"events": [event(task, "collocation", "no")]})
    assert sent.json()["receipts"][0]["reason"] == LOCKED


def test_the_first_answer_counts_even_if_it_is_changed(door):
    answer(door, "anna", KNOWN | {"verb1": ("no", ""), "verb2": ("yes", "figurative")})
    answer(door, "anna", {"verb1": KNOWN["verb1"], "verb2": KNOWN["verb2"]})
    assert results(door)["anna"]["score"] == 0.5


def test_an_unfinished_attempt_tells_nothing(door):
    answer(door, "anna", {"verb1": KNOWN["verb1"]})
    row = results(door)["anna"]
    assert (row["judged"], row["attempts"], row["score"], row["passed"]) == (1, 0, None, False)


def test_experts_need_not_pass(door):
    assert part(door, "ulla")["round"] == "main"


def test_training_is_left_out_of_agreement_and_exports_say_so(door):
    for who in ("anna", "ben"):
        answer(door, who, KNOWN)
        answer(door, who, {f"verb{n}": ("no",) for n in range(5, 9)})
    leader = door.join("leader")
    (first, *_) = leader.get(f"{door.api}/agreement").json()["data"]["aspects"]
    assert first["parts"][0]["items"] == 4
    assert leader.get(f"{door.api}/agreement?round=practice").json()["data"]["aspects"][0]["parts"][0]["items"] == 4
    assert leader.get(f"{door.api}/items?only=all").json()["data"]["total"] == 4
    plain = leader.get(f"{door.api}/export").text.splitlines()
    head = plain[0].split(",")
    assert {line.split(",")[head.index("training")] for line in plain[1:]} == {"no"}
    both = leader.get(f"{door.api}/export?training=true").text.splitlines()
    assert len(both) - len(plain) == 2 * 6
    assert {line.split(",")[head.index("training")] for line in both[1:]} == {"yes", "no"}


def test_the_leader_sees_who_passed(door):
    answer(door, "anna", KNOWN)
    page = door.join("leader").get(f"{door.pages}/leader").text
    assert "75% of the items must be right" in page
    assert [row["passed"] for row in results(door).values()] == [True, False, False]


def test_a_training_round_can_come_in_later_and_needs_known_answers(store):
    campaign = make_campaign(store, rows=pair_rows(2), questions=TRAINING)
    door = Door(store, campaign)
    assert part(door, "anna")["round"] == "main"
    with pytest.raises(InvalidInputError, match="has no known answer"):
        store.write(lambda c: add_round(c, campaign, campaign.item_rows(make_items(pair_rows(3)[2:])), name="practice"))
    store.write(lambda c: add_round(c, campaign, campaign.item_rows(make_items(rows(4)[2:])), name="practice"))
    assert part(door, "anna")["round"] == "practice"


def test_a_wrong_known_answer_is_told(store):
    wrong = [row | {"expected": "maybe"} for row in pair_rows(1)]
    with pytest.raises(InvalidInputError, match="expected answer 'maybe'"):
        make_campaign(store, rows=wrong, questions=TRAINING)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("training = 1\n", "training is a table"),
        ("[training]\npass = 2\n", "a share between 0 and 1"),
        ("[training]\nround = ''\n", "must be a string"),
        ("comments = 1\n", "true or false"),
    ],
)
def test_settings_that_cannot_be_are_told(text, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        parse_questions(text + QUESTIONS)


def test_unknown_settings_are_told():
    with pytest.raises(UnknownNameError):
        parse_questions("[training]\nbar = 1\n" + QUESTIONS)
    with pytest.raises(UnknownNameError):
        parse_questions("comment = true\n" + QUESTIONS)


def test_attempts_begin_where_the_first_answer_is_withdrawn():
    questionnaire = parse_questions(QUESTIONS)
    yes, no = ("collocation", "yes"), ("collocation", "no")
    back = ("collocation", None)
    kind = ("kind", "figurative")
    assert attempts_of(questionnaire, [yes, kind, no]) == [{"collocation": "yes", "kind": "figurative"}]
    assert attempts_of(questionnaire, [yes, back, no]) == [{"collocation": "no"}]  # the first was not finished
    assert attempts_of(questionnaire, [no, back, yes, kind]) == [
        {"collocation": "no"},
        {"collocation": "yes", "kind": "figurative"},
    ]
    assert attempts_of(questionnaire, [back, back, no]) == [{"collocation": "no"}]
    assert attempts_of(questionnaire, []) == []
