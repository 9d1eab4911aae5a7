"""Cases of a test that only thorough runs try, as many alike take long in a browser or on a cluster."""

import pytest


def always(*wanted, of):
    """The cases of ``of``, all but the wanted ones marked as thorough."""
    unknown = [case for case in wanted if case not in of]
    assert not unknown, unknown
    return [case if case in wanted else pytest.param(case, marks=pytest.mark.thorough) for case in of]
