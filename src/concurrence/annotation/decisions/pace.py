"""How fast a campaign goes: what was done in the last days, when the rest may be done, and who has been silent."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from concurrence.annotation.decisions.current_answers import CurrentAnswers
from concurrence.annotation.decisions.outcomes import Progress

DAY = 86_400_000  # milliseconds
WINDOW = 7  # days
LEAST_DAYS = 2  # of work, before anything is told of the rest
LEAST_DONE = 20  # items in these days
SILENT = 3  # days


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Judgements done and wanted; ``per_day`` in the last ``days``, and the moment at which the rest would be done.

    ``per_day`` and ``end`` are ``None`` where there is too little to tell, and ``end`` where nothing is left.
    """

    done: int
    items: int
    days: float | None
    per_day: float | None
    end: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Silent:
    """A coder with open items who has not decided anything for ``days``; ``None`` where there is no decision at all."""

    coder: str
    days: int | None


def pace_of(rows: Sequence[Progress], current: CurrentAnswers, at: int) -> Pace:
    """The pace of the last days up to a moment. Days on which nobody worked count, since there will be more of them."""
    done, items = sum(row.done for row in rows), sum(row.items for row in rows)
    times = current.times[current.complete()]
    recent = times[times > at - WINDOW * DAY]
    days = 0.0 if not len(times) else min(float(WINDOW), (at - int(times.min())) / DAY)
    if days < LEAST_DAYS or len(recent) < LEAST_DONE:
        return Pace(done=done, items=items, days=None, per_day=None, end=None)
    per_day = len(recent) / days
    end = at + math.ceil((items - done) / per_day * DAY) if done < items else None
    return Pace(done=done, items=items, days=days, per_day=per_day, end=end)


def silent_coders(rows: Sequence[Progress], at: int, *, since: int) -> list[Silent]:
    """Who has open items and has been silent for days, the longest first; who never began comes before them.

    ``since`` is when the campaign was made, before which nobody could begin.
    """
    last: dict[str, int | None] = {}
    for row in rows:
        if row.role == "model" or row.closed or row.done >= row.items:
            continue
        moments = [other.last_decision for other in rows if other.coder == row.coder and other.last_decision]
        last[row.coder] = max(moments, default=None)
    days = {coder: None if moment is None else max(0, at - moment) // DAY for coder, moment in last.items()}
    late = at - since >= SILENT * DAY
    silent = [Silent(coder=coder, days=gap) for coder, gap in days.items() if (late if gap is None else gap >= SILENT)]
    return sorted(silent, key=lambda one: (one.days is not None, -(one.days or 0)))
