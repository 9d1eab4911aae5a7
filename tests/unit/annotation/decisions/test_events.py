"""Recording decisions: once, under the rules, in the order they were made."""

import random

import pytest
from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import DBAPIError

from concurrence.annotation.campaigns.campaign import add_manual, find_coder, set_closed
from concurrence.annotation.database.schema import EVENT
from concurrence.annotation.database.store import now
from concurrence.annotation.decisions import events as events_module
from concurrence.annotation.decisions.coder_part import load_part
from concurrence.annotation.decisions.events import NewEvent, record
from support.campaign_cases import make_campaign


class Desk:
    """One coder at work."""

    def __init__(self, store, campaign, coder):
        self.store, self.campaign = store, campaign
        self.id = store.read(lambda c: find_coder(c, campaign, coder)).id
        self.tasks = [task.id for task in self.part().tasks]
        self.count = 0

    def part(self):
        return self.store.read(lambda c: load_part(c, self.campaign, self.id))

    def event(self, task, question, answer, *, at=None, **more):
        """A decision; ``at`` is where the clock of its page stands, without it the client has no such clock."""
        self.count += 1
        uuid = f"00000000-0000-4000-8000-{self.id:04}{self.count:08}"
        time = now() if at is None else at
        fields = {"uuid": uuid, "client_time": time, "counter": at, "manual_version": 1, **more}
        return NewEvent(task=task, question=question, answer=answer, **fields)

    def send(self, *events):
        return self.store.write(lambda c: record(c, self.campaign, self.id, events))

    def decide(self, task, question, answer, **more):
        return self.send(self.event(task, question, answer, **more))[0]

    def stands(self):
        return {(d.task, d.question): d.answer for d in self.part().decisions}


@pytest.fixture
def campaign(store):
    return make_campaign(store)


@pytest.fixture
def anna(store, campaign):
    return Desk(store, campaign, "anna")


def test_a_decision_is_stored_once(anna):
    event = anna.event(anna.tasks[0], "collocation", "yes", unsure=True, note="hm")
    assert [r.status for r in anna.send(event, event)] == ["stored", "known"]
    assert anna.send(event)[0].status == "known"
    (decision,) = anna.part().decisions
    assert (decision.answer, decision.unsure, decision.note) == ("yes", True, "hm")
    assert anna.store.read(lambda c: c.execute(select(func.count()).select_from(EVENT)).scalar()) == 1


def test_the_same_uuid_of_two_coders_is_two_events(store, campaign, anna):
    ben = Desk(store, campaign, "ben")
    event = anna.event(anna.tasks[0], "collocation", "yes", uuid="00000000-0000-4000-8000-000000000000")
    other = ben.event(ben.tasks[0], "collocation", "no", uuid=event.uuid)
    assert [anna.send(event)[0].status, ben.send(other)[0].status] == ["stored", "stored"]


def test_the_rules_are_kept_with_a_sentence(store, campaign, anna):
    ben = Desk(store, campaign, "ben")
    task = anna.tasks[0]
    refusals = {
        "not in your part": anna.decide(ben.tasks[0], "collocation", "yes"),
        "This question is not in the campaign": anna.decide(task, "colour", "red"),
        "not one of the choices": anna.decide(task, "collocation", "maybe"),
        "asked only after collocation=yes": anna.decide(task, "kind", "figurative"),
        "does not take a note": anna.send(anna.event(task, "kind", None, note="x"))[0],
        "This version of the manual does not exist": anna.decide(task, "collocation", "yes", manual_version=2),
    }
    for words, receipt in refusals.items():
        assert receipt.status == "refused"
        assert words in receipt.reason
    assert anna.stands() == {}


def test_a_bad_event_takes_no_other_with_it(anna):
    task = anna.tasks[0]
    events = [
        anna.event(task, "collocation", "yes"),
        anna.event(0, "kind", "x"),
        anna.event(task, "kind", "figurative"),
    ]
    assert [r.status for r in anna.send(*events)] == ["stored", "refused", "stored"]


def test_a_changed_answer_takes_back_its_follow_up(anna):
    task = anna.tasks[0]
    anna.send(anna.event(task, "collocation", "yes"), anna.event(task, "kind", "figurative"))
    anna.decide(task, "collocation", "no")
    assert anna.stands() == {(task, "collocation"): "no"}
    anna.decide(task, "collocation", "yes")
    assert anna.stands() == {(task, "collocation"): "yes"}
    origins = anna.store.read(lambda c: c.execute(select(EVENT.c.origin).order_by(EVENT.c.id)).scalars().all())
    assert origins == ["coder", "coder", "coder", "rule", "coder"]


