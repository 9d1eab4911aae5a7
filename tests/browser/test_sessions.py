"""Signing out, one's own sessions, and two servers on one host, in a real browser."""

import pytest
from playwright.sync_api import expect

from support.servers import make_certificate
from support.sites import Site

FRONT = "Annotation campaigns are run here."


def test_a_coder_signs_out_and_unsent_decisions_wait(site, visits):
    campaign = site.campaign()
    page = visits.open(site.link(campaign, "anna"))
    expect(page.locator("#page--count")).to_have_text("0 of 6")
    page.route("**/events", lambda route: route.abort())
    page.keyboard.press("n")
    expect(page.locator("#page--saved")).to_contain_text("1 kept in this browser")
    page.get_by_role("link", name="Sign out").click()
    expect(page.locator("h1")).to_have_text("Your sessions")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text(FRONT)).to_be_visible()
    assert page.context.cookies() == []
    page.goto(f"{site.served.url}/c/{campaign.id}")
    expect(page.get_by_text("You are not signed in")).to_be_visible()
    page.unroute("**/events")
    page.goto("about:blank")
    page.goto(site.link(campaign, "anna"))
    expect(page.locator("#page--saved")).to_have_text("All saved")
    assert len(site.decisions(campaign, "anna")) == 1


def test_a_session_elsewhere_is_ended(site, visits):
    campaign = site.campaign()
    here, there = (visits.open(site.link(campaign, "leader")) for _ in range(2))
    for page in (here, there):
        expect(page.locator("h1")).to_have_text("Progress")
    here.get_by_role("link", name="Sign out").click()
    expect(here.get_by_text("this browser", exact=True)).to_have_count(1)
    here.get_by_role("button", name="End the session of Chrome").click()
    expect(here.get_by_role("button", name="End", exact=False)).to_have_count(0)
    there.goto(f"{site.served.url}/c/{campaign.id}/leader")
    expect(there.get_by_text("You are not signed in")).to_be_visible()
    here.get_by_role("link", name="Back to").click()
    expect(here.locator("h1")).to_have_text("Progress")


def test_two_servers_on_one_host_share_a_browser(own_site, visits, tmp_path_factory):
    second = Site(tmp_path_factory.mktemp("second"))
    second.served.start()
    try:
        context = visits.context()
        pages = []
        for place in (own_site, second):
            campaign = place.campaign(name="the same name on both")
            page = visits.open(place.link(campaign, "anna"), context)
            expect(page.locator("#page--count")).to_have_text("0 of 6")
            pages.append(page)
        for page in pages:
            page.reload()
            expect(page.locator("#page--count")).to_have_text("0 of 6")
            page.keyboard.press("n")
            expect(page.locator("#page--count")).to_have_text("1 of 6")
            expect(page.locator("#page--saved")).to_have_text("All saved")
    finally:
        second.served.stop()
        second.store.close()


@pytest.mark.openssl
def test_under_tls_the_browser_keeps_the_strictest_cookie(visits, tmp_path):
    options = make_certificate(tmp_path)
    safe = Site(tmp_path, *options)
    safe.served.start()
    try:
        campaign = safe.campaign()
        page = visits.open(safe.link(campaign, "anna"), ignore_https_errors=True)
        expect(page.locator("#page--count")).to_have_text("0 of 6")
        page.keyboard.press("n")
        expect(page.locator("#page--saved")).to_have_text("All saved")
        (cookie,) = page.context.cookies()
        assert cookie["name"].startswith("__Host-concur_")
        assert cookie["secure"]
        assert cookie["httpOnly"]
        page.get_by_role("link", name="Sign out").click()
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_text(FRONT)).to_be_visible()
        assert page.context.cookies() == []
    finally:
        safe.served.stop()
        safe.store.close()
