"""``concur campaign coder remove``: a coder leaves, and nobody goes on."""

import click

from concurrence.cli.campaigns import db_option, open_campaign, write_logged
from concurrence.cli.options import json_option
from concurrence.cli.output import print_json, print_rich, provenance
from concurrence.core.sentences import count_noun


@click.command("remove")
@click.argument("campaign_name", metavar="CAMPAIGN")
@click.argument("coder")
@db_option
@json_option
def command(campaign_name: str, coder: str, *, database: str | None, json_: bool) -> None:
    r"""Remove a coder from a campaign.

    The coder's decisions stay, and the links end. Items that the coder had not begun are no longer counted as
    open. To have somebody else judge them, use concur campaign coder replace.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur campaign coder remove verbs ben
    """
    from concurrence.annotation.desk.coders import remove_coder

    with open_campaign(database, campaign_name) as (store, campaign):
        change = write_logged(
            store,
            "coder removed",
            lambda connection: remove_coder(connection, campaign, coder),
            campaign=campaign_name,
            detail=coder,
        )
    if json_:
        print_json(change, provenance())
        return
    print_rich(f"{change.coder} was removed; the decisions on {count_noun(change.kept, 'item')} stay.")
