"""The page of the house: its picture is that of the import contracts, and its walks can be followed."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from concurrence.annotation.database.store import Store
from concurrence.web.explorer.app import create_explorer
from concurrence.web.explorer.sources import open_sources
from pages.house import PICTURE, folders, layers, picture
from support.campaign_cases import event, make_campaign
from support.databases import ready_database
from support.walks import SOURCE, followed
from support.web_door import Door

PAGE = (Path(__file__).parents[3] / "docs" / "house.md").read_text("utf-8")
STATION = re.compile(r"^\d+\. \[`(\w+)`\]\(\.\./src/concurrence/([\w/.]+)\)", re.MULTILINE)
WALKS = dict(part.split("\n", 1) for part in PAGE.partition("## Seven walks")[2].split("\n### ")[1:])


def test_the_picture_is_that_of_the_contracts():
    assert PICTURE.read_text("utf-8") == picture(), "run: python docs/pages/house.py"


def test_every_package_has_its_paragraph():
    packages = [name for layer in layers() for name in layer]
    assert {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()} == set(packages)
    for name in packages:
        paragraph = re.search(rf"^\*\*.*`{name}/`[^\n]*(\n[^\n]+)*", PAGE, re.MULTILINE)
        assert paragraph, name
        text = " ".join(paragraph[0].split())
        assert "Begin at" in text, name
        begin = re.findall(r"`((?:\w+/)+\w+\.py)`", text.partition("Begin at")[2])
        assert begin, name
        assert all((SOURCE / file).exists() for file in begin), begin
    for room in ("agreement", "annotation", "files"):
        assert all(f"`{folder}/`" in PAGE for folder in folders(room)), room


def labels_to_terminal(folder, concur):
    (folder / "labels.csv").write_text("item,coder,label\n1,ann,y\n1,bob,y\n2,ann,n\n2,bob,y\n3,ann,n\n3,bob,n\n")
    yield lambda: concur("agree", folder / "labels.csv")


def text_to_collocates(folder, concur):
    (folder / "text.txt").write_text("a strong tea\nthe strong tea , please\na strong man\n")
    concur("index", folder / "text.txt", "-o", folder / "index")
    yield lambda: concur("collocates", folder / "index", "strong")


def text_to_report(folder, concur):
    (folder / "text.txt").write_text("a strong tea\nthe strong tea , please\na strong man\nthe tea is strong\n")
    (folder / "gold.csv").write_text("l1,l2,tp\na,strong,0\nstrong,tea,1\nstrong,man,0\nthe,tea,0\n")

    def walk():
        concur("pairs", folder / "text.txt", "--rule", "adjacent", "-o", folder / "pairs.csv")
        concur("score", folder / "pairs.csv", "-m", "MI,t_score", "-o", folder / "scored.csv")
        options = ("--gold", folder / "gold.csv", "-m", "MI,t_score", "--n", "1,2,3")
        (folder / "result.json").write_text(concur("evaluate", folder / "scored.csv", *options, "--json").out)
        return concur("report", folder / "result.json", "-o", folder / "report.html")

    yield walk


def key_to_leaders_page(folder, concur):
    def walk():
        with Store(ready_database(folder / "campaigns.db")) as store:
            door = Door(store, make_campaign(store, size=6))
            for coder in ("anna", "ben"):
                client = joined(door, coder)
                items = [item["id"] for item in client.get(f"{door.api}/part").json()["items"]]
                answers = [event(item, "collocation", "no") for item in items]
                client.post(f"{door.api}/events", json={"events": answers})
            return joined(door, "leader").get(f"/c/{door.campaign.id}/leader/agreement")

    yield walk


def joined(door, name):
    """A client whose requests run in threads that begin with them, so that they can be followed."""
    client = TestClient(door.app)
    client.post("/api/sessions", json={"token": door.token(name)})
    return client


def spans_to_terminal(folder, concur):
    (folder / "spans.csv").write_text("document,coder,start,end,label\nd,ann,0,4,P\nd,bob,0,4,P\nd,ann,6,8,Q\n")
    yield lambda: concur("spans", folder / "spans.csv", "--length", "10")


def rate_of_a_list(folder, concur):
    rows = "".join(f"w{n},x,{n % 3 == 0:d}\n" for n in range(12))
    (folder / "list.csv").write_text("l1,l2,model\n" + rows)
    (folder / "gold.csv").write_text("l1,l2,tp\n" + "".join(f"w{n},x,{n % 2}\n" for n in range(6)))
    yield lambda: concur("rate", folder / "list.csv", "--judge", "model", "--gold", folder / "gold.csv")


def word_in_the_explorer(folder, concur):
    (folder / "text.txt").write_text("a strong tea\nthe strong tea , please\na strong man\n")
    concur("index", folder / "text.txt", "-o", folder / "index")

    def walk():
        explorer = create_explorer(open_sources([folder / "index"]))
        answer = TestClient(explorer, base_url="http://127.0.0.1").get("/api/collocates", params={"q": "strong"})
        assert answer.status_code == 200, answer.text

    yield walk


FOLLOW = {
    "From a label file to the terminal": labels_to_terminal,
    "From a text to collocates": text_to_collocates,
    "From a text to a report": text_to_report,
    "From a key to the leader's page": key_to_leaders_page,
    "From marked stretches to the terminal": spans_to_terminal,
    "From a list to its rate": rate_of_a_list,
    "From a word to the explorer": word_in_the_explorer,
}


def test_there_are_seven_walks():
    assert list(WALKS) == list(FOLLOW)


@pytest.mark.parametrize("title", FOLLOW)
def test_a_walk_can_be_followed(title, tmp_path, concur):
    stations = [(file, name) for name, file in STATION.findall(WALKS[title])]
    assert 4 <= len(stations) <= 10
    scripts = [(file, name) for file, name in stations if file.endswith(".js")]
    assert all(re.search(rf"\b{name}\b", (SOURCE / file).read_text("utf-8")) for file, name in scripts)
    ours = [station for station in stations if station not in scripts]
    for walk in FOLLOW[title](tmp_path, concur):
        with followed() as trail:
            walk()
    places = trail.places(ours)
    assert None not in places, dict(zip(ours, places, strict=True))
    assert places == sorted(places), dict(zip(ours, places, strict=True))
