"""The documentation is built without warnings, and a reader finds the way, the words and whole lines in it."""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import quote

import pytest

from support.axe import violations
from support.layout import fits

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
TASKS = ("howto/paper", "howto/collocates", "howto/team", "howto/judge-model", "howto/which-measure")
PAGES = ("index", "howto/team", "_generated/python", "gallery", "_generated/notebook-judge")
WIDER = """
() => [...document.querySelectorAll(".highlight pre")]
  .filter((block) => block.scrollWidth > block.clientWidth + 1)
  .map((block) => block.textContent.slice(0, 60))
"""
WRAPPED = """
() => [...document.querySelectorAll(".highlight-console pre")].flatMap((block) => {
  const height = parseFloat(getComputedStyle(block).lineHeight);
  const padding = 2 * parseFloat(getComputedStyle(block).paddingTop);
  const lines = block.textContent.replace(/\\n$/, "").split("\\n");
  const long = lines.filter((line) => line.length > 120).length;
  return long || block.clientHeight - padding < (lines.length + 0.6) * height ? [] : [lines[0]];
})
"""

# Hundreds of functions and classes are written in the same way, and axe looks at every word.
A_DOZEN_ENTRIES = "() => [...document.querySelectorAll('dl.py:not(dl.py dl.py)')].slice(12).map((one) => one.remove())"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def documentation(tmp_path_factory):
    """The whole site but the conformance page, built beside a copy of the project and served."""
    place = tmp_path_factory.mktemp("project")
    for name in ("src", "tests", "README.md", "pyproject.toml"):
        (place / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "docs", place / "docs", ignore=shutil.ignore_patterns("_build"))
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-D", "conformity=0", "-b", "html"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [*command, place / "docs", place / "html"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    handler = functools.partial(Quiet, directory=place / "html")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_each_task_is_one_click_away_and_says_what_to_type(documentation, visits):
    page = visits.open(f"{documentation}/index.html")
    links = page.locator("ul.tasks > li > p > strong a")
    assert tuple(link.get_attribute("href").removesuffix(".html") for link in links.all()) == TASKS
    assert page.locator("main pre, article pre").first.inner_text().strip() == "$ make demo"
    assert page.evaluate("document.querySelector('img.picture').naturalWidth") > 400
    links.nth(2).click()
    assert "concur campaign create" in page.locator("article pre").first.inner_text()


@pytest.mark.parametrize("width", [390, 1280, 1440, 1600])
@pytest.mark.parametrize("name", ["tutorial", "howto/collocates", "howto/paper", "gallery"])
def test_no_line_is_cut_and_a_wide_window_shows_them_whole(documentation, visits, name, width):
    page = visits.open(f"{documentation}/{name}.html", viewport={"width": width, "height": 800})
    assert page.evaluate(WIDER) == []
    assert fits(page, width)
    if width >= 1280:
        assert page.evaluate(WRAPPED) == []


def test_the_copy_button_takes_the_commands_without_prompts_and_output(documentation, visits):
    page = visits.open(f"{documentation}/howto/two-corpora.html", permissions=["clipboard-read", "clipboard-write"])
    block = page.locator(".highlight-console").first
    block.hover()
    block.locator("button.copybtn").click()
    copied = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert copied[:2] == ["cat > semcor.csv <<'END'", "id,text,word,label"]
    assert "concur match semcor.csv dso.csv -o matches.csv --labels labels.csv" in copied
    assert not [line for line in copied if line.startswith(("$", ">", "Of 3 left", "exact matches"))]


@pytest.mark.parametrize(
    ("word", "wanted"), [("collocate", "collocates"), ("pandas", "notebook-paper"), ("Excel", "paper")]
)
def test_the_search_finds(documentation, visits, word, wanted):
    page = visits.open(f"{documentation}/search.html?q={quote(word)}")
    page.wait_for_selector("ul.search li a")
    page.wait_for_function("document.querySelector('.search-summary')?.textContent.includes('finished')")
    addresses = [link.get_attribute("href") for link in page.locator("ul.search li a").all()]
    assert any(wanted in address for address in addresses), addresses


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(documentation, visits, name):
    page = visits.open(f"{documentation}/{name}.html")
    page.evaluate(A_DOZEN_ENTRIES)
    assert violations(page) == []
