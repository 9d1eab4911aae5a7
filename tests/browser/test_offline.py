"""The server goes away and comes back; every decision is there once."""

import pytest
from playwright.sync_api import expect

KEPT = (
    "Object.entries(localStorage).filter(([key]) => key.startsWith('concurrence/')).map(([, text]) => JSON.parse(text))"
)


def test_server_killed_tab_closed_server_back(mortal_site, visits):
    campaign = mortal_site.campaign(size=60)
    context = visits.context()
    page = visits.open(mortal_site.link(campaign, "anna"), context)
    expect(page.locator("#page--count")).to_have_text("0 of 60")
    page.keyboard.press("n")
    expect(page.locator("#page--saved")).to_have_text("All saved")
    mortal_site.served.kill()
    for n in range(30):
        page.keyboard.press("y" if n % 3 == 0 else "n")
        if n % 3 == 0:
            page.keyboard.press("2")
    page.keyboard.press("Backspace")
    expect(page.locator("#page--count")).to_have_text("30 of 60")
    expect(page.locator("#page--saved")).to_contain_text("the server cannot be reached")
    address = page.url
    page.close()
    mortal_site.served.start()
    page = visits.open(address, context)
    expect(page.locator("#page--count")).to_have_text("30 of 60")
    expect(page.locator("#page--saved")).to_have_text("All saved")
    decisions = mortal_site.decisions(campaign, "anna")
    assert len(decisions) == len({entry[:2] for entry in decisions}) == 30 + 10
    assert sum(answer == "figurative" for _, _, answer in decisions) == 10


def test_an_open_page_goes_on_by_itself_when_the_server_is_back(mortal_site, visits):
    campaign = mortal_site.campaign(size=20)
    page = visits.open(mortal_site.link(campaign, "anna"))
    expect(page.locator("#page--count")).to_have_text("0 of 20")
    mortal_site.served.kill()
    for _ in range(10):
        page.keyboard.press("n")
    expect(page.locator("#page--saved")).to_contain_text("10 kept in this browser; the server cannot be reached")
    kept = page.evaluate(KEPT)
    assert len(kept) == 10
    assert all(
        "item" in event and "task" not in event for event in kept
    )  # as it will be sent, and as older pages kept it
    mortal_site.served.start()
    expect(page.locator("#page--saved")).to_have_text("All saved")
    assert len(mortal_site.decisions(campaign, "anna")) == 10


def test_answers_that_were_lost_on_the_way_do_no_harm(site, visits):
    campaign = site.campaign(size=20)
    page = visits.open(site.link(campaign, "anna"))
    expect(page.locator("#page--count")).to_have_text("0 of 20")
    lost = []

    def swallow(route):
        if len(lost) < 2:
            route.fetch()  # the server stores the batch, but its receipt never arrives
            lost.append(route.request.post_data_json)
            route.abort()
        else:
            route.continue_()

    page.route("**/events", swallow)
    page.keyboard.press("y")
    page.keyboard.press("1")
    expect(page.locator("#page--saved")).to_have_text("All saved")
    assert len(lost) == 2
    assert len(site.decisions(campaign, "anna")) == 2


def test_a_batch_that_is_too_large_goes_in_pieces(site, visits):
    campaign = site.campaign(size=40)
    page = visits.open(site.link(campaign, "anna"))
    expect(page.locator("#page--count")).to_have_text("0 of 40")
    sizes = []

    def refuse_large(route):
        size = len(route.request.post_data_json["events"])
        sizes.append(size)
        if size > 4:
            route.fulfill(status=413, json={"error": "too large"})
        else:
            route.continue_()

    page.route("**/events", lambda route: route.abort())
    for _ in range(20):
        page.keyboard.press("n")
    expect(page.locator("#page--saved")).to_contain_text("20 kept in this browser")
    page.route("**/events", refuse_large)
    expect(page.locator("#page--saved")).to_have_text("All saved")
    assert sizes[0] == 20
    assert len(site.decisions(campaign, "anna")) == 20


def shifted(hours):
    """A device whose clock is wrong."""
    return f"const {{ now }} = Date; Date.now = () => now() + {hours} * 3600000;"


def text_of(page):
    return page.locator("#page--item").inner_text()


def count(page, words):
    expect(page.locator("#page--count")).to_have_text(words)


