"""What holds for every test, and for the examples in docstrings and pages."""

import os

import pytest

from support.outputs import Checker

if "OTHER_PROCESSOR" in os.environ:  # see make numbers
    from support.other_processor import pretend

    pretend()


def pytest_collection_modifyitems(items):
    """Compare the outputs of doctests by value, as those of the guides are."""
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            item.runner._checker = Checker()
