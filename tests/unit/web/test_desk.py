"""The leader's desk through its API: who may, what is refused in a sentence, what is logged; on both stores."""

import io
import re

import polars as pl
import pytest
from sqlalchemy import select, update

from concurrence.annotation.campaigns.backup import delete_campaign
from concurrence.annotation.campaigns.campaign import campaign_names
from concurrence.annotation.database.schema import CAMPAIGN, INVITATION
from concurrence.annotation.database.store import Store
from concurrence.annotation.people.organisers import revoke_organiser
from concurrence.annotation.people.security_log import logged_acts
from concurrence.web.manual import manual_html
from support.campaign_cases import event, make_campaign
from support.databases import ready_database
from support.desk_requests import TABLE, at_desk, created, error, plan, upload
from support.web_door import Door

MOOD = '[[question]]\nid = "mood"\nchoices = ["gut", "schlecht"]\n'
PNG = b"\x89PNG\r\n\x1a\n..."


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def door(request, tmp_path):
    if request.param == "postgresql":
        database = request.getfixturevalue("postgres").new_database(ready=True)
    else:
        database = ready_database(tmp_path / "campaigns.db")
    with Store(database) as store:
        yield Door(store, make_campaign(store, expert="ulla"), upload_limit=6_000_000)


@pytest.fixture
def ada(door):
    """A client at Ada's desk."""
    return at_desk(door, "ada")


def test_a_table_becomes_a_campaign(door, ada):
    table = upload(ada)
    assert (table["rows"], [column["name"] for column in table["columns"]]) == (3, ["id", "text", "part"])
    assert table["suggested"] == {
        "key": "id", "text": ["text"], "contexts": [], "facts": [], "part": "part", "round": None,
    }  # fmt: skip
    draft = f"/api/desk/drafts/{table['draft']}"
    assert error(ada.get(f"{draft}/part"), 404) == "There is no preview yet."
    seen = ada.post(f"{draft}/preview", json=plan()).json()
    assert (seen["items"], seen["rounds"]) == (3, ["main"])
    assert door.store.read(campaign_names) == ["verbs"]
    assert {item["text"] for item in ada.get(f"{draft}/part").json()["items"]} == {"good morning", "good bye"}
    page = ada.get(seen["page"]).text
    assert f'data-preview="{draft}"' in page
    assert "Sign out" not in page
    made = ada.post(f"{draft}/campaign", json=plan()).json()
    assert (made["name"], made["items"], made["tasks"]) == ("greetings", 3, {"anna": 2, "ben": 2})
    assert [one["name"] for one in ada.get("/api/desk").json()["campaigns"]] == ["greetings"]
    for path in (made["page"], f"{made['page']}/manual", f"/c/{made['campaign']}/leader", "/desk", "/desk/new"):
        assert ada.get(path).status_code == 200, path
    assert error(ada.post(f"{draft}/campaign", json=plan()), 404).startswith("The uploaded table is no longer there")


@pytest.mark.parametrize("kind", ["xlsx", "parquet", "jsonl", "tsv"])
def test_tables_of_every_format_are_read(ada, kind):
    rows = [{"id": "1", "text": "good"}, {"id": "2", "text": "bad"}]
    frame, out = pl.DataFrame(rows), io.BytesIO()
    if kind == "xlsx":
        import openpyxl

        book = openpyxl.Workbook()
        for row in (["id", "text"], ["1", "good"], ["2", "bad"]):
            book.active.append(row)
        book.save(out)
    elif kind == "parquet":
        frame.write_parquet(out)
    else:
        out.write((frame.write_ndjson() if kind == "jsonl" else frame.write_csv(separator="\t")).encode())
    assert upload(ada, out.getvalue(), f"items.{kind}")["first"] == [["1", "good"], ["2", "bad"]]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.csv", b"id,text\n1,a,b\n", "a.csv, line 2"),
        ("a.csv", b"", "a.csv is empty"),
        ("a.csv", b"id,text\n", "no rows"),
        ("a.csv", b"id,text\n1,\xff\n", "a.csv, line 2: not valid UTF-8"),
        ("a.doc", b"x", "the format comes from the file extension"),
        ("a.xlsx", b"x", "a.xlsx is not an .xlsx workbook"),
        ("a.parquet", b"x", "a.parquet is not a Parquet file"),
        ("a.csv.gz", b"x", "unpack"),
        ("a.csv", b"\x1f\x8bx", "unpack"),
        ("../../etc/a.csv", b"id,text\n1,a,b\n", "a.csv, line 2"),
    ],
)
def test_what_is_no_table_is_refused_in_a_sentence(ada, name, content, sentence):
    told = error(ada.post("/api/desk/tables", params={"name": name}, content=content))
    assert sentence in told
    assert "etc" not in told
    assert "/tmp" not in told


