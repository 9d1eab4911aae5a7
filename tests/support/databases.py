"""Databases that are ready for use: the migrations, which take longer than most tests, run once."""

import tempfile
from functools import cache
from pathlib import Path

from concurrence.annotation.database.store import Store


@cache
def _migrated():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "campaigns.db"
        with Store(path):
            pass
        return path.read_bytes()


def ready_database(path):
    """A SQLite database with its tables and without a campaign."""
    path.write_bytes(_migrated())
    path.chmod(0o600)
    return path
