"""Large packages that few tests need: imported when a test asks for something in them, not when tests are collected."""

import pytest


class LazyModule:
    """A module by its name, which is imported at first use; a test that uses it is left out where it is missing."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, attribute):
        if attribute.startswith("_"):  # what pytest asks of every object of a module of tests
            raise AttributeError(attribute)
        return getattr(pytest.importorskip(self._name), attribute)
