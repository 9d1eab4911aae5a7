"""A backup becomes a database again, or is tried in one that is gone afterwards; every row is compared."""

import os
import secrets
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal

from sqlalchemy import URL, Connection, Engine, create_engine, func, select
from sqlalchemy.exc import DBAPIError

from concurrence.annotation.campaigns.campaign import campaign_names, find_campaign
from concurrence.annotation.campaigns.selection import (
    FRESH,
    RowSelection,
    copy_rows,
    selected_digests,
    selection_until,
)
from concurrence.annotation.database.digests import (
    TableDigest,
    check_digests,
    database_digests,
    whole_checksum,
)
from concurrence.annotation.database.schema import CAMPAIGN, CODER, EVENT, ORGANISER
from concurrence.annotation.database.standing import check_standing
from concurrence.annotation.database.store import Store, database_problem, shown_address, unchanged_database
from concurrence.core.errors import InvalidInputError
from concurrence.core.values import value

Place = Literal["sqlite", "postgresql"]


@value
class RestoredBackup:
    """What a restored database has; the checksum is that of all its tables, the same on either database."""

    campaigns: tuple[str, ...]
    events: int
    tables: dict[str, TableDigest]
    checksum: str


@value
class Rehearsal:
    """A backup that was restored into a database of this kind, compared, and thrown away."""

    place: Place
    restored: RestoredBackup


def restore(
    file: Path, store: Store, *, until_event: int | None = None, campaign: str | None = None, label: str | None = None
) -> RestoredBackup:
    """Copy a backup into a database that has no campaigns, or one campaign into a database that lacks it.

    All is done in one transaction, and every row is compared before it ends: the whole is there or nothing. With
    ``until_event``, decisions, rulings, comments and closings are those at the time of this event. ``label`` is what
    errors call the file.
    """
    label = label or str(file)
    with tempfile.TemporaryDirectory(prefix="concurrence-restore-", dir=_folder(store.url)) as folder:
        current = _current_copy(file, Path(folder) / "backup.db", label)

        def work(target: Connection) -> RestoredBackup:
            with unchanged_database(current) as source:
                return _restore(source, target, until_event=until_event, campaign=campaign, label=label)

        return store.write(work)


def rehearse(
    file: Path, database: URL, *, until_event: int | None = None, campaign: str | None = None, label: str | None = None
) -> Rehearsal:
    """Restore a backup into a database beside another one, of the same kind where that may be made, and drop it."""
    with _temporary_store(database) as store:
        restored = restore(file, store, until_event=until_event, campaign=campaign, label=label)
        place: Place = "sqlite" if store.path else "postgresql"
        return Rehearsal(place=place, restored=restored)


def rehearse_backup(file: Path, database: URL, digests: dict[str, TableDigest], *, label: str) -> Rehearsal:
    """Restore a backup and compare it with what the database had at the moment of the copy, answers in force too."""
    with _temporary_store(database) as store:
        restored = restore(file, store, label=label)
        check_digests(digests, store.read(database_digests), where=f"the restored backup {label}")
        place: Place = "sqlite" if store.path else "postgresql"
        return Rehearsal(place=place, restored=restored)


def _restore(
    source: Connection, target: Connection, *, until_event: int | None, campaign: str | None, label: str
) -> RestoredBackup:
    where = shown_address(target.engine.url)
    selection = RowSelection() if until_event is None else selection_until(source, until_event, where=label)
    if campaign is None:
        _refuse_occupied(target, where)
    else:
        selection = _of_one_campaign(source, target, selection, campaign, where)
    copied = copy_rows(source, target, selection)
    check_digests(copied, selected_digests(target, selection), where=where)
    if not check_standing(target).passed:
        raise InvalidInputError(
            f"The answers in force in {where} are not those of its log; nothing was restored. "
            f"Run concur doctor --db {where}."
        )
    tables = database_digests(target)
    return RestoredBackup(
        campaigns=tuple(campaign_names(target)) if campaign is None else (campaign,),
        events=copied[EVENT.name].rows,
        tables=copied,
        checksum=whole_checksum(tables if campaign is None else copied),
    )


def _refuse_occupied(target: Connection, where: str) -> None:
    if any(target.execute(select(func.count()).select_from(table)).scalar() for table in (CAMPAIGN, ORGANISER)):
        raise InvalidInputError(
            f"{where} has campaigns or organisers, and a restored backup never takes the place of anything. Name a new "
            "database with --db, or restore one campaign that it lacks with --campaign."
        )


