"""Adjudication by keys alone: majority in front, all questions in one form, the next item by itself, undo."""

from uuid import uuid4

import pytest
from playwright.sync_api import expect

from concurrence.annotation.campaigns.items import make_display
from concurrence.annotation.decisions.adjudication import rulings, rulings_in_force
from support.axe import violations
from support.campaign_cases import event
from support.layout import fits
from support.questions import BETTER, FLUENCY, GIST, GOOD, NAMES, PERSON, TOPICS, YES_NO, questionnaire

YES_OR_NO = [{"id": "yes", "text": "Yes", "key": "y"}, {"id": "no", "text": "No", "key": "n"}]
KINDS = questionnaire(
    GOOD | {"note": True, "choices": YES_OR_NO},
    TOPICS | {"when": "good=yes", "most": 3},
    FLUENCY,
    GIST,
    NAMES | {"labels": [PERSON]},
    BETTER,
)
ROWS = [
    {"id": str(n), "text": f"Ada met Ben on day {n}.", "a": f"Version A {n}", "b": f"Version B {n}"} for n in range(3)
]
ANNA = {"good": "yes", "topics": "sport|money", "fluency": "4", "gist": "a visit", "names": '[[0,3,"PER"]]'}
BEN = {"good": "yes", "topics": "sport", "fluency": "2", "gist": "friends", "names": '[[0,3,"PER"],[8,11,"PER"]]'}
CARLA = {"good": "no", "fluency": "4", "gist": "a visit", "names": '[[0,3,"PER"]]'}


@pytest.fixture
def disputed(site):
    """Three items, all with the same answers: a majority on most questions, none on the topics."""
    campaign = site.campaign(
        rows=ROWS, coders=("anna", "ben", "carla"), questions=KINDS, display=make_display(list(ROWS[0]), text=("text",))
    )
    for who, given, better in (("anna", ANNA, "a"), ("ben", BEN, "b"), ("carla", CARLA, "b")):
        client = site.served.join(site.link(campaign, who))
        events = [
            event(item["id"], question, answer, note="not sure at all" if (who, question) == ("ben", "good") else None)
            for item in site.part(campaign, who)["items"]
            for question, answer in {**given, "better": better}.items()
        ]
        receipts = client.post(f"/api/campaigns/{campaign.id}/events", json={"events": events}).json()["receipts"]
        assert {receipt["status"] for receipt in receipts} == {"stored"}
        client.close()
    return campaign


@pytest.fixture
def desk(site, visits, disputed):
    leader = visits.open(site.link(disputed, "leader"))
    leader.get_by_role("link", name="Adjudicate", exact=True).click()
    expect(leader.locator("#page--place")).to_have_text("item 1 of 3")
    return leader


def ruled(site, campaign):
    """What is on record, oldest first: (item, question, answer, reason)."""
    found = site.store.read(lambda connection: rulings(connection, campaign))
    return [(ruling.item, ruling.question, ruling.answer, ruling.reason) for ruling in found]


def step(page, name):
    return page.get_by_role("group", name=name, exact=True)


def selected(page, name):
    return step(page, name).locator('.choices button[aria-pressed="true"]').all_inner_texts()


def test_an_item_is_ruled_on_by_keys_and_the_next_comes_by_itself(site, disputed, desk):
    assert selected(desk, "Is it good?") == ["Y\nYes"]
    expect(step(desk, "Is it good?").locator(".ruled")).to_have_text("majority selected")
    expect(step(desk, "Is it good?")).to_contain_text("not sure at all")
    expect(step(desk, "Which topics?").locator(".ruled")).to_have_text("no majority: choose")
    expect(step(desk, "What is it about?").locator("textarea")).to_have_value("a visit")
    expect(desk.locator("#page--item mark")).to_have_text(["Ada"])
    desk.keyboard.press("Enter")  # nothing is recorded while an answer is missing
    expect(desk.locator("#page--notice")).to_have_text("Choose an answer first: Which topics?")
    assert ruled(site, disputed) == []
    desk.keyboard.press("m")
    desk.keyboard.press("Enter")
    expect(desk.locator("#page--place")).to_have_text("item 2 of 3")
    expect(desk.locator("#page--tally")).to_have_text("1 of 3 decided")
    assert ruled(site, disputed) == [
        ("0", "good", "yes", "Majority: 2 of 3 coders."),
        ("0", "topics", "money", "Ruled without a majority: no coder."),
        ("0", "fluency", "4", "Majority: 2 of 3 coders."),
        ("0", "gist", "a visit", "Majority: 2 of 3 coders."),
        ("0", "names", '[[0,3,"PER"]]', "Majority: 2 of 3 coders."),
        ("0", "better", "b", "Majority: 2 of 3 coders."),
    ]


