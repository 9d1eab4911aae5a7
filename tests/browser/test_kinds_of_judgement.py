"""Every kind of question: judged with keys, undone, offline, exported, and measured as the leader's page says."""

import csv
import re

import pytest
from playwright.sync_api import expect

from servers import Served

WORDS_OF_ALL = ("good", "bad", "long", "odd", "dull", "new", "old", "warm")
TEXTS = [f"Sentence {n}: the plan was {word}." for n, word in enumerate(WORDS_OF_ALL, 1)]

CHOICES = """
[[question]]
id = "topics"
type = "choices"
text = "Which topics?"
choices = [{ id = "sport", key = "s" }, { id = "money", key = "m" }, { id = "art", key = "a" }]
most = 2

[[question]]
id = "club"
when = "topics=sport"
choices = ["yes", "no"]
"""

SCALE = """
[[question]]
id = "fluency"
type = "scale"
text = "How fluent is it?"
from = 1
to = 5
low = "not at all"
high = "perfectly"
"""

WORDS = """
[[question]]
id = "gist"
type = "text"
text = "What is it about?"

[[question]]
id = "clear"
choices = [{ id = "yes", key = "y" }, { id = "no", key = "n" }]
"""


def number(page):
    return int(re.search(r"Sentence (\d+)", page.locator("#page--item").inner_text())[1])


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def saved(page):
    expect(page.locator("#page--saved")).to_have_text("All saved")


@pytest.fixture
def run(tmp_path, concur_process):
    def command(*arguments):
        done = concur_process(*arguments, cwd=tmp_path)
        assert done.code == 0, done.err
        return done

    return command


@pytest.fixture
def served(tmp_path):
    server = Served(tmp_path / "campaigns.db", tmp_path / "campaigns.db.secret")
    yield server
    server.stop()


@pytest.fixture
def whole(tmp_path, run, served, visits):
    """Judge a whole campaign from the command line's ``create`` to the leader's agreement page, which is given back."""

    def made(questions, judge, rows=None):
        rows = rows or [{"id": str(n), "text": text} for n, text in enumerate(TEXTS, start=1)]
        with (tmp_path / "items.csv").open("w", encoding="utf-8", newline="") as out:
            table = csv.DictWriter(out, list(rows[0]))
            table.writeheader()
            table.writerows(rows)
        (tmp_path / "questions.toml").write_text(questions, "utf-8")
        create = ("campaign", "create", "c", "--items", "items.csv", "--questions", "questions.toml")
        run(*create, "--coders", "anna,ben", "--db", "campaigns.db")
        served.start()
        links = run("campaign", "links", "c", "--db", "campaigns.db", "--url", served.url, "--json").json["links"]
        for who in ("anna", "ben"):
            page = visits.open(links[who])
            expect(page.locator("#page--count")).to_have_text(f"0 of {len(rows)}")
            for turn in range(len(rows)):
                judge(page, who)
                expect(page.locator("#page--count")).to_have_text(f"{turn + 1} of {len(rows)}")
            expect(page.locator("#page--item")).to_have_text("All done. Thank you!")
            saved(page)
        leader = visits.open(links["leader"])
        leader.get_by_role("link", name="Agreement", exact=True).click()
        return leader

    return made


def shown(page, name):
    """Value and interval of a coefficient on the leader's page."""
    row = page.locator(f"[data-coefficient={name}]").first.locator("xpath=..")
    value, interval = row.locator("td").all_inner_texts()[:2]
    return value, interval


def printed(entry):
    low, high = entry["interval"]
    ends = "–" if low is None else f"[{low:z.3f}, {high:z.3f}]"
    return f"{entry['value']:z.3f}", ends


def export(run, question, file="labels.csv"):
    run("campaign", "export", "c", "--db", "campaigns.db", "--question", question, "-o", file)
    return file


def table_of(path):
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def judge_topics(page, who):
    n = number(page)
    keys = "sm" if n % 3 == 0 else "a" if n % 3 == 1 or who == "anna" else "am"
    press(page, *keys, "Enter")
    if "s" in keys:
        expect(page.locator("#page--question")).to_have_text("club")
        press(page, "1")


def test_several_labels_from_keys_to_masi_and_jaccard(whole, run):
    leader = whole(CHOICES, judge_topics)
    agreed = run("agree", export(run, "topics"), "--sets", "|", "--json").json
    assert shown(leader, "krippendorff_alpha") == printed(agreed["coefficients"]["krippendorff_alpha"])
    for name in ("masi", "jaccard"):
        assert shown(leader, f"alpha_{name}") == printed(agreed["sets"]["alpha"][name])
    assert agreed["sets"]["differing"] == 3
    assert agreed["data"]["categories"] == ["art", "art|money", "money|sport"]


def test_a_scale_from_keys_to_ordinal_alpha(whole, run):
    def judge(page, who):
        press(page, str(min(5, max(1, number(page) % 5 + 1 + (who == "ben" and number(page) % 4 == 0)))))

    leader = whole(SCALE, judge)
    agreed = run("agree", export(run, "fluency"), "--scale", "ordinal", "--categories", "1,2,3,4,5", "--json").json
    for name in ("krippendorff_alpha", "weighted_kappa"):
        assert shown(leader, name) == printed(agreed["coefficients"][name])
    nominal = run("agree", "labels.csv", "--categories", "1,2,3,4,5", "--json").json["coefficients"]
    assert shown(leader, "krippendorff_alpha") != printed(nominal["krippendorff_alpha"])
    expect(leader.get_by_text("--scale ordinal")).to_be_visible()


