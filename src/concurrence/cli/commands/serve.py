"""``concur serve``: run the server for coders and leaders."""

from pathlib import Path

import click

from concurrence.cli.campaigns import db_option, secret_option
from concurrence.cli.output import note


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for all.")
@click.option("--port", default=8765, show_default=True, type=click.IntRange(1, 65535), help="Port to listen on.")
@click.option("--public-url", metavar="URL", help="Address that people use, if it differs (behind a TLS proxy).")
@click.option("--certificate", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="TLS certificate.")
@click.option("--private-key", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Its private key.")
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
    demo: bool,
    secret_file: Path | None,
    database: str | None,
) -> None:
    r"""Run the server for annotation campaigns.

    The server runs until you stop it with Ctrl-C. By default it listens on this machine only, and it sends
    nothing to any other host. On start it creates or upgrades the database, with a backup of the old file.
    There are no passwords: people sign in with their invitation links.

    \b
    Example:
      concur serve --db verbs.db --port 8765
      concur serve --demo
    """
    from concurrence.web.server import listen, serve

    url = public_url or f"{'https' if certificate else 'http'}://{host}:{port}"
    with listen(host, port) as listener:
        if demo:
            from concurrence.cli.demo.campaign import demo_database, print_links

            database = str(demo_database(Path("concurrence-demo")))
            print_links(Path(database), url)
        serve(
            database,
            listener,
            ready=lambda: note(f"Concurrence is running at {url}; stop it with Ctrl-C."),
            public_url=public_url,
            secret_file=secret_file,
            certificate=certificate,
            private_key=private_key,
        )
