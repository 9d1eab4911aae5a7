"""The coder's page: keys, undo, notes, the manual, several tabs and devices, and every way to use it."""

import re

import pytest
from playwright.sync_api import expect

from concurrence.annotation.campaigns.campaign import set_closed
from concurrence.annotation.people.access import revoke
from support.campaign_cases import MANUAL, QUESTIONS
from support.layout import fits

LONG_MANUAL = (
    "# Before you start\n\n" + "Read it all. \n\n" * 60 + MANUAL + "\n\n## Kinds\n\n" + "There are two.\n\n" * 60
)


def item(page):
    return page.locator("#page--item").inner_text()


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def saved(page):
    expect(page.locator("#page--saved")).to_have_text("All saved")


def test_one_key_decides_and_the_follow_up_comes_to_the_same_place(site, judge):
    page = judge(site.campaign())
    first, box = item(page), page.locator("#page--item").bounding_box()
    expect(page.locator("#page--question")).to_have_text("Is this a collocation?")
    press(page, "y")
    expect(page.locator("#page--question")).to_have_text("Which kind?")
    assert item(page) == first
    expect(page.locator("#page--count")).to_have_text("0 of 6")
    press(page, "2")
    expect(page.locator("#page--count")).to_have_text("1 of 6")
    assert item(page) != first
    assert page.locator("#page--item").bounding_box() == box
    expect(page.locator("#page--previous")).to_have_text(f"{first} · Yes · figurative")
    press(page, "n", "n", "n", "n", "n")
    expect(page.locator("#page--item")).to_have_text("All done. Thank you!")
    saved(page)


def test_what_was_shown_is_what_is_stored(site, judge):
    campaign = site.campaign()
    page = judge(campaign)
    expected = []
    for keys in ("y1", "n", "y2", "n"):
        text = item(page)
        press(page, *keys)
        expected.append((text, "collocation", "yes" if keys[0] == "y" else "no"))
        if keys[1:]:
            expected.append((text, "kind", {"1": "support verb", "2": "figurative"}[keys[1]]))
    saved(page)
    assert site.decisions(campaign, "anna") == expected


def test_backspace_undoes_again_and_again_and_after_a_reload(site, judge):
    campaign = site.campaign()
    page = judge(campaign)
    first = item(page)
    press(page, "y", "1")
    second = item(page)
    press(page, "n")
    saved(page)
    page.reload()
    expect(page.locator("#page--count")).to_have_text("2 of 6")
    press(page, "Backspace")
    assert item(page) == second
    press(page, "Backspace")
    assert item(page) == first
    expect(page.locator("#page--question")).to_have_text("Which kind?")
    press(page, "Backspace")
    expect(page.locator("#page--question")).to_have_text("Is this a collocation?")
    expect(page.locator("#page--count")).to_have_text("0 of 6")
    press(page, "Backspace")
    expect(page.locator("#page--notice")).to_contain_text("Nothing to undo")
    saved(page)
    assert site.decisions(campaign, "anna") == []


def without_layout(visits):
    """A browser that does not tell the layout."""
    context = visits.context()
    context.add_init_script("delete Navigator.prototype.keyboard")
    return context


# By keyboard: what the browser says of the key on which Y is printed, and of another that must do nothing.
PRINTED_Y = {
    "QWERTZ": ({"code": "KeyZ", "key": "y"}, {"code": "KeyY", "key": "z"}),
    "Dvorak": ({"code": "KeyT", "key": "y"}, {"code": "KeyY", "key": "f"}),
    "AZERTY, with Shift": ({"code": "KeyY", "key": "Y", "shiftKey": True}, {"code": "KeyN", "key": "b"}),
    "an input method": ({"code": "KeyY", "key": "y"}, {"code": "KeyY", "key": "Process"}),
}


