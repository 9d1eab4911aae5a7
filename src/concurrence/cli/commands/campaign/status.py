"""``concur campaign status``: the progress of each coder."""

import click

from concurrence.cli.campaigns import db_option, open_campaign
from concurrence.cli.options import json_option
from concurrence.cli.output import print_json, print_rich, provenance


@click.command("status")
@click.argument("name")
@db_option
@json_option
def command(name: str, *, database: str | None, json_: bool) -> None:
    r"""Show the progress of each coder in each round.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur campaign status verbs
    """
    from concurrence.annotation.decisions.outcomes import coder_progress
    from concurrence.report.render.document import Table
    from concurrence.report.render.terminal import terminal_table

    with open_campaign(database, name) as (store, campaign):
        rows = store.read(lambda connection: coder_progress(connection, campaign))
    if json_:
        print_json({"campaign": name, "coders": rows}, provenance())
        return
    columns = ("coder", "role", "round", "done", "items", "unsure", "notes", "state")
    cells = [
        (row.coder, row.role, row.round, row.done, row.items, row.unsure, row.notes, "closed" if row.closed else "open")
        for row in rows
    ]
    print_rich(*terminal_table(Table.of(name, columns, cells)))
