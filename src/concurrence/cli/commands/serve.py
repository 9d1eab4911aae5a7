"""``concur serve``: run the server for coders and leaders."""

from pathlib import Path

import click

from concurrence.cli.campaigns import db_option, secret_option
from concurrence.cli.lists import NAMES
from concurrence.cli.output import note


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for all.")
@click.option("--port", default=8765, show_default=True, type=click.IntRange(1, 65535), help="Port to listen on.")
@click.option("--public-url", metavar="URL", help="Address that people use, if it differs (behind a TLS proxy).")
@click.option("--certificate", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="TLS certificate.")
@click.option("--private-key", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Its private key.")
@click.option(
    "--trusted-proxy",
    "trusted_proxies",
    type=NAMES,
    default=(),
    metavar="A,B",
    help="Proxies (addresses or networks such as 10.0.0.0/8) whose X-Forwarded-For and -Proto are believed.",
)
@click.option(
    "--idle-days",
    type=click.FloatRange(0, min_open=True),
    default=7,
    show_default=True,
    metavar="N",
    help="A session ends if it is not used for N days.",
)
@click.option(
    "--session-days",
    type=click.FloatRange(0, min_open=True),
    default=60,
    show_default=True,
    metavar="N",
    help="A session ends N days after it was opened.",
)
@click.option(
    "--upload-limit",
    type=click.FloatRange(0, min_open=True),
    default=64,
    show_default=True,
    metavar="MB",
    help="The largest table that a leader can upload.",
)
@click.option("--demo", is_flag=True, help="Serve the campaign of concur demo.")
@secret_option
@db_option
def command(
    *,
    host: str,
    port: int,
    public_url: str | None,
    certificate: Path | None,
    private_key: Path | None,
    trusted_proxies: tuple[str, ...],
    idle_days: float,
    session_days: float,
    upload_limit: float,
    demo: bool,
    secret_file: Path | None,
    database: str | None,
) -> None:
    r"""Run the server for annotation campaigns.

    The server runs until you stop it with Ctrl-C. By default it listens on this machine only, and it sends
    nothing to any other host. On start it creates or upgrades the database, with a backup of the old file.
    There are no passwords: people sign in with their invitation links. Behind a proxy, name it with
    --trusted-proxy; otherwise everyone seems to come from one address and shares its limits. A leader who makes her
    campaigns in the browser needs a link to her desk: concur campaign links --desk NAME.

    \b
    Example:
      concur serve --db verbs.db --port 8765
      concur serve --public-url https://judge.example.org --trusted-proxy 127.0.0.1
      concur serve --demo
    """
    from concurrence.annotation.people.access import DAY, SessionLimits
    from concurrence.web.server import listen, serve

    url = public_url or f"{'https' if certificate else 'http'}://{host}:{port}"
    if url.startswith("https:") and not certificate and not trusted_proxies:
        note("Name the proxy with --trusted-proxy; without it, everyone behind it counts as one address.")
    with listen(host, port) as listener:
        if demo:
            from concurrence.cli.demo.campaign import demo_database, print_links

            database = str(demo_database(Path("concurrence-demo")))
            print_links(Path(database), url, secret_file)
        serve(
            database,
            listener,
            ready=lambda: note(f"Concurrence is running at {url}; stop it with Ctrl-C."),
            public_url=public_url,
            trusted_proxies=trusted_proxies,
            sessions=SessionLimits(idle=int(idle_days * DAY), absolute=int(session_days * DAY)),
            upload_limit=int(upload_limit * 1_000_000),
            secret_file=secret_file,
            certificate=certificate,
            private_key=private_key,
        )
