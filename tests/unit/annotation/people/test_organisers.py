"""Organisers: their links and sessions, what is on their desks, and campaigns made as a whole or not at all."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, insert, select, text
from sqlalchemy.exc import DBAPIError

from concurrence.annotation.campaigns.backup import back_up, delete_campaign
from concurrence.annotation.campaigns.campaign import add_manual, campaign_names, coders_of, find_campaign, manual_of
from concurrence.annotation.campaigns.manuals import (
    add_picture,
    changes_between,
    find_picture,
    pictures_of,
    versions_of,
)
from concurrence.annotation.database.migrate import upgrade_database
from concurrence.annotation.database.schema import CODER, INVITATION, ORGANISER, SECURITY_LOG, SESSION
from concurrence.annotation.database.store import Store, database_url
from concurrence.annotation.decisions.exports import export_labels
from concurrence.annotation.desk.campaign_from_table import (
    CampaignForm,
    Columns,
    make_campaign,
    plan_campaign,
    suggested_columns,
    try_campaign,
)
from concurrence.annotation.people.access import Organiser, open_session, organiser_of, sessions_of, visitor_of
from concurrence.annotation.people.organisers import (
    campaigns_on_desk,
    invite_organiser,
    leader_in,
    put_named_on_desk,
    revoke_organiser,
)
from concurrence.annotation.questions.form import questions_file
from concurrence.annotation.questions.questionnaire import parse_questions
from concurrence.core.errors import InvalidInputError
from support.campaign_cases import make_campaign as make_case
from support.campaign_cases import pair_rows

SECRET = b"s" * 32
QUESTIONS = questions_file([{"id": "good", "choices": ["yes", "no"]}])
PNG = b"\x89PNG\r\n\x1a\n"


def at_desk(store, name="ada"):
    token = store.write(lambda c: invite_organiser(c, name, SECRET))
    _, organiser = store.write(lambda c: open_session(c, token, SECRET))
    return organiser


def form(name="new", **fields):
    columns = fields.pop("columns", Columns(text=("text",)))
    return CampaignForm(
        **{"name": name, "columns": columns, "questions": QUESTIONS, "coders": ("anna", "ben"), **fields}
    )


def rows(*texts, **more):
    return [{"id": str(n), "text": text, **more} for n, text in enumerate(texts, start=1)]


def test_a_link_opens_a_desk_until_it_is_revoked(store):
    token = store.write(lambda c: invite_organiser(c, "ada", SECRET))
    session, organiser = store.write(lambda c: open_session(c, token, SECRET))
    assert isinstance(organiser, Organiser)
    assert store.read(lambda c: organiser_of(c, session, SECRET)) == organiser
    assert store.read(lambda c: visitor_of(c, session, SECRET)) is None
    mine = store.read(lambda c: sessions_of(c, [], organiser_ids=[organiser.organiser_id]))
    assert [entry.role for entry in mine] == ["organiser"]
    assert store.write(lambda c: revoke_organiser(c, "ada")) == 1
    assert store.read(lambda c: organiser_of(c, session, SECRET)) is None
    assert store.write(lambda c: open_session(c, token, SECRET)) is None


def test_two_links_of_one_person_open_one_desk_and_names_that_look_alike_are_refused(store):
    first, second = at_desk(store, "José"), at_desk(store, "José")
    assert first.organiser_id == second.organiser_id
    other = at_desk(store, "Anna")
    assert other.organiser_id != first.organiser_id
    with pytest.raises(InvalidInputError, match="must have 1 to 100"):
        at_desk(store, "a/b")


def test_a_campaign_is_made_with_its_rounds_and_led_from_the_desk(store):
    organiser, stranger = at_desk(store), at_desk(store, "eve")
    table = [*rows("one", "two", stage="pilot"), {"id": "3", "text": "three", "stage": "main"}]
    made = plan_campaign(
        form(columns=Columns(key="id", text=("text",), round="stage")), table, organiser="ada", where="t.csv"
    )
    number, created = store.write(lambda c: make_campaign(c, made, organiser.organiser_id))
    assert (created.items, created.rounds, created.tasks) == (3, ("pilot", "main"), {"anna": 3, "ben": 3})
    [led] = store.read(lambda c: campaigns_on_desk(c, organiser.organiser_id))
    assert (led.id, led.name, led.items, led.coders) == (number, "new", 3, 2)
    visitor = store.read(lambda c: leader_in(c, organiser, number))
    assert (visitor.role, visitor.name, visitor.session_id) == ("leader", "ada", organiser.session_id)
    assert store.read(lambda c: leader_in(c, stranger, number)) is None
    assert store.read(lambda c: campaigns_on_desk(c, stranger.organiser_id)) == []


def test_an_organiser_who_also_judges_has_two_names(store):
    organiser = at_desk(store)
    made = plan_campaign(form(coders=("ada", "ben")), rows("one"), organiser="ada", where="t.csv")
    number, _ = store.write(lambda c: make_campaign(c, made, organiser.organiser_id))
    assert store.read(lambda c: leader_in(c, organiser, number)).name == "ada (leader)"


def test_a_campaign_of_the_command_line_is_put_on_a_desk(store):
    campaign = make_case(store)
    organiser = at_desk(store)
    for _ in range(2):
        store.write(lambda c: put_named_on_desk(c, campaign, "ada"))
    people = store.read(lambda c: [(row.name, row.role) for row in coders_of(c, campaign)])
    assert people == [("anna", "coder"), ("ben", "coder"), ("leader", "leader"), ("ada", "leader")]
    assert store.read(lambda c: leader_in(c, organiser, campaign.id)).name == "ada"


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": "verbs"}, "already exists"),
        ({"coders": ("anna", "anna")}, "Two people"),
        ({"coders": ()}, "at least one coder"),
        ({"each_item": 3}, "at most 2 coders"),
        ({"questions": "[[question]]"}, "every question needs id"),
        ({"columns": Columns(text=("word",))}, "word"),
        ({"columns": Columns(key="text", text=("text",))}, r"t.csv, item 2: the name 'one' was given to item 1"),
    ],
)
def test_what_is_wrong_leaves_nothing_behind(store, wrong, sentence):
    make_case(store)
    organiser = at_desk(store)

    def make():
        made = plan_campaign(form(**wrong), rows("one", "one"), organiser="ada", where="t.csv")
        store.write(lambda c: make_campaign(c, made, organiser.organiser_id))

    with pytest.raises(InvalidInputError, match=sentence):
        make()
    assert store.read(campaign_names) == ["verbs"]


def test_a_preview_is_the_first_coders_part_and_is_taken_back(store):
    made = plan_campaign(form(), rows(*(f"text {n}" for n in range(80))), organiser="ada", where="t.csv")
    part = try_campaign(store.write, made)
    assert (part.campaign, len(part.tasks), [question.id for question in part.questions]) == ("new", 50, ["good"])
    assert store.read(campaign_names) == []
    assert store.read(lambda c: c.execute(select(CODER.c.id)).all()) == []


def test_columns_are_suggested_by_their_names():
    assert suggested_columns(["l1", "l2", "examples", "part"]) == Columns(
        text=("l1", "l2"), contexts=("examples",), part="part"
    )
    assert suggested_columns(["id", "sentence", "text"]) == Columns(key="id", text=("text",), contexts=("sentence",))
    assert suggested_columns(["odd"]) == Columns()
    assert suggested_columns(["id", "gold", "best_system", "label"]) == Columns(key="id")


def test_columns_that_were_not_chosen_are_not_shown(store):
    table = [{**row, "examples": "They do."} for row in rows("one")]
    made = plan_campaign(form(columns=Columns(text=("text",))), table, organiser="ada", where="t.csv")
    assert made.plan.display.contexts == ()
    assert try_campaign(store.write, made).tasks[0].text == "one"


CELLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = (
    st.booleans() | st.integers(-(2**31), 2**31) | CELLS | st.lists(CELLS | st.dictionaries(CELLS, CELLS, max_size=3))
)


@given(st.lists(st.dictionaries(CELLS, VALUES, min_size=1), min_size=1))
def test_a_form_becomes_the_file_that_says_the_same(questions):
    assert tomllib.loads(questions_file(questions))["question"] == questions


def test_a_field_that_no_file_can_hold_is_refused():
    with pytest.raises(InvalidInputError, match="a text, a whole number"):
        questions_file([{"id": None}])
    assert parse_questions(QUESTIONS)["good"].answers == ("yes", "no")


def test_a_manual_has_versions_with_what_changed(store):
    campaign = make_case(store, manual="# One\nold\nsame\n")
    store.write(lambda c: add_manual(c, campaign, "# One\nnew\nsame\n", note="clearer"))
    newest, first = store.read(lambda c: versions_of(c, campaign))
    assert (newest.version, newest.note, first.changes) == (2, "clearer", ())
    assert [(change.kind, change.text) for change in newest.changes] == [
        ("kept", "# One"), ("removed", "old"), ("added", "new"), ("kept", "same"),
    ]  # fmt: skip
    assert changes_between("a\n" * 6000, "b") == ()
    assert store.read(lambda c: manual_of(c, campaign)) == (2, "# One\nnew\nsame\n")


def test_pictures_are_told_by_their_bytes(store):
    campaign = make_case(store)
    kept = store.write(lambda c: add_picture(c, campaign, PNG + b"1", title="tree.gif"))
    assert kept.name.endswith(".png")
    assert store.read(lambda c: find_picture(c, kept.name)) == (campaign.id, PNG + b"1")
    assert store.read(lambda c: pictures_of(c, campaign)) == [kept]
    for data in (b"<svg onload=alert(1)>", b"GIF89a", b"", b"<html>"):
        with pytest.raises(InvalidInputError, match="PNG, JPEG or WebP"):
            store.write(lambda c, data=data: add_picture(c, campaign, data, title="x.png"))
    with pytest.raises(InvalidInputError, match="larger than 2 MB"):
        store.write(lambda c: add_picture(c, campaign, PNG + b"0" * 2_000_000, title="x.png"))


def test_the_backup_of_a_campaign_has_nothing_of_others(store, tmp_path):
    organiser = at_desk(store)
    make_case(store, name="other")
    made = plan_campaign(form(), rows("one", "two"), organiser="ada", where="t.csv")
    number, _ = store.write(lambda c: make_campaign(c, made, organiser.organiser_id))
    campaign = store.read(lambda c: find_campaign(c, number))
    store.write(lambda c: add_picture(c, campaign, PNG, title="x"))
    with Store(back_up(store, tmp_path / "one.db", campaign=campaign)) as copy:
        assert copy.read(campaign_names) == ["new"]
        there = copy.read(lambda c: find_campaign(c, "new"))
        assert len(copy.read(lambda c: pictures_of(c, there))) == 1
        assert copy.read(lambda c: export_labels(c, there)).equals(store.read(lambda c: export_labels(c, campaign)))
        for table in (INVITATION, SESSION, ORGANISER, SECURITY_LOG):
            assert copy.read(lambda c, table=table: c.execute(select(table)).all()) == []


def test_a_campaign_is_deleted_from_a_desk_that_stays(store):
    organiser = at_desk(store)
    made = plan_campaign(form(), rows("one"), organiser="ada", where="t.csv")
    number, _ = store.write(lambda c: make_campaign(c, made, organiser.organiser_id))
    campaign = store.read(lambda c: find_campaign(c, number))
    store.write(lambda c: add_picture(c, campaign, PNG, title="x"))
    store.write(lambda c: delete_campaign(c, campaign))
    assert store.read(lambda c: campaigns_on_desk(c, organiser.organiser_id)) == []
    assert len(store.read(lambda c: sessions_of(c, [], organiser_ids=[organiser.organiser_id]))) == 1


def test_an_older_database_keeps_its_links(database):
    engine = create_engine(database_url(database))
    upgrade_database(engine, target="0004")
    with engine.begin() as connection:
        for statement in (
            "INSERT INTO campaign (id, name, questions, display, seed, created) VALUES (1, 'c', '', '{}', 0, 0)",
            "INSERT INTO coder (id, campaign_id, name, role, seed) VALUES (1, 1, 'anna', 'coder', 0)",
            "INSERT INTO invitation (id, coder_id, token_hash, created, once) VALUES (7, 1, 'h', 5, true)",
            "INSERT INTO session (id, coder_id, token_hash, created, expires) VALUES (9, 1, 's', 5, 6)",
        ):
            connection.execute(text(statement))
    engine.dispose()
    with Store(database) as store:
        [link] = store.read(lambda c: c.execute(select(INVITATION)).all())
        assert (link.id, link.coder_id, link.token_hash, link.once, link.organiser_id) == (7, 1, "h", True, None)
        [session] = store.read(lambda c: c.execute(select(SESSION)).all())
        assert (session.id, session.coder_id, session.expires) == (9, 1, 6)
        with pytest.raises(DBAPIError, match=r"(?i)unique"):
            store.write(lambda c: c.execute(insert(INVITATION).values(id=8, coder_id=1, token_hash="h", created=1)))


def test_rows_of_pairs_keep_their_usual_names(store):
    made = plan_campaign(
        form(columns=Columns(text=("l1", "l2"), contexts=("examples",))), pair_rows(2), organiser="ada", where="t.csv"
    )
    assert [item.key for item in made.plan.items] == ["verb1 noun1", "verb2 noun2"]
