"""Running the server on this machine."""

import logging
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from concurrence.annotation.access import load_secret, secret_path
from concurrence.annotation.store import Store
from concurrence.core.errors import InvalidInputError
from concurrence.web.app import create_app
from concurrence.web.settings import Settings


def serve(
    database: str | None,
    listener: socket.socket,
    *,
    ready: Callable[[], None],
    public_url: str | None = None,
    secret_file: Path | None = None,
    certificate: Path | None = None,
    private_key: Path | None = None,
) -> None:
    """Serve the campaigns of a database until stopped; ``ready`` is called once the database is open."""
    if (certificate is None) != (private_key is None):
        raise InvalidInputError("TLS needs both --certificate and --private-key.")
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
    with Store(database) as store:
        settings = Settings(secret=load_secret(secret_path(store, secret_file)), public_url=public_url)
        config = uvicorn.Config(
            create_app(store, settings),
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ssl_certfile=certificate,
            ssl_keyfile=private_key,
            timeout_graceful_shutdown=5,
            timeout_keep_alive=75,  # longer than clients keep theirs, so that none is cut off as it asks again
        )
        ready()
        uvicorn.Server(config).run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """Take the port first, so that no work is wasted."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise InvalidInputError(f"Cannot listen on {host}, port {port}: {error.strerror}.") from error
