"""Pictures of the leader's desk: a campaign that is made in the browser, in light, dark and on a phone.

``docs/screenshots.py`` takes them with all others; alone: ``PYTHONPATH=src:tests:docs python docs/desk_pictures.py``.
"""

import tempfile
from pathlib import Path

IMAGES = Path(__file__).parent / "images"
SENTENCES = [
    "The council will take a decision on the bridge next week.",
    "She broke the news to her parents over dinner.",
    "They painted the fence on Saturday morning.",
    "The results shed light on how children learn verbs.",
    "He bought two tickets for the night train.",
    "The minister paid a visit to the flooded villages.",
]
MANUAL = """# Idioms in sentences

Read the whole sentence before you decide.

## What counts

A sentence has an **idiom** if some of its words mean together what they do not mean alone.

| sentence | idiom |
|---|---|
| *She broke the news.* | yes |
| *She broke the vase.* | no |
"""
SCREENS = {
    "light": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "phone-light": {
        "viewport": {"width": 390, "height": 780},
        "color_scheme": "light",
        "is_mobile": True,
        "has_touch": True,
    },
}


def table_file(folder):
    rows = "".join(
        f"{n},{part},{text}\n"
        for n, (part, text) in enumerate(zip(["all", "1", "2", "all", "1", "2"], SENTENCES, strict=True), 1)
    )
    path = Path(folder) / "sentences.csv"
    path.write_text("id,part,text\n" + rows, "utf-8")
    return path


def fill_in(page, file):
    """The form for a new campaign, with a question and its follow-up."""
    page.locator("#table").set_input_files(file)
    page.locator("#columns").wait_for()
    first = page.locator("li.question").first
    first.get_by_label("Question", exact=True).fill("Does the sentence contain an idiom?")
    first.get_by_label("Short name").fill("idiom")
    for place, (answer, key) in enumerate((("yes", "y"), ("no", "n"))):
        first.locator("[name=answer]").nth(place).fill(answer)
        first.locator("[name=key]").nth(place).fill(key)
    page.get_by_role("button", name="Add a question").click()
    second = page.locator("li.question").nth(1)
    second.locator("[name=type]").select_option("span")
    second.get_by_label("Question", exact=True).fill("Mark the idiom.")
    second.get_by_label("Short name").fill("where")
    second.locator("[name=answer]").first.fill("idiom")
    second.locator("[name=parent]").select_option("idiom")
    second.locator("[name=answers]").fill("yes")
    page.locator("#coders").fill("anna\nben")
    page.locator("#expert").fill("ulla")
    page.locator("#manual").fill(MANUAL)


def shoot(page, name):
    page.screenshot(path=IMAGES / f"{name}.png", full_page=True)


def take_desk_pictures(browser, url, token, folder):
    """All pages of the desk, each campaign made anew."""
    file = table_file(folder)
    for number, (screen, options) in enumerate(SCREENS.items(), start=1):
        context = browser.new_context(**options)
        page = context.new_page()
        page.goto(f"{url}/join#{token}")
        page.get_by_role("link", name="New campaign").first.click()
        fill_in(page, file)
        page.locator("#name").fill(f"idioms {number}")
        page.get_by_role("button", name="Check and preview").click()
        page.get_by_role("link", name="Open the preview").wait_for()
        shoot(page, f"desk-new-{screen}")
        with context.expect_page() as popup:
            page.get_by_role("link", name="Open the preview").click()
        popup.value.wait_for_timeout(1000)
        popup.value.screenshot(path=IMAGES / f"desk-preview-{screen}.png")
        popup.value.close()
        page.get_by_role("button", name="Create the campaign").click()
        page.get_by_role("button", name="Make links for all coders").click()
        page.get_by_role("button", name="Copy all, one per line").wait_for()
        shoot(page, f"desk-campaign-{screen}")
        page.get_by_role("link", name="Write a new version").click()
        rule = "\n## When in doubt\n\nDecide anyway, and flag the decision as unsure.\n"
        page.locator("#text").fill(MANUAL + rule)
        page.locator("#note").fill("What to do in doubt")
        page.get_by_role("button", name="Save as version 2").click()
        page.get_by_text("Version 2 is the newest.").wait_for()
        page.wait_for_timeout(300)
        shoot(page, f"desk-manual-{screen}")
        page.goto(f"{url}/desk")
        shoot(page, f"desk-{screen}")
        context.close()


def main():
    from playwright.sync_api import sync_playwright

    from concurrence.annotation.people.organisers import invite_organiser
    from support.parts import CHROMIUM
    from support.sites import ARGUMENTS, Site

    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        site.served.start()
        token = site.store.write(lambda connection: invite_organiser(connection, "ada", site.secret))
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
                take_desk_pictures(browser, site.served.url, token, folder)
                browser.close()
        finally:
            site.served.stop()
            site.store.close()


if __name__ == "__main__":
    main()