@pytest.mark.parametrize(("first", "second"), [(0, 0), (5, 0), (0, -5), (-5, 5)], ids=str)
def test_what_a_device_judged_offline_stands_behind_what_it_had_seen(site, visits, first, second):
    """The first device judges two items without a network; the second changes its mind on one of them afterwards."""
    campaign = site.campaign(size=6)
    away, here = visits.context(), visits.context()
    away.add_init_script(shifted(first))
    here.add_init_script(shifted(second))
    one = visits.open(site.link(campaign, "anna"), away)
    count(one, "0 of 6")
    texts = [text_of(one)]
    away.set_offline(True)
    one.keyboard.press("y")
    one.keyboard.press("1")
    count(one, "1 of 6")
    texts.append(text_of(one))
    one.keyboard.press("n")
    count(one, "2 of 6")
    expect(one.locator("#page--saved")).to_contain_text("3 kept in this browser")
    two = visits.open(site.link(campaign, "anna"), here)
    count(two, "0 of 6")
    assert text_of(two) == texts[0]
    two.keyboard.press("n")
    expect(two.locator("#page--saved")).to_have_text("All saved")
    away.set_offline(False)
    expect(one.locator("#page--saved")).to_have_text("All saved")
    assert sorted(site.decisions(campaign, "anna")) == sorted((text, "collocation", "no") for text in texts)


def test_a_correction_stands_on_a_device_whose_clock_was_set_back(site, visits):
    campaign = site.campaign(size=6)
    page = visits.open(site.link(campaign, "anna"))
    count(page, "0 of 6")
    text = text_of(page)
    page.keyboard.press("n")
    expect(page.locator("#page--saved")).to_have_text("All saved")
    page.evaluate(shifted(-2))
    page.keyboard.press("Backspace")
    count(page, "0 of 6")
    page.keyboard.press("y")
    page.keyboard.press("2")
    expect(page.locator("#page--saved")).to_have_text("All saved")
    assert site.decisions(campaign, "anna") == [(text, "collocation", "yes"), (text, "kind", "figurative")]


def test_what_an_older_page_kept_comes_before_what_is_decided_now(mortal_site, visits):
    """It has no counter; a change made in the new page before it is sent must stand all the same."""
    campaign = mortal_site.campaign(size=6)
    context = visits.context()
    page = visits.open(mortal_site.link(campaign, "anna"), context)
    count(page, "0 of 6")
    text = text_of(page)
    mortal_site.served.kill()
    page.keyboard.press("n")
    expect(page.locator("#page--saved")).to_contain_text("1 kept in this browser; the server cannot be reached")
    page.evaluate(
        """() => { const [key, text] = Object.entries(localStorage).find(([key]) => key.startsWith("concurrence/"));
        const { counter, ...older } = JSON.parse(text); localStorage.setItem(key, JSON.stringify(older)); }"""
    )
    address = page.url
    page.close()
    mortal_site.served.start()
    context.route("**/events", lambda route: route.abort())
    page = visits.open(address, context)
    count(page, "1 of 6")
    page.keyboard.press("Backspace")
    count(page, "0 of 6")
    assert text_of(page) == text
    page.keyboard.press("y")
    page.keyboard.press("1")
    count(page, "1 of 6")
    context.unroute("**/events")
    expect(page.locator("#page--saved")).to_have_text("All saved")
    assert mortal_site.decisions(campaign, "anna") == [(text, "collocation", "yes"), (text, "kind", "support verb")]


def test_a_refusal_that_was_meant_for_another_session_loses_nothing(site, visits):
    campaign = site.campaign(size=5)
    page = visits.open(site.link(campaign, "anna"))
    expect(page.locator("#page--count")).to_have_text("0 of 5")
    refused = []

    def refuse_once(route):
        if refused:
            route.continue_()
            return
        refused.extend(event["uuid"] for event in route.request.post_data_json["events"])
        receipts = [{"uuid": uuid, "status": "refused", "reason": "This item is not in your part."} for uuid in refused]
        route.fulfill(json={"receipts": receipts})

    page.route("**/events", refuse_once)
    page.keyboard.press("n")
    expect(page.locator("#page--saved")).to_have_text("All saved")
    assert len(refused) == 1
    expect(page.locator("#page--count")).to_have_text("1 of 5")
    assert len(site.decisions(campaign, "anna")) == 1
