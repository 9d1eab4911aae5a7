"""Which tests ``make quick`` leaves out: those that took long in a recorded run.

``pytest --record-slow`` writes the list anew; a test that is not on it counts as quick.
"""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

LIST = Path(__file__).with_name("slow_tests.txt")
LIMIT = 0.25  # seconds by the clock, on a quiet machine, for all cases of a test


def slow_tests() -> frozenset[str]:
    """The tests of the list, each as its file and function."""
    return frozenset(LIST.read_text("utf-8").split()) if LIST.exists() else frozenset()


def name_without_case(nodeid: str) -> str:
    """A test without the name of its case.

    >>> name_without_case("tests/unit/a.py::test_b[x::y-1]")
    'tests/unit/a.py::test_b'
    """
    return nodeid.partition("[")[0]


def record(durations: Iterable[tuple[str, float]]) -> None:
    """Write the list from the durations of all phases of all tests."""
    totals: defaultdict[str, float] = defaultdict(float)
    for nodeid, seconds in durations:
        totals[name_without_case(nodeid)] += seconds
    names = sorted(name for name, seconds in totals.items() if seconds > LIMIT and " " not in name)
    LIST.write_text("\n".join([*names, ""]), "utf-8")
