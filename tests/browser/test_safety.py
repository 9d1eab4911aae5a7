"""Hostile text does nothing on any page, and every page is open to everyone who reads with a machine's help."""

import re

import pytest
from playwright.sync_api import expect

from support.axe import violations
from support.campaign_cases import event
from support.layout import fits

PAYLOADS = (
    '<img src=x onerror="alert(1)">',
    "<script>alert(2)</script>",
    '"><svg onload=alert(3)>',
    "javascript:alert(4)",
    "{{7*7}}${7*7}<%= 7*7 %>",
    "'-alert(5)-'",
    "</title><script>alert(6)</script>",
    '<iframe srcdoc="<script>parent.alert(7)</script>">',
    "<style>@import 'http://evil.example/x.css';</style>",
    '<a href="data:text/html,<script>alert(8)</script>">x</a>',
)
LEADER_PAGES = (
    *("", "/agreement", "/pairs", "/expert", "/items?only=all", "/timing", "/adjudicate", "/desk", "/desk/manual"),
    "/items/{item}",
)


def person(payload, number):
    return re.sub(r"[/|,=]", "", payload) + str(number)


def hostile_plan():
    first, second, third, *_ = PAYLOADS
    rows = [{"l1": text, "l2": "b", "examples": f"{text} b ⏎ {text}", "f": text} for text in PAYLOADS]
    questions = "\n".join(
        f"[[question]]\nid = 'q{number}'\ntext = '''{text}'''\nnote = true\nrule = '''{second}'''\n"
        f"choices = [{{id = '''{text.replace('|', '')}''', text = '''{third}''', key = 'a'}}, {{id = 'b', key = 'b'}}]"
        for number, text in enumerate((first, second))
    )
    return {
        "name": person(first, 0),
        "rows": rows,
        "coders": (person(first, 1), person(second, 2)),
        "expert": person(third, 3),
        "leader": person(third, 4),
        "questions": questions,
        "manual": "\n\n".join((*PAYLOADS, "[x](javascript:alert(9))", "![y](http://evil.example/y.png)", f"# {first}")),
    }


def test_hostile_text_does_nothing_anywhere(site, visits):
    plan = hostile_plan()
    campaign = site.campaign(**plan)
    for who, keys in ((plan["coders"][0], "abab"), (plan["coders"][1], "bbaa")):
        page = visits.open(site.link(campaign, who))
        expect(page.locator("#page--item")).to_contain_text("b")
        page.keyboard.press("Enter")
        page.keyboard.type(PAYLOADS[0])
        page.keyboard.press("Enter")
        for key in keys:
            page.keyboard.press(key)
        page.keyboard.press("?")
        page.keyboard.press("Escape")
        expect(page.locator("#page--saved")).to_have_text("All saved")
        assert page.locator("img, iframe, svg, script:not([src])").count() == 0
        expect(page.locator("#page--item")).to_contain_text(re.compile("|".join(map(re.escape, PAYLOADS))))
    leader = visits.open(site.link(campaign, plan["leader"]))
    expect(leader.locator("h1")).to_have_text("Progress")
    base = leader.url
    for path in LEADER_PAGES:
        leader.goto(base + path.format(item=first_item(site, campaign)))
        assert leader.locator("main img, iframe, script:not([src]), main [onload], main [onerror]").count() == 0
        assert visits.reports() == []
    leader.locator("form.adjudicate").first.get_by_label("Reason").fill(PAYLOADS[0])
    leader.locator("form.adjudicate input[type=radio]").first.check()
    leader.locator("form.adjudicate button").first.click()
    expect(leader.locator("ol bdi").first).to_have_text(PAYLOADS[0])


def first_item(site, campaign):
    from sqlalchemy import select

    from concurrence.annotation.database.schema import ITEM

    wanted = select(ITEM.c.id).where(ITEM.c.campaign_id == campaign.id)
    return site.store.read(lambda connection: connection.execute(wanted).scalar())


@pytest.fixture(scope="module")
def judged(site):
    """A campaign with an expert, two rounds of mind, and decisions to show."""
    campaign = site.campaign(size=12, expert="ulla")
    for who, answers in (("anna", "ynynynnnynny"), ("ben", "yyynynnnynyy"), ("ulla", "ynyyynnnynny")):
        events = []
        part = site.part(campaign, who)
        for item in part["items"]:
            said = answers[int(re.search(r"\d+", item["text"]).group()) - 1]
            events.append(event(item["id"], "collocation", "yes" if said == "y" else "no", unsure=said == "y"))
            if said == "y":
                events.append(event(item["id"], "kind", "figurative"))
        client = site.served.join(site.link(campaign, who))
        assert client.post(f"/api/campaigns/{campaign.id}/events", json={"events": events}).status_code == 200
        client.close()
    return campaign


