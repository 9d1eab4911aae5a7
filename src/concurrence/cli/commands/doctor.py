"""``concur doctor``: which parts are installed; whether the answers of a database are those of its log."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence._version import __version__
from concurrence.cli.campaigns import open_store, require_web, write_logged
from concurrence.cli.options import json_option
from concurrence.cli.output import note, print_json, print_rich, provenance
from concurrence.core.sentences import count_noun
from concurrence.core.values import to_json

if TYPE_CHECKING:
    from concurrence.annotation.database.standing import StandingCheck

# Distribution names by the extra that brings them; "" is what every installation has.
PARTS = {
    "": (
        *("click", "latex2mathml", "lazy-loader", "numba", "numpy", "polars", "rapidfuzz", "rich", "scipy"),
        *("sentencex", "vl-convert-python"),
    ),
    "excel": ("fastexcel", "xlsxwriter"),
    "web": ("alembic", "fastapi", "jinja2", "markdown-it-py", "nh3", "sqlalchemy", "tomli-w", "uvicorn"),
    "postgres": ("psycopg",),
    "spark": ("pandas", "pyarrow", "pyspark"),
    "tag": ("HanTa",),
    "texts": ("lxml", "pypdf"),
    **({} if sys.version_info >= (3, 14) else {"logs": ("backports.zstd",)}),  # the standard library has it since
}
SERVES = {
    "": "every command",
    "excel": "reading and writing .xlsx",
    "web": "concur campaign, serve and explore",
    "postgres": "campaigns in a PostgreSQL database",
    "spark": "concur pairs --engine spark",
    "tag": "concur tag --with hanta",
    "texts": "corpora of TEI, HTML, docx, odt, epub and PDF",
    "logs": "logs of Inspect that are compressed by Zstandard",
}
DIFFERS = 3  # exit code where the answers in force are not those of the log
JAVA = 17  # the oldest that Spark 4 runs on


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing that is there or not, what it serves, and how to get it."""

    name: str
    found: str | None
    serves: str
    way_out: str


@click.command("doctor")
@click.option("--db", "database", metavar="URL", help="Check this database of campaigns: a file or postgresql://…")
@click.option("--rebuild", is_flag=True, help="With --db: make the answers in force again from the log if they differ.")
@json_option
def command(*, database: str | None, rebuild: bool, json_: bool) -> None:
    r"""Show what is installed and how to get the rest.

    With --db, check a database of campaigns instead. Every decision is kept in a log; the answers in force are a
    table that follows it. The two are compared, and the exit code is 3 if they differ. Nothing is changed without
    --rebuild, which first makes a backup if the database is a file.

    \b
    Example:
      concur doctor
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur doctor --db concurrence.db
    """
    if database is not None:
        _check_answers(database, rebuild=rebuild, json_=json_)
    elif rebuild:
        raise click.UsageError("--rebuild needs the database to rebuild: --db FILE.")
    else:
        _show_parts(json_=json_)


def _show_parts(*, json_: bool) -> None:
    parts = [*_packages(), *_system()]
    if json_:
        print_json({"python": sys.version.split()[0], "parts": parts}, provenance())
        return
    print_rich(*_table(parts))
    missing = [part for part in parts if part.found is None]
    for (serves, way_out), lacking in groupby(missing, key=lambda part: (part.serves, part.way_out)):
        note(f"Missing for {serves}: {', '.join(part.name for part in lacking)}. To fix this: {way_out}.")
    if not missing:
        note("Nothing is missing.")


def _check_answers(database: str, *, rebuild: bool, json_: bool) -> None:
    require_web()
    from concurrence.annotation.database.standing import check_standing
    from concurrence.annotation.database.store import database_url, shown_address, unchanged_database

    with unchanged_database(database) as connection:
        check = check_standing(connection)
    rebuilt = rebuild and not check.passed
    backup = _rebuild(database) if rebuilt else None
    name = shown_address(database_url(database))
    if json_:
        numbers = to_json(check) | {"rebuilt": rebuilt, "backup": None if backup is None else str(backup)}
        print_json({"database": name, "passed": check.passed or rebuilt, **numbers}, provenance())
    else:
        _show_check(name, check, rebuilt=rebuilt, backup=backup)
    if not check.passed and not rebuilt:
        raise click.exceptions.Exit(DIFFERS)


