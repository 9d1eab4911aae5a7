"""``concur campaign backup``: a copy of the whole database, while the server runs."""

from datetime import UTC, datetime
from pathlib import Path

import click

from concurrence.cli.campaigns import db_option, open_store, write_logged
from concurrence.cli.options import json_option
from concurrence.cli.output import print_json, print_rich, provenance


@click.command("backup")
@click.argument("name", required=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write. Default: the database's name with the time, in this folder.",
)
@db_option
@json_option
def command(name: str | None, *, output: Path | None, database: str | None, json_: bool) -> None:
    r"""Back up the database of the campaigns.

    The backup is a new SQLite file with all campaigns of the database, also if that is PostgreSQL. It is
    consistent while coders are at work. To use it, give it to any command with --db. Links stay valid only with the
    server's secret file, so keep a copy of that too. NAME only checks that the campaign is in it.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur campaign backup -o verbs-backup.db
    """
    from concurrence.annotation.campaigns.backup import back_up
    from concurrence.annotation.campaigns.campaign import find_campaign

    with open_store(database) as store:
        if name is not None:
            store.read(lambda connection: find_campaign(connection, name))
        stem = store.path.stem if store.path else (store.url.database or "campaigns")
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
        written = back_up(store, output or Path(f"{stem}-{stamp}.db"))
        write_logged(store, "backup", lambda _: None, campaign=name)
    if json_:
        print_json({"file": str(written), "bytes": written.stat().st_size}, provenance())
        return
    print_rich(f"The backup is in {written}.")