def test_a_table_that_is_too_large_is_refused_and_other_routes_keep_their_limit(ada):
    answer = ada.post("/api/desk/tables?name=a.csv", content=b"id\n" + b"1\n" * 2_400_000)
    assert "rows are too many" in error(answer)  # below the limit in bytes, which a campaign's own is not
    large = b"1" * 6_000_001
    assert error(ada.post("/api/desk/tables?name=a.csv", content=large), 413).startswith("The file is larger than 6 MB")
    streamed = ada.post("/api/desk/tables?name=a.csv", content=(large[:1_000_000] for _ in range(7)))
    assert error(streamed, 413).startswith("The file is larger than 6 MB")
    assert "smaller batches" in error(ada.post("/api/sessions", content=b"1" * 4_000_001), 413)


def test_a_desk_is_its_owners(door, ada):
    made = created(ada)
    api, page = f"/api/campaigns/{made['campaign']}", f"/c/{made['campaign']}/leader/desk"
    draft = upload(ada)["draft"]
    for other in (at_desk(door, "eve"), door.join("leader"), door.join("anna"), door.client()):
        for path in (f"{api}/desk", f"{api}/desk/events", f"{api}/desk/backup", f"{api}/desk/manual", page):
            assert other.get(path).status_code == 401, path
        assert other.post(f"{api}/desk/deletion", json={"name": "greetings"}).status_code == 401
        assert other.post(f"/api/desk/drafts/{draft}/campaign", json=plan(name="x")).status_code in (401, 404)
    assert door.join("leader").get("/desk").status_code == 401
    assert door.join("anna").get(f"{door.api}/desk").status_code == 403
    door.store.write(lambda c: revoke_organiser(c, "ada"))
    assert ada.get("/api/desk").status_code == 401
    assert ada.get(f"{api}/desk").status_code == 401


def test_a_leaders_link_reaches_her_own_campaign_and_makes_no_other(door):
    leader = door.join("leader")
    assert leader.get(f"{door.pages}/leader/desk").status_code == 200
    assert leader.get(f"{door.api}/desk").json()["data"]["people"][0]["name"] == "anna"
    assert leader.post("/api/desk/tables?name=a.csv", content=TABLE).status_code == 401
    assert leader.post(f"{door.api}/desk/coders", json={"name": "clara"}).json()["items"] == 6


def test_coders_and_links(door, ada):
    api = f"/api/campaigns/{created(ada)['campaign']}/desk"
    links = ada.post(f"{api}/links", json={"coders": ["anna", "ben"], "days": 14, "once": True}).json()["links"]
    assert all(re.fullmatch(r"/join#[\w-]{43}", link) for link in links.values())
    anna = door.client()
    token = {"token": links["anna"].partition("#")[2]}
    assert anna.post("/api/sessions", json=token).status_code == 200
    assert error(door.client().post("/api/sessions", json=token), 401).startswith("This link works only once")
    people = {person["name"]: person for person in ada.get(api).json()["data"]["people"]}
    assert [session["device"] for session in people["anna"]["sessions"]] == ["Other program"]
    assert (people["anna"]["links"], people["ben"]["links"]) == (0, 1)
    items = anna.get(api.replace("/desk", "/part")).json()["items"]
    sent = [event(items[0]["id"], "polite", "yes")]
    assert anna.post(api.replace("/desk", "/events"), json={"events": sent}).json()["receipts"][0]["status"] == "stored"
    replaced = ada.post(f"{api}/replacements", json={"coder": "anna", "successor": "clara"}).json()
    assert (replaced["coder"], replaced["items"], replaced["kept"]) == ("clara", 1, 1)
    assert anna.get(api.replace("/desk", "/part")).status_code == 401
    assert "was removed" in error(ada.post(f"{api}/links", json={"coders": ["anna"]}))
    assert ada.post(f"{api}/revocations", json={"coder": "ben"}).json() == {"revoked": 1}
    assert ada.post(f"{api}/coders", json={"name": "dora", "part": "2"}).json()["items"] == 2
    assert ada.post(f"{api}/removals", json={"coder": "dora"}).json()["items"] == 0
    assert "Known names" in error(ada.post(f"{api}/removals", json={"coder": "nobody"}))


