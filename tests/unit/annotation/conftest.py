"""The store on both databases."""

import pytest

from concurrence.annotation.store import Store


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database(request, tmp_path):
    if request.param == "sqlite":
        return str(tmp_path / "campaigns.db")
    return request.getfixturevalue("postgres").new_database()


@pytest.fixture
def store(database):
    with Store(database) as opened:
        yield opened
