"""The store: one database, many readers, one writer thread with group commit.

SQLite runs in WAL mode with synchronous=FULL, PostgreSQL with synchronous commit: what was acknowledged
survives a killed process and a power cut. The writer takes all works that wait, runs each in a savepoint of
one transaction, commits once, and only then answers; a work that fails takes no other with it.
"""

import os
import queue
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from concurrence.annotation.database.cache import VersionedCache
from concurrence.annotation.database.migrate import is_current, upgrade_database
from concurrence.annotation.database.standing import has_every_answer
from concurrence.core.errors import ConcurrenceError, InvalidInputError, MissingExtraError

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


Failure = Literal["full", "damaged", "away"]


class DatabaseError(InvalidInputError):
    """The database itself fails: its disk is full, its file is damaged, it cannot be opened."""

    def __init__(self, kind: Failure, sentence: str) -> None:
        self.kind = kind
        super().__init__(sentence)


class Store:
    """An open database; use as a context, so that the writer ends with it."""

    def __init__(self, database: str | Path | None = None) -> None:
        self.url = database_url(database)
        self.cache = VersionedCache()
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
        try:
            with self._reader.connect() as connection:
                return work(connection)
        except ConcurrenceError:
            raise
        except Exception as error:
            raise self._explained(error) from error

    def read_whole(self, work: Callable[[Connection], T], *, answers: bool = True) -> T:
        """Run a work whose result must be complete, such as an export, after a look whether the database is damaged.

        A damaged page need not be an error to who reads it: the rows on it may just not be there. ``answers`` are the
        answers in force, of which the log must have as many; a copy of the log needs none.
        """

        def checked(connection: Connection) -> T:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            if self.path is not None and connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar() != "ok":
                raise DatabaseError("damaged", f"The database {self.path} is damaged; restore it from a backup.")
            if answers and not has_every_answer(connection):
                raise DatabaseError(
                    "damaged",
                    f"The answers in force in {shown_address(self.url)} are not those of its log; "
                    "concur doctor --db lists the differences, and --rebuild makes them again from the log.",
                )
            return work(connection)

        return self.read(checked)

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run a work that writes, and wait until it is durable."""
        return self.submit(work).result()

    def submit(self, work: Callable[[Connection], T]) -> "Future[T]":
        """Hand a work to the writer; its result comes once it is durable."""
        promise: Future[T] = Future()
        self._works.put((work, promise))
        return promise

    def _explained(self, error: Exception) -> Exception:
        """An error as a sentence where it is the database's: a full disk, a damaged file, a server that is away."""
        if isinstance(error, DBAPIError):
            return database_problem(error, self.url) or error
        # What a damaged page holds need not look like an error of the database.
        if (
            self.path is not None
            and isinstance(error, ValueError | TypeError | LookupError)
            and _is_damaged(self._reader)
        ):
            return DatabaseError("damaged", f"The database {self.path} is damaged; restore it from a backup.")
        return error

    def close(self) -> None:
        """Finish what waits, then end."""
        self._works.put(None)
        self._thread.join()
        self._reader.dispose()
        self._writer.dispose()

    def _serve(self) -> None:
        while (first := self._works.get()) is not None:
            group, last = self._waiting(first)
            _commit_group(self._writer, group, self._explained)
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


def _commit_group(
    engine: Engine, group: list[tuple[Work, "Future[Any]"]], explain: Callable[[Exception], Exception]
) -> None:
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
            promise.set_exception(failure if isinstance(failure, ConcurrenceError) else explain(failure))
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
    address = str(database or os.environ.get("CONCURRENCE_DB") or DEFAULT_DATABASE)
    if "://" not in address:
        return URL.create("sqlite", database=address)
    try:
        url = make_url(address)
    except ArgumentError as error:
        raise InvalidInputError("The database must be a file name or postgresql://host/name.") from error
    backend = {"postgres": "postgresql"}.get(url.get_backend_name(), url.get_backend_name())
    if backend not in ("sqlite", "postgresql"):
        raise InvalidInputError(f"Campaigns can be stored in SQLite or PostgreSQL, not in {backend}.")
    return url.set(drivername="postgresql+psycopg") if backend == "postgresql" else url


