"""A pytest plugin that notes what every test of published figures compares, for the conformance page."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from pages.figure_names import figure_name
from support import expect

CASES: list[dict[str, Any]] = []


class Comparisons(list[tuple[str, str, bool]]):
    """What one test compared, and what the test calls each number."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self._last: tuple[int, int, int] | None = None

    def append(self, comparison: tuple[str, str, bool]) -> None:
        """Note a comparison; who made it is read from the stack."""
        frame = sys._getframe(1)
        while frame.f_back and frame.f_code.co_filename == expect.__file__:
            frame = frame.f_back
        caller = (id(frame), frame.f_lineno)
        place = self._last[2] + 1 if self._last and self._last[:2] == caller else 0
        self._last = (*caller, place)
        self.names.append(figure_name(frame.f_code.co_filename, frame.f_lineno, frame.f_locals, place))
        super().append(comparison)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    """Collect the comparisons of one test."""
    expect.record = comparisons = Comparisons()
    outcome = yield
    if outcome.excinfo is None:
        figures = [(name, *comparison) for name, comparison in zip(comparisons.names, comparisons, strict=True)]
        CASES.append({**_describe(item), "figures": figures})
    expect.record = None


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep the tests that were left out, and why."""
    if report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = reason.removeprefix("Skipped: ")
        file, _, name = report.nodeid.partition("::")
        CASES.append({"file": file, "source": "", "case": name, "figures": [], "skipped": reason})


def pytest_sessionfinish() -> None:
    """Write what was collected."""
    Path(os.environ["CONFORMANCE"]).write_text(json.dumps(CASES), encoding="utf-8")


def _describe(item: pytest.Item) -> dict[str, str]:
    doc = (getattr(getattr(item, "module", None), "__doc__", "") or "").strip()
    return {"file": item.nodeid.partition("::")[0], "source": doc.splitlines()[0] if doc else "", "case": item.name}
