"""What comes out of a campaign: labels, gold standards, verified matches, progress, timing, rulings."""

import json

import polars as pl
import pytest
from sqlalchemy import insert

from concurrence.annotation.campaigns.campaign import (
    SAME_SENTENCE,
    CampaignPlan,
    add_round,
    campaign_names,
    create_campaign,
    find_coder,
)
from concurrence.annotation.campaigns.item_rows import item_rows
from concurrence.annotation.campaigns.items import make_display, make_items
from concurrence.annotation.database.schema import ADJUDICATION
from concurrence.annotation.database.store import Store, now
from concurrence.annotation.decisions.adjudication import adjudicate, opinions, rulings, rulings_in_force
from concurrence.annotation.decisions.coder_part import load_part
from concurrence.annotation.decisions.events import NewEvent, record
from concurrence.annotation.decisions.exports import export_gold, export_labels, export_matches, quote_formulas
from concurrence.annotation.decisions.imports import import_labels, labels_by_coder
from concurrence.annotation.decisions.outcomes import (
    coder_progress,
    judged_items,
    timing,
)
from concurrence.annotation.questions.questionnaire import parse_questions
from concurrence.core.errors import InvalidInputError, UnknownNameError
from support.campaign_cases import QUESTIONS, make_campaign, pair_rows
from support.decision_twins import question_labels, self_consistency_labels


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "campaigns.db") as opened:
        yield opened


def answer(store, campaign, coder, given, *, start=None, step=1000):
    """Let a coder answer: ``{"verb1 noun1": ["yes", "figurative"]}``, or a list in the coder's own order."""
    person = store.read(lambda c: find_coder(c, campaign, coder))
    tasks = store.read(lambda c: load_part(c, campaign, person.id)).tasks
    start = now() - 10_000_000 if start is None else start
    events, count = [], 0
    for place, task in enumerate(tasks):
        answers = given.get(task.text, []) if isinstance(given, dict) else given[place]
        for question, label in zip(campaign.questionnaire.ids, answers, strict=False):
            count += 1
            uuid = f"{abs(hash((coder, campaign.name))) % 10**8:08}-0000-4000-8000-{start % 10**6:06}{count:06}"
            fields = {"client_time": start + count * step, "manual_version": 1}
            events.append(NewEvent(uuid=uuid, task=task.id, question=question, answer=label, **fields))
    receipts = store.write(lambda c: record(c, campaign, person.id, events))
    assert {receipt.status for receipt in receipts} == {"stored"}


@pytest.fixture
def judged(store):
    """Two coders and an expert on four pairs."""
    campaign = make_campaign(store, size=4, expert="ulla")
    answer(store, campaign, "anna", {"verb1 noun1": ["yes", "figurative"], "verb2 noun2": ["yes", "support verb"],
                                     "verb3 noun3": ["no"], "verb4 noun4": ["yes"]})  # fmt: skip
    answer(store, campaign, "ben", {"verb1 noun1": ["yes", "support verb"], "verb2 noun2": ["no"],
                                    "verb3 noun3": ["no"]})  # fmt: skip
    answer(store, campaign, "ulla", {"verb1 noun1": ["yes", "figurative"], "verb2 noun2": ["no"]})
    return campaign


def rule(store, campaign, item, question, label, reason="the manual says so", uuid=None):
    leader = store.read(lambda c: find_coder(c, campaign, "leader"))
    number = next(row.item_id for row in store.read(lambda c: judged_items(c, campaign)) if row.item == item)
    fields = {"uuid": uuid or f"{item[-1]}0000000-0000-4000-8000-000000000000", "item_id": number}
    act = {"question": question, "answer": label, "reason": reason}
    store.write(lambda c: adjudicate(c, campaign, leader.id, **fields, **act))


def test_labels_hold_the_declared_choices_and_the_coders(store, judged):
    rows = store.read(lambda c: judged_items(c, judged))
    labels = question_labels(judged, rows, "collocation")
    assert labels.categories == ("yes", "no")
    assert labels.coders == ("anna", "ben", "ulla")
    assert labels.categories_declared
    assert labels.codes.tolist() == [[0, 0, 0], [0, 1, 1], [1, 1, -1], [0, -1, -1]]


