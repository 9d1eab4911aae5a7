"""Items that are sentences, paragraphs or tables: all of them can be read, with the question and the keys in view."""

import pytest
from playwright.sync_api import expect

from support.layout import fits

SENTENCE = "The committee, which had met three times before the summer, could not agree on what a collocation is. "
LONG = "Begin here. " + SENTENCE * 30 + "The end."  # 3,080 characters
TABLE = "word\tfrequency\trank\nattention\t120\t1\nto\t80\t2\nbeans\t7\t113"
RIGHT_TO_LEFT = "اجتمعت اللجنة ثلاث مرات قبل الصيف ولم تتفق على معنى المتلازمة اللفظية. " * 12
NO_BREAK = "Donaudampfschifffahrtsgesellschaftskapitän" * 12
WINDOWS = {"desk": (1280, 800), "phone": (390, 780), "zoomed": (640, 400)}

# Whether a character of the item is on the screen and nothing lies over it.
READABLE = """
(node, at) => {
  const text = node.firstChild, range = document.createRange();
  range.setStart(text, at < 0 ? text.length + at : at);
  range.setEnd(text, (at < 0 ? text.length + at : at) + 1);
  const box = range.getBoundingClientRect();
  const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return over === node;
}
"""


def rows(*texts):
    return [{"id": str(n), "text": text} for n, text in enumerate(texts, start=1)]


def opened(site, judge, text, window="desk", **options):
    width, height = WINDOWS[window]
    return judge(site.campaign(rows=rows(text, text + " ")), viewport={"width": width, "height": height}, **options)


def asked_in_view(page):
    for name in ("Yes", "No"):
        expect(page.locator("#page--choices button", has_text=name).first).to_be_in_viewport(ratio=1)
    expect(page.locator("#page--question")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("text", [LONG, SENTENCE * 2, RIGHT_TO_LEFT, NO_BREAK], ids=["long", "two", "rtl", "no-break"])
def test_a_long_item_is_readable_from_the_first_character_to_the_last(site, judge, text, window):
    page = opened(site, judge, text, window)
    item = page.locator("#page--item")
    assert item.evaluate(READABLE, 0)
    asked_in_view(page)
    page.keyboard.press("End")
    for _ in range(20):  # the examples and facts come behind the item
        if item.evaluate(READABLE, -4):
            break
        page.keyboard.press("ArrowUp")
    assert item.evaluate(READABLE, -4)
    asked_in_view(page)
    assert fits(page)


def test_a_long_item_is_set_to_be_read(site, judge):
    page = opened(site, judge, LONG)
    style = page.locator("#page--item").evaluate("(node) => ({ ...getComputedStyle(node) })")
    assert style["textAlign"] == "start"
    assert 16 <= float(style["fontSize"].removesuffix("px")) <= 24
    assert page.locator("#page--item").bounding_box()["width"] < 40 * float(style["fontSize"].removesuffix("px"))


def test_lines_of_their_own_have_their_own_direction(site, judge):
    page = opened(site, judge, "The sentence in question is this one:\nצריך לשים לב אל השאלה הזאת היום.")
    edges = page.locator("#page--item").evaluate(
        """(node) => [0, 40].map((at) => {
          const range = document.createRange();
          range.setStart(node.firstChild, at);
          range.setEnd(node.firstChild, at + 1);
          return [range.getBoundingClientRect().left - node.getBoundingClientRect().left, node.clientWidth];
        })"""
    )
    assert edges[0][0] < 20  # begins at the left
    assert edges[1][0] > edges[1][1] - 40  # begins at the right


@pytest.mark.parametrize("window", ["desk", "phone"])
def test_a_table_of_text_keeps_its_columns(site, judge, window):
    page = opened(site, judge, TABLE, window)
    starts = page.locator("#page--item").evaluate(
        """(node) => {
          const text = node.firstChild, places = [];
          for (const line of text.data.matchAll(/[^\\n]+/g)) {
            const range = document.createRange();
            const second = line.index + line[0].indexOf("\\t") + 1;
            range.setStart(text, second);
            range.setEnd(text, second + 1);
            places.push(Math.round(range.getBoundingClientRect().left));
          }
          return places;
        }"""
    )
    assert len(starts) == 4
    assert len(set(starts)) == 1
    asked_in_view(page)


def test_the_next_long_item_begins_at_its_beginning(site, judge):
    page = opened(site, judge, LONG)
    page.keyboard.press("PageDown")
    assert page.locator("#page--main").evaluate("(node) => node.scrollTop") > 100
    page.keyboard.press("n")
    expect(page.locator("#page--count")).to_have_text("1 of 2")
    assert page.locator("#page--main").evaluate("(node) => node.scrollTop") == 0
    assert page.locator("#page--item").evaluate(READABLE, 0)


def test_letters_meant_for_a_note_decide_nothing_where_there_is_none(site, judge):
    campaign = site.campaign()
    page = judge(campaign)
    page.keyboard.press("y")
    expect(page.locator("#page--question")).to_have_text("Which kind?")
    page.keyboard.press("Enter")  # this question takes no note
    page.keyboard.type("1 or 2, I do not know")
    expect(page.locator("#page--notice")).to_contain_text("takes no note")
    expect(page.locator("#page--question")).to_have_text("Which kind?")
    expect(page.locator("#page--count")).to_have_text("0 of 6")
    page.keyboard.press("Enter")
    expect(page.locator("#page--notice")).to_have_text("")
    page.keyboard.press("2")
    expect(page.locator("#page--count")).to_have_text("1 of 6")
    expect(page.locator("#page--saved")).to_have_text("All saved")
    assert [answer for _, _, answer in site.decisions(campaign, "anna")] == ["yes", "figurative"]


@pytest.mark.parametrize("touch", [False, True])
def test_back_and_forward_without_a_keyboard(site, judge, touch):
    page = judge(site.campaign(), viewport={"width": 390, "height": 780}, has_touch=touch, is_mobile=touch)
    texts = []
    for _ in range(2):
        texts.append(page.locator("#page--item").inner_text())
        page.locator("#page--choices button", has_text="No").click()
    texts.append(page.locator("#page--item").inner_text())
    act = "tap" if touch else "click"
    for expected in (texts[1], texts[0]):
        getattr(page.get_by_role("button", name="Back"), act)()
        expect(page.locator("#page--item")).to_have_text(expected)
    for expected in texts[1:]:
        getattr(page.get_by_role("button", name="Forward"), act)()
        expect(page.locator("#page--item")).to_have_text(expected)


def test_the_next_item_is_not_seen_unless_wished(site, judge):
    campaign = site.campaign()
    texts = [item["text"] for item in site.part(campaign, "anna")["items"]]
    page = judge(campaign)
    expect(page.locator("#page--item")).to_have_text(texts[0])
    assert texts[1] not in page.locator("main").inner_text()
    page.keyboard.press("?")
    page.get_by_label("Show the next item").check()
    page.keyboard.press("Escape")
    expect(page.locator("#page--next")).to_have_text(texts[1])
    page.reload()
    expect(page.locator("#page--next")).to_have_text(texts[1])
