"""``concur campaign``: the whole way on the command line, and mistakes in one sentence."""

import csv
import json
import socket
import stat

import pytest

from concurrence.annotation.campaigns.campaign import campaign_names
from concurrence.annotation.database.store import Store
from support.campaign_cases import MANUAL, QUESTIONS
from support.servers import free_port


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a sample of pairs, questions and a manual; commands run in it."""
    monkeypatch.chdir(tmp_path)
    rows = [f"verb{n},noun{n},{n},{'all' if n <= 10 else 1 + n % 2}" for n in range(1, 21)]
    (tmp_path / "sample.csv").write_text("l1,l2,f,part\n" + "\n".join(rows) + "\n", "utf-8")
    (tmp_path / "questions.toml").write_text(QUESTIONS, "utf-8")
    (tmp_path / "manual.md").write_text(MANUAL, "utf-8")
    return tmp_path


CREATE = (
    "campaign",
    "create",
    "verbs",
    "--items",
    "sample.csv",
    "--questions",
    "questions.toml",
    "--manual",
    "manual.md",
)


@pytest.fixture
def campaign(folder, concur):
    made = concur(*CREATE, "--coders", "anna,ben", "--expert", "ulla", "--json")
    assert made.code == 0, made.err
    assert made.json["tasks"] == {"anna": 15, "ben": 15, "ulla": 20}
    return folder


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def label(path, coder, answers):
    rows = [f"verb{n},noun{n},{answer},collocation" for n, answer in enumerate(answers, start=1)]
    (path / f"{coder}.csv").write_text("l1,l2,label,question\n" + "\n".join(rows) + "\n", "utf-8")
    return f"{coder}.csv"


def test_coders_without_names_are_one_a_part(folder, concur):
    made = concur(*CREATE, "--seed", "3", "--json")
    assert made.json["tasks"] == {"coder1": 15, "coder2": 15}
    assert (made.err, made.json["provenance"]["seed"]) == ("seed: 3\n", 3)
    (folder / "sample.csv").write_text("l1,l2\npay,attention\n", "utf-8")
    refused = concur("campaign", "create", "other", *CREATE[3:])
    assert refused.code == 2
    assert "name the coders with --coders" in refused.err


def test_links_are_new_each_time_and_the_secret_is_private(campaign, concur):
    first, second = (concur("campaign", "links", "verbs", "--json").json["links"] for _ in range(2))
    assert set(first) == {"anna", "ben", "ulla", "leader"}
    assert all(link.startswith("http://127.0.0.1:8765/join#") for link in first.values())
    assert not set(first.values()) & set(second.values())
    assert stat.S_IMODE((campaign / "concurrence.db.secret").stat().st_mode) == 0o600
    plain = concur("campaign", "links", "verbs", "--coder", "anna", "--url", "https://judge.example.org/").out
    assert plain.startswith("anna\thttps://judge.example.org/join#")
    assert concur("campaign", "links", "verbs", "--revoke", "anna", "--json").json["revoked"] == {"anna": 3}


def test_from_labels_to_agreement_and_gold(campaign, concur):
    one, two = label(campaign, "m1", ["no"] * 8 + ["yes"] * 12), label(campaign, "m2", ["no"] * 10 + ["yes"] * 10)
    for name, file in (("m1", one), ("m2", two)):
        done = concur("campaign", "import", "verbs", file, "--as", "labels", "--coder", name, "--json")
        assert done.json["result"] == {name: 20}
    export = concur("campaign", "export", "verbs", "--question", "collocation", "-o", "labels.csv", "--json")
    assert export.json["rows"] == 40
    table = rows_of(campaign / "labels.csv")
    assert list(table[0])[:4] == ["item", "coder", "question", "label"]
    assert {"l1", "l2", "f"} <= set(table[0])
    agreed = concur("agree", "labels.csv", "--json").json
    assert agreed["data"]["items"] == 20
    assert agreed["coefficients"]["cohen_kappa"]["value"] == pytest.approx(0.8)
    gold = concur("campaign", "export", "verbs", "--gold", "collocation=yes", "--by", "majority", "-o", "gold.csv")
    assert gold.code == 0
    assert "2 items left out" in gold.err
    judged = rows_of(campaign / "gold.csv")
    assert list(judged[0]) == ["l1", "l2", "tp"]
    assert [row["tp"] for row in judged] == ["0"] * 8 + ["1"] * 10
    meta = json.loads((campaign / "gold.csv.meta.json").read_text("utf-8"))
    assert meta["details"]["by"] == "majority"
    by_one = concur("campaign", "export", "verbs", "--gold", "collocation=yes", "--by", "m1", "-o", "gold1.csv")
    assert by_one.code == 0
    assert sum(row["tp"] == "1" for row in rows_of(campaign / "gold1.csv")) == 12


def test_status_close_reopen_list(campaign, concur):
    assert concur("campaign", "list").out == "verbs\n"
    rows = concur("campaign", "status", "verbs", "--json").json["coders"]
    assert [(row["coder"], row["done"], row["items"]) for row in rows] == [
        ("anna", 0, 15),
        ("ben", 0, 15),
        ("ulla", 0, 20),
    ]
    assert "closed" in concur("campaign", "close", "verbs").out
    assert "closed" in concur("campaign", "status", "verbs").out
    assert concur("campaign", "reopen", "verbs", "--round", "main").code == 0
    assert "closed" not in concur("campaign", "status", "verbs").out
    assert concur("campaign", "close", "verbs", "--part", "1").code == 0


def test_a_new_manual_and_a_new_round(campaign, concur):
    (campaign / "better.md").write_text("# Better\n", "utf-8")
    assert concur("campaign", "import", "verbs", "better.md", "--as", "manual", "--json").json["result"] == {
        "manual_version": 2
    }
    done = concur(
        "campaign", "import", "verbs", "sample.csv", "--as", "items", "--round", "second", "--repeats", "2", "--json"
    )
    assert done.json["result"] == {"anna": 17, "ben": 17, "ulla": 20}


def test_matches_are_verified_and_go_back(folder, concur):
    (folder / "left.csv").write_text("id,text,word,label\n1,He ran all the way home today.,run,a\n", "utf-8")
    (folder / "right.csv").write_text("id,text,word,label\n7,He ran all the long way home today.,run,b\n", "utf-8")
    assert concur("match", "left.csv", "right.csv", "-o", "matches.csv", "--json").json["close"] == 1
    assert concur("campaign", "create", "check", "--items", "matches.csv", "--coders", "anna,ben").code == 0
    (folder / "m.csv").write_text("item,label\n1|7,yes\n", "utf-8")
    assert concur("campaign", "import", "check", "m.csv", "--as", "labels", "--coder", "m").code == 0
    assert concur("campaign", "export", "check", "--matches", "-o", "verified.csv").code == 0
    assert rows_of(folder / "verified.csv")[0]["verified"] == "yes"
    back = concur("match", "left.csv", "right.csv", "--verified", "verified.csv", "--labels", "labels.csv")
    assert back.code == 0, back.err
    assert len(rows_of(folder / "labels.csv")) == 2


def test_formulas_are_quoted_on_request_and_recorded(folder, concur):
    (folder / "words.csv").write_text("l1,l2\n=1+1,b\n", "utf-8")
    assert (
        concur("campaign", "create", "w", "--items", "words.csv", "--questions", "questions.toml", "--coders", "a").code
        == 0
    )
    (folder / "m.csv").write_text("l1,l2,label\n=1+1,b,no\n", "utf-8")
    assert concur("campaign", "import", "w", "m.csv", "--as", "labels", "--coder", "m").code == 0
    assert concur("campaign", "export", "w", "--quote-formulas", "-o", "out.csv").code == 0
    assert rows_of(folder / "out.csv")[0]["l1"] == "'=1+1"
    assert json.loads((folder / "out.csv.meta.json").read_text("utf-8"))["details"]["quoted_formulas"] is True


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("create verbs ALL --coders a,b", "already exists"),
        ("create x --items sample.csv --coders a,b", "--questions"),
        ("create x --items sample.csv --questions manual.md --coders a,b", "not valid TOML"),
        ("create x --items none.csv --questions questions.toml --coders a,b", "does not exist"),
        ("create x ALL --coders a", "2 parts"),
        ("create x ALL --coders a,b --show g", "no column"),
        ("links verb", "Did you mean 'verbs'"),
        ("links verbs --coder nobody", "no coder 'nobody'"),
        ("status nothing", "no campaign"),
        ("export verbs --gold collocation -o x.csv", "QUESTION=ANSWER"),
        ("export verbs --gold collocation=maybe -o x.csv", "no choice"),
        ("export verbs --gold collocation=yes --by nobody -o x.csv", "no coder"),
        ("export verbs --matches -o x.csv", "does not verify matches"),
        ("close verbs --round nope", "no round"),
        ("close verbs --part 9", "no part"),
        ("import verbs sample.csv --as items", "--round"),
        ("import verbs sample.csv --as labels --coder m", "needs item"),
        ("list --db mysql://x/y", "SQLite or PostgreSQL"),
    ],
)
def test_mistakes_are_one_sentence(campaign, concur, arguments, sentence):
    done = concur("campaign", *arguments.replace("ALL", "--items sample.csv --questions questions.toml").split())
    assert done.code == 2
    assert sentence in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert not (campaign / "x.csv").exists()
    with Store(campaign / "concurrence.db") as store:
        assert store.read(campaign_names) == ["verbs"]


def test_a_server_that_cannot_listen_says_so(campaign, concur):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = concur("serve", "--port", taken.getsockname()[1])
    assert done.code == 2
    assert "Cannot listen on 127.0.0.1" in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert done.out == ""
    assert concur("serve", "--port", free_port(), "--public-url", "judge").code == 2
    assert "both" in concur("serve", "--port", free_port(), "--certificate", "manual.md").err


def test_people_come_and_go_on_the_command_line(campaign, concur):
    added = concur("campaign", "coder", "add", "verbs", "clara", "--part", "1", "--json")
    assert (added.code, added.json["items"]) == (0, 15)
    told = concur("campaign", "coder", "replace", "verbs", "anna", "dora")
    assert told.code == 0
    assert "dora goes on with 15 items; the decisions of anna on 0 items stay." in " ".join(told.out.split())
    gone = concur("campaign", "coder", "remove", "verbs", "ben", "--json")
    assert (gone.json["coder"], gone.json["kept"]) == ("ben", 0)
    links = concur("campaign", "links", "verbs", "--json").json["links"]
    assert set(links) == {"clara", "dora", "ulla", "leader"}
    wrong = concur("campaign", "coder", "remove", "verbs", "nobody")
    assert wrong.code == 2
    assert "There is no coder 'nobody'" in wrong.err


def test_items_are_added_backed_up_and_deleted_on_the_command_line(campaign, concur):
    (campaign / "more.csv").write_text("l1,l2,part\nmake,sense,all\ntake,part,1\n", "utf-8")
    more = concur("campaign", "items", "add", "verbs", "more.csv", "--json")
    assert (more.json["items"], more.json["tasks"]) == (2, {"anna": 2, "ben": 1, "ulla": 2})
    saved = concur("campaign", "backup", "verbs", "-o", "saved.db", "--json")
    assert (saved.code, saved.json["file"]) == (0, "saved.db")
    again = concur("campaign", "backup", "-o", "saved.db")
    assert (again.code, "already exists" in again.err) == (2, True)
    asked = concur("campaign", "delete", "verbs")
    assert (asked.code, "confirm it with --yes" in asked.err) == (2, True)
    assert concur("campaign", "list").out == "verbs\n"
    assert concur("campaign", "delete", "verbs", "--yes", "--json").json["deleted"] == "verbs"
    assert concur("campaign", "list").out == ""
    assert concur("campaign", "list", "--db", "saved.db").out == "verbs\n"


def test_a_rule_that_is_no_heading_is_told(folder, concur):
    made = concur(*CREATE, "--coders", "anna,ben")
    assert "points to the heading" not in made.err
    text = (folder / "manual.md").read_text("utf-8").replace("# What counts", "# What we take {#taken}")
    (folder / "manual.md").write_text(text, "utf-8")
    told = concur("campaign", "create", "again", *CREATE[3:], "--coders", "anna,ben")
    assert told.code == 0
    assert "The question 'collocation' points to the heading 'what-counts', which the manual does not have" in told.err
    assert "its headings: taken." in told.err


def test_the_next_step_names_the_database(folder, concur):
    made = concur(*CREATE, "--coders", "anna,ben", "--db", "my campaigns.db")
    assert "Next: concur campaign links verbs --db 'my campaigns.db'" in " ".join(made.out.split())
    assert concur("campaign", "links", "verbs", "--db", "my campaigns.db").code == 0
    added = concur("campaign", "coder", "add", "verbs", "clara", "--db", "my campaigns.db", "--part", "1")
    assert "links verbs --coder clara --db 'my campaigns.db'" in " ".join(added.out.split())
    plain = concur(*CREATE, "--coders", "anna,ben")
    assert "--db" not in plain.out


@pytest.mark.parametrize("command", ["list", "status", "export", "log", "backup", "delete", "links"])
def test_no_command_that_looks_for_campaigns_makes_a_database(folder, concur, command):
    names = [] if command in ("list", "log", "backup") else ["verbs"]
    output = ["-o", "out.csv"] if command in ("export", "backup") else []
    refused = concur("campaign", command, *names, "--db", "mistyped.db", *output)
    assert refused.code == 2
    assert "There is no database mistyped.db; name another with --db" in " ".join(refused.err.split())
    assert not (folder / "mistyped.db").exists()


def test_an_empty_database_is_told_to_be(folder, concur):
    Store(folder / "empty.db").close()
    told = concur("campaign", "list", "--db", "empty.db")
    assert (told.code, told.out) == (0, "")
    assert "There are no campaigns yet" in told.err
