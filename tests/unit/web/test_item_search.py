"""Finding items: by text, coder, answer, note, unsure and comment; the address says it all."""

import html
import re
import uuid

import pytest
from sqlalchemy import select

from concurrence.annotation.campaigns.items import make_display
from concurrence.annotation.database.schema import ITEM
from concurrence.annotation.database.store import Store
from concurrence.annotation.decisions.item_search import items_with_text
from support.campaign_cases import QUESTIONS, event, make_campaign
from support.web_door import Door

ROWS = [
    {"l1": "take", "l2": "walk", "examples": "They take a WALK in ÄGYPTEN."},
    {"l1": "drink", "l2": "tea", "examples": "100% tea_time"},
    {"l1": "read", "l2": "examples", "examples": 'She said "read" it.'},
]


@pytest.fixture
def door(store):
    made = Door(store, make_campaign(store, rows=ROWS, questions="comments = true\n" + QUESTIONS))
    given = {
        "anna": {"take": ("yes", True, None), "drink": ("no", False, "hm"), "read": ("no", False, None)},
        "ben": {"take": ("no", False, None), "drink": ("no", True, None), "read": ("yes", False, "sure")},
    }
    for who, answers in given.items():
        client = made.join(who)
        events = []
        for item in client.get(f"{made.api}/part").json()["items"]:
            answer, unsure, note = answers[item["text"].split()[0]]
            events.append(event(item["id"], "collocation", answer, unsure=unsure, note=note))
        receipts = client.post(f"{made.api}/events", json={"events": events}).json()["receipts"]
        assert {one["status"] for one in receipts} == {"stored"}
    made.join("leader").post(f"{made.api}/items/2/comments", json={"uuid": str(uuid.uuid4()), "text": "x"})
    return made


def found(door, query):
    data = door.join("leader").get(f"{door.api}/items?only=all&{query}").json()["data"]
    assert data["total"] == len(data["items"])
    return [row["text"].split()[0] for row in data["items"]]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("text=walk", ["take"]),
        ("text=ägypten", ["take"]),
        ("text=TEA", ["drink"]),
        ("text=0%25%20", ["drink"]),  # a wildcard is only a character
        ("text=a_t", ["drink"]),
        ("text=e_a", []),
        ("text=examples", ["read"]),  # in a cell, not as the name of a column
        ("text=%22read%22", ["read"]),
        ("text=drink%20tea", ["drink"]),
        ("text=", ["take", "drink", "read"]),
        ("coder=anna&answer=yes", ["take"]),
        ("coder=anna&unsure=true", ["take"]),
        ("coder=ben&unsure=true", ["drink"]),
        ("unsure=true", ["take", "drink"]),
        ("unsure=true&answer=yes", ["take"]),  # of one and the same answer
        ("note=true", ["drink", "read"]),
        ("note=true&coder=ben", ["read"]),
        ("note=true&unsure=true", []),
        ("comment=true", ["drink"]),
        ("coder=nobody", []),
        ("answer=yes", ["take", "read"]),
        ("coder=&answer=&question=", ["take", "drink", "read"]),
    ],
)
def test_items_are_found(door, query, names):
    assert found(door, query) == names


def test_the_form_and_its_pages_keep_what_was_asked(door):
    leader = door.join("leader")
    address = f"{door.pages}/leader/items?only=all&text=e&coder=anna&answer=no&note=true&limit=1"
    page = leader.get(address).text
    assert 'name="text" value="e"' in page
    assert re.search(r"<option selected>anna</option>", page)
    assert 'name="note" value="true" checked' in page
    twin = html.unescape(re.search(r'href="([^"]*)">This page as JSON', page)[1])
    assert leader.get(twin).json()["data"]["total"] == 1
    assert "?only=all&amp;text=e&amp;coder=anna&amp;answer=no&amp;note=true" in page


def test_counts_tell_rows_and_items(door):
    page = door.join("leader").get(f"{door.pages}/leader/items?only=all").text
    assert "3 found." in page


@pytest.mark.postgres
def test_postgresql_finds_the_same(postgres):
    with Store(postgres.new_database()) as store:
        campaign = make_campaign(store, rows=ROWS)
        for text, count in (("walk", 1), ("ägypten", 1), ("a_t", 1), ("e_a", 0), ("examples", 1), ('"read"', 1)):
            assert len(store.read(lambda c, text=text: items_with_text(c, campaign, text))) == count, text


@pytest.mark.parametrize("name", ['the "text"', "it's", "a.b", "$", "back\\slash", "[0]"])
def test_a_column_may_have_any_name(store, name):
    campaign = make_campaign(
        store,
        rows=[{"id": "1", name: "Ein Haus"}, {"id": "2", name: "Ein Baum"}],
        questions=QUESTIONS,
        display=make_display(["id", name], text=(name,)),
    )
    items = store.read(lambda c: c.execute(select(ITEM.c.key, ITEM.c.id)).all())
    matches = store.read(lambda c: items_with_text(c, campaign, "haus"))
    assert matches.tolist() == [number for key, number in items if key == "1"]
