"""The explorer in a real Chromium: words and lists, by pointer and by keyboard, and a link that gives the same view."""

import re
from urllib.parse import urlencode

import polars as pl
import pytest
from playwright.sync_api import expect

from concurrence.corpus.index_writer import write_index
from concurrence.corpus.reader import read_corpus
from support.axe import violations
from support.explorer_cases import ServedExplorer, make_index, make_list, with_judgements
from support.layout import fits


@pytest.fixture(scope="module")
def explorer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explorer")
    made = ServedExplorer(make_index(folder), make_list(folder), *with_judgements(folder)).start()
    yield made
    made.stop()


@pytest.fixture
def look(explorer, visits):
    """Open a view by its address."""

    def opened(query="", **options):
        page = visits.open(f"{explorer.url}/{query}", **options)
        expect(page.locator("main h1")).to_be_visible()
        return page

    return opened


def test_a_word_is_searched_and_its_collocates_are_read_in_place(look):
    page = look()
    page.fill("#q", "tea")
    page.press("#q", "Enter")
    expect(page.locator("h1")).to_have_text("tea occurs 7 times")
    expect(page.locator("table.collocates tbody tr").first).to_contain_text("strong")
    expect(page.locator("svg.scatter circle")).to_have_count(page.locator("table.collocates tbody tr").count())
    page.click("[id='row--strong']")
    inside = page.locator("tr.inside")
    expect(inside.locator(".kwic li")).to_have_count(5)
    expect(inside.locator("mark").first).to_have_text("strong")
    expect(inside.locator("svg.strip rect.seen").first).to_be_visible()
    page.click("[id='row--strong']")
    expect(inside).to_have_count(0)


def test_collocates_are_sorted_by_a_click_on_a_column(look):
    page = look("?q=tea&min=1")
    page.click("#sort--word")
    expect(page.locator("th[aria-sort='ascending']")).to_have_text("word")
    words = page.locator("table.collocates tbody th").all_inner_texts()
    assert words == sorted(words)
    page.click("#sort--f")
    expect(page.locator("th[aria-sort='descending']")).to_have_text("f")


def test_the_other_ways_to_look_at_a_word(look):
    page = look("?q=tea&unit=lemma&min=1")
    page.click("#tab--concordance")
    expect(page.locator(".kwic li")).to_have_count(7)
    page.click("#tab--sketch")
    expect(page.locator(".card")).not_to_have_count(0)
    page.locator(".card button.row").first.click()
    expect(page.locator(".card.wide .kwic li")).not_to_have_count(0)
    page.click("#tab--documents")
    expect(page.locator("table.rows tbody tr")).to_have_count(3)


def test_what_a_corpus_holds_is_never_markup(look):
    page = look("?q=the&tab=concordance")
    expect(page.locator(".kwic")).to_contain_text("<b>wind</b> & the tea")
    assert page.locator(".kwic b").count() == 0
    page.goto(page.url.split("?")[0] + "?q=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E")
    expect(page.locator("h1 .asked")).to_have_text("<img src=x onerror=alert(1)>")


