"""``concur campaign delete``: delete a campaign with all its decisions."""

import sys

import click

from concurrence.cli.campaigns import db_option, open_campaign, write_logged
from concurrence.cli.options import json_option
from concurrence.cli.output import print_json, print_rich, provenance
from concurrence.core.errors import InvalidInputError


@click.command("delete")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Delete without asking for the name again.")
@db_option
@json_option
def command(name: str, *, yes: bool, database: str | None, json_: bool) -> None:
    r"""Delete a campaign.

    Its items, decisions, rulings, people and links are deleted with it.

    This cannot be undone. You are asked to type the campaign's name; scripts use --yes. Make a backup first
    with concur campaign backup.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur campaign delete verbs --yes
    """
    from concurrence.annotation.campaigns.backup import delete_campaign

    with open_campaign(database, name) as (store, campaign):
        if not yes:
            _ask(campaign.name)
        write_logged(
            store, "campaign deleted", lambda connection: delete_campaign(connection, campaign), campaign=campaign.name
        )
    if json_:
        print_json({"deleted": campaign.name}, provenance())
        return
    print_rich(f"The campaign {campaign.name} was deleted.")


def _ask(name: str) -> None:
    if not sys.stdin.isatty():
        raise InvalidInputError(f"Deleting {name!r} cannot be undone; confirm it with --yes.")
    typed = click.prompt(f"This deletes {name} with all its decisions. Type its name to confirm", err=True)
    if typed.strip() != name:
        raise InvalidInputError("The name does not match; nothing was deleted.")
