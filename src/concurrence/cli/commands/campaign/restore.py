"""``concur campaign restore``: a backup becomes a database again, or one campaign of it comes back."""

from pathlib import Path

import click

from concurrence.cli.campaigns import PLACES, backup_contents, db_option, open_store, write_logged
from concurrence.cli.options import json_option
from concurrence.cli.output import note, print_json, print_rich, provenance
from concurrence.core.values import to_json


@click.command("restore")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--rehearse", is_flag=True, help="Restore into a temporary database, compare, and keep nothing.")
@click.option(
    "--until-event",
    type=click.IntRange(min=1),
    metavar="N",
    help="Restore decisions as they were after this event (column event of export --events).",
)
@click.option("--campaign", metavar="NAME", help="Bring back only this campaign, into a database that lacks it.")
@db_option
@json_option
def command(
    file: Path, *, rehearse: bool, until_event: int | None, campaign: str | None, database: str | None, json_: bool
) -> None:
    r"""Restore a backup of campaigns.

    FILE is what concur campaign backup wrote, from SQLite or PostgreSQL. The database named with --db must be new or
    without campaigns: a restored backup never takes the place of anything. Everything is restored in one
    transaction, and every row is compared, so that you get the whole backup or an error.

    With --campaign, a campaign that was deleted comes back into its database, beside the others. With --until-event,
    decisions, rulings, comments and closings are those at the time of an event; people, items and manuals are those
    of the backup.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur campaign backup --verify -o verbs-backup.db
      concur campaign restore verbs-backup.db --rehearse
      concur campaign restore verbs-backup.db --db restored.db
    """
    from concurrence.annotation.campaigns.restore import no_empty_file, restore
    from concurrence.annotation.campaigns.restore import rehearse as rehearse_restore
    from concurrence.annotation.database.store import database_url, shown_address

    url = database_url(database)
    if rehearse:
        rehearsal = rehearse_restore(file, url, until_event=until_event, campaign=campaign)
        restored, where = rehearsal.restored, PLACES[rehearsal.place]
    else:
        with no_empty_file(url), open_store(database, new=True) as store:
            restored = restore(file, store, until_event=until_event, campaign=campaign)
            write_logged(store, "restored", lambda _: None, campaign=campaign, detail=file.name)
        where = shown_address(url)
    if json_:
        print_json({"file": str(file), "database": where, "rehearsal": rehearse, **to_json(restored)}, provenance())
        return
    print_rich(
        f"{file} was restored into {where}{', compared and removed' if rehearse else ''}: {backup_contents(restored)}."
    )
    if not rehearse:
        note(
            "Links and sessions are those of the backup: revoke again what was revoked since, and use the secret file "
            "of that time. Restart the server of this database if it runs."
        )
