"""``concur campaign coder replace``: let somebody else go on with a coder's part."""

import click

from concurrence.cli.campaigns import db_option, next_step, open_campaign, write_logged
from concurrence.cli.options import json_option
from concurrence.cli.output import print_json, print_rich, provenance
from concurrence.core.sentences import count_noun


@click.command("replace")
@click.argument("campaign_name", metavar="CAMPAIGN")
@click.argument("coder")
@click.argument("successor")
@db_option
@json_option
def command(campaign_name: str, coder: str, successor: str, *, database: str | None, json_: bool) -> None:
    r"""Replace a coder who left.

    SUCCESSOR is a new coder and gets every item that CODER has not finished, in the same order. The decisions of
    CODER stay under CODER's name, and CODER's links end. Decisions still in CODER's browser are not sent any more,
    so ask for them first if there may be some.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur campaign coder replace verbs anna clara
    """
    from concurrence.annotation.desk.coders import replace_coder

    with open_campaign(database, campaign_name) as (store, campaign):
        change = write_logged(
            store,
            "coder replaced",
            lambda connection: replace_coder(connection, campaign, coder, successor),
            campaign=campaign_name,
            detail=f"{coder} by {successor}",
        )
    if json_:
        print_json(change, provenance())
        return
    items, kept = count_noun(change.items, "item"), count_noun(change.kept, "item")
    print_rich(
        f"{change.coder} goes on with {items}; the decisions of {change.replaces} on {kept} stay. "
        f"Next: {next_step(database, campaign_name, coder=change.coder)}"
    )