def test_a_follow_up_meets_where_both_said_yes_and_combined_everywhere(store, judged):
    rows = store.read(lambda c: judged_items(c, judged))
    kind = question_labels(judged, rows, "kind").select_coders(["anna", "ben"])
    assert kind.codes.tolist() == [[1, 0], [0, -1]]
    combined = question_labels(judged, rows, "kind", combined=True).select_coders(["anna", "ben"])
    assert combined.categories == ("yes/support verb", "yes/figurative", "no")
    assert combined.codes.tolist() == [[1, 0], [0, 2], [2, 2]]  # item 4 is not done


def test_the_export_is_long_with_the_items_columns(store, judged):
    frame = store.read(lambda c: export_labels(c, judged, question="collocation"))
    assert frame.columns[:4] == ["item", "coder", "question", "label"]
    assert {"l1", "l2", "f"} <= set(frame.columns)
    assert len(frame) == 9
    assert store.read(lambda c: export_labels(c, judged)).height == 9 + 4
    with pytest.raises(UnknownNameError):
        store.read(lambda c: export_labels(c, judged, question="colour"))


def tp(store, campaign, question, label, by):
    gold = store.read(lambda c: export_gold(c, campaign, question=question, answer=label, by=by))
    return dict(zip(gold.table["l1"], gold.table["tp"], strict=True)), gold.undecided


def test_gold_by_majority_by_ruling_and_by_coder(store, judged):
    assert tp(store, judged, "collocation", "yes", "majority") == (
        {"verb1": "1", "verb2": "0", "verb3": "0", "verb4": "1"},
        0,
    )
    assert tp(store, judged, "collocation", "yes", "adjudicated") == ({"verb1": "1", "verb3": "0", "verb4": "1"}, 1)
    rule(store, judged, "verb2 noun2", "collocation", "yes")
    assert tp(store, judged, "collocation", "yes", "adjudicated")[0]["verb2"] == "1"
    assert tp(store, judged, "collocation", "yes", "ben") == ({"verb1": "1", "verb2": "0", "verb3": "0"}, 1)


def test_gold_of_a_follow_up_counts_a_no_as_not_so(store, judged):
    assert tp(store, judged, "kind", "figurative", "majority")[0] == {"verb1": "1", "verb2": "0", "verb3": "0"}


def test_a_tie_has_no_majority(store):
    campaign = make_campaign(store, size=1)
    answer(store, campaign, "anna", {"verb1 noun1": ["no"]})
    answer(store, campaign, "ben", {"verb1 noun1": ["yes", "figurative"]})
    assert tp(store, campaign, "collocation", "yes", "majority") == ({}, 1)


def test_gold_needs_pairs_and_known_names(store, judged):
    for options in ({"question": "collocation", "answer": "maybe", "by": "majority"},
                    {"question": "colour", "answer": "yes", "by": "majority"},
                    {"question": "collocation", "answer": "yes", "by": "nobody"}):  # fmt: skip
        with pytest.raises(UnknownNameError):
            store.read(lambda c, options=options: export_gold(c, judged, **options))
    words = make_campaign(store, name="words", rows=[{"id": "1", "text": "word"}])
    with pytest.raises(InvalidInputError, match="needs pairs"):
        tp(store, words, "collocation", "yes", "majority")


def test_rulings_stay_on_record_and_the_newest_holds(store, judged):
    rule(store, judged, "verb2 noun2", "collocation", "yes")
    rule(store, judged, "verb2 noun2", "collocation", "yes")  # the same UUID
    rule(store, judged, "verb2 noun2", "collocation", "no", uuid="9" * 8 + "-0000-4000-8000-000000000000")
    held = store.read(lambda c: rulings(c, judged))
    assert [ruling.answer for ruling in held] == ["yes", "no"]
    assert rulings_in_force(judged, held)[held[0].item_id, "collocation"].answer == "no"
    frame = store.read(lambda c: export_labels(c, judged, adjudicated=True))
    assert frame.filter(frame["coder"] == "adjudicated")["label"].to_list() == ["no"]