def test_items_rounds_manual_and_pictures(door, ada):
    number = created(ada)["campaign"]
    api = f"/api/campaigns/{number}/desk"
    more = "id,text,part\n4,good evening,1\n"
    assert ada.post(f"{api}/items?name=m.csv", content=more).json() == {
        "round": "main", "items": 1, "tasks": {"anna": 1, "ben": 0},
    }  # fmt: skip
    again = ada.post(f"{api}/items?name=m.csv&new_round=second&each_item=1", content=more).json()
    assert (again["round"], sum(again["tasks"].values())) == ("second", 1)
    assert "already exists" in error(ada.post(f"{api}/items?name=m.csv&new_round=second", content=more))
    rounds = ada.get(api).json()["data"]["rounds"]
    assert [(one["name"], one["items"]) for one in rounds] == [("main", 4), ("second", 1)]
    picture = ada.post(f"{api}/pictures?name=tree.png", content=PNG).json()
    text = f"# Rules\n![a tree](/pictures/{picture['name']})"
    assert ada.post(f"{api}/manual", json={"text": text, "note": "a tree"}).json() == {"version": 2, "warnings": []}
    assert error(ada.post(f"{api}/manual", json={"text": text})) == "Nothing changed since version 2."
    assert ada.get(f"{api}/manual").json()["versions"][0]["note"] == "a tree"
    shown = ada.post(f"/c/{number}/leader/desk/manual/preview", json={"text": text}).text
    assert f'<img src="/pictures/{picture["name"]}" alt="a tree" loading="lazy">' in shown
    served = ada.get(f"/pictures/{picture['name']}")
    assert (served.content, served.headers["content-type"]) == (PNG, "image/png")
    assert served.headers["x-content-type-options"] == "nosniff"
    for other in (door.client(), door.join("anna"), at_desk(door, "eve")):
        assert other.get(f"/pictures/{picture['name']}").status_code == 401
    assert ada.get("/pictures/none.png").status_code == 404


def test_exports_backup_and_the_end(door):
    leader, anna = door.join("leader"), door.join("anna")
    item = anna.get(f"{door.api}/part").json()["items"][0]
    sent = [event(item["id"], "collocation", answer) for answer in ("yes", None, "no")]
    anna.post(f"{door.api}/events", json={"events": sent})
    events = pl.read_csv(leader.get(f"{door.api}/desk/events").content, infer_schema=False)
    assert events["answer"].to_list() == ["yes", None, "no"]
    assert events["coder"].unique().to_list() == ["anna"]
    gold = leader.get(f"{door.api}/desk/gold?question=collocation&answer=yes&by=anna")
    assert pl.read_csv(gold.content).rows() == [(*item["text"].split(), 0)]
    backup = leader.get(f"{door.api}/desk/backup")
    assert backup.content.startswith(b"SQLite format 3\0")
    assert "wrong" not in error(leader.get(f"{door.api}/desk/gold?question=wrong&answer=yes")).split("'wrong'")[0]
    assert error(leader.post(f"{door.api}/desk/deletion", json={"name": "Verbs"})).startswith("The name does not match")
    assert leader.post(f"{door.api}/desk/deletion", json={"name": "verbs"}).json() == {"done": True}
    assert leader.get(f"{door.pages}/leader").status_code == 401
    assert door.store.read(campaign_names) == []


def test_every_act_is_logged_with_who_and_from_where(door, ada):
    api = f"/api/campaigns/{created(ada)['campaign']}/desk"
    ada.post(f"{api}/links", json={"coders": ["anna"]})
    ada.post(f"{api}/coders", json={"name": "dora", "part": "2"})
    ada.post(f"{api}/replacements", json={"coder": "anna", "successor": "clara"})
    ada.post(f"{api}/removals", json={"coder": "ben"})
    ada.post(f"{api}/revocations", json={"coder": "clara"})
    ada.post(f"{api}/items?name=m.csv", content="id,text,part\n4,hello,all\n")
    ada.post(f"{api}/manual", json={"text": "# New"})
    ada.post(f"{api}/pictures?name=x.png", content=PNG)
    for closed in (True, False):
        ada.post(api.replace("/desk", "/closings"), json={"closed": closed})
    ada.get(f"{api}/events")
    ada.get(f"{api}/backup")
    ada.post(f"{api}/deletion", json={"name": "greetings"})
    acts = [act for act in door.store.read(logged_acts) if act.campaign == "greetings" and act.address]
    assert [act.act for act in acts] == [
        *("campaign made", "link made", "coder added", "coder replaced", "coder removed", "revocation", "items added"),
        *("manual changed", "picture added", "closed", "reopened", "export", "backup", "campaign deleted"),
    ]
    assert all(act.person == "ada" or "by ada" in act.detail for act in acts)


