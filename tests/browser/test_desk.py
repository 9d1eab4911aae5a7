"""A leader who never touches a shell: from a table to exports, for every kind of question, all in the browser."""

import csv
import itertools
import json
import re

import pytest
from playwright.sync_api import expect

from browser.test_kinds_of_judgement import (
    NAME_ROWS,
    PAIRS,
    TEXTS,
    judge_names,
    judge_topics,
    prefer,
    press,
    printed,
    saved,
    shown,
    table_of,
    unfold,
)
from support.axe import violations
from support.layout import fits
from support.thorough import always

NUMBERS = itertools.count(1)  # every test has an organiser and campaigns of its own
ROWS = [{"id": str(n), "text": text} for n, text in enumerate(TEXTS, start=1)]
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c636060f8cf00000302010067"
    "9f3b5c0000000049454e44ae426082"
)


@pytest.fixture
def desk(site, visits):
    """The desk of an organiser of this test, whose link is all that whoever runs the server had to make."""
    context = visits.context(accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visits.open(site.desk_link(f"ada {next(NUMBERS)}"), context)
    expect(page.locator("h1")).to_have_text("Campaigns")
    return page


def table_file(path, rows):
    with path.open("w", encoding="utf-8", newline="") as out:
        table = csv.DictWriter(out, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    return path


def card(page, place, *, kind, text, name, **fields):
    """Fill in one question."""
    if place:
        page.get_by_role("button", name="Add a question").click()
    form = page.locator("li.question").nth(place)
    form.locator("[name=type]").select_option(kind)
    form.get_by_label("Question", exact=True).fill(text)
    form.get_by_label("Short name").fill(name)
    for row, (answer, key) in enumerate(fields.pop("answers", ())):
        while form.locator("[data-field] li").count() <= row:
            form.locator("[data-act=add-choice]").click()
        form.locator("[name=answer]").nth(row).fill(answer)
        form.locator("[name=key]").nth(row).fill(key)
    if when := fields.pop("when", None):
        form.locator("[name=parent]").select_option(when[0])
        form.locator("[name=answers]").fill(when[1])
    for field, value in fields.items():
        form.locator(f"[name={field}]").fill(value)


def ask_choice(page):
    card(page, 0, kind="choice", text="Is it good?", name="good", answers=[("yes", "y"), ("no", "n")])


def ask_topics(page):
    topics = [("sport", "s"), ("money", "m"), ("art", "a")]
    card(page, 0, kind="choices", text="Which topics?", name="topics", answers=topics, most="2")
    yes_no = [("yes", ""), ("no", "")]
    card(page, 1, kind="choice", text="club", name="club", answers=yes_no, when=("topics", "sport"))


def ask_scale(page):
    ends = {"from": "1", "to": "5", "low": "not at all", "high": "perfectly"}
    card(page, 0, kind="scale", text="How fluent is it?", name="fluency", **ends)


def ask_words(page):
    card(page, 0, kind="text", text="What is it about?", name="gist")
    card(page, 1, kind="choice", text="Is it clear?", name="clear", answers=[("yes", "y"), ("no", "n")])


def ask_spans(page):
    card(page, 0, kind="span", text="Mark all names.", name="names", answers=[("PER", "p"), ("LOC", "l")])
    yes_no = [("yes", "y"), ("no", "n")]
    card(page, 1, kind="choice", text="fame", name="fame", answers=yes_no, when=("names", "PER"))


def ask_preference(page):
    card(page, 0, kind="preference", text="Which translation is better?", name="better")
    card(page, 1, kind="text", text="why", name="why", when=("better", "tie"))


def number(page):
    return int(re.search(r"Sentence (\d+)", page.locator("#page--item").inner_text())[1])


def judge_good(page, who):
    press(page, "y" if number(page) % 2 or (who == "ben" and number(page) == 4) else "n")


def judge_fluency(page, who):
    n = number(page)
    press(page, str(min(5, n % 5 + 1 + (who == "ben" and n % 4 == 0))))


def judge_gist(page, who):
    page.keyboard.type(f"plan {number(page)}")
    press(page, "Enter")
    expect(page.locator("#page--question")).to_have_text("Is it clear?")
    press(page, "y" if number(page) % 2 or (who == "ben" and number(page) == 2) else "n")


KINDS = {
    "choice": (ROWS, ask_choice, judge_good, ("good",)),
    "choices": (ROWS, ask_topics, judge_topics, ("topics", "club")),
    "scale": (ROWS, ask_scale, judge_fluency, ("fluency",)),
    "text": (ROWS, ask_words, judge_gist, ("gist", "clear")),
    "span": (NAME_ROWS, ask_spans, judge_names, ("names", "fame")),
    "preference": (PAIRS, ask_preference, prefer, ("better", "why")),
}


def make(page, file, ask, *, coders="anna\nben"):
    """Fill in the form for a new campaign, and look at it as a coder; the name of the campaign is given back."""
    name = f"sentences {next(NUMBERS)}"
    page.get_by_role("link", name="New campaign").first.click()
    page.locator("#table").set_input_files(file)
    expect(page.locator("#table-told")).to_contain_text("rows")
    ask(page)
    page.locator("#coders").fill(coders)
    page.locator("#name").fill(name)
    page.get_by_role("button", name="Check and preview").click()
    expect(page.locator("#told")).to_contain_text("Everything fits")
    return name


def preview(page):
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open the preview").click()
    seen = opened.value
    expect(seen.locator("#page--saved")).to_have_text("Preview: nothing is recorded")
    return seen


def links(page):
    """All links of the coders, copied as the leader would."""
    page.get_by_role("button", name="Make links for all coders").click()
    expect(page.locator("#link-rows li")).not_to_have_count(0)
    page.get_by_role("button", name="Copy all, one per line").click()
    expect(page.locator("#told")).to_contain_text("copied")
    return dict(line.split("\t") for line in page.evaluate("navigator.clipboard.readText()").splitlines())


def judge_all(page, judge, who, size):
    expect(page.locator("#page--count")).to_have_text(f"0 of {size}")
    for turn in range(size):
        judge(page, who)
        expect(page.locator("#page--count")).to_have_text(f"{turn + 1} of {size}")
    saved(page)


def create(page):
    page.get_by_role("button", name="Create the campaign").click()
    expect(page.locator("h1")).to_have_text("Desk")


def exported(desk, tmp_path, link):
    """The file behind a link of the desk."""
    with desk.expect_download() as download:
        desk.get_by_role("link", name=link, exact=True).click()
    download.value.save_as(tmp_path / "exported.csv")
    return tmp_path / "exported.csv"


@pytest.mark.parametrize("kind", always("choice", "span", of=KINDS))
def test_every_kind_of_question_is_asked_from_the_desk(desk, visits, tmp_path, kind):
    """From the form to the first decision; whole campaigns of every kind are judged in test_kinds_of_judgement."""
    rows, ask, judge, questions = KINDS[kind]
    make(desk, table_file(tmp_path / "items.csv", rows), ask)
    seen = preview(desk)
    judge(seen, "anna")
    expect(seen.locator("#page--count")).to_have_text(f"1 of {len(rows)}")
    assert seen.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('concurrence/')).length") == 0
    seen.close()
    create(desk)
    copied = links(desk)
    assert set(copied) == {"anna", "ben"}
    page = visits.open(copied["anna"])
    expect(page.locator("#page--count")).to_have_text(f"0 of {len(rows)}")
    judge(page, "anna")
    expect(page.locator("#page--count")).to_have_text(f"1 of {len(rows)}")
    saved(page)
    answers = table_of(exported(desk, tmp_path, f"Answers to {questions[0]}"))
    assert {row["coder"] for row in answers} == {"anna"}
    for question in questions:
        expect(desk.get_by_role("link", name=f"Answers to {question}", exact=True)).to_be_visible()


def test_a_campaign_without_a_shell_from_the_table_to_agreement(desk, visits, run, tmp_path):
    make(desk, table_file(tmp_path / "items.csv", ROWS), ask_choice)
    create(desk)
    for who, link in links(desk).items():
        judge_all(visits.open(link), judge_good, who, len(ROWS))
    leader = visits.open(desk.url.replace("/desk", "/agreement"), desk.context)
    unfold(leader)
    file = exported(desk, tmp_path, "Answers to good")
    found = run("agree", file, "--categories", "yes,no", "--json").json["coefficients"]
    for name in ("krippendorff_alpha", "cohen_kappa"):
        assert shown(leader, name) == printed(found[name]), name
    assert found["krippendorff_alpha"]["value"] < 1


def test_a_coder_is_replaced_in_the_middle_and_nothing_is_lost(desk, visits, tmp_path, run):
    name = make(desk, table_file(tmp_path / "items.csv", ROWS), ask_choice)
    create(desk)
    copied = links(desk)
    judge_all(visits.open(copied["anna"]), judge_good, "anna", len(ROWS))
    ben = visits.open(copied["ben"])
    expect(ben.locator("#page--count")).to_have_text("0 of 8")
    for _ in range(3):
        judge_good(ben, "ben")
    saved(ben)
    desk.get_by_role("button", name="Replace ben").click()
    desk.get_by_label("Name of the new coder").fill("clara")
    desk.keyboard.press("Enter")
    expect(desk.locator("#told")).to_have_text(
        "clara goes on with 5 items; the decisions of ben on 3 items stay. Now make a link for clara."
    )
    expect(desk.locator("#desk--people")).to_contain_text("Left the campaign, decisions kept: ben (3 items).")
    desk.get_by_role("button", name="New link for clara").click()
    link = desk.get_by_label("Link of clara", exact=True).input_value()
    judge_all(visits.open(link), judge_good, "clara", 5)
    ben.reload()
    expect(ben.locator("body")).to_contain_text("You are not signed in")
    labels = table_of(exported(desk, tmp_path, "All labels"))
    assert {row["item"] for row in labels if row["coder"] == "anna"} == {row["id"] for row in ROWS}
    others = [row["item"] for row in labels if row["coder"] in ("ben", "clara")]
    assert sorted(others) == sorted(row["id"] for row in ROWS)
    with desk.expect_download() as download:
        desk.get_by_role("link", name="Backup of this campaign").click()
    download.value.save_as(tmp_path / "backup.db")
    kept = run("campaign", "export", name, "--db", "backup.db", "-o", "again.csv")
    assert kept.code == 0
    assert len((tmp_path / "again.csv").read_text("utf-8").splitlines()) == 1 + len(labels)


def test_manual_rounds_closing_and_the_end(desk, visits, tmp_path):
    name = make(desk, table_file(tmp_path / "items.csv", ROWS), ask_choice)
    create(desk)
    anna = visits.open(links(desk)["anna"])
    expect(anna.locator("#page--count")).to_have_text("0 of 8")

    desk.get_by_role("link", name="Write a new version").click()
    (tmp_path / "tree.png").write_bytes(PNG)
    desk.locator("#text").fill("# What counts\n\nLook at this: ")
    desk.locator("#text").press("End")
    expect(desk.locator("#picture")).to_be_enabled()  # files could be set before the page listens
    desk.locator("#picture").set_input_files(tmp_path / "tree.png")
    expect(desk.locator("#told")).to_contain_text("inserted")
    expect(desk.locator("#text")).to_have_value(re.compile(r"this: !\[tree\]\(/pictures/[0-9a-f]{32}\.png\)$"))
    desk.get_by_role("button", name="Preview").click()
    expect(desk.locator("#manual-shown img")).to_have_js_property("naturalWidth", 1)
    desk.locator("#note").fill("A picture")
    desk.get_by_role("button", name="Save as version 2").click()
    expect(desk.locator("summary").first).to_contain_text("A picture")
    expect(desk.locator(".changes ins").first).to_have_text("+ # What counts")
    assert violations(desk) == []
    anna.reload()
    expect(anna.locator("#page--manual img")).to_have_attribute("alt", "tree")

    desk.get_by_role("link", name="Back to the desk").click()
    more = table_file(tmp_path / "more.csv", [{"id": "9", "text": "Sentence 9: one more."}])
    desk.locator("#more").set_input_files(more)
    desk.locator("#to-round").select_option(label="a new round")
    desk.get_by_label("Name of the new round").fill("second")
    desk.get_by_role("button", name="Add the items").click()
    expect(desk.locator("#told")).to_have_text("Round second: 1 item added (anna 1, ben 1).")
    desk.locator("#more").set_input_files(more)
    desk.get_by_role("button", name="Add the items").click()
    expect(desk.locator("#told")).to_contain_text("0 items added")
    desk.get_by_role("button", name="Close round second").click()
    expect(desk.get_by_role("button", name="Reopen round second")).to_be_visible()
    anna.reload()
    expect(anna.locator("#page--item")).to_have_text("This part is closed")

    desk.locator("#delete-name").fill(name[:-1])
    desk.get_by_role("button", name="Delete the campaign").click()
    expect(desk.locator("#problem")).to_have_text("The name does not match; nothing was deleted.")
    desk.locator("#delete-name").fill(name)
    desk.get_by_role("button", name="Delete the campaign").click()
    expect(desk.locator(".answer")).to_have_text("There are no campaigns on your desk yet.")


def test_what_is_chosen_before_the_script_is_there_counts(desk, open_before, tmp_path):
    make(desk, table_file(tmp_path / "items.csv", ROWS), ask_choice)
    create(desk)
    page, release = open_before("desk.js", desk, desk.url)
    expect(page.locator("h1")).to_have_text("Desk")
    page.locator("#to-round").select_option(label="a new round")
    expect(page.get_by_role("button", name="Add the items")).to_be_disabled()
    expect(page.get_by_label("Name of the new round")).to_be_hidden()
    release()
    page.get_by_label("Name of the new round").fill("second")
    page.locator("#to-round").select_option(index=0)
    expect(page.get_by_label("Name of the new round")).to_be_hidden()


def test_what_is_given_for_a_new_campaign_before_the_script_is_there_counts(desk, open_before, tmp_path):
    page, release = open_before("desk_new.js", desk, desk.url.rstrip("/") + "/new")
    page.get_by_label("Upload a questions.toml").check()
    page.locator("#table").set_input_files(table_file(tmp_path / "items.csv", ROWS))
    expect(page.get_by_role("button", name="Add a question")).to_be_disabled()
    expect(page.locator("#toml")).to_be_hidden()
    release()
    expect(page.locator("#table-told")).to_contain_text("8 rows")
    expect(page.locator("#toml")).to_be_visible()
    page.get_by_label("Write them here").check()
    expect(page.locator("#toml")).to_be_hidden()
    page.get_by_role("button", name="Add a question").click()
    expect(page.locator("li.question")).to_have_count(2)


def test_every_refusal_is_a_sentence_and_nothing_is_half_made(desk, tmp_path):
    desk.get_by_role("link", name="New campaign").first.click()
    (tmp_path / "bad.csv").write_text("id,text\n1,a\n2,b,c\n", "utf-8")
    desk.locator("#table").set_input_files(tmp_path / "bad.csv")
    expect(desk.locator("#table-problem")).to_contain_text("bad.csv, line 3")
    twice = table_file(tmp_path / "twice.csv", [{"id": "1", "text": "a"}, {"id": "1", "text": "b"}])
    desk.locator("#table").set_input_files(twice)
    expect(desk.locator("#table-told")).to_have_text("twice.csv: 2 rows, 2 columns.")
    ask_choice(desk)
    desk.locator("#coders").fill("anna\nanna")
    desk.locator("#name").fill("c")
    desk.get_by_role("button", name="Create the campaign").click()
    expect(desk.locator("#problem")).to_contain_text("twice.csv, item 2: the name '1' was given to item 1")
    desk.locator("#table").set_input_files(table_file(tmp_path / "items.csv", ROWS))
    expect(desk.locator("#table-told")).to_contain_text("8 rows")
    desk.get_by_role("button", name="Create the campaign").click()
    expect(desk.locator("#problem")).to_have_text("Two people in the campaign are named 'anna'.")
    assert json.loads(desk.evaluate("fetch('/api/desk').then((answer) => answer.text())"))["campaigns"] == []


@pytest.mark.parametrize("width", always(390, of=[1280, 390]))
def test_the_desk_shuts_nobody_out(desk, tmp_path, width):
    desk.set_viewport_size({"width": width, "height": 800})
    assert violations(desk) == []
    make(desk, table_file(tmp_path / "items.csv", PAIRS), ask_preference)
    for place, kind in enumerate(("choice", "choices", "scale", "span", "text"), start=2):
        desk.get_by_role("button", name="Add a question").click()
        desk.locator("li.question").nth(place).locator("[name=type]").select_option(kind)
    assert violations(desk) == []
    assert fits(desk)
    for _ in range(5):
        desk.get_by_role("button", name="Remove this question").last.click()
    create(desk)
    links(desk)
    assert violations(desk) == []
    assert fits(desk)
    desk.get_by_role("button", name="Replace anna").click()
    assert violations(desk) == []
    desk.keyboard.press("Escape")
    desk.get_by_role("link", name="Write a new version").click()
    assert violations(desk) == []
    assert fits(desk)
