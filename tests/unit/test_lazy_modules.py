"""Large packages are not imported when tests are collected, and a test is left out where they are missing."""

import inspect

import pytest

from support.lazy_modules import LazyModule


def test_what_is_asked_of_every_object_imports_nothing():
    nowhere = LazyModule("no_such_package")
    assert inspect.unwrap(nowhere) is nowhere
    assert not hasattr(nowhere, "_mock_name")
    with pytest.raises(pytest.skip.Exception, match="no_such_package"):
        nowhere.anything()


def test_a_module_is_there_when_it_is_used():
    assert LazyModule("math").floor(2.5) == 2
