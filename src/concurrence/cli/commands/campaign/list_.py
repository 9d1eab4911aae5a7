"""``concur campaign list``: the campaigns of a database."""

import click

from concurrence.cli.campaigns import db_option, open_store
from concurrence.cli.options import json_option
from concurrence.cli.output import note, print_json, provenance


@click.command("list")
@db_option
@json_option
def command(*, database: str | None, json_: bool) -> None:
    r"""List the campaigns of a database.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur campaign list
    """
    from concurrence.annotation.campaigns.campaign import campaign_names

    with open_store(database) as store:
        names = store.read(campaign_names)
    if json_:
        print_json({"campaigns": names}, provenance())
        return
    for name in names:
        click.echo(name)
    if not names:
        note("There are no campaigns yet; make one with concur campaign create.")