@pytest.mark.parametrize("keyboard", PRINTED_Y)
def test_a_letter_is_the_key_on_which_it_is_printed(site, visits, judge, keyboard):
    """Also where the browser does not tell the layout, as without TLS, in Firefox and in Safari."""
    page = judge(site.campaign(), context=without_layout(visits))
    expect(page.locator("#page--choices kbd").first).to_have_text("Y")
    yes, other = PRINTED_Y[keyboard]
    page.locator("body").dispatch_event("keydown", other)
    expect(page.locator("#page--question")).to_have_text("Is this a collocation?")
    page.locator("body").dispatch_event("keydown", yes)
    expect(page.locator("#page--question")).to_have_text("Which kind?")
    expect(page.locator("#page--notice")).to_have_text("Your first key: Y is “Yes”. Take it back with Backspace.")
    page.locator("body").dispatch_event("keydown", {"code": "Numpad2", "key": "2"})
    expect(page.locator("#page--count")).to_have_text("1 of 6")
    expect(page.locator("#page--notice")).to_have_text("")


def test_a_letter_of_another_alphabet_is_shown_before_it_decides(site, visits, judge):
    page = judge(site.campaign(), context=without_layout(visits))
    cyrillic = {"code": "KeyY", "key": "н"}
    page.locator("body").dispatch_event("keydown", cyrillic)
    expect(page.locator("#page--question")).to_have_text("Is this a collocation?")
    expect(page.locator("#page--choices kbd").first).to_have_text("Н")
    expect(page.locator("#page--notice")).to_contain_text("press it again")
    page.locator("body").dispatch_event("keydown", cyrillic)
    expect(page.locator("#page--question")).to_have_text("Which kind?")


def test_a_held_key_decides_once(site, judge):
    page = judge(site.campaign())
    for _ in range(5):
        page.keyboard.down("n")
    page.keyboard.up("n")
    expect(page.locator("#page--count")).to_have_text("1 of 6")
    page.keyboard.press("Control+n")
    expect(page.locator("#page--count")).to_have_text("1 of 6")


