"""``concur campaign links``: one invitation link for each coder."""

from pathlib import Path

import click

from concurrence.cli.campaigns import DEFAULT_URL, db_option, open_campaign, secret_option
from concurrence.cli.lists import NAMES
from concurrence.cli.options import json_option
from concurrence.cli.output import note, print_json, print_rich, provenance
from concurrence.core.shown import number_of


@click.command("links")
@click.argument("name")
@click.option("--coder", type=NAMES, default=(), metavar="A,B", help="Only for these people. Default: everyone.")
@click.option(
    "--revoke", type=NAMES, default=(), metavar="A,B", help="Revoke all links and sessions of these people instead."
)
@click.option(
    "--days",
    type=click.FloatRange(0, min_open=True),
    metavar="N",
    help="The new links expire after N days. Default: they work until you revoke them.",
)
@click.option("--once", is_flag=True, help="Each new link works once, in one browser.")
@click.option(
    "--new-secret",
    is_flag=True,
    help="If the secret is lost: make a new one. All older links end, in every campaign of the database.",
)
@click.option("--url", default=DEFAULT_URL, show_default=True, help="Address at which people reach the server.")
@secret_option
@db_option
@json_option
def command(
    name: str,
    *,
    coder: tuple[str, ...],
    revoke: tuple[str, ...],
    days: float | None,
    once: bool,
    new_secret: bool,
    url: str,
    secret_file: Path | None,
    database: str | None,
    json_: bool,
) -> None:
    r"""Print a new invitation link for each coder and for the leader.

    Only a hash of each link is stored, so a link cannot be shown again. You can always make a new one; older
    links stay valid until you revoke them. By default, a link works again and on several devices.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur campaign links verbs --url https://judge.example.org
    """
    from concurrence.annotation.access import invite
    from concurrence.annotation.access import revoke as end_links
    from concurrence.annotation.campaigns import active_people
    from concurrence.annotation.installation import renew_secret, secret_of

    links, ended = {}, {}
    with open_campaign(database, name) as (store, campaign):
        if revoke:
            ended = store.write(lambda connection: {who: end_links(connection, campaign, who) for who in revoke})
        else:
            secret = (renew_secret if new_secret else secret_of)(store, secret_file)
            people = store.read(lambda connection: active_people(connection, campaign, "coder", "expert", "leader"))
            wanted = coder or tuple(person.name for person in people)
            tokens = store.write(
                lambda connection: {
                    who: invite(connection, campaign, who, secret, days=days, once=once) for who in wanted
                }
            )
            links = {who: f"{url.rstrip('/')}/join#{token}" for who, token in tokens.items()}
    if json_:
        print_json({"campaign": name, "links": links, "revoked": ended}, provenance())
        return
    for who, link in links.items():
        click.echo(f"{who}\t{link}")
    if links:
        note(
            f"Send each person their own link. It works while concur serve runs at {url} (--url sets another address)."
        )
    if new_secret:
        note("All older links and sessions have ended. Restart concur serve, so that it uses the new secret.")
    if ended:
        print_rich("Revoked: " + ", ".join(f"{who} ({number_of(count, 'link')})" for who, count in ended.items()))
