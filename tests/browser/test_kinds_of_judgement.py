"""Every kind of question: judged with keys, undone, offline, exported, and measured as the leader's page says."""

import csv
import re

import pytest
from playwright.sync_api import expect

from support.axe import violations
from support.layout import fits
from support.questions import AUTHORS, BETTER, CLEAR, FLUENCY, GIST, NAMES, TOPICS, YES_NO, questionnaire
from support.thorough import always

WORDS_OF_ALL = ("good", "bad", "long", "odd", "dull", "new", "old", "warm")
TEXTS = [f"Sentence {n}: the plan was {word}." for n, word in enumerate(WORDS_OF_ALL, 1)]

CHOICES = questionnaire(TOPICS, {"id": "club", "when": "topics=sport", "choices": ["yes", "no"]})

SCALE = questionnaire(FLUENCY)

WORDS = questionnaire(GIST, CLEAR)


def number(page):
    return int(re.search(r"Sentence (\d+)", page.locator("#page--item").inner_text())[1])


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def saved(page):
    expect(page.locator("#page--saved")).to_have_text("All saved")


def unfold(page):
    """Open the details below the table of all questions."""
    expect(page.locator("table.overview")).to_be_visible()
    for summary in page.locator("section details > summary").all():
        if summary.locator("..").get_attribute("open") is None:
            summary.click()


class Whole:
    """A campaign that both coders judged to its end, its exports, and the leader's page of agreement."""

    def __init__(self, site, run, campaign, leader):
        self.site, self.run, self.campaign, self.leader = site, run, campaign, leader

    def export(self, question, file="labels.csv"):
        kept = ("--db", self.site.database, "--question", question)
        self.run("campaign", "export", self.campaign.name, *kept, "-o", file)
        return file


@pytest.fixture
def whole(site, run, judge, visits):
    """Judge a whole campaign with keys, up to the leader's page of agreement."""

    def made(questions, decide, rows=None):
        campaign = campaign_of(site, questions, rows)
        size = len(rows or TEXTS)
        for who in ("anna", "ben"):
            page = judge(campaign, who)
            for turn in range(size):
                decide(page, who)
                expect(page.locator("#page--count")).to_have_text(f"{turn + 1} of {size}")
            expect(page.locator("#page--item")).to_have_text("All done. Thank you!")
            saved(page)
        leader = visits.open(site.link(campaign, "leader"))
        leader.get_by_role("link", name="Agreement", exact=True).click()
        unfold(leader)
        return Whole(site, run, campaign, leader)

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
    done = whole(CHOICES, judge_topics)
    leader = done.leader
    agreed = run("agree", done.export("topics"), "--sets", "|", "--json").json
    assert shown(leader, "krippendorff_alpha") == printed(agreed["coefficients"]["krippendorff_alpha"])
    for name in ("masi", "jaccard"):
        assert shown(leader, f"alpha_{name}") == printed(agreed["sets"]["alpha"][name])
    assert agreed["sets"]["differing"] == 3
    assert agreed["data"]["categories"] == ["art", "art|money", "money|sport"]


