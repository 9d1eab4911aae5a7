"""The page of a study in a real browser: nothing from elsewhere, read by all, taken along, and printed whole."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from support.axe import violations
from support.layout import fits


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    (folder / "table.csv").write_text(",yes,no\nyes,40,15\nno,20,25\n")
    rows = [f"a{n},b,{50 - n // 2},{n % 7}" for n in range(40)]
    (folder / "scored.csv").write_text("\n".join(["l1,l2,f,MI", *rows]) + "\n")
    gold = [f"a{n},b,{int(n % 3 == 0 or n < 9)}" for n in range(40)]
    (folder / "gold.csv").write_text("\n".join(["l1,l2,tp", *gold]) + "\n")
    results = {
        "agree": ("agree", folder / "table.csv", "--table"),
        "evaluate": ("evaluate", folder / "scored.csv", "--gold", folder / "gold.csv", "-m", "MI,f", "--n", "5:40:5"),
    }
    concur = [sys.executable, "-m", "concurrence"]
    for name, arguments in results.items():
        with (folder / f"{name}.json").open("wb") as file:
            subprocess.run([*concur, *arguments, "--json"], stdout=file, check=True)
    saved = [folder / f"{name}.json" for name in results]
    subprocess.run([*concur, "report", *saved, "--title", "A study", "-o", folder / "report.html"], check=True)
    return folder / "report.html"


@pytest.fixture
def page(chromium, report):
    opened = chromium.new_page(viewport={"width": 1440, "height": 900})
    opened.requested = []
    opened.on("request", lambda request: opened.requested.append(request.url))
    opened.goto(report.as_uri())
    opened.wait_for_selector(".vega-embed svg")
    yield opened
    opened.close()


def test_the_answer_and_its_picture_are_on_the_first_screen_and_nothing_comes_from_elsewhere(page, report):
    assert page.locator(".finding p").first.bounding_box()["y"] < 300
    for picture in page.locator(".finding svg").all():
        box = picture.bounding_box()
        assert box["y"] + box["height"] < 900
        assert box["width"] > 300
    assert page.locator(".finding svg").count() == 2
    assert all(url.startswith((report.as_uri(), "data:", "blob:")) for url in page.requested)


def test_nobody_is_left_out(page):
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert violations(page) == []


def test_a_table_is_taken_along_as_a_file(page):
    folded = page.locator("details", has_text="Coefficients of agreement").first
    folded.evaluate("one => one.open = true")
    with page.expect_download() as waiting:
        folded.get_by_role("button", name="download").click()
    rows = list(csv.reader(Path(waiting.value.path()).read_text("utf-8-sig").splitlines()))
    assert waiting.value.suggested_filename.endswith(".csv")
    assert rows[0][:2] == ["coefficient", "value"]
    assert ["Cohen's kappa", ".2857"] in [row[:2] for row in rows]


def test_a_link_of_the_contents_leads_to_its_place(page):
    page.get_by_role("navigation").get_by_role("link", name="Evaluation").click()
    assert page.evaluate("location.hash") == "#p2"


def test_on_paper_nothing_is_folded(page, tmp_path):
    assert page.locator("details:not([open])").count() > 3
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() > 3
    page.pdf(path=tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").read_bytes().count(b"/Type /Page") > 3


def test_on_paper_the_answer_has_the_width_of_the_page(page):
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 690, "height": 980})
    for words in page.locator(".finding > div").all():
        assert words.bounding_box()["width"] > 600


def test_a_phone_shows_everything_without_scrolling_sideways(page):
    page.set_viewport_size({"width": 390, "height": 800})
    assert fits(page, 390)
