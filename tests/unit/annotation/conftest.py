"""The store on both databases."""

import pytest

from concurrence.annotation.database.store import Store
from support.databases import ready_database


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database(request, tmp_path):
    """Ready where a test asks for the store; else there is nothing in it, which is what migrations begin with."""
    ready = "store" in request.fixturenames
    if request.param == "postgresql":
        return request.getfixturevalue("postgres").new_database(ready=ready)
    path = tmp_path / "campaigns.db"
    return str(ready_database(path) if ready else path)


@pytest.fixture
def store(database):
    with Store(database) as opened:
        yield opened
