"""``concur campaign links``: one invitation link for each coder, or the link to a leader's desk."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.campaigns import DEFAULT_URL, db_option, open_campaign, open_store, secret_option
from concurrence.cli.lists import NAMES
from concurrence.cli.options import json_option
from concurrence.cli.output import note, print_json, print_rich, provenance
from concurrence.core.sentences import count_noun

if TYPE_CHECKING:
    from sqlalchemy import Connection


@click.command("links")
@click.argument("name", required=False)
@click.option(
    "--desk",
    metavar="PERSON",
    help="A link to PERSON's desk instead, where she makes and leads campaigns in the browser.",
)
@click.option("--coder", type=NAMES, default=(), metavar="A,B", help="Only for these people. Default: everyone.")
@click.option(
    "--revoke", type=NAMES, default=(), metavar="A,B", help="Revoke all links and sessions of these people instead."
)
@click.option(
    "--days",
    type=click.FloatRange(0),
    default=90,
    show_default=True,
    metavar="N",
    help="The new links expire after N days; with 0, they work until you revoke them.",
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
    name: str | None,
    *,
    desk: str | None,
    coder: tuple[str, ...],
    revoke: tuple[str, ...],
    days: float,
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

    With --desk, one person gets the right to make campaigns, and leads them without a shell. A campaign that is
    named with it is put on that desk. --desk PERSON --revoke PERSON ends the links to the desk.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      concur campaign links verbs --url https://judge.example.org
      concur campaign links --desk ada --url https://judge.example.org
    """
    from concurrence.core.errors import InvalidInputError

    if desk is not None:
        if coder or (revoke and revoke != (desk,)):
            raise InvalidInputError("--desk is for one person; leave out --coder, and revoke only the same person.")
        tokens, ended = _desk_links(
            database, name, desk, secret_file, new_secret=new_secret, end=bool(revoke), days=days or None, once=once
        )
    elif name is None:
        raise InvalidInputError("Name the campaign, or the person whose desk it is with --desk PERSON.")
    else:
        tokens, ended = _links(
            database, name, coder, revoke, secret_file, new_secret=new_secret, days=days or None, once=once
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
        print_rich("Revoked: " + ", ".join(f"{who} ({count_noun(count, 'link')})" for who, count in ended.items()))


def _links(
    database: str | None,
    name: str,
    coder: tuple[str, ...],
    revoke: tuple[str, ...],
    secret_file: Path | None,
    *,
    new_secret: bool,
    days: float | None,
    once: bool,
) -> tuple[dict[str, str], dict[str, int]]:
    """Tokens of new links for people of a campaign, or how many links of each have ended."""
    from concurrence.annotation.campaigns.campaign import active_people
    from concurrence.annotation.people.access import invite
    from concurrence.annotation.people.access import revoke as end_links
    from concurrence.annotation.people.installation import renew_secret, secret_of

    with open_campaign(database, name) as (store, campaign):
        if revoke:
            return {}, store.write(lambda connection: {who: end_links(connection, campaign, who) for who in revoke})
        secret = (renew_secret if new_secret else secret_of)(store, secret_file)
        people = store.read(lambda connection: active_people(connection, campaign, "coder", "expert", "leader"))
        names = coder or tuple(person.name for person in people)
        tokens = store.write(
            lambda connection: {who: invite(connection, campaign, who, secret, days=days, once=once) for who in names}
        )
        return tokens, {}


def _desk_links(
    database: str | None,
    name: str | None,
    person: str,
    secret_file: Path | None,
    *,
    new_secret: bool,
    end: bool,
    days: float | None,
    once: bool,
) -> tuple[dict[str, str], dict[str, int]]:
    """The token of a new link to a desk, which also gets a campaign if one is named; or how many links have ended."""
    from concurrence.annotation.campaigns.campaign import find_campaign
    from concurrence.annotation.people.installation import renew_secret, secret_of
    from concurrence.annotation.people.organisers import invite_organiser, put_named_on_desk, revoke_organiser

    with open_store(database, new=True) as store:
        if end:
            return {}, {person: store.write(lambda connection: revoke_organiser(connection, person))}
        campaign = store.read(lambda connection: find_campaign(connection, name)) if name is not None else None
        secret = (renew_secret if new_secret else secret_of)(store, secret_file)

        def work(connection: "Connection") -> str:
            token = invite_organiser(connection, person, secret, days=days, once=once)
            if campaign is not None:
                put_named_on_desk(connection, campaign, person)
            return token

        return {person: store.write(work)}, {}
