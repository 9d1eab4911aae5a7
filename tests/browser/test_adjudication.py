"""Adjudication by keys alone: majority in front, all questions in one form, the next item by itself, undo."""

import pytest
from playwright.sync_api import expect

from browser.test_safety import violations
from campaign_cases import event
from concurrence.annotation.adjudication import rulings
from concurrence.annotation.items import make_display

KINDS = """
[[question]]
id = "good"
text = "Is it good?"
note = true
choices = [{ id = "yes", text = "Yes", key = "y" }, { id = "no", text = "No", key = "n" }]

[[question]]
id = "topics"
type = "choices"
text = "Which topics?"
when = "good=yes"
choices = [{ id = "sport", key = "s" }, { id = "money", key = "m" }, { id = "art", key = "a" }]

[[question]]
id = "fluency"
type = "scale"
text = "How fluent?"

[[question]]
id = "gist"
type = "text"
text = "What is it about?"

[[question]]
id = "names"
type = "span"
text = "Mark the names."
labels = [{ id = "PER", text = "Person", key = "p" }]

[[question]]
id = "better"
type = "preference"
text = "Which is better?"
"""
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
    step(desk, "Mark the names.").locator(".votes button").nth(1).click()
    expect(desk.locator("#page--item mark")).to_have_text(["Ada", "Ben"])
    step(desk, "Which is better?").get_by_role("button", name="First").last.click()
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


def test_undo_goes_back_to_rule_again_and_arrows_move(site, disputed, desk):
    desk.keyboard.press("n")
    desk.keyboard.press("Enter")
    expect(desk.locator("#page--place")).to_have_text("item 2 of 3")
    desk.keyboard.press("ArrowRight")
    expect(desk.locator("#page--place")).to_have_text("item 3 of 3")
    desk.keyboard.press("Backspace")
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
    assert desk.evaluate("document.documentElement.scrollWidth") <= 390
