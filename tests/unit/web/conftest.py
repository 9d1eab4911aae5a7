"""The server in this process on a small campaign."""

import pytest

from concurrence.annotation.database.store import Store
from support.campaign_cases import make_campaign
from support.databases import ready_database
from support.web_door import Door


@pytest.fixture
def store(tmp_path):
    with Store(ready_database(tmp_path / "campaigns.db")) as opened:
        yield opened


@pytest.fixture
def door(store):
    return Door(store, make_campaign(store, size=6, expert="ulla"))
