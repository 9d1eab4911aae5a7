"""Pages on a phone: nothing lies over anything else, long words are broken, and every number is in sight."""

import pytest
from playwright.sync_api import expect

from concurrence.annotation.campaigns.items import make_display
from support.campaign_cases import event
from support.layout import fits

PHONE = {"width": 390, "height": 844}
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
LONGER = "pneumonoultramicroscopicsilicovolcanoconiosis"
ANSWER = "a very long answer that nobody would ever want to read on a telephone but that exists nevertheless"
QUESTIONS = f"""
[[question]]
id = "collocation"
text = "Is this a collocation?"
note = true
choices = [{{ id = "yes", text = "Yes", key = "y" }}, {{ id = "no", text = "No", key = "n" }}]

[[question]]
id = "kind"
text = "Which kind?"
when = "collocation=yes"
choices = ["support verb", "figurative", "{ANSWER}"]
"""
HEBREW = ("שלום", "עולם")
PAIRS = [(LONG, LONGER), HEBREW]
ROWS = [{"l1": l1, "l2": l2, "examples": f"{'x' * 120} {l1} and {l2}."} for l1, l2 in PAIRS]

RIGHT_OF_TEXT = """
(node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect().right;
}
"""


@pytest.fixture
def long_words(site):
    return site.campaign(rows=ROWS, questions=QUESTIONS, display=make_display(list(ROWS[0]), text=("l1", "l2")))


@pytest.fixture
def phone(judge, long_words):
    return judge(long_words, viewport=PHONE, has_touch=True, is_mobile=True)


def box(page, selector):
    found = page.locator(selector).bounding_box()
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def go_to(page, text):
    """The item with a text, which may be the first or the second."""
    if text not in page.locator("#page--item").inner_text():
        page.keyboard.press("n")
    expect(page.locator("#page--item")).to_contain_text(text)


def test_an_answer_of_one_ordinary_word_is_not_broken(site, judge):
    questions = QUESTIONS.replace('text = "Yes"', 'text = "Collocation"').replace(
        'text = "No"', 'text = "Not a collocation"'
    )
    page = judge(site.campaign(questions=questions), viewport=PHONE, has_touch=True, is_mobile=True)
    words = page.locator("#page--choices button bdi")
    expect(words.first).to_have_text("Collocation")
    one_line, two_lines = (words.nth(place).bounding_box()["height"] for place in (0, 1))
    assert one_line < 30
    assert two_lines < 2 * 30


def test_long_answers_and_long_items_can_be_read(phone):
    go_to(phone, LONGER[-8:])
    phone.keyboard.press("y")
    expect(phone.locator("#page--question")).to_have_text("Which kind?")
    long = phone.locator("#page--choices button", has_text=ANSWER)
    expect(long).to_be_in_viewport(ratio=1)
    assert long.bounding_box()["width"] > 300
    short = [phone.locator("#page--choices button", has_text=name).bounding_box() for name in ("support", "figurative")]
    assert short[0]["y"] == short[1]["y"]  # short ones stand beside each other
    group = phone.locator("#page--choices")
    assert group.evaluate("(node) => node.scrollHeight <= node.clientHeight")
    assert box(phone, "#page--item")[3] <= box(phone, "#page--question")[1]
    expect(phone.locator("#page--contexts li").first).to_be_in_viewport()
    assert fits(phone, PHONE["width"])


def finish(page):
    for _ in PAIRS:
        page.keyboard.press("y")
        page.keyboard.press("1")
    expect(page.locator("#page--item")).to_have_text("All done. Thank you!")


def test_what_is_said_of_a_decided_item_lies_over_nothing(phone):
    finish(phone)
    phone.keyboard.press("ArrowLeft")
    review = phone.locator("#page--review")
    expect(review).to_have_text("Already decided. Tap the same answer to confirm, another to change it.")
    assert box(phone, "#page--review")[3] <= box(phone, "#page--question")[1]
    assert box(phone, "#page--item")[3] <= box(phone, "#page--review")[1]


def test_keys_are_pressed_where_there_are_keys(judge, long_words):
    page = judge(long_words)
    finish(page)
    expect(page.locator("#page--question")).to_have_text("You can look back with the arrow keys, or close this page.")
    page.keyboard.press("ArrowLeft")
    review = page.locator("#page--review")
    expect(review).to_have_text("Already decided. Press the same key to confirm, another to change it.")


