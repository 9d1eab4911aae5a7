"""The leader's pages: the numbers are those of ``concur agree``, on the page and in its twin."""

import html
import re
import uuid
from dataclasses import dataclass
from typing import Annotated

import pytest
from fastapi import Query
from fastapi.responses import HTMLResponse
from jinja2 import ChoiceLoader, DictLoader

from concurrence import agree
from concurrence.core.labels import Labels
from concurrence.core.values import to_json
from concurrence.web.leader import page_routes as leader_pages
from concurrence.web.leader.page import LeaderPage
from concurrence.web.leader.page_routes import LEADER_PAGES
from concurrence.web.pages import ENVIRONMENT
from support.campaign_cases import event, make_campaign
from support.web_door import Door

ANNA = "yyyyyynnnnyyyynnnnnn"
BEN = "yyyyynnnnnyyynnnnnyy"
PARTS = [str(1 + n // 15) if n >= 10 else "all" for n in range(20)]
PAGES = [row.page.format(item=1) for row in LEADER_PAGES]


def judge(door, coder, answers, kinds="12"):
    client = door.join(coder)
    events = []
    for item in client.get(f"{door.api}/part").json()["items"]:
        number = int(item["text"].split("verb")[1].split()[0])
        if answers[number - 1] == "y":
            kind = ("support verb", "figurative")[int(kinds[number % len(kinds)]) - 1]
            events += [event(item["id"], "collocation", "yes"), event(item["id"], "kind", kind)]
        else:
            events.append(event(item["id"], "collocation", "no"))
    answer = client.post(f"{door.api}/events", json={"events": events})
    assert {receipt["status"] for receipt in answer.json()["receipts"]} == {"stored"}


@pytest.fixture
def judged(store):
    door = Door(store, make_campaign(store, size=20, expert="ulla"))
    judge(door, "anna", ANNA)
    judge(door, "ben", BEN, kinds="1222")
    return door


def kappa(first, second):
    rows = [[{"y": "yes", "n": "no"}[a], {"y": "yes", "n": "no"}[b]] for a, b in zip(first, second, strict=True)]
    return agree(Labels.from_rows(rows, categories=["yes", "no"]))["cohen_kappa"]


def data(door, path):
    answer = door.join("leader").get(f"{door.api}{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def test_every_page_and_every_twin_is_there(judged):
    leader = judged.join("leader")
    for page in PAGES:
        assert leader.get(f"{judged.pages}/leader{page}").status_code == 200, page
    for row in LEADER_PAGES:
        assert leader.get(f"{judged.api}{row.twin.format(item=1)}").status_code == 200, row.name


@pytest.mark.parametrize(
    ("page", "twin"),
    [
        ("", "/progress"),
        ("/items", "/items?only=differing&start=0&limit=100"),
        ("/items?question=kind&start=3", "/items?question=kind&only=differing&start=3&limit=100"),
        ("/items/2", "/items/2"),
        ("/pairs?round=main", "/pairs?round=main"),
    ],
)
def test_a_page_names_the_twin_that_holds_the_same(judged, page, twin):
    leader = judged.join("leader")
    text = leader.get(f"{judged.pages}/leader{page}").text
    address = html.unescape(re.search(r'href="([^"]*)">This page as JSON', text)[1])
    assert address == f"{judged.api}{twin}"
    assert leader.get(address).json()["data"] == seen_by_page(judged, page)


def seen_by_page(door, page):
    """What the template of a page was given."""
    given = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leader_pages, "render", lambda _, **values: HTMLResponse(given.update(values) or ""))
        assert door.join("leader").get(f"{door.pages}/leader{page}").status_code == 200
    return given["data"]


@dataclass(frozen=True, kw_only=True)
class Letters:
    letters: Annotated[int, Query(ge=1)] = 3


def letters_page(store, campaign, wanted):
    """The first letters of the campaign's name."""
    return {"letters": campaign.name[: wanted.letters]}


def test_a_page_is_one_function_with_its_row_and_one_template(store, monkeypatch):
    row = LeaderPage(name="letters", tab="Letters", data=letters_page, query=Letters)
    template = '{% extends "leader.html" %}{% block content %}<b>{{ data.letters }}</b>{% endblock %}'
    loader = ChoiceLoader([DictLoader({"letters.html": template}), ENVIRONMENT.loader])
    monkeypatch.setattr(leader_pages, "LEADER_PAGES", (*LEADER_PAGES, row))
    monkeypatch.setattr(ENVIRONMENT, "loader", loader)
    door = Door(store, make_campaign(store))
    leader = door.join("leader")
    page = leader.get(f"{door.pages}/leader/letters?letters=2").text
    assert "<b>ve</b>" in page
    assert f'href="{door.api}/letters?letters=2"' in page
    assert data(door, "/letters") == {"letters": "ver"}
    assert 'leader/letters">Letters</a>' in leader.get(f"{door.pages}/leader").text
    assert leader.get(f"{door.api}/letters?letters=0").status_code == 422
    assert door.join("anna").get(f"{door.pages}/leader/letters").status_code == 403
    described = leader.get("/api/openapi.json").json()["paths"]["/api/campaigns/{campaign}/letters"]["get"]
    assert described["description"] == "The first letters of the campaign's name."
    assert [parameter["name"] for parameter in described["parameters"]] == ["campaign", "letters"]


def test_a_campaign_without_a_decision_has_all_pages_too(door):
    leader = door.join("leader")
    for page in PAGES:
        assert leader.get(f"{door.pages}/leader{page}").status_code == 200, page


def test_agreement_is_that_of_concur_agree(judged):
    first = data(judged, "/agreement")["aspects"][0]
    report, expected = first["parts"][0]["report"], kappa(ANNA, BEN)
    assert report["coefficients"]["cohen_kappa"] == to_json(expected)
    page = judged.join("leader").get(f"{judged.pages}/leader/agreement").text
    assert f'data-coefficient="cohen_kappa">{expected.value:.3f}<' in page
    assert f'data-coefficient="true_agreement">{report["true_agreement"]["estimate"]:.3f}<' in page
    assert "<svg" in page


def test_the_second_question_is_named_for_what_it_is(judged):
    titles = [entry["aspect"]["title"] for entry in data(judged, "/agreement")["aspects"]]
    assert titles == [
        "collocation",
        "kind, on the items that both coders called collocation yes",
        "collocation and kind as a three-way label",
    ]
    _, apart, together = data(judged, "/agreement")["aspects"]
    both = sum(a == b == "y" for a, b in zip(ANNA, BEN, strict=True))
    assert apart["parts"][0]["items"] == both
    assert together["parts"][0]["items"] == 20


def test_parts_are_shown_apart(store):
    rows = [{"l1": f"verb{n + 1}", "l2": f"noun{n + 1}", "part": PARTS[n]} for n in range(20)]
    door = Door(store, make_campaign(store, rows=rows, coders=("anna", "ben")))
    judge(door, "anna", ANNA)
    judge(door, "ben", BEN)
    parts = {part["part"]: part for part in data(door, "/agreement")["aspects"][0]["parts"]}
    assert set(parts) == {"everything", "all", "1", "2"}
    assert parts["all"]["items"] == parts["everything"]["items"] == 10
    assert "No two coders" in parts["1"]["note"]


def test_coders_meet_themselves_on_hidden_repeats(store):
    door = Door(store, make_campaign(store, size=20, repeats=5))
    judge(door, "anna", ANNA)
    (first, *_) = data(door, "/agreement")["self_consistency"]
    assert (first["coder"], first["question"], first["report"]["data"]["items"]) == ("anna", "collocation", 5)
    assert first["report"]["coefficients"]["percent_agreement"]["value"] == 1
    assert "Answers to hidden repeats" in door.join("leader").get(f"{door.pages}/leader/agreement").text


def test_the_expert_meets_each_coder(judged):
    judge(judged, "ulla", ANNA)
    table = data(judged, "/expert")["tables"][0]
    assert [row["coder"] for row in table["rows"]] == ["anna", "ben"]
    assert table["rows"][0]["cohen_kappa"] == 1
    assert table["rows"][1]["cohen_kappa"] == pytest.approx(kappa(ANNA, BEN).value)
    assert table["rows"][1]["homogeneity"]["low"] <= table["rows"][1]["homogeneity"]["high"]
    assert judged.join("leader").get(f"{judged.pages}/leader/expert").text.count("<caption>") >= 1


def test_the_cells_of_a_confusion_matrix_open_their_items(judged):
    (pair,) = data(judged, "/pairs")["pairs"]
    assert pair["coders"] == ["anna", "ben"]
    cells = [[sum((a, b) == (x, y) for a, b in zip(ANNA, BEN, strict=True)) for y in "yn"] for x in "yn"]
    assert pair["confusion"] == cells
    cell = data(judged, "/items?question=collocation&first=anna&first_answer=yes&second=ben&second_answer=no")
    assert cell["total"] == cells[0][1]
    assert {row["answers"]["ben"] for row in cell["items"]} == {"no"}
    page = judged.join("leader").get(f"{judged.pages}/leader/pairs").text
    assert "first=anna&amp;first_answer=yes&amp;second=ben&amp;second_answer=no" in page


def test_a_disagreement_is_adjudicated_with_its_reason(judged):
    leader = judged.join("leader")
    before = data(judged, "/items?only=open")
    row = before["items"][0]
    body = {"uuid": str(uuid.uuid4()), "item": row["item_id"], "question": row["question"]}
    assert leader.post(f"{judged.api}/adjudications", json=body | {"answer": "no", "reason": ""}).status_code == 422
    chosen = body | {"answer": next(iter(row["answers"].values())), "reason": "rule 3"}
    for _ in range(2):
        assert leader.post(f"{judged.api}/adjudications", json=chosen).json() == {"done": True}
    assert data(judged, "/items?only=open")["total"] == before["total"] - 1
    assert data(judged, "/items?only=adjudicated")["total"] == 1
    (ruling,) = data(judged, f"/items/{row['item_id']}")["rulings"]
    assert (ruling["answer"], ruling["reason"], ruling["by"]) == (chosen["answer"], "rule 3", "leader")
    page = leader.get(f"{judged.pages}/leader/items/{row['item_id']}").text
    assert "</strong>, with the reason <q><bdi>rule 3</bdi></q> (" in page
    wrong = leader.post(f"{judged.api}/adjudications", json=chosen | {"uuid": str(uuid.uuid4()), "item": 999})
    assert wrong.status_code == 422


def test_progress_and_closing(judged):
    leader = judged.join("leader")
    rows = {row["coder"]: row for row in data(judged, "/progress")["coders"]}
    assert (rows["anna"]["done"], rows["anna"]["items"], rows["ulla"]["done"]) == (20, 20, 0)
    assert leader.post(f"{judged.api}/closings", json={"closed": True}).status_code == 200
    assert all(row["closed"] for row in data(judged, "/progress")["coders"])
    assert leader.post(f"{judged.api}/closings", json={"closed": False, "round": "nope"}).status_code == 404


def test_the_export_of_the_page_quotes_formulas_unless_told(store):
    door = Door(store, make_campaign(store, rows=[{"l1": "=1+1", "l2": "b"}, {"l1": "c", "l2": "d"}]))
    anna = door.join("anna")
    items = anna.get(f"{door.api}/part").json()["items"]
    anna.post(f"{door.api}/events", json={"events": [event(item["id"], "collocation", "no") for item in items]})
    leader = door.join("leader")
    assert "'=1+1" in leader.get(f"{door.api}/export").text
    plain = leader.get(f"{door.api}/export?quote=false")
    assert "'=1+1" not in plain.text
    assert plain.headers["content-type"].startswith("text/csv")


def test_items_that_one_coder_alone_met_do_not_shape_chance_of_a_follow_up(judged):
    """The results of the follow-up are those of ``agree`` on the items with two answers, and of no other."""
    _, apart, _ = data(judged, "/agreement")["aspects"]
    coefficients = apart["parts"][0]["report"]["coefficients"]
    kinds = {"anna": "12", "ben": "1222"}
    rows = [
        [kinds["anna"][n % 2], kinds["ben"][n % 4]]
        for n, (a, b) in enumerate(zip(ANNA, BEN, strict=True), start=1)
        if a == b == "y"
    ]
    expected = agree(Labels.from_rows(rows, categories=["1", "2"]))
    for name in ("percent_agreement", "cohen_kappa", "gwet_ac1", "krippendorff_alpha"):
        assert coefficients[name]["value"] == pytest.approx(expected[name].value, abs=1e-12)


def test_a_leader_goes_from_one_disagreement_to_the_next(judged):
    leader = judged.join("leader")
    waiting = {row["item_id"] for row in data(judged, "/items?only=open")["items"]}
    first = min(waiting)
    seen, here = [], first
    while here not in seen:
        seen.append(here)
        here = data(judged, f"/items/{here}")["next_open"]
    assert seen == sorted(waiting)
    for question in ("collocation", "kind"):
        body = {"uuid": str(uuid.uuid4()), "item": first, "question": question, "answer": None, "reason": "x"}
        body["answer"] = {"collocation": "yes", "kind": "figurative"}[question]
        assert leader.post(f"{judged.api}/adjudications", json=body).status_code == 200
    assert data(judged, f"/items/{max(waiting)}")["next_open"] == min(waiting - {first})


def test_many_items_come_page_by_page(store):
    door = Door(store, make_campaign(store, size=130))
    judge(door, "anna", "n" * 130)
    page = door.join("leader").get(f"{door.pages}/leader/items?only=all").text
    assert "showing 1 to 100" in page
    assert "?only=all&amp;start=100" in page
    page = door.join("leader").get(f"{door.pages}/leader/items?only=all&start=100").text
    assert "showing 101 to 130" in page
    assert "Previous" in page


def test_no_number_is_minus_nothing():
    assert ENVIRONMENT.filters["number"](-0.0001) == "0.000"
    assert ENVIRONMENT.filters["number"](None) == "–"


def test_an_expert_with_three_categories_is_a_table_without_names_of_fields(store):
    questions = '[[question]]\nid = "kind"\nchoices = ["a", "b", "c"]'
    door = Door(store, make_campaign(store, size=12, expert="ulla", questions=questions))
    for who, answers in (("anna", "abcabcabcabc"), ("ulla", "abcabbabcaac")):
        client = door.join(who)
        items = client.get(f"{door.api}/part").json()["items"]
        numbers = [int(re.search(r"\d+", item["text"]).group()) - 1 for item in items]
        events = [event(item["id"], "kind", answers[n]) for item, n in zip(items, numbers, strict=True)]
        client.post(f"{door.api}/events", json={"events": events}).raise_for_status()
    page = door.join("leader").get(f"{door.pages}/leader/expert").text
    assert "by_category" not in page
    assert "homogeneity&#39;:" not in page
    assert "True agreement on each category against the rest" in page
    row = data(door, "/expert")["tables"][0]["rows"][0]
    for category, one in row["by_category"].items():
        assert f'<td><bdi>{category}</bdi></td><td class="n">{100 * one["estimate"]:.1f}%</td>' in page


def test_what_was_computed_is_kept_until_something_changes(judged, monkeypatch):
    from concurrence.web.leader.page_routes import figures

    row = next(row for row in LEADER_PAGES if row.name == "progress")
    first, newest = figures(row, judged.store, judged.campaign, row.query())
    again, same = figures(row, judged.store, judged.campaign, row.query())
    assert again is first
    assert same == newest
    leader = judged.join("leader")
    changes = leader.get(f"{judged.api}/changes?since={newest}").json()
    assert changes == {"newest": newest, "decisions": 0}
    ulla = judged.join("ulla")
    item = ulla.get(f"{judged.api}/part").json()["items"][0]["id"]
    ulla.post(f"{judged.api}/events", json={"events": [event(item, "collocation", "no")]}).raise_for_status()
    assert leader.get(f"{judged.api}/changes?since={newest}").json() == {"newest": newest + 1, "decisions": 1}
    assert figures(row, judged.store, judged.campaign, row.query())[0] != first


def test_rulings_that_contradict_each_other_are_refused_or_withdrawn(judged):
    leader = judged.join("leader")
    by_question = {}
    for row in data(judged, "/items?only=differing&limit=1000")["items"]:
        by_question.setdefault(row["question"], row["item_id"])
    item = by_question["collocation"]

    def rule(question, answer, status=200):
        body = {"uuid": str(uuid.uuid4()), "item": item, "question": question, "answer": answer, "reason": "rule 1"}
        sent = leader.post(f"{judged.api}/adjudications", json=body)
        assert sent.status_code == status, sent.text
        return sent.json()

    rule("collocation", "no")
    told = rule("kind", "figurative", 422)["error"]
    assert told == "'kind' does not apply: the ruling on 'collocation' is 'no'. Change that ruling first."
    rule("collocation", "yes")
    rule("kind", "figurative")
    rule("collocation", "no")
    said = [(ruling["question"], ruling["answer"]) for ruling in data(judged, f"/items/{item}")["rulings"]]
    assert said[-2:] == [("collocation", "no"), ("kind", None)]
    adjudicated = data(judged, "/items?only=adjudicated")
    assert [(row["item_id"], row["question"]) for row in adjudicated["items"]] == [(item, "collocation")]
    assert item not in {row["item_id"] for row in data(judged, "/items?only=open")["items"]}


def test_the_table_of_all_questions_has_alpha_of_the_same_report(judged):
    aspects = data(judged, "/agreement")["aspects"]
    page = judged.join("leader").get(f"{judged.pages}/leader/agreement").text
    for entry in aspects:
        (part,) = entry["parts"]
        alpha = part["report"]["coefficients"]["krippendorff_alpha"]
        assert (part["headline"]["value"], part["headline"]["interval"]) == (alpha["value"], alpha["interval"])
        assert f'data-headline="krippendorff_alpha">{alpha["value"]:.3f}<' in page
    assert page.count('<svg class="strip" role="img"') == len(aspects)


def test_rounds_have_rows_of_their_own_where_there_are_several(judged):
    from concurrence.annotation.campaigns.campaign import add_round
    from concurrence.annotation.campaigns.items import make_items
    from support.campaign_cases import pair_rows

    items = judged.campaign.item_rows(make_items(pair_rows(20)))
    judged.store.write(lambda connection: add_round(connection, judged.campaign, items, name="second"))
    judge(judged, "anna", BEN)
    judge(judged, "ben", BEN)
    parts = data(judged, "/agreement")["aspects"][0]["parts"]
    assert [(part["part"], part["round"]) for part in parts] == [
        ("everything", None),
        ("everything", "main"),
        ("everything", "second"),
    ]
    assert [part["headline"]["value"] == 1 for part in parts] == [False, False, True]
    alone = data(judged, "/agreement?round=second")["aspects"][0]["parts"]
    assert [(part["round"], part["headline"]) for part in alone] == [(None, parts[2]["headline"])]


def test_many_coders_open_from_a_matrix_of_pairs(store):
    coders = [f"coder{n}" for n in range(5)]
    door = Door(store, make_campaign(store, size=20, coders=coders))
    for number, coder in enumerate(coders):
        judge(door, coder, ANNA[number:] + ANNA[:number])
    found = data(door, "/pairs")
    assert (len(found["pairs"]), found["open"], found["coefficient"]) == (10, [], "Cohen's kappa")
    assert found["values"] == [pair["cohen_kappa"] for pair in found["pairs"]]
    leader = door.join("leader")
    whole = leader.get(f"{door.pages}/leader/pairs").text
    assert 'table class="matrix confusion"' not in whole
    assert whole.count('#pair"') == 20
    one = leader.get(f"{door.pages}/leader/pairs?first=coder3&second=coder1").text
    assert one.count('table class="matrix confusion"') == 1
    assert data(door, "/pairs?first=coder3&second=coder1")["open"] == [
        [pair["coders"] for pair in found["pairs"]].index(["coder1", "coder3"])
    ]


def test_confusion_colours_where_two_differ_and_never_where_they_agree(judged):
    page = judged.join("leader").get(f"{judged.pages}/leader/pairs").text
    cells = re.findall(
        r'<td class="n([^"]*)"><a href="[^"]*first_answer=(\w+)&amp;second=ben&amp;second_answer=(\w+)"', page
    )
    assert len(cells) == 4
    for shade, first, second in cells:
        assert ("apart-" in shade) == (first != second)
        assert ("same" in shade) == (first == second)


def test_pairs_on_a_scale_are_measured_by_its_order(store):
    questions = '[[question]]\nid = "fit"\ntype = "scale"\nfrom = 1\nto = 5'
    door = Door(store, make_campaign(store, size=12, questions=questions))
    near, far = "123451234512", "234552345523"
    for who, answers in (("anna", near), ("ben", far)):
        client = door.join(who)
        events = [
            event(item["id"], "fit", answers[int(item["text"].split("verb")[1].split()[0]) - 1])
            for item in client.get(f"{door.api}/part").json()["items"]
        ]
        client.post(f"{door.api}/events", json={"events": events}).raise_for_status()
    found = data(door, "/pairs")
    rows = [[a, b] for a, b in zip(near, far, strict=True)]
    expected = agree(Labels.from_rows(rows, categories=list("12345")), scale="ordinal")
    assert found["coefficient"] == "Krippendorff's alpha (ordinal)"
    assert found["values"] == [pytest.approx(expected["krippendorff_alpha"].value)]
    assert found["values"][0] > found["pairs"][0]["cohen_kappa"]


def test_times_are_told_as_people_tell_them():
    ago = ENVIRONMENT.filters["ago"]
    at = 1_800_000_000_000
    told = {passed: ago(at - passed, at).striptags() for passed in (5_000, 60_000, 7_200_000, 3 * 86_400_000)}
    assert list(told.values()) == ["just now", "1 minute ago", "2 hours ago", "3 days ago"]
    exact = str(ago(at, at))
    assert 'datetime="2027-01-15T08:00:00+00:00"' in exact
    assert 'title="2027-01-15 08:00 UTC"' in exact
    assert ago(None) == "–"


def test_progress_tells_totals_first(judged):
    found = data(judged, "/progress")
    assert (found["pace"]["done"], found["pace"]["items"], found["pace"]["end"]) == (40, 60, None)
    assert found["silent"] == []  # the campaign has just begun
    page = judged.join("leader").get(f"{judged.pages}/leader").text
    assert "40 of 60 judgements are done" in page
    assert "Estimate" not in page
    assert page.index("40 of 60") < page.index("Progress of each coder")


def test_an_item_that_is_not_there_is_not_found_in_plain_words(judged):
    leader = judged.join("leader")
    answer = leader.get(f"{judged.pages}/leader/items/9999")
    assert answer.status_code == 404
    assert "<h1>Not found</h1>" in answer.text
    assert "<p>There is nothing of that name or number in this campaign.</p>" in answer.text
    assert "Something went wrong" not in answer.text
