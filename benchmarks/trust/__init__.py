"""How often the intervals that the program prints hold the truth, and how often its tests accuse without cause.

``python -m benchmarks trust`` runs every setting of every room that was not simulated often enough before;
``python -m benchmarks.trust`` runs some rooms, or again. What was observed is stored beside this module, and the
documentation shows it. Settings, seeds and replications are fixed in the modules of the rooms before a run. A
trusted interval of .95 holds in .93 of the replications at least, a test at .05 accuses in .06 at most.
"""

import json
import os
import pkgutil
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

from benchmarks.rows import Row
from benchmarks.trust.settings import Observed, Setting, observe

INTERVALS, TESTS = 2_000, 10_000
EVERY_SETTING = True
QUICK = {"INTERVALS": 1, "TESTS": 1, "EVERY_SETTING": False}
STORED = Path(__file__).parent / "observed.json"
SUPPORT = {"settings", "calibrate", "__main__"}


def least_covered(nominal: float) -> float:
    """What a trusted interval holds at least: .93 where it promises .95."""
    return nominal - 0.02


def most_accused(nominal: float) -> float:
    """How often a test accuses at most: .06 at the level .05."""
    return 1 - nominal + 0.01


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


def works_of(names: list[str], *, again: bool = False) -> list[tuple[str, int, int]]:
    """Room, place and replications of the settings that were not simulated often enough before, or of all ``again``."""
    done = {} if again else {(one.room, one.statistic, one.where): one.replications for one in stored()}
    return [
        (room, place, times)
        for room in names
        for place in places_of(room)
        for setting in [settings_of(room)[place]]
        for times in [replications_of(setting)]
        if done.get((setting.room, setting.statistic, setting.where), 0) < times
    ]


def observe_rooms(names: list[str], *, again: bool = False) -> Iterator[Observed]:
    """Every setting of these rooms that is not stored, or all ``again``, as it is done; a process for every core."""
    works = works_of(names, again=again)
    if not EVERY_SETTING:  # starting processes would take longer
        yield from (observe_place(*work) for work in works)
        return
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for work in as_completed([pool.submit(observe_place, *work) for work in works]):
            yield work.result()


def places_of(room: str) -> list[int]:
    """Which settings of a room are run: all, or the first and the last."""
    size = len(settings_of(room))
    return list(range(size)) if EVERY_SETTING else sorted({0, size - 1})


def replications_of(setting: Setting) -> int:
    """How often a setting is simulated; fewer times only where it says so itself."""
    usual = INTERVALS if setting.kind == "interval" else TESTS
    return min(usual, setting.replications or usual)


def keep(observed: Observed) -> None:
    """Store what was observed of a setting in place of what is stored of it, so that a run may end at any time."""
    every = {(one.room, one.kind, one.statistic, one.where): one for one in [*stored(), observed]}
    lines = ",\n".join(json.dumps(asdict(every[name])) for name in sorted(every))
    beside = STORED.with_suffix(".new")
    beside.write_text(f"[\n{lines}\n]\n", "utf-8")
    beside.replace(STORED)


def stored() -> list[Observed]:
    """What was observed before."""
    return [Observed(**entry) for entry in json.loads(STORED.read_text("utf-8"))] if STORED.exists() else []


def run() -> list[Row]:
    """Every setting of every room as promises."""
    if not EVERY_SETTING:
        return rows_of(list(observe_rooms(rooms(), again=True)))
    for observed in observe_rooms(rooms()):
        keep(observed)
    return rows_of(stored())


def rows_of(observed: list[Observed]) -> list[Row]:
    """Coverage of trusted intervals and sizes of tests as promises; what is not trusted promises nothing."""
    return [_row(one) for one in observed if one.printed]


def _row(one: Observed) -> Row:
    """A test promises its size; an interval its coverage, where it is called trusted at least once in twenty."""
    work = f"{one.room}, {one.statistic}, {one.where}"
    if one.kind == "test":
        return Row(
            area="trust",
            work=work,
            quantity="wrongly accused",
            ours=1 - one.share,
            peer="level",
            against=1 - one.nominal,
            limit=most_accused(one.nominal) / (1 - one.nominal),
        )
    return Row(
        area="trust",
        work=work,
        quantity="covered where trusted" if one.is_trusted else "covered, not trusted",
        ours=one.trusted_share if one.is_trusted else one.share,
        peer="nominal",
        against=one.nominal,
        limit=least_covered(one.nominal) / one.nominal if one.is_trusted else None,
        limit_is="at least",
    )