SIGNS = ['"q"', "[x]", "a*b", "'quoted'", "f(x)", "c:\\\\d", "plain"]
LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A corpus of words that look like queries, with one long word, and a list ranked by frequency."""
    folder = tmp_path_factory.mktemp("odd")
    # One token a line, since no tokenizer would keep these words whole.
    lines = [f"<s>\n{sign}\ntea\n</s>" for sign in (*SIGNS, LONG_WORD) for _ in range(3)]
    (folder / "odd.vrt").write_text("<text id='a'>\n" + "\n".join(lines) + "\n</text>\n", "utf-8")
    write_index(read_corpus(folder / "odd.vrt", keeps_text=True), folder / "odd")
    words = [*SIGNS, LONG_WORD, "implementation"]
    table = pl.DataFrame({"l1": words, "l2": ["tea"] * 9, "f": [15, *[5] * 8], "frequency": [15.0, *[5.0] * 8]})
    table.with_columns(MI=pl.Series(range(9), dtype=pl.Float64)).write_parquet(folder / "few.parquet")
    made = ServedExplorer(folder / "odd", folder / "few.parquet").start()
    yield made
    made.stop()


@pytest.mark.parametrize("word", SIGNS)
def test_a_collocate_is_searched_as_it_is_written(odd, visits, word):
    page = visits.open(f"{odd.url}/?" + urlencode({"q": "tea", "word": word, "lower": "false"}))
    page.get_by_role("link", name=f"Search {word}", exact=True).click()
    expect(page.locator("h1")).to_contain_text("occurs 3 times")
    expect(page.locator(".kwic, table.collocates tbody th").first).to_contain_text("tea")
    if word == "plain":
        expect(page.locator("#q")).to_have_value("plain")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("query", ["?q=tea", "?view=list&measure=MI"])
def test_a_long_word_leaves_the_numbers_in_sight(odd, visits, query, width):
    page = visits.open(f"{odd.url}/{query}", viewport={"width": width, "height": 850})
    row = page.locator("table.rows tbody tr", has_text=re.compile("donau", re.IGNORECASE)).first
    expect(row).to_be_visible()
    for cell in row.locator("td:visible").all()[:2]:
        box = cell.bounding_box()
        assert box["x"] + box["width"] <= width
    assert fits(page)


def test_an_ordinary_word_is_not_broken_on_a_phone(odd, visits):
    page = visits.open(f"{odd.url}/?view=list&measure=MI", viewport={"width": 390, "height": 850})
    cell = page.locator("table.rows tbody th", has_text="implementation")
    expect(cell).to_be_visible()
    assert cell.evaluate("(node) => { node.textContent = 'implementation'; return node.scrollHeight < 48; }")


def test_what_is_said_of_a_search_that_finds_nothing_is_true(odd, visits):
    page = visits.open(f"{odd.url}/?q=zzz")
    expect(page.locator("h1")).to_have_text("zzz never occurs here")
    expect(page.locator("main")).not_to_contain_text("stands")
    page.goto(f"{odd.url}/?q=*")
    expect(page.locator(".headline")).to_contain_text("A star alone is the sign itself; write [] for any token.")
    page.goto(f"{odd.url}/?q=[]")
    expect(page.locator("h1")).to_contain_text("occurs 48 times")
    expect(page.locator("main")).to_contain_text("what the search itself finds is not counted")
    expect(page.locator(".headline")).not_to_contain_text("A star alone")
    page.goto(f"{odd.url}/?q=tea&left=-4")
    expect(page.locator(".problem")).to_have_text("left must be at least 0.")
    page.goto(odd.url)
    expect(page.locator(".welcome")).to_contain_text("Try plain, ")


def test_frequency_is_not_set_against_itself_and_counts_have_whole_marks(odd, visits):
    page = visits.open(f"{odd.url}/?view=list&measure=frequency")
    expect(page.locator("#readout")).to_contain_text("The score is the frequency itself")
    expect(page.locator("svg.scatter")).to_have_count(0)
    page.goto(f"{odd.url}/?view=list&measure=MI")
    expect(page.locator("svg.scatter circle")).to_have_count(9)
    expect(page.locator("#readout")).to_have_text("Point at a candidate.")
    marks = page.locator("svg.scatter .mark[text-anchor=middle]").all_text_contents()
    assert marks == ["1", "2", "5", "10"]


def test_the_end_of_a_list_can_be_reached(tmp_path, visits):
    make_list(tmp_path, size=963)
    made = ServedExplorer(tmp_path / "scored.parquet", *with_judgements(tmp_path)).start()
    try:
        page = visits.open(f"{made.url}/?view=list&n=999999")
        expect(page.get_by_role("heading", name="The 963 best by log-likelihood")).to_be_visible()
        expect(page.locator("#legend caption")).to_have_text(
            "The 960 best of each measure; lists of 963 were not evaluated"
        )
        page.wait_for_load_state("networkidle")  # what is asked for has come, before the page is left
        page.goto(f"{made.url}/?view=list")
        page.locator("#grip").focus()
        page.keyboard.press("End")
        expect(page).to_have_url(re.compile("n=963"))
        expect(page.get_by_role("heading", name="The 963 best by log-likelihood")).to_be_visible()
        expect(page.locator("#grip")).to_have_attribute("aria-valuemax", "963")
        page.wait_for_load_state("networkidle")
        page.close()
    finally:
        made.stop()


def test_a_query_that_is_not_understood_says_so_and_keeps_the_search(look):
    page = look("?q=tea")
    page.fill("#q", "[lemma=")
    page.press("#q", "Enter")
    expect(page.locator("[role=alert]")).to_contain_text("is not understood")
    page.fill("#q", "coffee")
    page.press("#q", "Enter")
    expect(page.locator("h1")).to_contain_text("coffee occurs")


def test_a_link_gives_the_same_view(look):
    page = look("?q=tea&min=1")
    page.click("#sort--MI")
    page.click("[id='row--weak']")
    expect(page.locator("tr.inside")).to_be_visible()
    again = look(page.url.partition("/?")[2].join(["?", ""]))
    expect(again.locator("tr.inside .kwic li")).to_have_count(page.locator("tr.inside .kwic li").count())
    assert again.locator("main").inner_text() == page.locator("main").inner_text()
    page.go_back()
    expect(page.locator("tr.inside")).to_have_count(0)
    page.go_back()
    expect(page.locator("th[aria-sort='descending']")).to_have_text("logDice")


def test_the_size_of_the_list_is_dragged(look):
    page = look("?view=list&n=100&measure=MI")
    expect(page.locator("#grip")).to_have_attribute("aria-valuenow", "100")
    box = page.locator("svg.precision .area").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 3, box["y"] + 90)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 90, steps=4)
    page.mouse.up()
    expect(page.locator("#grip")).not_to_have_attribute("aria-valuenow", "100")
    n = int(page.locator("#grip").get_attribute("aria-valuenow"))
    assert 200 < n < 250
    expect(page.locator("h2", has_text="best by MI")).to_have_text(f"The {n} best by MI")
    assert f"n={n}" in page.url


def test_hovering_tells_n_and_the_interval(look):
    page = look("?view=list&n=100")
    expect(page.locator("#legend caption")).to_have_text("The 100 best of each measure")
    box = page.locator("svg.precision .area").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 2 / 3, box["y"] + 90)
    expect(page.locator("#legend caption")).to_have_text("The 200 best of each measure")
    expect(page.locator("#legend tbody tr").first).to_contain_text("%")
    page.mouse.move(5, 5)
    expect(page.locator("#legend caption")).to_have_text("The 100 best of each measure")


def test_the_list_shows_what_was_judged(look):
    page = look("?view=list&n=100")
    counts = {}
    for name in ("true", "false", "unjudged"):
        page.click(f"#only--{name}")
        expect(page.locator(f"#only--{name}")).to_have_attribute("aria-pressed", "true")
        counts[name] = int(page.locator(f"#only--{name}").inner_text().split()[-1])
        expect(page.locator(".verdict")).to_have_count(min(50, counts[name]))
        assert page.locator(f".verdict.{name}").count() == page.locator(".verdict").count()
    assert sum(counts.values()) == 100


def test_a_difference_set_is_clicked_and_read(look):
    page = look("?view=list&n=100&panel=difference")
    size = int(page.locator("#side--b b").inner_text())
    assert size > 0
    page.click("#side--b")
    expect(page.locator("#side--b")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("table.candidates tbody tr")).to_have_count(min(50, size))


def test_ties_and_what_to_judge_next(look):
    page = look("?view=list&measure=MI&n=100&panel=ties")
    expect(page.locator("main")).to_contain_text("candidates share MI")
    page.click("#draw")
    expect(page.locator("main")).to_contain_text("(number 2)")
    page.click("#tab--judge")
    expect(page.locator(".commands code").first).to_contain_text("concur sample")
    with page.expect_download() as download:
        page.click("#sample")
    assert download.value.suggested_filename == "sample.parquet"


@pytest.mark.parametrize(("view", "name"), [("?q=tea", "svg.scatter"), ("?view=list", "svg.precision")])
def test_a_chart_is_kept_with_its_colours(look, view, name):
    page = look(view)
    expect(page.locator(name)).to_be_visible()
    with page.expect_download() as download:
        page.locator("button.keep", has_text="SVG").first.click()
    text = download.value.path().read_text("utf-8")
    assert text.startswith("<svg")
    assert 'fill="rgb(' in text
    assert "var(" not in text


def test_everything_by_keyboard(look):
    page = look()
    page.keyboard.press("/")
    page.keyboard.type("tea")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("tea occurs 7 times")
    page.keyboard.press("Escape")
    expect(page.locator("#q")).to_have_value("tea")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    expect(page.locator("tr.inside .kwic li")).to_have_count(5)
    assert page.evaluate("document.activeElement.id") == "row--strong"
    page.keyboard.press("Escape")
    expect(page.locator("tr.inside")).to_have_count(0)
    page.keyboard.press("]")
    expect(page.locator("#tab--concordance")).to_have_attribute("aria-current", "page")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def test_a_size_that_was_not_evaluated_shows_the_nearest_that_was(look):
    page = look("?view=list&n=101&measure=MI")
    expect(page.locator("#legend caption")).to_have_text(
        "The 100 best of each measure; lists of 101 were not evaluated"
    )
    expect(page.locator("#legend tbody td").first).to_have_text(re.compile(r"\d%"))


def test_the_chart_by_keyboard(look):
    page = look("?view=list&n=100&measure=MI")
    page.focus("#grip")
    for key, n in (("ArrowRight", 102), ("ArrowRight", 104), ("ArrowLeft", 102), ("End", 300), ("Home", 100)):
        page.keyboard.press(key)
        expect(page.locator("#grip")).to_have_attribute("aria-valuenow", str(n))
        expect(page.locator("h2", has_text="best by MI")).to_have_text(f"The {n} best by MI")
    assert page.evaluate("document.activeElement.id") == "grip"


VIEWS = (
    "",
    "?q=tea&word=strong",
    "?q=tea&tab=concordance",
    "?q=tea&tab=sketch&min=1",
    "?q=tea&tab=documents",
    "?view=list&n=100",
    "?view=list&n=100&panel=difference",
    "?view=list&n=101&panel=ties&measure=MI",
    "?view=list&n=100&panel=judge",
)


@pytest.mark.parametrize("view", VIEWS)
def test_no_view_shuts_anyone_out(look, view):
    page = look(view)
    expect(page.locator("main[aria-busy]")).to_have_count(0)
    assert violations(page) == []


@pytest.mark.parametrize("view", VIEWS)
def test_no_view_is_wider_than_a_phone(look, view):
    page = look(view, viewport={"width": 390, "height": 844})
    expect(page.locator("main[aria-busy]")).to_have_count(0)
    assert fits(page, 390)
