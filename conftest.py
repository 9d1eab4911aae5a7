"""What holds for every test, and for the examples in docstrings and pages."""

import pytest

from support.outputs import Checker


def pytest_collection_modifyitems(items):
    """Compare the outputs of doctests by value, as those of the guides are."""
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            item.runner._checker = Checker()
