"""A coder learns, passes and goes on; and comments reach everyone, with and without a connection."""

import pytest
from playwright.sync_api import expect

from support.axe import violations
from support.campaign_cases import QUESTIONS, pair_rows

KNOWN = {"verb1": "yes", "verb2": "no"}
TRAINING = "[training]\npass = 1.0\n" + QUESTIONS
ROWS = [
    row | {"expected": KNOWN.get(row["l1"], ""), "explanation": f"Rule 1 on {row['l1']}." if row["l1"] in KNOWN else ""}
    for row in pair_rows(4)
]


def verb(page):
    return page.locator("#page--item").inner_text().split()[0]


def answer(page, right=True):
    """Judge what is there, as it is known or not."""
    yes = (KNOWN[verb(page)] == "yes") == right
    page.keyboard.press("y" if yes else "n")
    if yes:
        page.keyboard.press("1")
    return page.locator("#page--feedback")


def test_a_coder_learns_passes_and_goes_on(site, judge):
    campaign = site.campaign(rows=ROWS, questions=TRAINING)
    page = judge(campaign)
    expect(page.locator("#page--count")).to_have_text("0 of 2")
    told = answer(page, right=False)
    expect(told).to_contain_text("Not right.")
    expect(told).to_contain_text("Rule 1 on verb")
    expect(told.locator("strong")).to_have_text("Yes" if KNOWN[verb(page)] == "yes" else "No")
    assert violations(page) == []
    page.keyboard.press("y")  # decides nothing while the lesson is read
    page.keyboard.press("Backspace")
    expect(page.locator("#page--notice")).to_have_text("In training, the first answer counts.")
    expect(page.locator("#page--count")).to_have_text("1 of 2")
    page.keyboard.press("Enter")
    expect(page.locator("#page--feedback")).to_be_hidden()
    page.context.set_offline(True)
    expect(answer(page)).to_contain_text("Right.")
    page.keyboard.press("Enter")
    expect(page.locator("#page--item")).to_have_text("Not passed yet")
    expect(page.locator("#page--feedback")).to_contain_text("1 of 2 right; 100% are needed.")
    page.get_by_role("button", name="Start over").click()
    expect(page.locator("#page--count")).to_have_text("0 of 2")
    for _ in range(2):
        expect(answer(page)).to_contain_text("Right.")
        page.keyboard.press("Enter")
    expect(page.locator("#page--item")).to_have_text("Training passed")
    page.get_by_role("button", name="Go on to the items").click()
    expect(page.locator("#page--notice")).to_contain_text("still being sent")
    page.context.set_offline(False)
    expect(page.locator("#page--saved")).to_have_text("All saved")
    page.keyboard.press("Enter")
    expect(page.locator("#page--item")).to_contain_text("noun")
    assert verb(page) in ("verb3", "verb4")
    page.keyboard.press("n")
    expect(page.locator("#page--count")).to_have_text("1 of 2")
    expect(page.locator("#page--feedback")).to_be_hidden()


def test_the_leader_sees_the_scores(site, visits, judge):
    campaign = site.campaign(rows=ROWS, questions=TRAINING)
    page = judge(campaign)
    for right in (True, False):
        answer(page, right=right)
        page.keyboard.press("Enter")
    expect(page.locator("#page--saved")).to_have_text("All saved")
    leader = visits.open(site.link(campaign, "leader"))
    row = leader.locator("section[aria-labelledby=training] tbody tr").first
    expect(row.locator("td")).to_have_text(["2", "2", "1", "50%", "50%", "no"])


@pytest.fixture
def talk(site):
    return site.campaign(size=2, questions="comments = true\n" + QUESTIONS)


def test_a_comment_waits_in_the_browser_until_the_server_has_it(judge, talk):
    anna = judge(talk)
    here = verb(anna)
    anna.context.set_offline(True)
    anna.keyboard.press(";")
    anna.keyboard.type("No decision here: yn")
    anna.keyboard.press("Enter")
    expect(anna.locator("#page--comment-list")).to_contain_text("not sent yet")
    expect(anna.locator("#page--count")).to_have_text("0 of 2")
    anna.context.set_offline(False)
    anna.reload()
    expect(anna.locator("#page--saved")).to_have_text("All saved")
    while verb(anna) != here:
        anna.keyboard.press("ArrowRight")
    expect(anna.locator("#page--comment-list li")).to_have_count(1)
    expect(anna.locator("#page--comment-list")).not_to_contain_text("not sent yet")


def test_a_comment_of_an_earlier_visit_stays_in_sight_when_it_is_sent(judge, talk):
    anna = judge(talk)
    here, address = verb(anna), anna.url
    anna.context.set_offline(True)
    anna.keyboard.press(";")
    anna.keyboard.type("Sent tomorrow")
    anna.keyboard.press("Enter")
    expect(anna.locator("#page--saved")).to_have_text("1 kept in this browser; the server cannot be reached")
    anna.goto("about:blank")  # so that this visit cannot send it
    anna.context.set_offline(False)
    anna.goto(address)
    expect(anna.locator("#page--saved")).to_have_text("All saved")
    while verb(anna) != here:
        anna.keyboard.press("ArrowRight")
    expect(anna.locator("#page--comment-list li")).to_have_count(1)
    expect(anna.locator("#page--comment-list")).not_to_contain_text("not sent yet")


def test_the_leader_answers_on_the_items_page(site, visits, judge, talk):
    from concurrence.annotation.campaigns.campaign import item_ids

    ids = site.store.read(lambda connection: item_ids(connection, talk))
    leader = visits.open(site.link(talk, "leader"))
    expect(leader.locator("h1")).to_have_text("Progress")
    base = leader.url
    leader.goto(f"{base}/items/{ids['verb1 noun1']}")
    leader.get_by_role("textbox", name="Comment").fill("See rule 2.")
    leader.get_by_role("button", name="Send").click()
    expect(leader.locator(".comments li")).to_contain_text("See rule 2.")
    assert violations(leader) == []
    ben = judge(talk, "ben")
    while verb(ben) != "verb1":
        ben.keyboard.press("ArrowRight")
    expect(ben.locator("#page--comment-list")).to_contain_text("leader")
    expect(ben.locator("#page--comment-list")).to_contain_text("See rule 2.")
    assert violations(ben) == []
