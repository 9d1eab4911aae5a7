"""How long a key press takes until its frame is painted, as Chromium itself tells; for tests and benchmarks."""

from support.parts import CHROMIUM
from support.sites import ARGUMENTS

# The least that any page must do: a key changes a text.
FLOOR = '<h1 id="page--item">0</h1>'
COUNT = """
() => {
  const text = document.getElementById("page--item").firstChild;
  addEventListener("keydown", () => { text.data = String(Number(text.data) + 1); });
}
"""
SHORTEST = 16  # milliseconds; Event Timing tells nothing of what is faster, so such keys count as this
TIMES = f"""
() => {{
  window.waits = [];
  window.keysBefore = performance.eventCounts.get("keydown");
  new PerformanceObserver((list) => {{
    waits.push(...list.getEntries().filter((entry) => entry.name === "keydown").map((entry) => entry.duration));
  }}).observe({{ type: "event", durationThreshold: {SHORTEST} }});
}}
"""


def watch(page, floor):
    """From now on, let both pages write down their key presses."""
    floor.evaluate(COUNT)
    for tab in (page, floor):
        tab.evaluate(TIMES)


def take_turns(page, floor, *, keys, at_once=20):
    """Press a key on both pages as fast as possible; whatever else the machine does slows both."""
    for _ in range(keys // at_once):
        for tab in (page, floor):
            tab.bring_to_front()
            for _ in range(at_once):
                tab.keyboard.press("n")


def count_keys(page):
    """The key presses that Chromium has timed, shorter ones included."""
    return page.evaluate("performance.eventCounts.get('keydown') - keysBefore")


def waits(page, keys):
    """Milliseconds from each key press to its painted frame."""
    durations = page.evaluate("waits")
    return durations + [SHORTEST] * (keys - len(durations))


def press_keys(site, *, keys, size):
    """The waits of a coder's page with so many items, and of the floor, in a Chromium of their own."""
    from playwright.sync_api import expect, sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        page, floor = browser.new_page(), browser.new_page()
        page.goto(site.link(site.campaign(size=size), "anna"))
        expect(page.locator("#page--count")).to_have_text(f"0 of {size}")
        floor.set_content(FLOOR)
        watch(page, floor)
        take_turns(page, floor, keys=keys)
        expect(page.locator("#page--count")).to_have_text(f"{keys} of {size}")
        durations = waits(page, keys), waits(floor, keys)
        browser.close()
    return durations