def test_a_scale_from_keys_to_ordinal_alpha(whole, run):
    def judge(page, who):
        press(page, str(min(5, max(1, number(page) % 5 + 1 + (who == "ben" and number(page) % 4 == 0)))))

    done = whole(SCALE, judge)
    leader = done.leader
    agreed = run("agree", done.export("fluency"), "--scale", "ordinal", "--categories", "1,2,3,4,5", "--json").json
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

    done = whole(WORDS, judge)
    leader = done.leader
    expect(leader.get_by_text("have no coefficient")).to_be_visible()
    rows = table_of(tmp_path / done.export("gist"))
    assert {row["label"] for row in rows} == {f"a plan, yes or no? {n}" for n in range(1, 9)}
    assert shown(leader, "cohen_kappa") == printed(
        run("agree", done.export("clear"), "--json").json["coefficients"]["cohen_kappa"]
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


def test_a_point_on_a_scale_is_undone_and_given_anew(site, judge):
    campaign = campaign_of(site, SCALE)
    page = judge(campaign)
    first = page.locator("#page--item").inner_text()
    press(page, "4")
    expect(page.locator("#page--count")).to_have_text("1 of 8")
    press(page, "Shift+2")
    expect(page.locator("#page--count")).to_have_text("2 of 8")
    press(page, "Backspace")
    expect(page.locator("#page--count")).to_have_text("1 of 8")
    press(page, "Backspace")
    expect(page.locator("#page--item")).to_have_text(first)
    expect(page.locator("#page--choices [aria-pressed=true]")).to_have_count(0)
    press(page, "Backspace")
    expect(page.locator("#page--notice")).to_have_text("Nothing to undo.")
    press(page, "5")
    expect(page.locator("#page--count")).to_have_text("1 of 8")
    saved(page)
    assert answers(site, campaign, "fluency") == ["5"]


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


SPANS = questionnaire(NAMES, {"id": "fame", "when": "names=PER", "choices": YES_NO})
OVERLAPPING = questionnaire(NAMES | {"overlap": True}, {"id": "fame", "when": "names=PER", "choices": YES_NO})
# Characters beyond the first plane and right-to-left words: positions are code points, whatever the browser counts.
TEXTS_WITH_NAMES = [
    ("1", "\U0001f3a9 Ada Lovelace went to Rome."),
    ("2", "In Paris, Ben met Ada \U0001d504\U0001d505."),
    ("3", "Nobody was in the garden."),
    ("4", "Rome is older than Bonn and Ben."),
]
NAME_ROWS = [{"id": key, "text": text} for key, text in TEXTS_WITH_NAMES]


def go_to(page, word, *, extend=0):
    """Put the cursor on a word with the arrow keys, and stretch it over further words."""
    for _ in range(60):
        page.keyboard.press("ArrowRight")
        if page.locator("#page--item .chosen").all_inner_texts() == [word]:
            break
    else:
        raise AssertionError(word)
    for _ in range(extend):
        page.keyboard.press("Shift+ArrowRight")


def judge_names(page, who):
    text = page.locator("#page--item").inner_text()
    person = False
    if "Lovelace" in text:
        go_to(page, "Ada", extend=1 if who == "anna" else 0)
        press(page, "p")
        person = True
    elif "Ben" in text:
        if "Paris" in text:
            go_to(page, "Paris")
            press(page, "l")
        go_to(page, "Ben")
        press(page, "p")
        person = True
    press(page, "Enter")
    if person:
        expect(page.locator("#page--question")).to_have_text("fame")
        press(page, "n")


def test_stretches_from_keys_to_alpha_u(whole, run, tmp_path):
    done = whole(SPANS, judge_names, NAME_ROWS)
    leader = done.leader
    rows = table_of(tmp_path / done.export("names", "spans.csv"))
    assert list(rows[0])[:5] == ["document", "coder", "start", "end", "label"]
    texts = dict(TEXTS_WITH_NAMES)
    for row in rows:
        assert int(row["length"]) == len(texts[row["document"]])
        if row["start"]:
            assert texts[row["document"]][int(row["start"]) : int(row["end"])] == row["text"]
    assert {(row["coder"], row["text"]) for row in rows if row["document"] == "1"} == {
        ("anna", "Ada Lovelace"), ("ben", "Ada")
    }  # fmt: skip
    assert [row["text"] for row in rows if row["document"] == "3"] == ["", ""]
    found = run("spans", "spans.csv", "--lengths", "spans.csv", "--partial", "--json").json["coefficients"]
    for name in ("alpha_u", "token_kappa", "f1_exact", "f1_overlap"):
        assert shown(leader, name) == printed(found[name]), name
    assert found["alpha_u"]["value"] < 1
    expect(leader.get_by_text("concur spans")).to_be_visible()


def test_stretches_by_mouse_and_taken_back(site, judge):
    campaign = campaign_of(site, SPANS, NAME_ROWS[:1])
    page = judge(campaign)
    press(page, "p")
    expect(page.locator("#page--notice")).to_have_text("Select a stretch of the text first.")
    drag(page, "Ada", "Lovelace")
    page.locator("#page--choices button", has_text="Person").first.click()
    marks = page.locator("#page--item mark")
    expect(marks).to_have_text(["Ada Lovelace"])
    drag(page, "Lovelace", "to")
    press(page, "l")
    expect(page.locator("#page--notice")).to_contain_text("overlaps a stretch that is marked already: Ada Lovelace.")
    click_word(page, "Rome")
    press(page, "l")
    expect(marks).to_have_text(["Ada Lovelace", "Rome"])
    press(page, "Backspace")
    expect(marks).to_have_text(["Ada Lovelace"])
    click_word(page, "Lovelace")  # a click on a mark chooses it
    press(page, "l")
    expect(page.locator("#page--item mark")).to_have_attribute("data-label", "Place")
    page.get_by_role("button", name="Remove Place: Ada Lovelace").click()
    expect(marks).to_have_count(0)
    click_word(page, "Rome")
    press(page, "l", "Enter")
    expect(page.locator("#page--count")).to_have_text("1 of 1")
    saved(page)
    assert answers(site, campaign, "names") == ['[[23,27,"LOC"]]']
    press(page, "Backspace")
    expect(marks).to_have_text(["Rome"])  # an answer that was undone is there to be changed
    press(page, "Enter")
    page.reload()
    expect(page.locator("#page--count")).to_have_text("1 of 1")
    press(page, "[")
    expect(marks).to_have_text(["Rome"])
    saved(page)


def test_stretches_by_touch(site, judge):
    campaign = campaign_of(site, SPANS, NAME_ROWS[:1])
    page = judge(campaign, viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    for word in ("Ada", "Lovelace"):
        x, y = middle(page, word)
        page.touchscreen.tap(x, y)
    page.locator("#page--choices button", has_text="Person").first.tap()
    expect(page.locator("#page--item mark")).to_have_text(["Ada Lovelace"])
    page.locator("#page--choices button", has_text="Done").tap()
    expect(page.locator("#page--question")).to_have_text("fame")
    page.locator("#page--choices button", has_text="no").tap()
    saved(page)
    assert answers(site, campaign, "names") == ['[[2,14,"PER"]]']


def test_stretches_may_overlap_where_the_question_says_so(site, judge):
    campaign = campaign_of(site, OVERLAPPING, NAME_ROWS[:1])
    page = judge(campaign)
    drag(page, "Ada", "Rome")
    press(page, "l")
    drag(page, "Ada", "Lovelace")
    press(page, "p")
    drag(page, "Lovelace", "went")
    press(page, "p")
    expect(page.locator("#page--notice")).to_contain_text("with the same label")
    press(page, "Enter", "y")
    saved(page)
    assert answers(site, campaign, "names") == ['[[2,14,"PER"],[2,27,"LOC"]]']


def test_one_character_more_or_less(site, judge):
    campaign = campaign_of(site, SPANS, [{"id": "1", "text": "\U0001f3a9\U0001f3a9 Annas Haus"}])
    page = judge(campaign)
    go_to(page, "Annas")
    press(page, "ArrowUp", "p", "Enter", "n")
    saved(page)
    assert answers(site, campaign, "names") == ['[[3,7,"PER"]]']


MIDDLE = """
(node, word) => {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const at = text.data.indexOf(word);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + word.length);
    const box = range.getBoundingClientRect();
    return [box.left, box.right, box.top + box.height / 2];
  }
}
"""


def middle(page, word):
    left, right, y = page.locator("#page--item").evaluate(MIDDLE, word)
    return (left + right) / 2, y


def click_word(page, word):
    page.mouse.click(*middle(page, word))


def drag(page, first, last):
    node = page.locator("#page--item")
    left, _, y = node.evaluate(MIDDLE, first)
    _, right, end = node.evaluate(MIDDLE, last)
    page.mouse.move(left + 1, y)
    page.mouse.down()
    page.mouse.move(right - 1, end, steps=4)
    page.mouse.up()


PREFERENCE = questionnaire(BETTER | AUTHORS, {"id": "why", "type": "text", "when": "better=tie"})
SYSTEMS = ("red", "green", "blue")
PAIRS = [
    {"id": str(n), "prompt": f"Sentence {n}: der Plan.", "a": f"the plan {n}", "b": f"a plan {n}"}
    | {"a_by": SYSTEMS[n % 3], "b_by": SYSTEMS[(n + 1 + n % 2) % 3]}
    for n in range(1, 13)
]


def prefer(page, who):
    n = int(re.search(r"plan (\d+)", page.locator(".side p").first.inner_text())[1])
    if n % 5 == 0:
        press(page, "3")
        expect(page.locator("#page--question")).to_have_text("why")
        page.keyboard.type("the same")
        press(page, "Enter")
        return
    wanted = f"the plan {n}" if (n % 3 != 1) ^ (who == "ben" and n == 7) else f"a plan {n}"
    left = page.locator(".side p").first.inner_text()
    press(page, "1" if left == wanted else "2")


def test_preferences_from_keys_to_strengths(whole, run, tmp_path):
    done = whole(PREFERENCE, prefer, PAIRS)
    leader = done.leader
    rows = table_of(tmp_path / done.export("better", "preferences.csv"))
    assert list(rows[0])[:4] == ["a", "b", "winner", "coder"]
    by_item = {row["id"]: row for row in PAIRS}
    for row in rows:
        item = by_item[row["item"]]
        assert row["a"] == item[f"{row['left']}_by"]  # a is what stood on the left
    assert {row["left"] for row in rows} == {"a", "b"}
    assert {row["winner"] for row in rows if int(row["item"]) % 5 == 0} == {"tie"}
    for row in rows:
        n = int(row["item"])
        if n % 5:
            wanted = "a" if (n % 3 != 1) ^ (row["coder"] == "ben" and n == 7) else "b"
            assert row[row["winner"]] == by_item[row["item"]][f"{wanted}_by"]
    found = run("preferences", "preferences.csv", "--json").json
    for name, one in found["items"].items():
        assert leader.locator(f"[data-strength={name}]").inner_text() == f"{one['strength']:z.3f}"
    assert leader.locator("[data-coefficient=position_bias]").inner_text() == f"{found['position_bias']['value']:z.3f}"


def test_sides_are_drawn_for_each_coder_and_stay(site, judge):
    campaign = campaign_of(site, PREFERENCE, PAIRS)
    orders = [
        {item["text"]: item["shown"]["better"]["order"] for item in site.part(campaign, who)["items"]}
        for who in ("anna", "anna", "ben")
    ]
    assert orders[0] == orders[1] != orders[2]
    page = judge(campaign)
    shown_first = page.locator(".side p").all_inner_texts()
    page.locator("#page--choices button", has_text="Second").click()
    press(page, "Backspace")
    assert page.locator(".side p").all_inner_texts() == shown_first
    page.reload()
    expect(page.locator("#page--count")).to_have_text("0 of 12")
    assert page.locator(".side p").all_inner_texts() == shown_first
    press(page, "2")
    expect(page.locator("#page--count")).to_have_text("1 of 12")
    press(page, "ArrowLeft")
    expect(page.locator("#page--choices [aria-pressed=true]")).to_have_text(re.compile("Second"))
    saved(page)
    row = next(row for row in PAIRS if row["a"] in shown_first)
    assert answers(site, campaign, "better") == ["b" if row["b"] == shown_first[1] else "a"]


OFFLINE = {
    "choices": (CHOICES, lambda page: press(page, "a", "m", "Enter"), "topics", "money|art"),
    "scale": (SCALE, lambda page: press(page, "4"), "fluency", "4"),
    "text": (WORDS, lambda page: (page.keyboard.type("dull"), press(page, "Enter", "y")), "gist", "dull"),
    "span": (SPANS, lambda page: press(page, "ArrowRight", "l", "Enter"), "names", '[[0,8,"LOC"]]'),
    "preference": (
        PREFERENCE,
        lambda page: (press(page, "3"), page.keyboard.type("x"), press(page, "Enter")),
        "better",
        "tie",
    ),
}


@pytest.mark.parametrize("kind", always("choices", "span", of=OFFLINE))
def test_every_kind_is_kept_while_the_server_is_away(mortal_site, visits, kind):
    questions, judge_one, question, answer = OFFLINE[kind]
    campaign = campaign_of(mortal_site, questions, PAIRS[:8] if kind == "preference" else None)
    context = visits.context()
    page = visits.open(mortal_site.link(campaign, "anna"), context)
    expect(page.locator("#page--count")).to_have_text("0 of 8")
    mortal_site.served.kill()
    for turn in range(3):
        judge_one(page)
        expect(page.locator("#page--count")).to_have_text(f"{turn + 1} of 8")
    expect(page.locator("#page--saved")).to_contain_text("the server cannot be reached")
    address = page.url
    page.close()
    mortal_site.served.start()
    page = visits.open(address, context)
    expect(page.locator("#page--count")).to_have_text("3 of 8")
    saved(page)
    assert answers(mortal_site, campaign, question) == [answer] * 3


def start_judging(page, kind):
    """Some way into an answer: chosen, marked or typed, and not confirmed."""
    keys = {"choices": ("a",), "span": ("ArrowRight", "l", "ArrowRight", "Shift+ArrowRight"), "text": ("x",)}
    press(page, *keys.get(kind, ()))


@pytest.mark.parametrize("kind", always("span", of=OFFLINE))
def test_no_kind_shuts_anyone_out(site, visits, judge, kind):
    questions, judge_one, *_ = OFFLINE[kind]
    campaign = campaign_of(site, questions, PAIRS[:8] if kind == "preference" else None)
    for who in ("anna", "ben"):
        page = judge(campaign, who)
        for _ in range(3):
            judge_one(page)
        start_judging(page, kind)
        saved(page)
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 780})
    assert fits(page)
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert violations(page) == []
    leader = visits.open(site.link(campaign, "leader"))
    leader.get_by_role("link", name="Agreement", exact=True).click()
    expect(leader.locator("h1")).to_have_text("Agreement")
    assert violations(leader) == []
