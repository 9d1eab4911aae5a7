"""No key press is lost, and the next item is there in one frame."""

import statistics

from playwright.sync_api import expect

from support.key_times import FLOOR, count_keys, take_turns, waits, watch

KEYS = 200
# Runs after the page's own listener, in the same task: what it sees was done before any frame could be painted.
SAME_TASK = """
() => {
  window.shown = window.recorded = 0;
  const item = document.getElementById("page--item");
  let before, kept;
  addEventListener("keydown", () => { before = item.textContent; kept = localStorage.length; }, true);
  addEventListener("keydown", () => {
    shown += item.textContent !== before;
    recorded += localStorage.length === kept + 1;
  });
}
"""


def test_two_hundred_keys_as_fast_as_they_can_be_sent(site, judge, visits):
    campaign = site.campaign(size=5000)
    page = judge(campaign)
    floor = visits.context().new_page()
    floor.set_content(FLOOR)
    watch(page, floor)
    page.evaluate(SAME_TASK)
    take_turns(page, floor, keys=KEYS)
    expect(page.locator("#page--count")).to_have_text(f"{KEYS} of 5000")
    expect(page.locator("#page--saved")).to_have_text("All saved")
    assert count_keys(page) == count_keys(floor) == KEYS
    assert page.evaluate("[shown, recorded]") == [KEYS, KEYS]
    decisions = site.decisions(campaign, "anna")
    assert len(decisions) == len({text for text, _, _ in decisions}) == KEYS
    # A busy machine slows any page: then a key may take twice as long as on a page that does next to nothing.
    ours, least = (statistics.median(waits(which, KEYS)) for which in (page, floor))
    print(f"key to painted item: median {ours:.0f} ms, on the emptiest page {least:.0f} ms")
    assert ours < max(50, 2 * least)