def test_questions_come_as_a_file_too(ada):
    file = '[[question]]\nid = "mood"\ntype = "scale"\nfrom = 1\nto = 3\n'
    made = created(ada, questions=[], questions_file=file)
    [question] = ada.get(f"/api/campaigns/{made['campaign']}/desk").json()["questions"]
    assert (question["id"], [choice["id"] for choice in question["choices"]]) == ("mood", ["1", "2", "3"])
    draft = f"/api/desk/drafts/{upload(ada)['draft']}/campaign"
    assert "not valid TOML" in error(ada.post(draft, json=plan(name="b", questions=[], questions_file="[[question")))
    assert error(ada.post(draft, json=plan(name="b", questions=[]))) == "Write at least one question."


def test_training_and_comments_are_asked_for_in_the_form(door, ada):
    table = "id,text,part,expected,explanation\n1,good day,1,yes,A greeting.\n2,good night,1,,\n3,good bye,2,,\n"
    draft = f"/api/desk/drafts/{upload(ada, table)['draft']}"
    wanted = plan(training=0.5, comments=True)
    ada.post(f"{draft}/preview", json=wanted)
    assert [item["text"] for item in ada.get(f"{draft}/part").json()["items"]] == ["good day"]
    made = ada.post(f"{draft}/campaign", json=wanted).json()
    assert (made["rounds"], made["tasks"]) == (["training", "main"], {"anna": 2, "ben": 2})
    answer = ada.post(f"/api/campaigns/{made['campaign']}/desk/links", json={"coders": ["anna"]}).json()
    anna = door.client()
    anna.post("/api/sessions", json={"token": answer["links"]["anna"].partition("#")[2]})
    part = anna.get(f"/api/campaigns/{made['campaign']}/part").json()
    assert (part["round"], part["training"]["pass"], part["comments"]) == ("training", 0.5, [])
    page = ada.get(made["page"]).text
    for name in ("All comments", "All labels with the training round", "All labels and rulings"):
        assert name in page
    without = f"/api/desk/drafts/{upload(ada)['draft']}/campaign"
    sentence = "items.csv: training needs items with a known answer, in a column 'expected'."
    assert error(ada.post(without, json=plan(name="b", training=0.5))) == sentence


def test_rulings_come_with_the_labels_on_request(door):
    leader, anna = door.join("leader"), door.join("anna")
    item = anna.get(f"{door.api}/part").json()["items"][0]
    anna.post(f"{door.api}/events", json={"events": [event(item["id"], "collocation", "yes")]})
    number = leader.get(f"{door.api}/items?only=all&limit=1").json()["data"]["items"][0]["item_id"]
    ruling = {"uuid": event(1, "q", "a")["uuid"], "item": number, "question": "collocation", "answer": "no"}
    assert leader.post(f"{door.api}/adjudications", json=ruling | {"reason": "rule 2"}).json() == {"done": True}
    labels = {
        wanted: pl.read_csv(leader.get(f"{door.api}/export?question=collocation{wanted}").content)["coder"].to_list()
        for wanted in ("", "&adjudicated=true", "&shared=true")
    }
    assert labels == {"": ["anna"], "&adjudicated=true": ["anna", "adjudicated"], "&shared=true": []}


def test_a_campaign_that_another_program_made_again_is_another_campaign(door):
    """As ``concur campaign delete`` and ``create`` do while the server runs."""
    anna, leader = door.join("anna"), door.join("leader")
    task = anna.get(f"{door.api}/part").json()["items"][0]["id"]
    assert leader.get(f"{door.api}/agreement").status_code == 200
    door.store.write(lambda c: delete_campaign(c, door.campaign))
    old, door.campaign = door.campaign, make_campaign(door.store, questions=MOOD)
    assert door.campaign.id > old.id
    answer = anna.post(f"/api/campaigns/{old.id}/events", json={"events": [event(task, "collocation", "yes")]})
    assert answer.status_code == 401
    part = door.join("anna").get(f"{door.api}/part").json()
    assert [question["id"] for question in part["questions"]] == ["mood"]
    assert task not in {item["id"] for item in part["items"]}
    assert door.join("leader").get(f"{door.pages}/leader").status_code == 200


def test_questions_are_those_of_the_database_at_every_use(door):
    """What another program changes in a campaign is seen with the next request."""
    anna = door.join("anna")
    assert len(anna.get(f"{door.api}/part").json()["questions"]) == 2
    door.store.write(lambda c: c.execute(update(CAMPAIGN).values(questions=MOOD)))
    task, *_ = anna.get(f"{door.api}/part").json()["items"]
    sent = {"events": [event(task["id"], "collocation", "yes"), event(task["id"], "mood", "gut")]}
    receipts = anna.post(f"{door.api}/events", json=sent).json()["receipts"]
    assert [receipt["status"] for receipt in receipts] == ["refused", "stored"]