def test_no_page_shuts_anyone_out(site, visits, judged):
    coder = visits.open(site.link(judged, "anna"))
    expect(coder.locator("#page--item")).to_have_text("All done. Thank you!")
    assert violations(coder) == []
    coder.keyboard.press("ArrowLeft")
    assert violations(coder) == []
    coder.keyboard.press("?")
    assert violations(coder) == []
    leader = visits.open(site.link(judged, "leader"))
    expect(leader.locator("h1")).to_have_text("Progress")
    base = leader.url
    for path in LEADER_PAGES:
        leader.goto(base + path.format(item=first_item(site, judged)))
        assert violations(leader) == [], path
    for path in ("/", "/api", "/join", "/nowhere", f"/c/{judged.id}/sessions"):
        leader.goto(site.served.url + path)
        assert violations(leader) == [], path


def test_the_leaders_pages_fit_a_narrow_window(site, visits, judged):
    leader = visits.open(site.link(judged, "leader"), viewport={"width": 640, "height": 480})
    expect(leader.locator("h1")).to_have_text("Progress")
    base = leader.url
    for path in LEADER_PAGES:
        leader.goto(base + path.format(item=first_item(site, judged)))
        assert fits(leader), path


def test_each_page_leads_to_its_data(site, visits, judged):
    leader = visits.open(site.link(judged, "leader"))
    expect(leader.locator("h1")).to_have_text("Progress")
    base = leader.url
    for path in LEADER_PAGES:
        leader.goto(base + path.format(item=first_item(site, judged)))
        twin = leader.get_by_role("link", name="This page as JSON").get_attribute("href")
        answer = leader.request.get(site.served.url + twin)
        assert answer.ok, twin
        assert answer.json()["campaign"] == judged.name


def test_a_round_is_closed_and_reopened_from_the_page(site, visits):
    campaign = site.campaign()
    leader = visits.open(site.link(campaign, "leader"))
    leader.get_by_role("button", name="Close round main").click()
    leader.get_by_role("button", name="Reopen round main").click()
    expect(leader.get_by_role("button", name="Close round main")).to_be_visible()


def test_no_act_is_offered_before_the_page_can_do_it(site, visits, judged, open_before):
    leader = visits.open(site.link(judged, "leader"))
    expect(leader.locator("h1")).to_have_text("Progress")
    for path, name in (("", "Close round main"), (f"/items/{first_item(site, judged)}", "Record")):
        page, release = open_before("leader.js", leader, leader.url + path)
        expect(page.get_by_role("button", name=name).first).to_be_disabled()
        release()
        expect(page.get_by_role("button", name=name).first).to_be_enabled()


def test_a_page_tells_what_is_new_and_shows_it_in_place(site, visits):
    campaign = site.campaign()
    context = visits.context()
    context.clock.install()
    leader = visits.open(site.link(campaign, "leader"), context)
    expect(leader.locator(".answer")).to_contain_text("0 of 12 judgements")
    leader.evaluate("window.same = true")
    with leader.expect_response("**/changes?since=*") as quiet:
        leader.clock.run_for(10_000)
    assert quiet.value.json()["decisions"] == 0
    coder = visits.open(site.link(campaign, "anna"))
    expect(coder.locator("#page--count")).to_have_text("0 of 6")
    coder.keyboard.press("n")
    coder.keyboard.press("n")
    expect(coder.locator("#page--saved")).to_have_text("All saved")
    leader.bring_to_front()
    leader.clock.run_for(10_000)
    expect(leader.locator("#live")).to_have_text("2 new decisions: show")
    expect(leader.locator(".answer")).to_contain_text("0 of 12 judgements")
    leader.get_by_role("button", name="show").click()
    expect(leader.locator(".answer")).to_contain_text("2 of 12 judgements")
    expect(leader.locator("#live")).to_be_hidden()
    assert leader.evaluate("window.same")  # the page was not loaded anew


def test_recording_a_ruling_keeps_what_is_typed_in_another_form(site, visits, judged):
    leader = visits.open(site.link(judged, "leader"))
    expect(leader.locator("h1")).to_have_text("Progress")
    leader.goto(f"{leader.url}/items/{first_item(site, judged)}")
    first, second = (leader.locator(f"form.adjudicate[data-question={name}]") for name in ("collocation", "kind"))
    second.get_by_label("figurative").check()
    second.get_by_label("Reason").fill("half a thought")
    first.get_by_label("Yes").check()
    first.get_by_label("Reason").fill("the first rule")
    first.get_by_role("button", name="Record").click()
    expect(leader.locator("legend").first).to_have_text("Adjudicated: yes")
    expect(second.get_by_label("Reason")).to_have_value("half a thought")
    expect(second.get_by_label("figurative")).to_be_checked()
    expect(first.get_by_label("Reason")).to_have_value("")
    second.get_by_role("button", name="Record").click()
    expect(leader.get_by_text("half a thought")).to_be_visible()
    first.get_by_label("No").check()
    first.get_by_label("Reason").fill("on second thoughts")
    first.get_by_role("button", name="Record").click()
    expect(leader.locator("legend").nth(1)).to_have_text("Adjudicate")  # withdrawn with its condition
    second.get_by_label("figurative").check()
    second.get_by_label("Reason").fill("still")
    second.get_by_role("button", name="Record").click()
    expect(second.locator("[role=status]")).to_contain_text("Change that ruling first")
