"""``concur doctor``: which parts are installed."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

import click

from concurrence._version import __version__
from concurrence.cli.options import json_option
from concurrence.cli.output import note, print_json, print_rich, provenance

# Distribution names by the extra that brings them; "" is what every installation has.
PARTS = {
    "": (
        *("click", "latex2mathml", "numba", "numpy", "polars", "rapidfuzz", "rich", "scipy", "sentencex"),
        "vl-convert-python",
    ),
    "excel": ("fastexcel",),
    "web": ("alembic", "fastapi", "jinja2", "markdown-it-py", "nh3", "sqlalchemy", "uvicorn"),
    "postgres": ("psycopg",),
    "spark": ("pandas", "pyarrow", "pyspark"),
    "tag": ("HanTa",),
}
SERVES = {
    "": "every command",
    "excel": "reading .xlsx",
    "web": "concur campaign, serve and explore",
    "postgres": "campaigns in a PostgreSQL database",
    "spark": "concur pairs --engine spark",
    "tag": "concur tag --with hanta",
}
JAVA = 17  # the oldest that Spark 4 runs on


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
    """Show what is installed and how to get the rest.

    \b
    Example:
      concur doctor
    """
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
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr  # noqa: S603
    number = re.search(r'version "((\d+)[^"]*)"', said)
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