def test_words_of_ones_own_from_keys_to_export(whole, run, tmp_path):
    def judge(page, who):
        n = number(page)
        page.keyboard.type(f"a plan, yes or no? {n}")
        press(page, "Enter")
        expect(page.locator("#page--question")).to_have_text("clear")
        press(page, "y" if n % 2 else "n")

    leader = whole(WORDS, judge)
    expect(leader.get_by_text("have no coefficient")).to_be_visible()
    rows = table_of(tmp_path / export(run, "gist"))
    assert {row["label"] for row in rows} == {f"a plan, yes or no? {n}" for n in range(1, 9)}
    assert shown(leader, "cohen_kappa") == printed(
        run("agree", export(run, "clear"), "--json").json["coefficients"]["cohen_kappa"]
    )


def campaign_of(site, questions, rows=None):
    rows = rows or [{"id": str(n), "text": text} for n, text in enumerate(TEXTS, start=1)]
    return site.campaign(rows=rows, questions=questions)


def answers(site, campaign, question):
    return [answer for _, asked, answer in site.decisions(campaign, "anna") if asked == question]


def test_choices_go_in_and_out_and_come_back_when_undone(site, judge):
    campaign = campaign_of(site, CHOICES)
    page = judge(campaign)
    pressed = page.locator("#page--choices [aria-pressed=true]")
    press(page, "Enter")
    expect(page.locator("#page--notice")).to_have_text("Choose 1 to 2.")
    press(page, "m", "a", "s")
    expect(pressed).to_have_text([re.compile("sport"), re.compile("money"), re.compile("art")])
    press(page, "Enter")
    expect(page.locator("#page--notice")).to_have_text("Choose 1 to 2.")
    press(page, "Backspace")  # the last step
    expect(pressed).to_have_text([re.compile("money"), re.compile("art")])
    press(page, "Enter")
    expect(page.locator("#page--count")).to_have_text("1 of 8")
    press(page, "Backspace")  # the decision
    expect(page.locator("#page--count")).to_have_text("0 of 8")
    expect(pressed).to_have_text([re.compile("money"), re.compile("art")])
    press(page, "m", "s", "Shift+Enter")
    expect(page.locator("#page--question")).to_have_text("club")
    press(page, "2")
    saved(page)
    assert answers(site, campaign, "topics") == ["sport|art"]
    assert [entry["unsure"] for entry in site.part(campaign, "anna")["decisions"]] == [True, False]


def test_choices_by_touch_and_looked_at_again(site, judge):
    campaign = campaign_of(site, CHOICES)
    page = judge(campaign, viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    for name in ("money", "art", "Done"):
        page.locator("#page--choices button", has_text=name).tap()
    expect(page.locator("#page--count")).to_have_text("1 of 8")
    page.get_by_role("button", name="Back").tap()
    expect(page.locator("#page--choices [aria-pressed=true]")).to_have_count(2)
    page.locator("#page--choices button", has_text="art").tap()
    page.locator("#page--choices button", has_text="Done").tap()
    expect(page.locator("#page--review")).to_be_hidden()
    saved(page)
    assert answers(site, campaign, "topics") == ["money"]


def test_typed_words_come_back_when_undone_and_letters_are_letters(site, judge):
    campaign = campaign_of(site, WORDS)
    page = judge(campaign)
    box = page.get_by_role("textbox", name="What is it about?")
    expect(box).to_be_focused()
    press(page, "Enter")
    expect(page.locator("#page--notice")).to_have_text("Type an answer first.")
    page.keyboard.type("yes, n and y")
    press(page, "Enter")
    expect(page.locator("#page--question")).to_have_text("clear")
    press(page, "Backspace")
    expect(box).to_have_value("yes, n and y")
    expect(box).to_be_focused()
    press(page, "Shift+Enter", "z", "Enter", "y")
    expect(page.locator("#page--count")).to_have_text("1 of 8")
    expect(box).to_have_value("")
    press(page, "Backspace")  # an empty box: undo
    expect(page.locator("#page--question")).to_have_text("clear")
    press(page, "n")
    saved(page)
    assert site.decisions(campaign, "anna")[0][2] == "yes, n and y\nz"


OFFLINE = {
    "choices": (CHOICES, lambda page: press(page, "a", "m", "Enter"), "topics", "money|art"),
    "scale": (SCALE, lambda page: press(page, "4"), "fluency", "4"),
    "text": (WORDS, lambda page: (page.keyboard.type("dull"), press(page, "Enter", "y")), "gist", "dull"),
}


@pytest.mark.parametrize("kind", OFFLINE)
def test_every_kind_is_kept_while_the_server_is_away(own_site, visits, kind):
    questions, judge_one, question, answer = OFFLINE[kind]
    campaign = campaign_of(own_site, questions)
    context = visits.context()
    page = visits.open(own_site.link(campaign, "anna"), context)
    expect(page.locator("#page--count")).to_have_text("0 of 8")
    own_site.served.kill()
    for turn in range(3):
        judge_one(page)
        expect(page.locator("#page--count")).to_have_text(f"{turn + 1} of 8")
    expect(page.locator("#page--saved")).to_contain_text("the server cannot be reached")
    address = page.url
    page.close()
    own_site.served.start()
    page = visits.open(address, context)
    expect(page.locator("#page--count")).to_have_text("3 of 8")
    saved(page)
    assert answers(own_site, campaign, question) == [answer] * 3
