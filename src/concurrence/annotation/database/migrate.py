"""Bring a database to the schema of this version, with a backup first where it is a file."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from concurrence.core.errors import InvalidInputError

LOCK = 0x636F6E63  # any fixed number: two programs must not migrate one PostgreSQL database at the same time


def upgrade_database(engine: Engine, *, target: str = "head") -> Path | None:
    """Run the migrations that are missing; gives the backup's path where one was made."""
    script = _script()
    with engine.connect() as connection:
        present = _known_revision(connection, script)
        connection.rollback()
        if present == (script.get_current_head() if target == "head" else target):
            return None
        saved = _backup(connection, present) if present is not None else None
        with _tables_alone(connection), connection.begin():
            if engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            _run(connection, script, target)
    return saved


@contextmanager
def _tables_alone(connection: Connection) -> Iterator[None]:
    """Let a migration put another table in the place of one that others refer to, which SQLite else refuses."""
    driver: Any = connection.connection.driver_connection
    if connection.dialect.name != "sqlite":
        yield
        return
    [(before,)] = driver.execute("PRAGMA foreign_keys").fetchall()
    driver.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        driver.execute(f"PRAGMA foreign_keys={before}")


def is_current(connection: Connection) -> bool:
    """Whether a database has the schema of this version."""
    script = _script()
    return _known_revision(connection, script) == script.get_current_head()


def _known_revision(connection: Connection, script: ScriptDirectory) -> str | None:
    present = MigrationContext.configure(connection).get_current_revision()
    if present is not None and present not in {step.revision for step in script.walk_revisions()}:
        raise InvalidInputError(
            f"The database has schema {present}, which this version does not know; install a newer concurrence."
        )
    return present


def _script() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return ScriptDirectory.from_config(config)


def _run(connection: Connection, script: ScriptDirectory, target: str) -> None:
    def steps(revision: Any, _context: object) -> Any:
        return script._upgrade_revs(target, revision)

    with EnvironmentContext(Config(), script, fn=steps, destination_rev=target) as environment:
        environment.configure(connection=connection)
        environment.run_migrations()


def _backup(connection: Connection, revision: str) -> Path | None:
    database = connection.engine.url.database
    if connection.dialect.name != "sqlite" or not database:
        return None
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    saved = Path(f"{database}.backup-{revision}-{stamp}")
    saved.touch(mode=0o600)
    with closing(sqlite3.connect(saved)) as copy:
        connection.connection.driver_connection.backup(copy)  # type: ignore[union-attr]
    return saved