@contextmanager
def unchanged_database(database: str | Path | None) -> Iterator[Connection]:
    """One snapshot of a database to read from: nothing is upgraded, and no byte of a file changes."""
    url = database_url(database)
    engine = _postgres_engine(url) if url.get_backend_name() == "postgresql" else _unchanged_file(url)
    try:
        with engine.connect() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            if not is_current(connection):
                name = shown_address(url)
                raise InvalidInputError(
                    f"{name} is no database of campaigns of this version; "
                    f"concur campaign list --db {name} upgrades an older one and keeps a copy of it."
                )
            yield connection
    except DBAPIError as error:
        raise _not_opened(error, url) from error
    finally:
        engine.dispose()


def _unchanged_file(url: URL) -> Engine:
    path = Path(str(url.database))
    if not path.is_file():
        raise InvalidInputError(f"There is no database {path}.")
    # Whoever has a database open keeps a -wal file beside it. Without one, SQLite would make it, and leave it there.
    mode = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "mode=ro&immutable=1"
    address = f"{path.absolute().as_uri()}?{mode}"
    engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(address, uri=True, isolation_level=None))
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine


def _engine(url: URL, *, writes: bool) -> Engine:
    if url.get_backend_name() == "postgresql":
        return _postgres_engine(url)
    if url.database and not Path(url.database).absolute().parent.is_dir():
        raise InvalidInputError(f"{url.database}: its folder does not exist; create it first.")
    if url.database:
        _make_file(Path(url.database))
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, pool_size=READERS, max_overflow=READERS)

    @event.listens_for(engine, "connect")
    def _settings(connection: Any, _record: object) -> None:
        # SQLAlchemy's events begin transactions here, not the driver, so that BEGIN IMMEDIATE is possible.
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")
        # SQLite's own lower() knows the letters of ASCII alone.
        connection.create_function("casefold", 1, lambda text: text and str(text).casefold(), deterministic=True)

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


def _make_file(path: Path) -> None:
    """A new database is its owner's alone; the files that SQLite keeps beside it take its mode."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise InvalidInputError(f"Cannot create the database {path}: {error.strerror}.") from error


def _upgraded(engine: Engine, url: URL) -> Path | None:
    try:
        return upgrade_database(engine)
    except DBAPIError as error:
        raise _not_opened(error, url) from error


def _not_opened(error: DBAPIError, url: URL) -> InvalidInputError:
    problem = database_problem(error, url)
    if problem is None or getattr(error.orig, "sqlite_errorname", "") == "SQLITE_NOTADB":
        return InvalidInputError(f"{url.database} is not a campaign database: {_first_line(error)}")
    return problem


FULL = ("SQLITE_FULL", "53100")
DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002")
LITTLE = 1_000_000  # bytes; where no more are free, a failing file means a full disk


def database_problem(error: DBAPIError, url: URL) -> DatabaseError | None:
    """What is wrong with the database; nothing where it is the statement that is wrong."""
    name = shown_address(url)
    codes = _codes(error)
    if _any(codes, FULL) or (_any(codes, ("SQLITE_IOERR", "SQLITE_CANTOPEN")) and _has_full_disk(url)):
        return DatabaseError("full", f"The disk that holds the database {name} is full; free some space and try again.")
    if _any(codes, DAMAGED):
        return DatabaseError("damaged", f"The database {name} is damaged; restore it from a backup.")
    if _any(codes, ("SQLITE_READONLY",)):
        return DatabaseError(
            "away", f"The database {name} cannot be written; check the permissions of the file and its folder."
        )
    if isinstance(error, OperationalError):
        return DatabaseError("away", f"Cannot open the database {name}: {_first_line(error)}")
    return None


def shown_address(url: URL) -> str:
    """A database's file name, or its address without the password."""
    return url.render_as_string(hide_password=True) if url.host else str(url.database)


def _codes(error: BaseException | None) -> list[str]:
    """The codes of an error and of those it came after: a full disk ends the transaction, which is missed later."""
    codes = []
    while error is not None:
        codes += [str(getattr(error, name, None) or "") for name in ("sqlite_errorname", "sqlstate")]
        error = error.__context__
    return codes


def _any(codes: Sequence[str], beginnings: tuple[str, ...]) -> bool:
    return any(code.startswith(beginnings) for code in codes)


def _has_full_disk(url: URL) -> bool:
    return bool(url.database) and shutil.disk_usage(Path(str(url.database)).absolute().parent).free < LITTLE


def _is_damaged(engine: Engine) -> bool:
    try:
        with engine.connect() as connection:
            return bool(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() != "ok")
    except DBAPIError:
        return True


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).strip().splitlines()[0]