def test_undo_takes_back_step_by_step(anna):
    task = anna.tasks[0]
    anna.send(anna.event(task, "collocation", "yes"), anna.event(task, "kind", "figurative"))
    anna.decide(task, "kind", None)
    assert anna.stands() == {(task, "collocation"): "yes"}
    anna.decide(task, "collocation", None)
    assert anna.stands() == {}


def test_a_device_that_was_offline_does_not_undo_what_came_later(anna):
    task, start = anna.tasks[0], now() - 10_000
    anna.decide(task, "collocation", "no", at=start + 5000)
    late = [
        anna.event(task, "collocation", "yes", at=start),
        anna.event(task, "kind", "figurative", at=start + 1000),
    ]
    assert [r.status for r in anna.send(*late)] == ["stored", "stored"]
    assert anna.stands() == {(task, "collocation"): "no"}


def test_a_clock_that_runs_ahead_does_not_win_for_ever(anna):
    task, ahead = anna.tasks[0], now() + 3_600_000
    anna.decide(task, "collocation", "yes", at=ahead)
    anna.decide(task, "collocation", "no", client_time=now() + 1000)
    assert anna.stands() == {(task, "collocation"): "no"}
    assert anna.part().newest > ahead  # the next page begins behind it
    anna.decide(task, "collocation", "yes", at=anna.part().newest + 1)
    assert anna.stands() == {(task, "collocation"): "yes"}


class Clocks:
    """The clocks of servers, which a test sets."""

    def __init__(self, monkeypatch):
        self.time = now()
        monkeypatch.setattr(events_module, "now", lambda: self.time)


@pytest.fixture
def clocks(monkeypatch):
    return Clocks(monkeypatch)


@pytest.mark.parametrize("back", [1, 3000, 3_600_000, 10**12])
@pytest.mark.parametrize("counts", [True, False], ids=["page", "script"])
def test_a_correction_stands_though_the_servers_clock_was_set_back(anna, clocks, back, counts):
    """Two servers with clocks apart are the same case: the second request meets the slower one."""
    task, real = anna.tasks[0], clocks.time

    def decide(question, answer, step):
        at = {"at": max(real, anna.part().newest + 1)} if counts else {"client_time": real + step}
        return anna.decide(task, question, answer, **at)

    assert decide("collocation", "no", 0).status == "stored"
    clocks.time -= back
    assert decide("collocation", "yes", 1).status == "stored"
    assert anna.stands() == {(task, "collocation"): "yes"}
    assert decide("kind", "figurative", 2).status == "stored"
    assert anna.stands() == {(task, "collocation"): "yes", (task, "kind"): "figurative"}
    assert decide("kind", None, 3).status == "stored"
    assert anna.stands() == {(task, "collocation"): "yes"}
    assert decide("collocation", None, 4).status == "stored"
    assert anna.stands() == {}


@pytest.mark.parametrize("client_time", [0, 1, 2**53 - 1])
def test_an_event_without_a_counter_comes_after_all_that_was_acknowledged(anna, client_time):
    task = anna.tasks[0]
    anna.decide(task, "collocation", "no", at=now() + 10**9)
    anna.decide(task, "collocation", "yes", client_time=client_time)
    anna.decide(task, "kind", "figurative", client_time=client_time)
    assert anna.stands() == {(task, "collocation"): "yes", (task, "kind"): "figurative"}
    anna.decide(task, "collocation", "no", client_time=client_time)
    assert anna.stands() == {(task, "collocation"): "no"}


def test_events_without_counters_keep_the_order_of_their_batch(anna, clocks):
    task = anna.tasks[0]
    times = [clocks.time + step for step in (5, 4, 3, 2)]
    answers = ["no", "yes", "no", "yes"]
    sent = [anna.event(task, "collocation", a, client_time=t) for a, t in zip(answers, times, strict=True)]
    follow_up = anna.event(task, "kind", "figurative", client_time=0)
    assert {r.status for r in anna.send(*sent, follow_up)} == {"stored"}
    assert anna.stands() == {(task, "collocation"): "yes", (task, "kind"): "figurative"}


@pytest.mark.parametrize("apart", [-3000, 0, 3000])
def test_what_was_judged_offline_comes_behind_what_its_device_had_seen(anna, clocks, apart):
    """Both devices saw the first answer; neither saw the other's. The clocks of the servers do not matter."""
    task, other, real = anna.tasks[0], anna.tasks[1], clocks.time
    anna.decide(task, "collocation", "no", at=real)
    offline = [
        anna.event(task, "collocation", "yes", at=real + 10),
        anna.event(task, "kind", "figurative", at=real + 11),
        anna.event(other, "collocation", "yes", at=real + 12),
    ]
    clocks.time = real + apart
    anna.decide(other, "collocation", "no", at=real + 50)  # later, elsewhere
    clocks.time = real - 2 * apart
    assert {r.status for r in anna.send(*offline)} == {"stored"}
    expected = {(task, "collocation"): "yes", (task, "kind"): "figurative", (other, "collocation"): "no"}
    assert anna.stands() == expected


