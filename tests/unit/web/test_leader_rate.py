"""The running rate on the leader's first page: only for yes/no questions on a drawn sample, and valid at every look."""

import uuid

import pytest

from concurrence.kernels.anytime import anytime_total
from concurrence.kernels.intervals import hypergeometric
from concurrence.web.leader.rate import running_rates
from support.campaign_cases import event, make_campaign, pair_rows
from support.web_door import Door

SIZE, POPULATION = 20, 100


def sampled_rows(strata=("all",) * SIZE, chances=("0.2",) * SIZE):
    rows = zip(pair_rows(SIZE), strata, chances, strict=True)
    return [{**row, "stratum": stratum, "probability": chance} for row, stratum, chance in rows]


def answer(door, coder, answers):
    client = door.join(coder)
    items = {int(item["text"].split("verb")[1].split()[0]): item["id"] for item in _part(door, client)}
    events = [event(items[number], "collocation", text) for number, text in answers.items()]
    client.post(f"{door.api}/events", json={"events": events})


def _part(door, client):
    return client.get(f"{door.api}/part").json()["items"]


@pytest.fixture
def door(store):
    return Door(store, make_campaign(store, rows=sampled_rows()))


def test_nothing_is_shown_of_items_that_were_not_drawn(store):
    door = Door(store, make_campaign(store, size=SIZE))
    answer(door, "anna", {1: "yes"})
    assert running_rates(store, door.campaign) == []
    assert "Share of yes among all candidates" not in door.join("leader").get(f"/c/{door.campaign.id}/leader").text


def test_nothing_is_shown_before_the_first_judgement(store, door):
    assert running_rates(store, door.campaign) == []


def test_the_interval_holds_at_every_look_and_that_of_one_look_stands_beside_it(store, door):
    answer(door, "anna", {number: "yes" if number <= 4 else "no" for number in range(1, 13)})
    (row,) = running_rates(store, door.campaign)
    low, high = anytime_total([POPULATION], [12], [4])
    once = hypergeometric(4, 12, POPULATION, level=0.95)
    assert (row["judged"], row["yes"], row["candidates"]) == (12, 4, POPULATION)
    assert row["rate"] == pytest.approx(1 / 3)
    assert row["interval"] == pytest.approx([low / POPULATION, high / POPULATION])
    assert row["fixed"] == pytest.approx([float(end) / POPULATION for end in once])
    page = door.join("leader").get(f"/c/{door.campaign.id}/leader").text
    assert "an estimated 33.3% of the" in page
    assert "holds at every look" in page


def test_the_majority_counts_a_ruling_decides_and_equal_votes_are_left_out(store, door):
    answer(door, "anna", {1: "yes", 2: "yes", 3: "no"})
    answer(door, "ben", {1: "yes", 2: "no", 3: "no"})
    (row,) = running_rates(store, door.campaign)
    assert (row["judged"], row["yes"], row["unsettled"]) == (2, 1, 1)
    leader = door.join("leader")
    items = leader.get(f"{door.api}/items?only=all&limit=50").json()["data"]["items"]
    second = next(item["item_id"] for item in items if "verb2 " in f"{item['text']} ")
    ruling = {"uuid": str(uuid.uuid4()), "item": second, "question": "collocation", "answer": "yes", "reason": "so"}
    assert leader.post(f"{door.api}/adjudications", json=ruling).status_code < 300
    (row,) = running_rates(store, door.campaign)
    assert (row["judged"], row["yes"], row["unsettled"]) == (3, 2, 0)


def test_strata_are_weighted_by_what_they_stand_for(store):
    strata, chances = ("500",) * 10 + ("-",) * 10, ("1.0",) * 10 + ("0.01",) * 10
    door = Door(store, make_campaign(store, rows=sampled_rows(strata, chances)))
    answer(door, "anna", {number: "yes" if number <= 10 else "no" for number in range(1, 21)})
    (row,) = running_rates(store, door.campaign)
    assert row["candidates"] == 1010
    assert row["rate"] == pytest.approx(10 / 1010)
    assert row["interval"][0] <= row["rate"] <= row["interval"][1]
