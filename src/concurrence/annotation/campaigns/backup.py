"""A copy of the database, whole or of one campaign; and the end of a campaign."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, text

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.campaigns.selection import RowSelection, copy_rows, rows_of_campaign, selected_digests
from concurrence.annotation.database.digests import TableDigest, database_digests
from concurrence.annotation.database.schema import INVITATION, METADATA, SESSION
from concurrence.annotation.database.store import DatabaseError, Store
from concurrence.core.errors import InvalidInputError

LOGS = ("event", "adjudication", "closing")
ACCESS = (INVITATION, SESSION)

BackupCheck = Callable[[Path, dict[str, TableDigest]], None]


def back_up(store: Store, path: Path, *, campaign: Campaign | None = None, check: BackupCheck | None = None) -> Path:
    """Write a consistent copy of the whole database to a new SQLite file, while a server may be running on it.

    The copy of one campaign has nothing of others, nor links, sessions, organisers and the security log. ``check`` gets
    the file before it has its name, and the digests of the database at the moment of the copy.
    """
    if path.exists():
        raise InvalidInputError(f"{path} already exists; choose another file for the backup.")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        digests = store.read_whole(
            lambda connection: _copy(connection, unfinished, campaign, digest=check is not None), answers=False
        )
        if check is not None:
            check(unfinished, digests)
        unfinished.rename(path)
    except OSError as error:
        raise InvalidInputError(f"Cannot write the backup {path}: {error.strerror}.") from error
    finally:
        for end in ("", "-wal", "-shm"):
            Path(f"{unfinished}{end}").unlink(missing_ok=True)
    return path


def _copy(connection: Connection, path: Path, campaign: Campaign | None, *, digest: bool) -> dict[str, TableDigest]:
    """Copy what one snapshot holds; gives its digests on request."""
    # What is read first opens SQLite's snapshot, and a copy by the same connection is of that snapshot.
    digests = database_digests(connection) if digest else {}
    if connection.dialect.name == "sqlite" and campaign is None:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        _copy_file(connection, path)
        return digests
    selection = RowSelection()
    if campaign is not None:
        selection = RowSelection(campaign_id=campaign.id, without=ACCESS, blank={"coder": {"organiser_id": None}})
    with Store(path) as copy:
        written = copy.write(lambda target: copy_rows(connection, target, selection))
        stored = copy.read(lambda target: selected_digests(target, selection))
    for name, one in written.items():
        count = connection.execute(selection.count(METADATA.tables[name])).scalar()
        _refuse_short(name, count, one.rows if stored[name] == one else stored[name].rows)
    return digests


def _copy_file(connection: Connection, path: Path) -> None:
    source: Any = connection.connection.driver_connection
    with closing(sqlite3.connect(path)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
        for table in METADATA.sorted_tables:
            count = f"SELECT count(*) FROM {table.name} NOT INDEXED"  # noqa: S608 - names of our own
            _refuse_short(table.name, connection.execute(text(count)).scalar(), copy.execute(count).fetchone()[0])


def _refuse_short(table: str, rows: int | None, written: int | None) -> None:
    if rows != written:
        raise DatabaseError("damaged", f"The backup has {written} of {rows} rows of {table}; it was not kept.")


def delete_campaign(connection: Connection, campaign: Campaign) -> None:
    """Delete a campaign with everything in it, decisions and rulings too."""
    with_logs = _unguarded(connection)
    for table in reversed(METADATA.sorted_tables):
        if (mine := rows_of_campaign(table, campaign.id)) is not None:
            connection.execute(delete(table).where(mine))
    for statement in with_logs:
        connection.execute(text(statement))


def _unguarded(connection: Connection) -> list[str]:
    """Let the logs be deleted from for the rest of the transaction; gives the statements that guard them again."""
    if connection.dialect.name == "postgresql":
        for log in LOGS:
            connection.execute(text(f"ALTER TABLE {log} DISABLE TRIGGER {log}_no_delete"))
        return [f"ALTER TABLE {log} ENABLE TRIGGER {log}_no_delete" for log in LOGS]
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_no_delete'"
    triggers = connection.execute(text(query)).all()
    for trigger in triggers:
        connection.execute(text(f"DROP TRIGGER {trigger.name}"))
    return [trigger.sql for trigger in triggers]