def test_the_last_page_offers_nothing_to_decide(phone):
    expect(phone.locator("#page--unsure")).to_be_visible()
    finish(phone)
    expect(phone.locator("#page--unsure")).to_be_hidden()
    phone.keyboard.press(",")
    expect(phone.locator("#page--unsure")).to_have_attribute("aria-pressed", "false")
    sentence = "You can look back with Back and Forward, or close this page."
    expect(phone.locator("#page--announcement")).to_have_text(f"All done. Thank you! {sentence}")
    assert phone.locator(".tools a").evaluate(RIGHT_OF_TEXT) <= box(phone, "#page--progress")[2]


def test_an_item_of_another_direction_stands_before_what_was_said_of_it(phone):
    go_to(phone, HEBREW[0])
    phone.keyboard.press("y")
    phone.keyboard.press("1")
    before = phone.locator("#page--previous")
    expect(before).to_have_text(f"{' '.join(HEBREW)} · Yes · support verb")
    assert box(phone, "#page--previous > bdi")[2] <= box(phone, "#page--previous > .said")[0] + 1
    expect(phone.locator("#page--previous > .said")).to_be_in_viewport(ratio=1)


def test_what_was_said_of_a_long_item_is_in_sight(phone):
    go_to(phone, LONGER[-8:])
    phone.keyboard.press("n")
    expect(phone.locator("#page--previous > .said")).to_have_text(" · No")
    assert box(phone, "#page--previous > .said")[2] <= PHONE["width"]


@pytest.fixture
def disputed(site, long_words):
    for who, answer in (("anna", "yes"), ("ben", "no")):
        client = site.served.join(site.link(long_words, who))
        events = [event(item["id"], "collocation", answer) for item in site.part(long_words, who)["items"]]
        client.post(f"/api/campaigns/{long_words.id}/events", json={"events": events}).raise_for_status()
        client.close()
    return long_words


def led(site, visits, campaign, place, **options):
    page = visits.open(site.link(campaign, "leader"), **options)
    page.wait_for_url("**/leader*")
    page.goto(f"{site.served.url}/c/{campaign.id}/leader{place}")
    return page


def test_every_cell_of_a_leaders_table_is_in_sight(site, visits, disputed):
    page = led(site, visits, disputed, "", viewport=PHONE, has_touch=True, is_mobile=True)
    for place, table in (
        ("", "Done"),
        ("/agreement", "Alpha"),
        ("/agreement", "Interval"),
        ("/timing", "Pauses"),
        ("/items", "ben"),
    ):
        page.goto(f"{site.served.url}/c/{disputed.id}/leader{place}")
        cell = page.locator(f"td[data-name='{table}']").first
        expect(cell).to_be_visible()
        where = cell.bounding_box()
        assert where["x"] >= 0
        assert where["x"] + where["width"] <= PHONE["width"]
        assert fits(page, PHONE["width"])


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_item_fits_the_leaders_pages(site, visits, disputed, width):
    page = led(site, visits, disputed, "/items", viewport={"width": width, "height": 844})
    if width > 1000:
        heading = page.get_by_role("columnheader", name="Adjudicated").bounding_box()
        assert heading["x"] + heading["width"] <= width
    page.get_by_role("link", name="Donau").first.click()
    expect(page.locator("h1.item")).to_contain_text(LONGER)
    assert fits(page, width)


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("points", [2, 5, 7, 11, 36])
def test_no_point_of_a_scale_is_wider_than_another(site, visits, judge, width, points):
    """A wider one invites the finger, which is a bias."""
    questions = (
        f'[[question]]\nid = "q"\ntype = "scale"\nfrom = 0\nto = {points - 1}\nlow = "not at all"\nhigh = "very"\n'
    )
    page = judge(site.campaign(questions=questions), viewport={"width": width, "height": 800})
    buttons = page.locator("#page--choices .points button")
    expect(buttons).to_have_count(points)
    boxes = buttons.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())")
    widths = {round(one["width"]) for one in boxes}
    assert max(widths) - min(widths) <= 1  # pixels are whole
    assert min(widths) >= 24
    rows = len({round(one["top"]) for one in boxes})
    assert rows == 1 or points > 7
    assert fits(page)
