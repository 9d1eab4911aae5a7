"""``concur campaign close``: close a campaign, one round, or one part."""

import click

from concurrence.cli.campaigns import close_or_reopen, db_option


@click.command("close")
@click.argument("name")
@click.option("--round", "round_name", metavar="NAME", help="Only this round.")
@click.option("--part", metavar="PART", help="Only this part.")
@db_option
def command(name: str, *, round_name: str | None, part: str | None, database: str | None) -> None:
    r"""Close a campaign, a round or a part.

    Decisions that arrive later are refused, and are kept in the coder's browser.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur campaign close verbs
    """
    close_or_reopen(database, name, closed=True, round_name=round_name, part=part)
