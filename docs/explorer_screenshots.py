"""Take the pictures of ``docs/howto/explore.md``: the demonstration study in the explorer, in light and dark.

Run it from the project's folder with the test environment:
``PYTHONPATH=src:tests python docs/explorer_screenshots.py``.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

IMAGES = Path(__file__).parent / "images"
SIZE = {"width": 1280, "height": 860}
VIEWS = {
    "explorer-words-light": "?q=function&left=3&right=3&min=3&word=call",
    "explorer-list-light": "?view=list&n=250&measure=t_score",
    "explorer-difference-dark": "?view=list&n=250&measure=t_score&other=MI&panel=difference",
    "explorer-phone-light": "?view=list&n=250&measure=t_score",
}


def main():
    """Make the study, start the explorer, take the pictures."""
    from playwright.sync_api import sync_playwright

    from support.explorer_cases import ServedExplorer
    from support.parts import CHROMIUM
    from support.sites import ARGUMENTS

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([sys.executable, "-m", "concurrence", "demo"], check=True, capture_output=True)
        study = Path(folder) / "concurrence-demo"
        judgement_options = ("--gold", study / "gold.csv", "--sample", study / "sample.csv")
        server = ServedExplorer(study / "index", study / "scored.parquet", *judgement_options).start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
                for name, view in VIEWS.items():
                    shoot(browser, f"{server.url}/{view}", name)
                browser.close()
        finally:
            server.stop()


def shoot(browser, address, name):
    size = {"width": 390, "height": 844} if "phone" in name else SIZE
    page = browser.new_page(viewport=size, color_scheme=name.rpartition("-")[2])
    page.goto(address)
    page.wait_for_selector("main h1")
    page.wait_for_timeout(600)
    if "difference" in name:
        page.locator(".tabs").scroll_into_view_if_needed()
        page.mouse.wheel(0, 420)
        page.wait_for_timeout(200)
    page.screenshot(path=IMAGES / f"{name}.png")
    page.close()


if __name__ == "__main__":
    main()
