"""Cases of a test that only thorough runs try, as many alike take long in a browser or on a cluster."""

import pytest


def always(*cases, of):
    """The members of ``of``, all but these cases marked as thorough."""
    unknown = [case for case in cases if case not in of]
    assert not unknown, unknown
    return [case if case in cases else pytest.param(case, marks=pytest.mark.thorough) for case in of]
