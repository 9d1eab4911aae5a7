"""The pace of a campaign: an estimate where there is enough to tell, nothing where there is not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.annotation.decisions.outcomes import Progress
from concurrence.annotation.decisions.pace import DAY, LEAST_DONE, Silent, pace_of, silent_coders

NOW = 1_000 * DAY


class Done:
    """Tasks that are all complete, at these moments."""

    def __init__(self, times):
        self.times = np.array(times, dtype=np.int64)

    def complete(self):
        return np.ones(len(self.times), dtype=bool)


def row(coder="anna", *, items=100, done=0, last=None, role="coder", closed=False, round_name="main"):
    fields = {"unsure": 0, "notes": 0, "closed": closed, "last_decision": last, "round": round_name}
    return Progress(coder=coder, role=role, items=items, done=done, **fields)


def test_the_rest_is_told_from_the_last_days():
    times = [NOW - day * DAY for day in (1, 2, 3, 4) for _ in range(10)]
    pace = pace_of([row(items=100, done=40)], Done(times), NOW)
    assert (pace.done, pace.items, pace.days, pace.per_day) == (40, 100, 4, 10)
    assert pace.end == NOW + 6 * DAY


def test_only_the_last_week_counts():
    old, new = [NOW - 100 * DAY] * 500, [NOW - DAY] * 70
    pace = pace_of([row(items=640, done=570)], Done(old + new), NOW)
    assert (pace.days, pace.per_day, pace.end) == (7, 10, NOW + 7 * DAY)


@pytest.mark.parametrize(
    "times",
    [
        [],
        [NOW - DAY] * 500,  # begun yesterday
        [NOW - 3 * DAY] * (LEAST_DONE - 1),  # too few
        [NOW - 30 * DAY] * 500,  # nothing in the last days
    ],
)
def test_too_little_gives_no_estimate(times):
    pace = pace_of([row(items=1000, done=len(times))], Done(times), NOW)
    assert (pace.days, pace.per_day, pace.end) == (None, None, None)


def test_nothing_is_told_of_the_end_where_all_is_done():
    pace = pace_of([row(items=40, done=40)], Done([NOW - 3 * DAY] * 40), NOW)
    assert (pace.per_day, pace.end) == (pytest.approx(40 / 3), None)


@given(st.lists(st.integers(0, 6 * DAY), min_size=LEAST_DONE, max_size=60), st.integers(1, 500))
def test_the_end_lies_ahead_and_further_with_more_to_do(ages, left):
    times = [NOW - age for age in [*ages, 3 * DAY]]
    ends = [pace_of([row(items=len(times) + more, done=len(times))], Done(times), NOW).end for more in (left, left + 1)]
    assert NOW < ends[0] < ends[1]


def test_who_has_been_silent():
    rows = [
        row("anna", last=NOW - 2 * DAY),
        row("ben", last=NOW - 5 * DAY),
        row("carla"),
        row("dora", done=100, last=NOW - 50 * DAY),  # has finished
        row("emil", closed=True, last=NOW - 50 * DAY),
        row("model", role="model"),
        row("fay", last=NOW - 9 * DAY, round_name="pilot"),
        row("fay", last=NOW - DAY),
        row("gus", last=NOW - 8 * DAY),
    ]
    assert silent_coders(rows, NOW, since=0) == [
        Silent(coder="carla", days=None),
        Silent(coder="gus", days=8),
        Silent(coder="ben", days=5),
    ]
    early = silent_coders(rows, NOW, since=NOW - DAY)  # nobody could have begun before
    assert [one.coder for one in early] == ["gus", "ben"]
