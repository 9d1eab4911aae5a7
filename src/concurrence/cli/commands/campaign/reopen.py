"""``concur campaign reopen``: reopen a campaign, one round, or one part."""

import click

from concurrence.cli.campaigns import db_option, open_store
from concurrence.cli.output import print_rich


@click.command("reopen")
@click.argument("name")
@click.option("--round", "round_name", metavar="NAME", help="Only this round.")
@click.option("--part", metavar="PART", help="Only this part.")
@db_option
def command(name: str, *, round_name: str | None, part: str | None, database: str | None) -> None:
    r"""Let judging go on where it was closed.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur campaign close verbs
      concur campaign reopen verbs
    """
    from concurrence.annotation.campaigns import find_campaign, set_closed

    with open_store(database) as store:
        campaign = store.read(lambda connection: find_campaign(connection, name))
        store.write(lambda connection: set_closed(connection, campaign, closed=False, round_name=round_name, part=part))
    what = [f"round {round_name}"] * bool(round_name) + [f"part {part}"] * bool(part)
    print_rich(f"{name}: {' and '.join(what) or 'everything'} is open again.")