def test_every_type_can_be_ruled_on_against_the_majority(site, disputed, desk):
    desk.keyboard.press("n")  # the follow-up goes
    expect(step(desk, "Which topics?")).to_be_hidden()
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("5")
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("Alt+Digit2")
    expect(step(desk, "What is it about?").locator("textarea")).to_have_value("friends")
    step(desk, "Mark all names.").locator(".votes button").nth(1).click()
    expect(desk.locator("#page--item mark")).to_have_text(["Ada", "Ben"])
    step(desk, "Which translation is better?").get_by_role("button", name="First").last.click()
    desk.get_by_label("Reason").fill("The manual says so.")
    desk.keyboard.press("Enter")
    expect(desk.locator("#page--place")).to_have_text("item 2 of 3")
    assert [entry[1:3] for entry in ruled(site, disputed)] == [
        ("good", "no"),
        ("fluency", "5"),
        ("gist", "friends"),
        ("names", '[[0,3,"PER"],[8,11,"PER"]]'),
        ("better", "a"),
    ]
    assert {entry[3] for entry in ruled(site, disputed)} == {"The manual says so."}


def test_undo_withdraws_the_last_ruling_and_shows_its_item_again(site, disputed, desk):
    desk.keyboard.press("n")
    desk.keyboard.press("Enter")
    expect(desk.locator("#page--place")).to_have_text("item 2 of 3")
    expect(desk.locator("#page--tally")).to_have_text("1 of 3 decided")
    desk.keyboard.press("ArrowRight")
    expect(desk.locator("#page--place")).to_have_text("item 3 of 3")
    made = ruled(site, disputed)
    desk.keyboard.press("Backspace")
    expect(desk.locator("#page--notice")).to_have_text("Undone: the ruling is withdrawn.")
    expect(desk.locator("#page--place")).to_have_text("item 1 of 3")
    expect(desk.locator("#page--tally")).to_have_text("0 of 3 decided")
    expect(step(desk, "Is it good?").locator(".ruled")).to_have_text("majority selected")
    expect(desk.locator("#page--undo")).to_be_disabled()
    undone = ruled(site, disputed)[len(made) :]
    assert undone == [(item, question, None, "Undone.") for item, question, _, _ in made]
    desk.keyboard.press("Backspace")
    expect(desk.locator("#page--notice")).to_contain_text("Nothing to undo in this visit")
    assert len(ruled(site, disputed)) == 2 * len(made)


def standing(site, campaign):
    found = site.store.read(lambda connection: rulings_in_force(campaign, rulings(connection, campaign)))
    return {(ruling.item, ruling.question): ruling.answer for ruling in found.values()}


def test_undo_restores_the_ruling_before(site, disputed, desk):
    desk.keyboard.press("y")
    desk.keyboard.press("m")
    desk.get_by_label("Reason").fill("By the manual.")
    desk.get_by_label("Reason").press("Enter")
    expect(desk.locator("#page--place")).to_have_text("item 2 of 3")
    first, count = standing(site, disputed), len(ruled(site, disputed))
    assert (first["0", "good"], first["0", "topics"]) == ("yes", "money")
    desk.keyboard.press("ArrowLeft")
    expect(desk.locator("#page--place")).to_have_text("item 1 of 3")
    desk.keyboard.press("n")  # withdraws the ruling on the follow-up
    desk.keyboard.press("Enter")
    expect(desk.locator("#page--place")).to_have_text("item 2 of 3")
    assert ("0", "topics") not in standing(site, disputed)
    desk.keyboard.press("Backspace")
    expect(desk.locator("#page--notice")).to_have_text("Undone: the earlier ruling holds again.")
    expect(desk.locator("#page--tally")).to_have_text("1 of 3 decided")
    expect(step(desk, "Is it good?").locator(".ruled")).to_have_text("your ruling")
    assert standing(site, disputed) == first
    reason = "Undone; as before: By the manual."
    assert ruled(site, disputed)[count + 2 :] == [("0", "good", "yes", reason), ("0", "topics", "money", reason)]
    desk.get_by_role("button", name="Withdraw the rulings").click()
    expect(desk.locator("#page--tally")).to_have_text("0 of 3 decided")
    assert standing(site, disputed) == {}
    desk.keyboard.press("Backspace")
    expect(desk.locator("#page--tally")).to_have_text("1 of 3 decided")
    assert standing(site, disputed) == first
    assert {reason for *_, reason in ruled(site, disputed)[-6:]} == {reason}
    desk.keyboard.press("Backspace")
    expect(desk.locator("#page--tally")).to_have_text("0 of 3 decided")
    assert standing(site, disputed) == {}


