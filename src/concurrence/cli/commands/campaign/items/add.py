"""``concur campaign items add``: more items for a round."""

from pathlib import Path

import click

from concurrence.cli.campaigns import db_option, open_campaign, read_text_rows, write_logged
from concurrence.cli.options import FilePath, json_option
from concurrence.cli.output import print_json, print_rich, provenance
from concurrence.core.sentences import count_noun


@click.command("add")
@click.argument("campaign_name", metavar="CAMPAIGN")
@click.argument("file", type=FilePath())
@click.option("--round", "round_name", metavar="NAME", help="The round to add them to. Default: the newest.")
@click.option("--each-item", type=int, metavar="K", help="Give each item to K coders instead of assigning by part.")
@db_option
@json_option
def command(
    campaign_name: str,
    file: Path,
    *,
    round_name: str | None,
    each_item: int | None,
    database: str | None,
    json_: bool,
) -> None:
    r"""Add items to a round of a campaign.

    The new items come last in everyone's order. Items of a part go to the coders who have that part, all others
    to everyone. For a new round, use concur campaign import --as items --round NAME.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      printf 'l1,l2\nmake,sense\n' > more.csv
      concur campaign items add verbs more.csv
    """
    from concurrence.annotation.campaigns.items import make_items
    from concurrence.annotation.desk.items import add_items

    rows = read_text_rows(file)
    with open_campaign(database, campaign_name) as (store, campaign):
        display = campaign.display
        items = campaign.item_rows(make_items(rows, where=str(file), key=display.key, part=display.part))
        added = write_logged(
            store,
            "items added",
            lambda connection: add_items(connection, campaign, items, round_name=round_name, each_item=each_item),
            campaign=campaign_name,
            detail=file.name,
        )
    if json_:
        print_json(added, provenance(inputs=[file]))
        return
    shares = ", ".join(f"{who} {count}" for who, count in added.tasks.items())
    print_rich(f"{campaign_name}, round {added.round}: {count_noun(added.items, 'new item')} ({shares}).")