def test_a_follow_up_is_kept_where_another_device_took_its_condition_away_unseen(anna):
    task, start = anna.tasks[0], now()
    anna.decide(task, "collocation", "yes", at=start)
    anna.decide(task, "collocation", "no", at=start + 5)  # on another device
    assert anna.decide(task, "kind", "figurative", at=start + 10).status == "stored"
    assert anna.stands() == {(task, "collocation"): "no"}
    assert anna.decide(task, "kind", "figurative").status == "refused"  # a script that has seen everything


@pytest.mark.parametrize("seed", range(8))
def test_the_order_of_arrival_does_not_matter(store, seed):
    """The obvious twin: fold all events by their own time, whatever order they came in."""
    rng = random.Random(seed)
    campaign = make_campaign(store, name=f"c{seed}", size=1)
    anna = Desk(store, campaign, "anna")
    task, start = anna.tasks[0], now() - 100_000
    choices = {"collocation": ["yes", "yes", "no", None], "kind": ["figurative", "support verb", None]}
    sent, history = [], []
    for step in range(12):
        question = rng.choice(["collocation", "kind"])
        answers = {q: e.answer for q, e in campaign.questionnaire.events_in_force(history).items()}
        if question == "kind" and not campaign.questionnaire.applies("kind", answers):
            continue
        event = anna.event(task, question, rng.choice(choices[question]), at=start + step)
        sent.append(event)
        history.append(event)
    # Two devices: each sends its own in order, the batches meet at random.
    cut = {event.uuid: rng.random() < 0.5 for event in sent}
    expected = {(task, q): e.answer for q, e in campaign.questionnaire.events_in_force(history).items()}
    receipts = [*anna.send(*(e for e in sent if cut[e.uuid])), *anna.send(*(e for e in sent if not cut[e.uuid]))]
    if all(receipt.status == "stored" for receipt in receipts):
        assert anna.stands() == expected
    again = anna.send(*sent)
    refused = {receipt.uuid for receipt in receipts if receipt.status == "refused"}
    assert all(receipt.status == "known" for receipt in again if receipt.uuid not in refused)


def test_a_closed_part_is_refused_until_it_is_reopened(store):
    rows = [
        {"l1": "a", "l2": "b", "part": "1"},
        {"l1": "c", "l2": "d", "part": "2"},
        {"l1": "e", "l2": "f", "part": "all"},
    ]
    campaign = make_campaign(store, rows=rows)
    anna, ben = Desk(store, campaign, "anna"), Desk(store, campaign, "ben")
    store.write(lambda c: set_closed(c, campaign, closed=True, part="1"))
    closed = {task.id: task.closed for task in anna.part().tasks}
    assert sorted(closed.values()) == [False, True]
    for task, shut in closed.items():
        assert anna.decide(task, "collocation", "no").status == ("refused" if shut else "stored")
    assert all(ben.decide(task, "collocation", "no").status == "stored" for task in ben.tasks)
    store.write(lambda c: set_closed(c, campaign, closed=True))
    assert "closed" in ben.decide(ben.tasks[0], "collocation", "yes").reason
    store.write(lambda c: set_closed(c, campaign, closed=False))
    assert all(anna.decide(task, "collocation", "yes").status == "stored" for task in anna.tasks)


def test_decisions_name_the_manual_they_were_made_under(store, campaign, anna):
    anna.decide(anna.tasks[0], "collocation", "no")
    assert store.write(lambda c: add_manual(c, campaign, "# Better")) == 2
    anna.decide(anna.tasks[1], "collocation", "no", manual_version=2)
    versions = store.read(lambda c: c.execute(select(EVENT.c.manual_version).order_by(EVENT.c.id)).scalars().all())
    assert versions == [1, 2]


@pytest.mark.parametrize("act", [update(EVENT).values(answer="no"), delete(EVENT)], ids=["update", "delete"])
def test_the_log_cannot_be_changed(anna, act):
    anna.decide(anna.tasks[0], "collocation", "yes")
    with pytest.raises(DBAPIError, match="append-only"):
        anna.store.write(lambda c: c.execute(act))
    assert anna.stands() == {(anna.tasks[0], "collocation"): "yes"}


def test_repeats_come_under_numbers_that_tell_nothing(store):
    campaign = make_campaign(store, name="again", size=10, repeats=3, seed=5)
    anna = Desk(store, campaign, "anna")
    texts = [task.text for task in anna.part().tasks]
    assert len(texts) == 13
    assert len(set(texts)) == 10
    assert anna.tasks == sorted(anna.tasks)
