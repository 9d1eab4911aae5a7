"""``concur campaign log``: who joined, which links were wrong, what was revoked and exported."""

import click

from concurrence.cli.campaigns import db_option, open_store
from concurrence.cli.options import json_option
from concurrence.cli.output import print_json, print_rich, provenance


@click.command("log")
@click.argument("name", required=False)
@db_option
@json_option
def command(name: str | None, *, database: str | None, json_: bool) -> None:
    r"""Show the security log of a campaign, or of the whole database.

    The log has the links made, the people who joined, wrong links, revocations, sign-outs, exports, and what
    leaders did at their desks in the browser, with time and address, and no tokens. Entries are deleted after a
    year. Unknown links belong to no campaign; they appear only without NAME.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur campaign links verbs --revoke anna
      concur campaign log verbs
    """
    from datetime import UTC, datetime

    from concurrence.annotation.campaigns.campaign import find_campaign
    from concurrence.annotation.people.security_log import logged_acts
    from concurrence.report.render.document import Table
    from concurrence.report.render.terminal import terminal_table

    with open_store(database) as store:
        if name is not None:
            store.read(lambda connection: find_campaign(connection, name))
        acts = store.read(lambda connection: logged_acts(connection, name))
    if json_:
        print_json({"campaign": name, "acts": acts}, provenance())
        return
    times = [datetime.fromtimestamp(act.time / 1000, tz=UTC).strftime("%Y-%m-%d %H:%M:%S") for act in acts]
    rows = [
        (time, act.act, act.campaign or "", act.person or "", act.address or "", act.detail or "")
        for time, act in zip(times, acts, strict=True)
    ]
    columns = ("time (UTC)", "act", "campaign", "person", "address", "detail")
    print_rich(*terminal_table(Table.of(name or "all campaigns", columns, rows)))
