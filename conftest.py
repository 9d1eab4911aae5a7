"""What holds for every test, and for the examples in docstrings and pages."""

import os

import pytest

from support import slow
from support.outputs import Checker

if "OTHER_PROCESSOR" in os.environ:  # see make numbers
    from support.other_processor import pretend

    pretend()


def pytest_addoption(parser):
    parser.addoption("--record-slow", action="store_true", help="Write the list of tests that make quick leaves out.")


def pytest_collection_modifyitems(items):
    """Compare the outputs of doctests by value, as those of the guides are, and mark what takes long."""
    names = slow.slow_tests()
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            item.runner._checker = Checker()
        if slow.name_without_case(item.nodeid) in names:
            item.add_marker(pytest.mark.slow)


def pytest_terminal_summary(terminalreporter, config):
    if config.getoption("--record-slow"):
        reports = [report for kind in ("passed", "") for report in terminalreporter.stats.get(kind, [])]
        slow.record((report.nodeid, report.duration) for report in reports)
