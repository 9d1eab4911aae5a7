"""A copy of the database, whole or of one campaign; and the end of a campaign."""

import os
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, delete, func, insert, select, text, true

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.database.schema import CODER, INVITATION, METADATA, ROUND, ROUND_ITEM, SESSION, STANDING
from concurrence.annotation.database.store import DatabaseError, Store
from concurrence.core.errors import InvalidInputError

LOGS = ("event", "adjudication", "closing")
ACCESS = (INVITATION, SESSION)
CHUNK = 5000


def back_up(store: Store, path: Path, *, campaign: Campaign | None = None) -> Path:
    """Write a consistent copy of the whole database to a new SQLite file, while a server may be running on it.

    The copy of one campaign has nothing of others, nor links, sessions, organisers and the security log.
    """
    if path.exists():
        raise InvalidInputError(f"{path} already exists; choose another file for the backup.")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if store.path is not None and campaign is None:
            os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            store.read_whole(lambda connection: _copy_file(connection, unfinished), answers=False)
        else:
            with Store(unfinished) as copy:
                store.read_whole(lambda connection: _copy_tables(connection, copy, campaign), answers=False)
        unfinished.rename(path)
    except OSError as error:
        raise InvalidInputError(f"Cannot write the backup {path}: {error.strerror}.") from error
    finally:
        for end in ("", "-wal", "-shm"):
            Path(f"{unfinished}{end}").unlink(missing_ok=True)
    return path


def _copy_file(connection: Connection, path: Path) -> None:
    source: Any = connection.connection.driver_connection
    with closing(sqlite3.connect(path)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
        for table in METADATA.sorted_tables:
            count = f"SELECT count(*) FROM {table.name} NOT INDEXED"  # noqa: S608 - names of our own
            _refuse_short(table, connection.execute(text(count)).scalar(), copy.execute(count).fetchone()[0])


def _copy_tables(connection: Connection, copy: Store, campaign: Campaign | None) -> None:
    for table in METADATA.sorted_tables:
        mine = true() if campaign is None else _of_campaign(table, campaign)
        if table is STANDING or mine is None or (campaign is not None and table in ACCESS):
            continue  # what stands is made anew by the events
        copy.write(partial(_emptied, table=table))  # a new database names itself, and the copy has the name of the old
        rows = connection.execute(select(table).where(mine).order_by(*table.primary_key.columns)).mappings()
        apart = {"organiser_id": None} if campaign is not None and table is CODER else {}
        written = 0
        while some := [{**row, **apart} for row in rows.fetchmany(CHUNK)]:
            copy.write(partial(_add_rows, table=table, rows=some))
            written += len(some)
        count = select(func.count()).select_from(table)
        _refuse_short(table, connection.execute(count.where(mine)).scalar(), written)
        _refuse_short(table, written, copy.read(partial(_row_count, table=table)))


def _row_count(connection: Connection, *, table: Table) -> int | None:
    return connection.execute(select(func.count()).select_from(table)).scalar()


def _refuse_short(table: Table, rows: int | None, written: int | None) -> None:
    if rows != written:
        raise DatabaseError("damaged", f"The backup has {written} of {rows} rows of {table.name}; it was not kept.")


def _emptied(connection: Connection, *, table: Table) -> None:
    connection.execute(delete(table))


def _add_rows(connection: Connection, *, table: Table, rows: list[dict[str, Any]]) -> None:
    connection.execute(insert(table), rows)


def delete_campaign(connection: Connection, campaign: Campaign) -> None:
    """Delete a campaign with everything in it, decisions and rulings too."""
    with_logs = _unguarded(connection)
    for table in reversed(METADATA.sorted_tables):
        if (mine := _of_campaign(table, campaign)) is not None:
            connection.execute(delete(table).where(mine))
    for statement in with_logs:
        connection.execute(text(statement))


def _of_campaign(table: Table, campaign: Campaign) -> Any:
    people = select(CODER.c.id).where(CODER.c.campaign_id == campaign.id)
    if table.name == "campaign":
        return table.c.id == campaign.id
    if "campaign_id" in table.c:
        return table.c.campaign_id == campaign.id
    if table is ROUND_ITEM:
        return table.c.round_id.in_(select(ROUND.c.id).where(ROUND.c.campaign_id == campaign.id))
    return table.c.coder_id.in_(people) if "coder_id" in table.c else None


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
