"""The demonstration study as a campaign in the browser: others have judged, one more is invited."""

import shlex
from contextlib import chdir, redirect_stdout
from os import devnull
from pathlib import Path

import click
import polars as pl

from concurrence.cli.demo.study import run_command, run_study
from concurrence.files.tables.formats import read_table, write_table

DATABASE = "campaign.db"
CAMPAIGNS = {
    "terms": "--items sample.csv --manual manual.md --questions questions.toml --coders you --examples pairs.parquet",
    "names": "--items terms-named.csv --manual names.md --questions names.toml --coders you --examples pairs.parquet",
}
"""The two campaigns: terms and their kinds, and the harder question of how they are named."""


def demo_database(folder: Path) -> Path:
    """The database of the demonstration's campaign, made at the first call."""
    database = folder / DATABASE
    if not database.exists():
        if not (folder / "sample.csv").exists():
            run_study(folder)
        with chdir(folder), Path(devnull).open("w") as nowhere, redirect_stdout(nowhere):
            decisions = {
                "terms": _decisions("judgements.csv", "term", "kind"),
                "names": _decisions("names.csv", "name"),
            }
            write_table(decisions["names"].select("l1", "l2").unique(maintain_order=True), Path("terms-named.csv"))
            for name, options in CAMPAIGNS.items():
                write_table(decisions[name], Path(f"decisions-{name}.csv"))
                run_command(f"campaign create {name} {options} --db {DATABASE}")
                run_command(f"campaign import {name} decisions-{name}.csv --as labels --db {DATABASE}")
    return database


def print_links(database: Path, url: str, secret_file: Path | None = None) -> None:
    """Print the invitation links of the leader and of the coder who is you, in each campaign."""
    secret = f" --secret-file {shlex.quote(str(secret_file))}" if secret_file else ""
    for name in CAMPAIGNS:
        click.secho(f"Campaign {name!r}:", bold=True)
        run_command(f"campaign links {name} --db {database} --url {url}{secret}")


def _decisions(judgements: str, *questions: str) -> pl.DataFrame:
    """The shipped judgements of the sampled pairs, one decision per row."""
    judged = read_table(Path("sample.csv")).select("l1", "l2").join(read_table(Path(judgements)), on=["l1", "l2"])
    long = judged.unpivot(questions, index=["l1", "l2", "coder"], variable_name="question", value_name="label")
    return long.filter(pl.col("label").is_not_null())
