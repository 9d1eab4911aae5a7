"""A pytest plugin that notes what every test of published figures compares, for the conformance page."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import expect

CASES: list[dict[str, Any]] = []


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    """Collect the comparisons of one test."""
    expect.record = []
    outcome = yield
    if outcome.excinfo is None:
        CASES.append({**_named(item), "figures": expect.record})
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


def _named(item: pytest.Item) -> dict[str, str]:
    doc = (getattr(getattr(item, "module", None), "__doc__", "") or "").strip()
    return {"file": item.nodeid.partition("::")[0], "source": doc.splitlines()[0] if doc else "", "case": item.name}
