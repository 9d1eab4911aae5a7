"""Fifty coders at once: no error, and as many rows as acknowledgements."""

import pytest

from support.load import Tally, prepare, stored_uuids, work
from support.servers import Served

TURNS, BATCH = 10, 3  # without a pause: all fifty are at it until the last has done its turns


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.thorough])])
def database(request, tmp_path):
    if request.param == "sqlite":
        return str(tmp_path / "campaigns.db")
    return request.getfixturevalue("postgres").new_database()


def test_fifty_coders_lose_nothing(database, tmp_path, record_property):
    tokens = prepare(database, tmp_path / "secret", coders=50)
    served, tally = Served(database, tmp_path / "secret").start(), Tally()
    try:
        work(served.url, tokens, tally, turns=TURNS, batch=BATCH)
    finally:
        served.stop()
    record_property("p95_ms", tally.percentile(0.95))
    print(f"{len(tally.times)} batches, p50 {tally.percentile(0.5):.0f} ms, p95 {tally.percentile(0.95):.0f} ms")
    assert tally.errors == []
    assert len(tally.acknowledged) == tally.sent == len(tokens) * TURNS * BATCH
    assert sorted(stored_uuids(database)) == sorted(tally.acknowledged)