def golds(store, campaign):
    """By item what each gold standard says: the collocation, and each of its kinds."""
    asked = [("collocation", "yes"), ("kind", "support verb"), ("kind", "figurative")]
    return [tp(store, campaign, question, answer, "adjudicated")[0] for question, answer in asked]


def test_gold_standards_never_contradict_each_other(store, judged):
    """Verb 2: Anna says yes and support verb, Ben and Ulla say no."""
    whole, support, figurative = golds(store, judged)
    assert "verb2" not in {*whole, *support, *figurative}
    rule(store, judged, "verb2 noun2", "collocation", "no")
    whole, support, figurative = golds(store, judged)
    assert (whole["verb2"], support["verb2"], figurative["verb2"]) == ("0", "0", "0")
    rule(store, judged, "verb2 noun2", "collocation", "yes", uuid="2" * 36)
    whole, support, figurative = golds(store, judged)
    assert whole["verb2"] == "1"
    assert "verb2" not in {*support, *figurative}  # ruled yes, but nobody ruled on the kind
    rule(store, judged, "verb2 noun2", "kind", "figurative", uuid="3" * 36)
    whole, support, figurative = golds(store, judged)
    assert (whole["verb2"], support["verb2"], figurative["verb2"]) == ("1", "0", "1")
    rule(store, judged, "verb2 noun2", "collocation", "no", uuid="4" * 36)
    whole, support, figurative = golds(store, judged)
    assert (whole["verb2"], support["verb2"], figurative["verb2"]) == ("0", "0", "0")
    frame = store.read(lambda c: export_labels(c, judged, adjudicated=True))
    ruled = frame.filter((frame["coder"] == "adjudicated") & (frame["item"] == "verb2 noun2"))
    assert ruled["question"].to_list() == ["collocation"]


def test_a_ruling_on_a_follow_up_decides_the_question_above_it(store, judged):
    rule(store, judged, "verb2 noun2", "kind", "figurative")
    whole, support, figurative = golds(store, judged)
    assert (whole["verb2"], support["verb2"], figurative["verb2"]) == ("1", "0", "1")


def test_a_follow_up_that_no_coder_was_asked_cannot_be_ruled_on_alone(store, judged):
    with pytest.raises(InvalidInputError, match="'kind' does not apply: no coder answered 'collocation' with 'yes'"):
        rule(store, judged, "verb3 noun3", "kind", "figurative")


@pytest.mark.parametrize(
    "rulings_", [[("collocation", "no"), ("kind", "figurative")], [("kind", "figurative"), ("collocation", "no")]]
)
def test_rulings_of_an_older_version_that_contradict_each_other_export_as_one(store, judged, rulings_):
    """They were stored as they came; the question above decides."""
    leader = store.read(lambda c: find_coder(c, judged, "leader"))
    number = next(row.item_id for row in store.read(lambda c: judged_items(c, judged)) if row.item == "verb2 noun2")
    for place, (question, answer_) in enumerate(rulings_):
        row = {"uuid": str(place), "campaign_id": judged.id, "item_id": number, "question": question}
        row |= {"answer": answer_, "reason": "x", "coder_id": leader.id, "server_time": 0}
        store.write(lambda c, row=row: c.execute(insert(ADJUDICATION).values(row)))
    whole, support, figurative = golds(store, judged)
    assert (whole["verb2"], support["verb2"], figurative["verb2"]) == ("0", "0", "0")


def test_a_ruling_needs_a_reason_and_a_choice(store, judged):
    with pytest.raises(InvalidInputError, match="reason"):
        rule(store, judged, "verb2 noun2", "collocation", "yes", reason="  ")
    with pytest.raises(InvalidInputError, match="not one of the choices"):
        rule(store, judged, "verb2 noun2", "collocation", "maybe")


def test_disagreements_are_found(store, judged):
    differing = [
        (row.item, row.question)
        for row in opinions(judged, store.read(lambda c: judged_items(c, judged)))
        if row.differ
    ]
    assert differing == [("verb1 noun1", "kind"), ("verb2 noun2", "collocation")]


