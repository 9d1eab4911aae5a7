"""The command that the leader's page names, run on the export of the question, gives the numbers of the page."""

import random
import shlex

import pytest

from concurrence.annotation.campaigns.campaign import add_round
from concurrence.annotation.campaigns.items import make_display, make_items
from concurrence.web.pages import export_of
from support.campaign_cases import event, make_campaign
from support.questions import AUTHORS, BETTER, CLEAR, NAMES, TOPICS, questionnaire
from support.thorough import always
from support.web_door import Door

QUESTIONS = "[training]\n\n" + questionnaire(
    CLEAR | {"choices": ["yes", "no", "in part, or not at all"]},
    {"id": "reason", "when": "clear=no", "choices": ["long", "odd", "never given"]},
    {"id": "warm", "type": "scale", "from": -2, "to": 3},
    TOPICS,
    NAMES,
    BETTER | AUTHORS,
)
CODERS = ("anna", "ben", "cleo")


def row(n):
    makers = (["red", "blue", "green"] * 2)[n % 3 :]
    words = {"id": str(n), "text": f"Ada saw Rome {n}", "a": f"first {n}", "b": f"second {n}"}
    return words | {"a_by": makers[0], "b_by": makers[1], "expected": "yes" if n > 12 else None}


def answers(item, draw):
    """What a coder says of an item; the follow-up is met by some of the coders only."""
    clear = draw.choice(["yes", "no"])
    yield "clear", clear
    if clear == "no":
        yield "reason", draw.choice(["long", "odd"])
    yield "warm", str(draw.choice([-2, -1, 1]))
    yield "topics", draw.choice(["sport", "sport|money", "art"])
    yield "names", draw.choice(['[[0,3,"PER"]]', '[[0,3,"PER"],[8,12,"LOC"]]', "[]"])
    yield "better", draw.choice(["a", "b", "tie"])


@pytest.fixture
def door(store):
    rows = [row(n) for n in range(1, 15)]
    display = make_display(list(rows[0]), text=("text",))
    campaign = make_campaign(store, rows=rows, questions=QUESTIONS, coders=CODERS, display=display)
    again = campaign.item_rows(make_items([row(n) for n in range(1, 6)]))
    store.write(lambda connection: add_round(connection, campaign, again, name="again"))
    made = Door(store, campaign)
    for coder in CODERS:
        draw, client = random.Random(coder), made.join(coder)
        for name in ("training", "main", "again"):
            part = client.get(f"{made.api}/part", params={"round": name}).json()
            assert part["round"] == name
            given = [
                event(item["id"], question, "yes" if name == "training" and question == "clear" else answer)
                for item in part["items"]
                for question, answer in answers(item, draw)
                if name != "training" or question != "reason"
            ]
            sent = client.post(f"{made.api}/events", json={"events": given}).json()["receipts"]
            assert {receipt["status"] for receipt in sent} == {"stored"}
    return made


def close(first, second):
    if isinstance(first, list):
        return len(first) == len(second) and all(map(close, first, second))
    return first == second or (None not in (first, second) and first == pytest.approx(second, abs=1e-12))


@pytest.mark.parametrize("round_name", always(None, of=[None, "main"]))
def test_the_named_command_gives_the_numbers_of_the_page(door, concur, tmp_path, monkeypatch, round_name):
    monkeypatch.chdir(tmp_path)
    leader, chosen = door.join("leader"), {"round": round_name} if round_name else {}
    aspects = leader.get(f"{door.api}/agreement", params=chosen).json()["data"]["aspects"]
    compared = []
    for entry in aspects:
        if entry["command"] is None:
            assert entry["aspect"]["combined"]
            continue
        question = entry["aspect"]["question"]
        program, command, file, *options = shlex.split(entry["command"])
        (tmp_path / file).write_bytes(leader.get(export_of(door.campaign, question, round_name)).content)
        done = concur(command, file, *options, "--json")
        assert done.code == 0, (entry["command"], done.err)
        found, shown = done.json, entry["parts"][0]["report"]
        assert program == "concur"
        results = "coefficients" if command != "preferences" else "items"
        number = "value" if command != "preferences" else "strength"
        for name, one in shown[results].items():
            again = found[results][name]
            assert close([one[number], one["interval"]], [again[number], again["interval"]]), (question, name)
        compared.append(question)
    assert compared == ["clear", "reason", "warm", "topics", "names", "better"]


CODES = [
    ("1.1", "1.10", "2"),
    ("+", "-", "0"),
    ("-", "+", "=1+1", "@x"),
    ("NA", "none", "?"),
    ("good, very", 'so "so"', "it's bad"),
    ("10", "9", "01", "1"),
    ("no", "yes", "never given"),
    ("b", "a"),
]


@pytest.mark.parametrize("codes", CODES, ids="/".join)
def test_whatever_the_choices_are_called(store, concur, tmp_path, monkeypatch, codes):
    """Spreadsheets would run some of them, and others are the same number, or mean that there is no label."""
    monkeypatch.chdir(tmp_path)
    rows = [{"id": str(n), "text": f"text {n}"} for n in range(1, 13)]
    door = Door(store, make_campaign(store, rows=rows, questions=questionnaire({"id": "q", "choices": list(codes)})))
    for place, coder in enumerate(("anna", "ben")):
        client = door.join(coder)
        items = sorted(client.get(f"{door.api}/part").json()["items"], key=lambda item: item["text"])
        given = [
            event(item["id"], "q", codes[(n + place * (n % 3 == 0)) % min(len(codes), 3)])
            for n, item in enumerate(items)
        ]
        assert client.post(f"{door.api}/events", json={"events": given}).status_code == 200
    leader = door.join("leader")
    [entry] = leader.get(f"{door.api}/agreement").json()["data"]["aspects"]
    exported = leader.get(export_of(door.campaign, "q")).text
    (tmp_path / "labels.csv").write_text(exported, "utf-8")
    _, *command = shlex.split(entry["command"])
    done = concur(*command, "--json")
    assert done.code == 0, (entry["command"], done.err)
    shown, found = entry["parts"][0]["report"], done.json
    assert found["data"]["categories"] == shown["data"]["categories"] == list(codes)
    for name, one in shown["coefficients"].items():
        again = found["coefficients"][name]
        assert close([one["value"], one["interval"]], [again["value"], again["interval"]]), name