def test_undo_leaves_a_later_ruling_of_someone_else_alone(site, visits, disputed, desk):
    desk.keyboard.press("n")
    desk.keyboard.press("Enter")
    expect(desk.locator("#page--place")).to_have_text("item 2 of 3")
    other = site.served.join(site.link(disputed, "leader"))
    item = site.store.read(lambda connection: rulings(connection, disputed))[0].item_id
    late = {"uuid": str(uuid4()), "question": "good", "answer": "yes", "reason": "Later."}
    other.post(f"/api/campaigns/{disputed.id}/rulings", json={"item": item, "rulings": [late]}).raise_for_status()
    other.close()
    count = len(ruled(site, disputed))
    desk.keyboard.press("Backspace")
    expect(desk.locator("#page--notice")).to_have_text("Someone has ruled on this item since, so nothing was undone.")
    assert len(ruled(site, disputed)) == count


def test_an_undo_without_a_connection_can_be_tried_again(site, disputed, desk):
    desk.keyboard.press("n")
    desk.keyboard.press("Enter")
    expect(desk.locator("#page--place")).to_have_text("item 2 of 3")
    desk.context.set_offline(True)
    desk.keyboard.press("Backspace")
    expect(desk.locator("#page--notice")).to_contain_text("The server cannot be reached; nothing was recorded.")
    desk.context.set_offline(False)
    desk.keyboard.press("Backspace")
    expect(desk.locator("#page--notice")).to_have_text("Undone: the ruling is withdrawn.")
    expect(desk.locator("#page--tally")).to_have_text("0 of 3 decided")
    assert standing(site, disputed) == {}


def test_arrows_move_and_an_item_is_ruled_on_again(site, disputed, desk):
    desk.keyboard.press("n")
    desk.keyboard.press("Enter")
    expect(desk.locator("#page--place")).to_have_text("item 2 of 3")
    desk.keyboard.press("ArrowLeft")
    expect(desk.locator("#page--place")).to_have_text("item 1 of 3")
    expect(step(desk, "Is it good?").locator(".ruled")).to_have_text("your ruling")
    count = len(ruled(site, disputed))
    desk.keyboard.press("y")
    desk.keyboard.press("s")
    desk.keyboard.press("Enter")
    expect(desk.locator("#page--place")).to_have_text("item 2 of 3")
    assert [entry[1:3] for entry in ruled(site, disputed)[count:]] == [("good", "yes"), ("topics", "sport")]
    desk.reload()
    expect(desk.locator("#page--place")).to_have_text("item 2 of 3")  # the address holds the item
    desk.keyboard.press("ArrowLeft")
    expect(desk.locator("#page--place")).to_have_text("item 1 of 3")
    desk.get_by_role("button", name="Withdraw the rulings").click()
    expect(desk.locator("#page--tally")).to_have_text("0 of 3 decided")


STEPS = questionnaire(
    GOOD | {"choices": [*YES_NO, {"id": "maybe", "key": "m"}]},
    {
        "id": "kind",
        "text": "Which kind?",
        "when": "good=yes",
        "choices": [{"id": "light", "key": "l"}, {"id": "support", "key": "s"}],
    },
)
SAID = {  # by item, what anna, ben, carla and dora said
    "0": (("yes", "support"), ("no",), ("no",), ("no",)),
    "1": (("yes", "support"), ("yes", "support"), ("no",), ("no",)),
    "2": (("yes", "light"), ("yes", "support"), ("yes", "support"), ("no",)),
    "3": (("yes", "light"), ("yes", "light"), ("no",), ("maybe",)),
}