def test_progress_counts_items_that_are_done(store, judged):
    rows = {row.coder: (row.done, row.items) for row in store.read(lambda c: coder_progress(c, judged))}
    assert rows == {"anna": (3, 4), "ben": (3, 4), "ulla": (2, 4)}


def test_timing_leaves_pauses_out(store):
    campaign = make_campaign(store, size=3, questions='[[question]]\nid="a"\nchoices=["x","y"]')
    person = store.read(lambda c: find_coder(c, campaign, "anna"))
    tasks = [task.id for task in store.read(lambda c: load_part(c, campaign, person.id)).tasks]
    start = now() - 10_000_000
    events = [
        NewEvent(uuid=f"{n}0000000-0000-4000-8000-000000000000", task=tasks[n], question="a", answer="x",
                 client_time=start + offset, manual_version=1)
        for n, offset in enumerate([0, 2000, 2_002_000])
    ]  # fmt: skip
    store.write(lambda c: record(c, campaign, person.id, events))
    (row,) = store.read(lambda c: timing(c, campaign))
    assert (row.decisions, row.median_seconds, row.pauses) == (3, 2.0, 1)


def test_hidden_repeats_tell_self_consistency(store):
    campaign = make_campaign(store, size=6, repeats=2, questions='[[question]]\nid="a"\nchoices=["x","y"]')
    answer(store, campaign, "anna", [["x"], ["x"], ["x"], ["x"], ["y"], ["y"], ["y"], ["y"]])
    first = store.read(lambda c: judged_items(c, campaign))
    again = store.read(lambda c: judged_items(c, campaign, repeats=True))
    labels = self_consistency_labels(campaign, first, again, "anna", "a")
    assert labels.codes[:, 0].tolist() == [0, 0]  # both were met in the first half
    assert labels.codes[:, 1].tolist() == [1, 1]
    assert store.read(lambda c: export_labels(c, campaign)).height == 6


def test_a_models_labels_are_one_more_coder(store, judged):
    rows = [{"item": "verb1 noun1", "label": "figurative", "question": "kind"},
            {"l1": "verb1", "l2": "noun1", "label": "yes"}, {"item": "verb2 noun2", "label": "no"}]  # fmt: skip
    done = store.write(lambda c: import_labels(c, judged, rows, coder="model"))
    assert (done.labels, done.known) == (3, 0)
    assert store.write(lambda c: import_labels(c, judged, rows, coder="model")).known == 3
    frame = store.read(lambda c: export_labels(c, judged))
    assert frame.filter(frame["coder"] == "model")["label"].to_list() == ["yes", "figurative", "no"]


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"item": "verb9 noun9", "label": "yes"}, "item 'verb9 noun9' is not in this campaign"),
        ({"item": "verb1 noun1", "label": "maybe"}, "not one of the choices"),
        ({"item": "verb1 noun1", "label": "figurative", "question": "kind"}, "asked only after"),
        ({"item": "verb1 noun1"}, "needs item"),
    ],
)
def test_wrong_labels_are_refused_whole(store, judged, row, sentence):
    rows = [{"item": "verb2 noun2", "label": "no"}, row]
    with pytest.raises(InvalidInputError, match=sentence):
        store.write(lambda c: import_labels(c, judged, rows, coder="model"))
    assert "model" not in store.read(lambda c: export_labels(c, judged))["coder"].to_list()


def test_a_model_cannot_take_a_persons_name(store, judged):
    with pytest.raises(InvalidInputError, match="already the name of a person"):
        store.write(lambda c: import_labels(c, judged, [{"item": "verb1 noun1", "label": "no"}], coder="anna"))
    with pytest.raises(InvalidInputError, match="no coder given"):
        labels_by_coder([{"item": "a", "label": "b"}], None)


