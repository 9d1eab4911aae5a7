"""The store: one database, many readers, one writer thread with group commit.

SQLite runs in WAL mode with synchronous=FULL, PostgreSQL with synchronous commit: what was acknowledged
survives a killed process and a power cut. The writer takes all works that wait, runs each in a savepoint of
one transaction, commits once, and only then answers; a work that fails takes no other with it.
"""

import os
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from concurrence.annotation.memory import Memory
from concurrence.annotation.migrate import upgrade
from concurrence.core.errors import InvalidInputError, MissingExtraError

T = TypeVar("T")
Work = Callable[[Connection], Any]

DEFAULT_DATABASE = "concurrence.db"
GROUP = 200
WRITER_LOCK = 0x77726974
BUSY_SECONDS = 30
READERS = 20


def now() -> int:
    """The time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Store:
    """An open database; use as a context, so that the writer ends with it."""

    def __init__(self, database: str | Path | None = None) -> None:
        self.url = database_url(database)
        self.memory = Memory()
        self._reader = _engine(self.url, writes=False)
        self._writer = _engine(self.url, writes=True)
        try:
            self.backup = _upgraded(self._writer, self.url)
        except Exception:
            self._writer.dispose()
            raise
        self._works: queue.SimpleQueue[tuple[Work, Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="concurrence-writer", daemon=True)
        self._thread.start()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path | None:
        """The database's file, where it is one."""
        return Path(self.url.database) if self.url.get_backend_name() == "sqlite" and self.url.database else None

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run a work that only reads, in a transaction of its own."""
        with self._reader.connect() as connection:
            return work(connection)

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run a work that writes, and wait until it is durable."""
        return self.submit(work).result()

    def submit(self, work: Callable[[Connection], T]) -> "Future[T]":
        """Hand a work to the writer; its result comes once it is durable."""
        promise: Future[T] = Future()
        self._works.put((work, promise))
        return promise

    def close(self) -> None:
        """Finish what waits, then end."""
        self._works.put(None)
        self._thread.join()
        self._reader.dispose()
        self._writer.dispose()

    def _serve(self) -> None:
        while (first := self._works.get()) is not None:
            group, last = self._waiting(first)
            _commit_group(self._writer, group)
            if last:
                return

    def _waiting(self, first: tuple[Work, "Future[Any]"]) -> tuple[list[tuple[Work, "Future[Any]"]], bool]:
        group = [first]
        while len(group) < GROUP:
            try:
                entry = self._works.get_nowait()
            except queue.Empty:
                return group, False
            if entry is None:
                return group, True
            group.append(entry)
        return group, False


def _commit_group(engine: Engine, group: list[tuple[Work, "Future[Any]"]]) -> None:
    outcomes: list[tuple[Any, Exception | None]] = []
    try:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": WRITER_LOCK})
            outcomes.extend(_outcome(connection, work) for work, _ in group)
    except Exception as error:
        outcomes = [(None, error)] * len(group)
    for (_, promise), (result, failure) in zip(group, outcomes, strict=True):
        if failure is not None:
            promise.set_exception(failure)
        else:
            promise.set_result(result)


def _outcome(connection: Connection, work: Work) -> tuple[Any, Exception | None]:
    try:
        with connection.begin_nested():
            return work(connection), None
    except DBAPIError as error:
        if error.connection_invalidated or isinstance(error, OperationalError):
            raise
        return None, error
    except Exception as error:
        return None, error


def database_url(database: str | Path | None) -> URL:
    """A database's address from a file name or a URL; by default a file in the current folder.

    >>> database_url("postgresql://db/campaigns").drivername
    'postgresql+psycopg'
    """
    given = str(database or os.environ.get("CONCURRENCE_DB") or DEFAULT_DATABASE)
    if "://" not in given:
        return URL.create("sqlite", database=given)
    try:
        url = make_url(given)
    except ArgumentError as error:
        raise InvalidInputError("The database must be a file name or postgresql://host/name.") from error
    backend = {"postgres": "postgresql"}.get(url.get_backend_name(), url.get_backend_name())
    if backend not in ("sqlite", "postgresql"):
        raise InvalidInputError(f"Campaigns can be stored in SQLite or PostgreSQL, not in {backend}.")
    return url.set(drivername="postgresql+psycopg") if backend == "postgresql" else url


def _engine(url: URL, *, writes: bool) -> Engine:
    if url.get_backend_name() == "postgresql":
        return _postgres_engine(url)
    if url.database and not Path(url.database).absolute().parent.is_dir():
        raise InvalidInputError(f"{url.database}: its folder does not exist; create it first.")
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, pool_size=READERS, max_overflow=READERS)

    @event.listens_for(engine, "connect")
    def _settings(connection: Any, _record: object) -> None:
        # SQLAlchemy's events begin transactions here, not the driver, so that BEGIN IMMEDIATE is possible.
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgres_engine(url: URL) -> Engine:
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("PostgreSQL", "postgres") from error
    durable = {"options": "-c synchronous_commit=on"}
    return create_engine(url, pool_pre_ping=True, connect_args=durable, pool_size=READERS, max_overflow=READERS)


def _upgraded(engine: Engine, url: URL) -> Path | None:
    try:
        return upgrade(engine)
    except OperationalError as error:
        shown = url.render_as_string(hide_password=True)
        raise InvalidInputError(f"Cannot open the database {shown}: {_first_line(error)}") from error
    except DBAPIError as error:
        raise InvalidInputError(f"{url.database} is not a campaign database: {_first_line(error)}") from error


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).strip().splitlines()[0]