def test_what_coders_judge_is_chosen_and_there(ada):
    table = "gold,sentence,note\nPOSITIVE,good,x\nNEGATIVE,,y\n"
    answer = upload(ada, table)
    assert answer["suggested"]["text"] == []
    draft = f"/api/desk/drafts/{answer['draft']}/campaign"
    assert error(ada.post(draft, json=plan(columns={}))).startswith("Choose the column that coders judge")
    assert "nothing in sentence" in error(ada.post(draft, json=plan(columns={"text": ["sentence"]})))
    both = [{"id": "better", "type": "preference", "columns": ["gold", "note"]}]
    assert ada.post(draft, json=plan(columns={}, questions=both)).status_code == 200


def test_a_rule_that_is_no_heading_is_told(ada):
    questions = [{"id": "polite", "rule": "politeness", "choices": ["yes", "no"]}]
    draft = f"/api/desk/drafts/{upload(ada)['draft']}"
    seen = ada.post(f"{draft}/preview", json=plan(questions=questions, manual="# What counts")).json()
    [warning] = seen["warnings"]
    assert warning.startswith(
        "The question 'polite' points to the heading 'politeness', which the manual does not have"
    )
    assert ada.post(f"{draft}/preview", json=plan(questions=questions, manual="# Politeness")).json()["warnings"] == []
    made = ada.post(f"{draft}/campaign", json=plan(questions=questions)).json()
    manual = f"/api/campaigns/{made['campaign']}/desk/manual"
    assert ada.post(manual, json={"text": "# Other"}).json()["warnings"] == [warning.replace("what-counts", "other")]
    assert ada.post(manual, json={"text": "# Politeness"}).json()["warnings"] == []


def test_the_front_page_leads_to_the_desk(door, ada):
    assert 'href="/desk"' in ada.get("/").text
    assert 'href="/desk"' not in door.client().get("/").text
    assert 'href="/desk"' not in door.join("anna").get("/").text


def test_links_expire_unless_the_leader_says_otherwise(door, ada):
    api = f"/api/campaigns/{created(ada)['campaign']}/desk/links"

    def days(**fields):
        ada.post(api, json={"coders": ["anna"], **fields})
        newest = select(INVITATION.c.expires, INVITATION.c.created).order_by(INVITATION.c.id.desc()).limit(1)
        expires, since = door.store.read(lambda c: c.execute(newest).one())
        return expires and round((expires - since) / 86_400_000, 3)

    assert [days(), days(days=3), days(days=None)] == [90, 3, None]


def test_signing_out_of_the_desk(door, ada):
    other = at_desk(door, "ada")
    assert "Other program" in ada.get("/desk/sessions").text
    assert [session["current"] for session in ada.get("/api/desk/sessions").json()["sessions"]].count(True) == 1
    assert ada.delete("/api/desk/sessions").json() == {"done": True}
    assert other.get("/desk").status_code == 401
    assert ada.delete("/api/desk/session").json() == {"done": True}
    assert ada.get("/desk").status_code == 401


def test_another_site_cannot_act_at_the_desk(ada):
    api = f"/api/campaigns/{created(ada)['campaign']}/desk"
    for site in ("cross-site", "same-site"):
        answer = ada.post(f"{api}/deletion", json={"name": "greetings"}, headers={"sec-fetch-site": site})
        assert answer.status_code == 403
        uploaded = ada.post("/api/desk/tables?name=a.csv", content=TABLE, headers={"sec-fetch-site": site})
        assert uploaded.status_code == 403


@pytest.mark.parametrize(
    "text",
    [
        "![x](http://evil.example/x.png)",
        "![x](/pictures/../api)",
        "![x](/pictures/" + "a" * 32 + ".svg)",
        '<img src="/pictures/' + "a" * 32 + '.png" onerror="alert(1)">',
        "![x](javascript:alert(1))",
        '![" onerror="alert(1)](/static/icon.svg)',
    ],
)
def test_no_other_picture_gets_into_a_manual(text):
    assert "<img" not in manual_html(text)


def test_the_words_of_a_picture_are_words():
    address = "/pictures/" + "a" * 32 + ".png"
    html = manual_html(f'![" onerror="alert(1)]({address}) and \ue0000\ue001')
    assert f'<img src="{address}" alt="&#34; onerror=&#34;alert(1)" loading="lazy"> and 0' in html