@pytest.fixture
def steps(site, visits):
    """Items whose follow-up not everyone was asked; opened where the leader rules on them."""
    people = ("anna", "ben", "carla", "dora")
    rows = [{"id": item, "text": f"word {item}"} for item in SAID]
    campaign = site.campaign(rows=rows, coders=people, questions=STEPS, display=make_display(list(rows[0])))
    for who, place in zip(people, range(4), strict=True):
        client = site.served.join(site.link(campaign, who))
        texts = {row["text"]: SAID[row["id"]][place] for row in rows}
        events = [
            event(item["id"], question, answer)
            for item in site.part(campaign, who)["items"]
            for question, answer in zip(("good", "kind"), texts[item["text"]], strict=False)
        ]
        receipts = client.post(f"/api/campaigns/{campaign.id}/events", json={"events": events}).json()["receipts"]
        assert {receipt["status"] for receipt in receipts} == {"stored"}
        client.close()
    leader = visits.open(site.link(campaign, "leader"))
    leader.get_by_role("link", name="Adjudicate", exact=True).click()
    expect(leader.locator("#page--place")).to_have_text("item 1 of 4")
    return campaign, leader


def test_the_recorded_reason_counts_those_who_answered(site, steps):
    campaign, leader = steps
    marks = []
    for place in (2, 3, 4, 4):
        leader.keyboard.press("y")
        marks.append(leader.locator(".step .ruled").all_inner_texts())
        leader.keyboard.press("Enter")
        expect(leader.locator("#page--place")).to_have_text(f"item {place} of 4")
        expect(leader.locator("#page--tally")).to_have_text(f"{min(place - 1 + (len(marks) == 4), 4)} of 4 decided")
    assert [entry[1:] for entry in ruled(site, campaign)] == [
        ("good", "yes", "Ruled without a majority: 1 of 4 coders."),
        ("kind", "support", "The only coder who answered."),
        ("good", "yes", "Ruled without a majority: 2 of 4 coders."),
        ("kind", "support", "All 2 coders who answered."),
        ("good", "yes", "Majority: 3 of 4 coders."),
        ("kind", "support", "Majority: 2 of 3 coders who answered."),
        ("good", "yes", "Ruled without a majority: 2 of 4 coders."),
        ("kind", "light", "All 2 coders who answered."),
    ]
    assert marks == [
        ["your choice", "the only answer selected"],
        ["your choice", "all the same"],
        ["majority selected", "majority selected"],
        ["most votes selected", "all the same"],
    ]
    leader.locator("#page--earlier summary").click()
    expect(leader.locator("#page--rulings li").last).to_contain_text("kind: light, with the reason")
    expect(leader.locator("#page--rulings q").last).to_have_text("All 2 coders who answered.")


def test_the_last_item_says_that_all_is_decided(site, disputed, desk):
    for place in (2, 3):
        desk.keyboard.press("n")
        desk.keyboard.press("Enter")
        expect(desk.locator("#page--place")).to_have_text(f"item {place} of 3")
    desk.keyboard.press("n")
    desk.keyboard.press("Enter")
    expect(desk.locator("#page--tally")).to_have_text("3 of 3 decided")
    expect(desk.locator("#page--notice")).to_have_text("All disagreements are decided.")


def test_a_ruling_without_a_connection_is_not_lost(site, disputed, desk):
    desk.context.set_offline(True)
    desk.keyboard.press("n")
    desk.keyboard.press("Enter")
    expect(desk.locator("#page--notice")).to_contain_text("The server cannot be reached; nothing was recorded.")
    desk.context.set_offline(False)
    desk.keyboard.press("Enter")
    expect(desk.locator("#page--tally")).to_have_text("1 of 3 decided")
    assert [entry[1] for entry in ruled(site, disputed)] == ["good", "fluency", "gist", "names", "better"]


def test_everyone_can_adjudicate(desk):
    assert violations(desk) == []
    desk.set_viewport_size({"width": 390, "height": 780})
    desk.reload()
    expect(desk.locator("#page--place")).to_have_text("item 1 of 3")
    expect(desk.locator("#page--handbook-text")).to_be_hidden()
    assert fits(desk, 390)
