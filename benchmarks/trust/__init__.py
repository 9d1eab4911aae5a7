"""How often the intervals that the program prints hold the truth, and how often its tests accuse without cause.

``python -m benchmarks trust`` runs every setting of every room; ``python -m benchmarks.trust ROOM …`` runs some rooms
and keeps what the others gave. Settings, seeds and replications are fixed in the modules of the rooms before a run. An
interval that the program calls trusted holds in .93 of the replications at least, a test at .05 accuses in .06 at most.
"""

import json
import os
import pkgutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

from benchmarks.rows import RESULTS, Row
from benchmarks.trust.settings import Observed, Setting, observe

INTERVALS, TESTS = 2_000, 10_000
EVERY_SETTING = True
QUICK = {"INTERVALS": 1, "TESTS": 1, "EVERY_SETTING": False}
STORED = RESULTS / "trust" / "observed.json"
LEAST_COVERED, MOST_ACCUSED = 0.93, 0.06
SUPPORT = {"settings", "page", "__main__"}


def rooms() -> list[str]:
    """The modules that hold settings."""
    return sorted(m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if m.name not in SUPPORT)


def settings_of(room: str) -> tuple[Setting, ...]:
    """The settings of a room, in the order of the page; their worlds are small where not all are run."""
    module = import_module(f"benchmarks.trust.{room}")
    if not EVERY_SETTING:
        for name, value in getattr(module, "QUICK", {}).items():
            setattr(module, name, value)
    settings: tuple[Setting, ...] = module.SETTINGS
    return settings


def observe_place(room: str, place: int, replications: int) -> Observed:
    """One setting by its place, for a process of its own."""
    return observe(settings_of(room)[place], replications)


def observe_rooms(names: list[str]) -> list[Observed]:
    """Every setting of these rooms, a process for every core."""
    works = [(room, place, replications_of(settings_of(room)[place])) for room in names for place in places_of(room)]
    if not EVERY_SETTING:  # starting processes would take longer
        return [observe_place(*work) for work in works]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        return list(pool.map(observe_place, *zip(*works, strict=True)))


def places_of(room: str) -> list[int]:
    """Which settings of a room are run: all, or the first and the last."""
    size = len(settings_of(room))
    return list(range(size)) if EVERY_SETTING else sorted({0, size - 1})


def replications_of(setting: Setting) -> int:
    """How often a setting is simulated; fewer times only where it says so itself."""
    usual = INTERVALS if setting.kind == "interval" else TESTS
    return min(usual, setting.replications or usual)


def keep(observed: list[Observed], *, only_these: bool) -> list[Observed]:
    """Store what was observed, beside what is stored of other settings unless all were run."""
    before = [] if only_these or not STORED.exists() else stored()
    names = {(one.room, one.statistic, one.where) for one in observed}
    every = [one for one in before if (one.room, one.statistic, one.where) not in names] + observed
    every.sort(key=lambda one: (one.room, one.kind, one.statistic))
    STORED.parent.mkdir(parents=True, exist_ok=True)
    STORED.write_text(json.dumps([asdict(one) for one in every], indent=1) + "\n", "utf-8")
    return every


def stored() -> list[Observed]:
    """What was observed before."""
    return [Observed(**entry) for entry in json.loads(STORED.read_text("utf-8"))]


def run() -> list[Row]:
    """Every setting of every room as promises."""
    observed = observe_rooms(rooms())
    if EVERY_SETTING:
        keep(observed, only_these=True)
    return rows_of(observed)


def rows_of(observed: list[Observed]) -> list[Row]:
    """Coverage of trusted intervals and sizes of tests as promises; what is not trusted promises nothing."""
    return [_row(one) for one in observed if one.printed]


def _row(one: Observed) -> Row:
    """A test promises its size; an interval its coverage, where it is called trusted at least once in twenty."""
    work = f"{one.room}, {one.statistic}, {one.where}"
    if one.kind == "test":
        limit = MOST_ACCUSED / (1 - 0.95)
        accused = 1 - one.share
        return Row(
            area="trust",
            work=work,
            quantity="wrongly accused",
            ours=accused,
            peer="level",
            against=1 - one.nominal,
            limit=limit,
        )
    promised = one.trusted >= one.printed / 20
    return Row(
        area="trust",
        work=work,
        quantity="covered where trusted" if promised else "covered, not trusted",
        ours=one.trusted_share if promised else one.share,
        peer="nominal",
        against=one.nominal,
        limit=LEAST_COVERED / 0.95 if promised else None,
        limit_is="at least",
    )