def test_a_second_round_may_bring_items_again(store, judged):
    given = store.write(lambda c: add_round(c, judged, judged.item_rows(make_items(pair_rows(5))), name="second"))
    assert given == {"anna": 5, "ben": 5, "ulla": 5}
    answer(store, judged, "anna", {"verb1 noun1": ["no"]}, start=now() - 5_000_000)
    rows = store.read(lambda c: judged_items(c, judged))
    annas = {
        (row.round, row.answers["collocation"]) for row in rows if (row.coder, row.item) == ("anna", "verb1 noun1")
    }
    assert annas == {("main", "yes"), ("second", "no")}
    assert "verb1 noun1 (second)" in question_labels(judged, rows, "collocation").items.tolist()
    only = store.read(lambda c: judged_items(c, judged, round_name="second"))
    assert question_labels(judged, only, "collocation").items.tolist() == ["verb1 noun1"]


def test_close_matches_are_verified(store):
    base = {"word": "run", "similarity": "0.8", "left_text": "a run", "right_text": "the run"}
    rows = [
        base | {"left_id": str(n), "right_id": str(n + 10), "kind": kind}
        for n, kind in enumerate(["close", "exact", "close"])
    ]
    campaign = make_campaign(store, name="check", rows=rows, questions=SAME_SENTENCE)
    for coder in ("anna", "ben"):
        person = store.read(lambda c, coder=coder: find_coder(c, campaign, coder))
        tasks = store.read(lambda c, person=person: load_part(c, campaign, person.id)).tasks
        assert [
            segment["text"] for line in json.loads(tasks[0].shown)["contexts"] for segment in line if segment["mark"]
        ] == ["run", "run"]
    store.write(
        lambda c: import_labels(
            c, campaign, [{"item": "0|10", "label": "yes"}, {"item": "2|12", "label": "no"}], coder="m"
        )
    )
    frame = store.read(lambda c: export_matches(c, campaign, question="same", answer="yes", by="majority"))
    assert frame.select("left_id", "verified").rows() == [("0", "yes"), ("2", "no")]


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        ({"coders": ("anna", "anna")}, "Two people"),
        ({"coders": ("majority",)}, "exports use that word"),
        ({"coders": ("a/b",)}, "must not contain"),
        ({"coders": ()}, "at least one coder"),
        ({"each_item": 3}, "at most 2 coders"),
        ({"repeats": 4}, "too many"),
        ({"name": ""}, "1 to 100 characters"),
    ],
)
def test_a_wrong_plan_leaves_nothing_behind(store, plan, sentence):
    display = make_display(list(pair_rows(1)[0]))
    items = item_rows(make_items(pair_rows(4)), display, parse_questions(QUESTIONS))
    whole = {"name": "x", "items": items, "display": display, "questions": QUESTIONS, "coders": ("a", "b")}
    with pytest.raises(InvalidInputError, match=sentence):
        store.write(lambda c: create_campaign(c, CampaignPlan(**(whole | plan))))
    assert store.read(campaign_names) == []


def test_declared_labels_and_names_of_columns_in_a_file_for_spreadsheets(store):
    campaign = make_campaign(store, questions='[[question]]\nid = "q"\nchoices = ["+", "=1"]\n')
    frame = pl.DataFrame({"label": ["+", "=1", "=2"], "note": ["+", "b", "c"], "=cmd": ["x", "y", "z"]})
    quoted = quote_formulas(frame, campaign)
    assert quoted.columns == ["label", "note", "'=cmd"]
    assert quoted["label"].to_list() == ["+", "=1", "'=2"]
    assert quoted["note"].to_list() == ["'+", "b", "c"]


def test_formula_cells_are_quoted_on_request():
    import polars as pl

    frame = quote_formulas(pl.DataFrame({"a": ["=1", "+x", "-y", "@z", "\tq", "plain", None]}))
    assert frame["a"].to_list() == ["'=1", "'+x", "'-y", "'@z", "'\tq", "plain", None]


def test_numbers_stay_numbers_where_formulas_are_quoted():
    """The points of a scale from -2 to 2 are numbers for ``concur agree`` in every export."""
    import polars as pl

    cells = ["-2", "+2", "-0.5", "2", "-2+3", "-1\n=2", "- 2", "-"]
    frame = quote_formulas(pl.DataFrame({"a": cells}))
    assert frame["a"].to_list() == ["-2", "+2", "-0.5", "2", "'-2+3", "'-1\n=2", "'- 2", "'-"]