def _rebuild(database: str) -> Path | None:
    """Make the answers in force again in one transaction; gives the copy of the file as it was."""
    from concurrence.annotation.campaigns.backup import back_up
    from concurrence.annotation.database.standing import rebuild_standing

    with open_store(database) as store:
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
        backup = None if store.path is None else back_up(store, Path(f"{store.path}.backup-rebuild-{stamp}"))
        write_logged(store, "answers rebuilt", rebuild_standing)
    return backup


def _show_check(name: str, check: "StandingCheck", *, rebuilt: bool, backup: Path | None) -> None:
    size = f"{count_noun(check.answers, 'answer')} from {count_noun(check.events, 'event')}"
    if check.passed:
        click.echo(f"The answers in force in {name} are those of its log: {size}.")
        return
    if check.differences:
        differ = "differ" if check.differences > 1 else "differs"
        click.echo(f"{count_noun(check.differences, 'answer')} in force in {name} {differ} from its log ({size}).")
        print_rich(*_difference_table(check))
    if not check.trigger:
        click.echo(f"The trigger event_stands in {name}, which keeps the answers in force, is missing or changed.")
    if not rebuilt:
        note("Run this again with --rebuild to make the answers in force again from the log.")
        return
    copy = "" if backup is None else f" The database as it was is kept in {backup}."
    click.echo(f"The answers in force were made again from the log.{copy}")
    note("Restart the server of this database if it runs: it keeps figures in memory.")


def _difference_table(check: "StandingCheck") -> list[object]:
    from concurrence.report.render.document import Table
    from concurrence.report.render.terminal import terminal_table

    kinds = {"missing": "missing", "surplus": "not in the log"}
    rows = [
        (one.campaign, one.coder, one.item, one.question, kinds.get(one.kind) or f"changed: {', '.join(one.columns)}")
        for one in check.first
    ]
    caption = "First differences" if check.differences > len(rows) else "Differences"
    return terminal_table(Table.of(caption, ("campaign", "coder", "item", "question", "difference"), rows))


def _packages() -> Iterator[Part]:
    for extra, names in PARTS.items():
        target = f"concurrence[{extra}]" if extra else "concurrence"
        for name in names:
            yield Part(name=name, found=_version(name), serves=SERVES[extra], way_out=f"pip install '{target}'")


def _system() -> Iterator[Part]:
    way_out = f"install a Java runtime, version {JAVA} or later"
    yield Part(name="java", found=_java(), serves=SERVES["spark"], way_out=way_out)
    servers = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    yield Part(
        name="postgresql server",
        found=str(servers[-1]) if servers else shutil.which("postgres"),
        serves="campaigns in a PostgreSQL database on this machine (a remote server works too)",
        way_out="install PostgreSQL, or use the default SQLite file",
    )
    yield Part(
        name="Python's reference text",
        found="pydoc_data.topics" if find_spec("pydoc_data") else None,
        serves="concur demo",
        way_out="install Python's full standard library",
    )


def _java() -> str | None:
    """The version of the Java on the path, if it is recent enough."""
    java = shutil.which("java")
    if java is None:
        return None
    output = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr  # noqa: S603
    number = re.search(r'version "((\d+)[^"]*)"', output)
    return number[1] if number and int(number[2]) >= JAVA else None


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _table(parts: list[Part]) -> list[object]:
    from concurrence.report.render.document import Table
    from concurrence.report.render.terminal import terminal_table

    rows = [(part.name, part.found or "missing", part.serves) for part in parts]
    caption = f"concurrence {__version__}, Python {sys.version.split()[0]}"
    return terminal_table(Table.of(caption, ("part", "found", "needed for"), rows))
