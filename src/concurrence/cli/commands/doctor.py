"""``concur doctor``: which parts are there."""

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from concurrence.cli.output import json_option, note, print_json, print_rich, provenance

# Distribution names by the extra that brings them; "" is what every installation has.
PARTS = {
    "": ("numpy", "scipy", "polars", "numba", "altair", "vl-convert-python", "rapidfuzz", "sentencex"),
    "excel": ("fastexcel",),
    "web": ("fastapi", "uvicorn", "jinja2", "sqlalchemy", "alembic", "markdown-it-py", "nh3"),
    "postgres": ("psycopg",),
    "spark": ("pyspark",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing that is there or not, what it serves, and how to get it."""

    name: str
    found: str | None
    serves: str
    way_out: str


@click.command("doctor")
@json_option
def command(*, json_: bool) -> None:
    """Tell which parts are there and how to get the others.

    \b
    Example:
      concur doctor
    """
    parts = [*_packages(), *_system()]
    if json_:
        print_json({"python": sys.version.split()[0], "parts": parts}, provenance())
        return
    print_rich(_table(parts))
    missing = [part for part in parts if part.found is None]
    for part in missing:
        note(f"{part.name} is missing, which {part.serves} needs: {part.way_out}")
    if not missing:
        note("Everything is there.")


def _packages() -> Iterator[Part]:
    for extra, names in PARTS.items():
        serves = f"the extra [{extra}]" if extra else "every command"
        target = f"concurrence[{extra}]" if extra else "concurrence"
        for name in names:
            yield Part(name=name, found=_version(name), serves=serves, way_out=f"pip install '{target}'")


def _system() -> Iterator[Part]:
    java = shutil.which("java")
    yield Part(name="java", found=java, serves="--engine spark", way_out="install a Java runtime, version 17 or later")
    servers = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    found = str(servers[-1]) if servers else shutil.which("postgres")
    yield Part(
        name="postgresql server",
        found=found,
        serves="campaigns of teams on this machine (a remote server does as well)",
        way_out="install PostgreSQL, or use the default SQLite file",
    )


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _table(parts: list[Part]) -> object:
    from rich.table import Table

    table = Table("part", "found", "serves", title=f"Python {sys.version.split()[0]}", title_justify="left")
    for part in parts:
        table.add_row(part.name, part.found or "[bold]missing[/bold]", part.serves.replace("[", r"\["))
    return table
