"""``concur campaign backup``: a copy of the whole database, while the server runs."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.campaigns import PLACES, backup_contents, db_option, open_store, write_logged
from concurrence.cli.options import json_option
from concurrence.cli.output import print_json, print_rich, provenance

if TYPE_CHECKING:
    from concurrence.annotation.database.digests import TableDigest


@click.command("backup")
@click.argument("name", required=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write. Default: the database's name with the time, in this folder.",
)
@click.option("--verify", is_flag=True, help="Restore the backup into a temporary database and compare every row.")
@db_option
@json_option
def command(name: str | None, *, output: Path | None, verify: bool, database: str | None, json_: bool) -> None:
    r"""Back up the database of the campaigns.

    The backup is a new SQLite file with all campaigns of the database, also if that is PostgreSQL. It is
    consistent while coders are at work. With --verify, it is restored into a temporary database, and the numbers of
    rows and their checksums are compared with those of the database at the moment of the copy; a backup that differs
    is not kept. To use it, see concur campaign restore, or give it to any command with --db. Links stay valid only
    with the server's secret file, so keep a copy of that too. NAME only checks that the campaign is in it.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur campaign backup --verify -o verbs-backup.db
    """
    from concurrence.annotation.campaigns.backup import back_up
    from concurrence.annotation.campaigns.campaign import find_campaign
    from concurrence.annotation.campaigns.restore import Rehearsal, rehearse_backup

    with open_store(database) as store:
        if name is not None:
            store.read(lambda connection: find_campaign(connection, name))
        stem = store.path.stem if store.path else (store.url.database or "campaigns")
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
        path = output or Path(f"{stem}-{stamp}.db")
        rehearsals: list[Rehearsal] = []

        def check(copy: Path, digests: "dict[str, TableDigest]") -> None:
            rehearsals.append(rehearse_backup(copy, store.url, digests, label=str(path)))

        written = back_up(store, path, check=check if verify else None)
        write_logged(store, "backup", lambda _: None, campaign=name, detail="verified" if verify else "")
    if json_:
        numbers = {"file": str(written), "bytes": written.stat().st_size}
        print_json(numbers | {"verified": rehearsals[0] if rehearsals else None}, provenance())
        return
    print_rich(f"The backup is in {written}.")
    for one in rehearsals:
        print_rich(f"It was restored into {PLACES[one.place]} and compared: {backup_contents(one.restored)}.")