def test_keys_are_shown_and_can_be_changed(site, judge):
    campaign = site.campaign()
    page = judge(campaign)
    press(page, "?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    page.get_by_role("button", name="Change the key for: Yes").click()
    press(page, "n")
    expect(page.get_by_role("alert")).to_have_text("This key is already used for: No.")
    press(page, "j")
    expect(page.get_by_role("alert")).to_be_hidden()
    press(page, "Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("#page--choices kbd").first).to_have_text("J")
    press(page, "y")
    expect(page.locator("#page--question")).to_have_text("Is this a collocation?")
    page.reload()
    expect(page.locator("#page--choices kbd").first).to_have_text("J")
    press(page, "j")
    expect(page.locator("#page--question")).to_have_text("Which kind?")


def test_the_row_that_was_clicked_waits_for_a_key(site, judge):
    page = judge(
        site.campaign(
            questions=QUESTIONS.replace('"support verb", "figurative"', '{ id = "a", text = "Yes" }, { id = "b" }')
        )
    )
    press(page, "?")
    rows = page.get_by_role("button", name="Change the key for: Yes")
    rows.nth(1).click()
    expect(rows).to_have_text(["Change", "Press a key …"])
    expect(rows.nth(1)).to_be_focused()
    press(page, "j")
    expect(rows).to_have_text(["Change", "Change"])
    expect(page.locator("#page--key-rows tr:has-text('Yes') kbd")).to_have_text(["Y", "J"])


def test_unsure_is_a_flag_beside_a_decision(site, judge):
    campaign = site.campaign()
    page = judge(campaign)
    press(page, "Shift+N")
    press(page, ",")
    expect(page.get_by_role("button", name="Unsure")).to_have_attribute("aria-pressed", "true")
    press(page, "n")
    expect(page.get_by_role("button", name="Unsure")).to_have_attribute("aria-pressed", "false")
    press(page, "n")
    saved(page)
    part = site.part(campaign, "anna")
    assert [decision["unsure"] for decision in part["decisions"]] == [True, True, False]


def test_a_note_goes_with_its_decision(site, judge):
    campaign = site.campaign()
    page = judge(campaign)
    press(page, "Enter")
    page.keyboard.type("no idea yet")
    press(page, "Enter", "n")
    expect(page.locator("#page--note")).to_have_value("")
    press(page, "y")
    expect(page.locator("#page--note")).to_be_hidden()
    press(page, "1")
    saved(page)
    part = site.part(campaign, "anna")
    assert [decision["note"] for decision in part["decisions"]] == ["no idea yet", None, None]


def test_an_item_can_be_looked_at_again_and_changed(site, judge):
    campaign = site.campaign()
    page = judge(campaign)
    first = item(page)
    press(page, "y", "1", "n", "ArrowLeft", "ArrowLeft")
    assert item(page) == first
    expect(page.locator("#page--review")).to_be_visible()
    expect(page.get_by_role("button", name="Yes")).to_have_attribute("aria-pressed", "true")
    press(page, "y")
    expect(page.locator("#page--question")).to_have_text("Which kind?")
    expect(page.locator("button", has_text="support verb")).to_have_attribute("aria-pressed", "true")
    press(page, "2")
    expect(page.locator("#page--count")).to_have_text("2 of 6")
    expect(page.locator("#page--review")).to_be_hidden()
    saved(page)
    assert (first, "kind", "figurative") in site.decisions(campaign, "anna")
    assert (first, "collocation", "yes") in site.decisions(campaign, "anna")


def test_examples_are_one_key_away_or_always_on(site, judge):
    page = judge(site.campaign())
    examples = page.locator("#page--contexts")
    expect(examples.locator("mark")).to_have_count(2)
    page.get_by_label("always").uncheck()
    expect(examples).to_be_hidden()
    press(page, "Space")
    expect(examples).to_be_visible()
    press(page, "n")
    expect(examples).to_be_hidden()
    page.reload()
    expect(page.locator("#page--count")).to_have_text("1 of 6")
    expect(examples).to_be_hidden()


def test_the_manual_is_open_at_the_rule_of_the_question(site, judge):
    page = judge(site.campaign(manual=LONG_MANUAL))
    rule = page.locator("#what-counts")
    expect(rule).to_be_in_viewport()
    expect(rule).to_have_class("current")
    press(page, ".")
    expect(page.locator("#page--manual")).to_be_hidden()
    press(page, ".")
    expect(rule).to_be_in_viewport()


def test_very_fast_runs_get_a_quiet_note_and_no_block(site, visits, judge):
    context = visits.context()
    context.clock.install(time=0)
    page = judge(site.campaign(size=40), context=context)
    page.clock.pause_at(60_000)  # whatever the machine does beside, no time passes between two keys
    press(page, *"nnnnnnnnnnnnnnnn")
    expect(page.locator("#page--notice")).to_contain_text("very fast")
    expect(page.locator("#page--count")).to_have_text("16 of 40")


def test_two_tabs_share_everything_and_lose_nothing(site, visits):
    campaign = site.campaign(size=30)
    context = visits.context()
    one = visits.open(site.link(campaign, "anna"), context)
    expect(one.locator("#page--count")).to_have_text("0 of 30")
    two = visits.open(site.link(campaign, "anna"), context)
    expect(two.locator("#page--count")).to_have_text("0 of 30")
    for turn in range(5):
        press(one, "n")
        expect(two.locator("#page--count")).to_have_text(f"{2 * turn + 1} of 30")
        press(two, "y", "1")
        expect(one.locator("#page--count")).to_have_text(f"{2 * turn + 2} of 30")
    for page in (one, two):
        expect(page.locator("#page--count")).to_have_text("10 of 30")
        saved(page)
    assert item(one) == item(two)
    press(two, "Backspace", "Backspace")
    expect(one.locator("#page--count")).to_have_text("9 of 30")
    saved(one)
    assert len(site.decisions(campaign, "anna")) == 5 + 2 * 4


def test_two_tabs_that_judge_at_the_same_time_come_to_the_same(site, visits):
    campaign = site.campaign(size=30)
    context = visits.context()
    one, two = (visits.open(site.link(campaign, "anna"), context) for _ in range(2))
    for page in (one, two):
        expect(page.locator("#page--count")).to_have_text("0 of 30")
    for keys in ("ny", "n1", "yn", "2n", "nn", "ny", "n2", "yy", "11"):
        press(one, keys[0])
        press(two, keys[1])
    for page in (one, two):
        saved(page)
    shown = one.locator("#page--count").inner_text()
    expect(two.locator("#page--count")).to_have_text(shown)
    two.reload()
    expect(two.locator("#page--count")).to_have_text(shown)
    decisions = site.decisions(campaign, "anna")
    assert len(decisions) == len({entry[:2] for entry in decisions})


def test_two_devices_meet_on_the_server(site, visits):
    campaign = site.campaign(size=8)
    one, two = (visits.open(site.link(campaign, "anna")) for _ in range(2))
    for page in (one, two):
        expect(page.locator("#page--count")).to_have_text("0 of 8")
    first = item(one)
    press(one, "n", "n", "n")
    saved(one)
    press(two, "y", "1")
    saved(two)
    two.reload()
    expect(two.locator("#page--count")).to_have_text("3 of 8")
    decisions = site.decisions(campaign, "anna")
    assert (first, "collocation", "yes") in decisions
    assert (first, "collocation", "no") not in decisions
    assert len(decisions) == 4


def test_a_closed_part_says_so_and_what_it_refused_is_kept(site, visits, judge):
    campaign = site.campaign()
    page = judge(campaign)
    press(page, "n")
    saved(page)
    site.store.write(lambda connection: set_closed(connection, campaign, closed=True))
    press(page, "n", "n")
    expect(page.locator("#page--saved")).to_have_text("2 kept in this browser; the part is closed")
    expect(page.locator("#page--item")).to_have_text("This part is closed")
    page.reload()
    expect(page.locator("#page--saved")).to_have_text("2 kept in this browser; the part is closed")
    assert len(site.decisions(campaign, "anna")) == 1
    site.store.write(lambda connection: set_closed(connection, campaign, closed=False))
    page.reload()
    saved(page)
    expect(page.locator("#page--count")).to_have_text("3 of 6")
    assert len(site.decisions(campaign, "anna")) == 3


def test_a_part_that_is_reopened_goes_on_by_itself(site, visits, judge):
    campaign = site.campaign()
    context = visits.context()
    context.clock.install()
    page = judge(campaign, context=context)
    site.store.write(lambda connection: set_closed(connection, campaign, closed=True))
    press(page, "n")
    page.clock.run_for(1000)
    expect(page.locator("#page--item")).to_have_text("This part is closed")
    site.store.write(lambda connection: set_closed(connection, campaign, closed=False))
    page.clock.run_for(21_000)
    expect(page.locator("#page--count")).to_have_text("1 of 6")
    page.clock.run_for(1000)
    saved(page)
    expect(page.locator("#page--question")).to_have_text("Is this a collocation?")


def test_a_revoked_link_keeps_what_was_decided_until_a_new_one_comes(site, visits, judge):
    campaign = site.campaign()
    context = visits.context()
    page = judge(campaign, context=context)
    site.store.write(lambda connection: revoke(connection, campaign, "anna"))
    press(page, "n", "n")
    expect(page.locator("#page--saved")).to_contain_text("open your link again")
    again = visits.open(site.link(campaign, "anna"), context)
    expect(again.locator("#page--count")).to_have_text("2 of 6")
    saved(again)
    assert len(site.decisions(campaign, "anna")) == 2


def test_another_coder_in_the_same_browser_gets_nobody_elses_decisions(site, visits, judge):
    campaign = site.campaign()
    context = visits.context()
    anna = judge(campaign, "anna", context=context)
    ben = judge(campaign, "ben", context=context)
    press(anna, "n")
    press(ben, "y", "1")
    saved(ben)
    expect(anna.locator("#page--saved")).to_contain_text("1 kept in this browser")
    assert [entry[2] for entry in site.decisions(campaign, "ben")] == ["yes", "support verb"]
    assert site.decisions(campaign, "anna") == []
    again = judge(campaign, "anna", context=context)
    expect(again.locator("#page--count")).to_have_text("1 of 6")  # what was kept is there, and on its way
    saved(again)
    assert [entry[2] for entry in site.decisions(campaign, "anna")] == ["no"]


def test_a_full_storage_stops_nothing(site, judge):
    campaign = site.campaign()
    page = judge(campaign)
    page.evaluate(
        "() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; }"
    )
    press(page, "n", "y", "2")
    expect(page.locator("#page--count")).to_have_text("2 of 6")
    saved(page)
    assert len(site.decisions(campaign, "anna")) == 3


def test_the_keyboard_alone_reaches_every_choice(site, judge):
    page = judge(site.campaign())
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Yes")).to_be_focused()
    press(page, "Enter")
    expect(page.locator("#page--question")).to_have_text("Which kind?")
    expect(page.locator("button", has_text="support verb")).to_be_focused()
    press(page, "Tab", "Space")
    expect(page.locator("#page--count")).to_have_text("1 of 6")
    expect(page.get_by_role("button", name="Yes")).to_be_focused()


def test_a_screen_reader_hears_item_and_question(site, judge):
    page = judge(site.campaign())
    live = page.locator("[aria-live=polite]")
    expect(live).to_have_text(f"{item(page)}. Is this a collocation?")
    press(page, "y")
    expect(live).to_have_text(f"{item(page)}. Which kind?")


def test_touch_is_enough(site, judge):
    page = judge(site.campaign(), viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Yes").tap()
    page.locator("button", has_text="figurative").tap()
    expect(page.locator("#page--count")).to_have_text("1 of 6")
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("#page--count")).to_have_text("0 of 6")
    for button in page.locator("#page--choices button, .tools button").all():
        assert button.bounding_box()["height"] >= 44


@pytest.mark.parametrize(("width", "height"), [(640, 400), (390, 700), (320, 256)])
def test_nothing_is_cut_off_at_200_percent_and_on_small_screens(site, judge, width, height):
    page = judge(site.campaign(), viewport={"width": width, "height": height})
    assert fits(page)
    for name in ("Yes", "No", "Undo", "Manual"):
        button = page.locator("#page--choices button, .tools button").filter(has_text=name)
        button.scroll_into_view_if_needed()
        expect(button).to_be_in_viewport(ratio=0.9)


def test_right_to_left_text_is_set_right_to_left(site, judge):
    rows = [
        {"l1": "دفع", "l2": "الثمن", "examples": "دفع الثمن كاملا."},
        {"l1": "לשים", "l2": "לב", "examples": "צריך לשים לב."},
    ]
    page = judge(site.campaign(rows=rows))
    direction = "(node) => getComputedStyle(node).direction"
    assert page.locator("#page--item").evaluate(direction) == "rtl"
    assert page.locator("#page--contexts li").first.evaluate(direction) == "rtl"
    assert page.locator("#page--question").evaluate(direction) == "ltr"


def test_dark_mode_is_dark(site, judge):
    page = judge(site.campaign(), color_scheme="dark")
    colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert all(int(part) < 60 for part in re.findall(r"\d+", colour)[:3])


def test_a_link_that_is_not_whole_is_said_so(site, visits):
    page = visits.open(f"{site.served.url}/join")
    expect(page.get_by_role("status")).to_contain_text("no invitation in it")
    page = visits.open(f"{site.served.url}/join#abc")
    expect(page.get_by_role("status")).to_contain_text("copy it again")
    page = visits.open(f"{site.served.url}/join#{'x' * 43}")
    expect(page.get_by_role("status")).to_contain_text("This link is unknown")
    assert "x" * 43 not in page.url


def test_a_local_network_without_tls_is_enough(site, visits):
    campaign = site.campaign()
    page = visits.open(site.link(campaign, "anna").replace("127.0.0.1", "judge.test"))
    expect(page.locator("#page--count")).to_have_text("0 of 6")
    assert page.evaluate("isSecureContext") is False
    press(page, "y", "1", "n", "Backspace")
    expect(page.locator("#page--count")).to_have_text("1 of 6")
    saved(page)
    assert len(site.decisions(campaign, "anna")) == 2


def test_rounds_can_be_chosen(site, judge):
    from concurrence.annotation.campaigns.campaign import add_round
    from concurrence.annotation.campaigns.items import make_items
    from support.campaign_cases import pair_rows

    campaign = site.campaign(round="pilot")
    items = campaign.item_rows(make_items(pair_rows(9)[6:]))
    site.store.write(lambda connection: add_round(connection, campaign, items, name="main"))
    page = judge(campaign)
    expect(page.locator("#page--count")).to_have_text("0 of 3")
    page.get_by_label("Round").select_option("pilot")
    expect(page.locator("#page--count")).to_have_text("0 of 6")
    press(page, "n")
    saved(page)
    assert site.decisions(campaign, "anna") == []