def _of_one_campaign(
    source: Connection, target: Connection, selection: RowSelection, name: str, where: str
) -> RowSelection:
    """One campaign of a backup, without its organiser unless the database has the same."""
    if name in campaign_names(target):
        raise InvalidInputError(
            f"{where} has a campaign {name!r}; restore the backup into a new database, named with --db, to compare."
        )
    one = find_campaign(source, name)
    query = select(ORGANISER.c.id, ORGANISER.c.name)
    there = {tuple(row) for row in target.execute(query)}
    leads = select(CODER.c.organiser_id).where(CODER.c.campaign_id == one.id, CODER.c.organiser_id.is_not(None))
    absent = {number for number, called in source.execute(query) if (number, called) not in there}
    stranger = bool(absent & set(source.execute(leads).scalars()))
    return RowSelection(
        campaign_id=one.id,
        event=selection.event,
        time=selection.time,
        without=FRESH,
        blank={"coder": {"organiser_id": None}} if stranger else {},
    )


def _current_copy(file: Path, copy: Path, label: str) -> Path:
    """A copy of a backup in the schema of this version; the backup itself stays as it is."""
    if not file.is_file():
        raise InvalidInputError(f"There is no backup {label}.")
    mode = "mode=ro" if file.with_name(f"{file.name}-wal").exists() else "mode=ro&immutable=1"
    os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with (
            closing(sqlite3.connect(f"{file.absolute().as_uri()}?{mode}", uri=True)) as source,
            closing(sqlite3.connect(copy)) as whole,
        ):
            source.backup(whole)
            whole.execute("PRAGMA journal_mode=DELETE")
            state = str(whole.execute("PRAGMA integrity_check(1)").fetchone()[0])
            tables = {name for (name,) in whole.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.DatabaseError as error:
        kind = "is damaged" if "malformed" in str(error) else "is no backup of campaigns"
        raise InvalidInputError(f"{label} {kind} ({error}); restore another backup.") from error
    if state != "ok":
        raise InvalidInputError(f"{label} is damaged ({' '.join(state.split())}); restore another backup.")
    if not {"alembic_version", "campaign", "event"} <= tables:
        raise InvalidInputError(f"{label} is no backup of campaigns; give a file that concur campaign backup wrote.")
    with Store(copy):
        pass
    return copy


@contextmanager
def _temporary_store(database: URL) -> Iterator[Store]:
    """An empty database that is gone afterwards: PostgreSQL beside PostgreSQL where we may make one, else a file."""
    if database.get_backend_name() == "postgresql":
        # A database of its own, since the lock of writers is one for all of a database: coders go on saving.
        name = f"concurrence_rehearsal_{secrets.token_hex(4)}"
        engine = create_engine(database, isolation_level="AUTOCOMMIT")
        try:
            if _creates(engine, name):
                try:
                    with Store(database.set(database=name).render_as_string(hide_password=False)) as store:
                        yield store
                finally:
                    with engine.connect() as connection:
                        connection.exec_driver_sql(f"DROP DATABASE {name}")
                return
        finally:
            engine.dispose()
    with (
        tempfile.TemporaryDirectory(prefix="concurrence-rehearsal-", dir=_folder(database)) as folder,
        Store(Path(folder) / "rehearsal.db") as store,
    ):
        yield store


@contextmanager
def no_empty_file(database: URL) -> Iterator[None]:
    """Remove a database file that was not there before, if what is to fill it fails."""
    path = Path(database.database) if database.get_backend_name() == "sqlite" and database.database else None
    there = path is None or path.exists()
    try:
        yield
    except BaseException:
        for end in () if there else ("", "-wal", "-shm"):
            Path(f"{path}{end}").unlink(missing_ok=True)
        raise


def _creates(engine: Engine, name: str) -> bool:
    """Make a database beside the one of an engine, where this user may and no other connection is in the way."""
    try:
        connection = engine.connect()
    except DBAPIError as error:
        raise database_problem(error, engine.url) or error from error
    with connection:
        try:
            connection.exec_driver_sql(f"CREATE DATABASE {name}")
        except DBAPIError:
            return False
    return True


def _folder(database: URL) -> Path | None:
    """Where temporary files go: beside a file, whose disk has room for it; else where the system has them."""
    return (
        Path(database.database).absolute().parent
        if database.get_backend_name() == "sqlite" and database.database
        else None
    )
