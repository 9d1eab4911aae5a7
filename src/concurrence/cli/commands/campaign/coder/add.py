"""``concur campaign coder add``: one more coder, or an expert."""

import click

from concurrence.cli.campaigns import db_option, next_step, open_campaign, write_logged
from concurrence.cli.options import json_option
from concurrence.cli.output import print_json, print_rich, provenance
from concurrence.core.sentences import count_noun


@click.command("add")
@click.argument("campaign_name", metavar="CAMPAIGN")
@click.argument("coder")
@click.option("--part", metavar="PART", help="The items of this part and those that everyone judges; all: only these.")
@click.option("--round", "round_name", metavar="NAME", help="The round to judge. Default: the newest.")
@click.option("--expert", is_flag=True, help="Add an expert, who judges all items.")
@db_option
@json_option
def command(
    campaign_name: str,
    coder: str,
    *,
    part: str | None,
    round_name: str | None,
    expert: bool,
    database: str | None,
    json_: bool,
) -> None:
    r"""Add a coder to a campaign.

    The new coder judges the items of a round: of one part if the items have parts, otherwise all. A coder who
    was removed can come back under the same name.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur campaign coder add verbs clara
    """
    from concurrence.annotation.desk.coders import add_coder

    with open_campaign(database, campaign_name) as (store, campaign):
        change = write_logged(
            store,
            "coder added",
            lambda connection: add_coder(connection, campaign, coder, part=part, round_name=round_name, expert=expert),
            campaign=campaign_name,
            detail=coder,
        )
    if json_:
        print_json(change, provenance())
        return
    items = count_noun(change.items, "item")
    print_rich(f"{change.coder} has {items} to judge. Next: {next_step(database, campaign_name, coder=change.coder)}")
