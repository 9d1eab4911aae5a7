"""The demonstration study as a campaign in the browser: three coders have judged, one more is invited."""

import shlex
from contextlib import chdir, redirect_stdout
from os import devnull
from pathlib import Path

import polars as pl

from concurrence.cli.demo.study import run_command, run_study
from concurrence.files.tables import read_table, write_table

NAME = "terms"
DATABASE = "campaign.db"
CREATE = f"campaign create {NAME} --items sample.csv --manual manual.md --questions questions.toml --coders you "
CREATE += f"--examples pairs.parquet --db {DATABASE}"
IMPORT = f"campaign import {NAME} decisions.csv --as labels --db {DATABASE}"


def demo_database(folder: Path) -> Path:
    """The database of the demonstration's campaign, made at the first call."""
    database = folder / DATABASE
    if not database.exists():
        if not (folder / "sample.csv").exists():
            run_study(folder)
        with chdir(folder), Path(devnull).open("w") as nowhere, redirect_stdout(nowhere):
            run_command(CREATE)
            write_table(_decisions(), Path("decisions.csv"))
            run_command(IMPORT)
    return database


def print_links(database: Path, url: str, secret_file: Path | None = None) -> None:
    """Print the invitation links of the leader and of the coder who is you."""
    secret = f" --secret-file {shlex.quote(str(secret_file))}" if secret_file else ""
    run_command(f"campaign links {NAME} --db {database} --url {url}{secret}")


def _decisions() -> pl.DataFrame:
    """The shipped judgements of the sampled pairs, one decision per row."""
    judged = read_table(Path("sample.csv")).select("l1", "l2").join(read_table(Path("judgements.csv")), on=["l1", "l2"])
    long = judged.unpivot(["term", "kind"], index=["l1", "l2", "coder"], variable_name="question", value_name="label")
    return long.filter(pl.col("label").is_not_null())
