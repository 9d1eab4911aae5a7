"""What the commands of campaigns share: the database, and the optional part they need."""

import shlex
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from concurrence.core.errors import InvalidInputError, MissingExtraError
from concurrence.core.sentences import count_noun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection

    from concurrence.annotation.campaigns.campaign import Campaign
    from concurrence.annotation.campaigns.restore import RestoredBackup
    from concurrence.annotation.database.store import Store
    from concurrence.annotation.people.security_log import Act

F = TypeVar("F", bound="Callable[..., Any]")
T = TypeVar("T")

DEFAULT_URL = "http://127.0.0.1:8765"
PLACES = {"sqlite": "a temporary SQLite file", "postgresql": "a temporary PostgreSQL database"}


def db_option(command: F) -> F:
    """``--db``: where the campaigns are kept."""
    words = "Database: a file or postgresql://user@host/name. Default: $CONCURRENCE_DB, or concurrence.db here."
    option = click.option("--db", "database", metavar="URL", callback=_with_web, is_eager=True, help=words)
    return option(command)


def secret_option(command: F) -> F:
    """``--secret-file``: where the server's secret is kept."""
    words = "File with the server's secret. Default: $CONCURRENCE_SECRET_FILE, next to the database, or in this folder."
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option("--secret-file", type=kind, metavar="FILE", help=words)(command)


def require_web() -> None:
    """Refuse campaigns where a package they need is not installed."""
    for name in ("sqlalchemy", "alembic", "fastapi", "uvicorn", "jinja2", "nh3", "markdown_it", "tomli_w"):
        if find_spec(name) is None:
            raise MissingExtraError("Running annotation campaigns", "web")


def _with_web(ctx: click.Context, _: click.Parameter, value: str | None) -> str | None:
    """Every campaign command has a database, so a missing part is reported here, before anything else."""
    if not ctx.resilient_parsing:
        require_web()
    return value


def open_store(database: str | None, *, new: bool = False) -> "Store":
    """Open the database of the campaigns, upgraded where needed, and made where it may be ``new``."""
    from concurrence.annotation.database.store import Store, database_url
    from concurrence.cli.output import note

    url = database_url(database)
    if not new and url.get_backend_name() == "sqlite" and url.database and not Path(url.database).exists():
        raise InvalidInputError(
            f"There is no database {url.database}; name another with --db, or make it with concur campaign create."
        )
    store = Store(database)
    if store.backup is not None:
        note(f"The database was upgraded; the previous version is kept in {store.backup}.")
    return store


def next_step(database: str | None, campaign: str, *, coder: str | None = None) -> str:
    """The command for the links, with the same database."""
    words = ["concur", "campaign", "links", campaign, *(("--coder", coder) if coder else ())]
    if database and "://" not in database:  # an address may hold a password
        words += ["--db", database]
    return shlex.join(words)


@contextmanager
def open_campaign(database: str | None, name: str) -> "Iterator[tuple[Store, Campaign]]":
    """Open the database, and find one of its campaigns."""
    from concurrence.annotation.campaigns.campaign import find_campaign

    with open_store(database) as store:
        yield store, store.read(lambda connection: find_campaign(connection, name))


def write_logged(
    store: "Store", act: "Act", work: "Callable[[Connection], T]", *, campaign: str | None = None, detail: str = ""
) -> "T":
    """Do something and note it in the security log, in one transaction, as the leader's desk does."""
    from concurrence.annotation.people.security_log import log_act

    def whole(connection: "Connection") -> "T":
        done = work(connection)
        where = f"{detail}, command line" if detail else "command line"
        log_act(connection, act, campaign=campaign, detail=where)
        return done

    return store.write(whole)


def backup_contents(restored: "RestoredBackup") -> str:
    """What a backup has, in words."""
    items, names = count_noun(restored.tables["item"].rows, "item"), ", ".join(restored.campaigns)
    campaigns = f"{count_noun(len(restored.campaigns), 'campaign')}{f' ({names})' if names else ''}"
    return f"{campaigns}, {items}, {count_noun(restored.events, 'event')}; checksum {restored.checksum}"


def close_or_reopen(database: str | None, name: str, *, closed: bool, round_name: str | None, part: str | None) -> None:
    """Close or reopen a campaign, one round or one part of it, and say so."""
    from concurrence.annotation.campaigns.campaign import set_closed

    what = [f"round {round_name}"] * bool(round_name) + [f"part {part}"] * bool(part)
    with open_campaign(database, name) as (store, campaign):
        write_logged(
            store,
            "closed" if closed else "reopened",
            lambda connection: set_closed(connection, campaign, closed=closed, round_name=round_name, part=part),
            campaign=name,
            detail=", ".join(what),
        )
    click.echo(f"{name}: {' and '.join(what) or 'everything'} is {'closed' if closed else 'open again'}.")


def read_text_rows(path: Path) -> list[dict[str, str | None]]:
    """The rows of a table as texts."""
    from concurrence.files.tables.formats import read_rows

    return read_rows(path)


def text_of(path: Path) -> str:
    from concurrence.files.tables.text import read_text

    return read_text(path).decode("utf-8")
