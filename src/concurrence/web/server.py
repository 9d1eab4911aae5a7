"""Running the server on this machine."""

import logging
import socket
import ssl
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from concurrence.annotation.database.store import Store
from concurrence.annotation.people.access import SessionLimits, purge_sessions
from concurrence.annotation.people.installation import secret_of
from concurrence.core.errors import InvalidInputError
from concurrence.web.app import create_app
from concurrence.web.network.connections import ConnectionLimiter, CountingListener, allowed_connections
from concurrence.web.network.uvicorn_server import LimitedServer, configuration, listen
from concurrence.web.settings import Settings

__all__ = ["listen", "make_server", "serve"]


def serve(
    database: str | None,
    listener: socket.socket,
    *,
    ready: Callable[[], None],
    public_url: str | None = None,
    trusted_proxies: tuple[str, ...] = (),
    sessions: SessionLimits | None = None,
    upload_limit: int | None = None,
    secret_file: Path | None = None,
    certificate: Path | None = None,
    private_key: Path | None = None,
) -> None:
    """Serve the campaigns of a database until stopped; ``ready`` is called once the database is open."""
    if (certificate is None) != (private_key is None):
        raise InvalidInputError("TLS needs both --certificate and --private-key.")
    context = None if certificate is None else _tls(certificate, private_key)
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
    with Store(database) as store:
        settings = Settings(
            secret=secret_of(store, secret_file),
            public_url=public_url,
            trusted_proxies=trusted_proxies,
            sessions=sessions or SessionLimits(),
        )
        if upload_limit is not None:
            settings = replace(settings, upload_limit=upload_limit)
        limits = settings.connections
        limiter = ConnectionLimiter(replace(limits, most=allowed_connections(limits.most)))
        server = make_server(store, settings, limiter)
        server.config.load()
        server.config.ssl = context
        ready()
        with CountingListener(listener, limiter) as accepting:
            server.run(sockets=[accepting])


def _tls(certificate: Path, private_key: Path | None) -> ssl.SSLContext:
    """Read the two before the database is opened."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, private_key)
    except OSError as error:  # what OpenSSL finds wrong is one too
        raise InvalidInputError(
            f"{certificate} and {private_key} are not a TLS certificate and its private key; give both as PEM files."
        ) from error
    return context


def make_server(store: Store, settings: Settings, limiter: ConnectionLimiter) -> LimitedServer:
    """The server of campaigns, which forgets ended sessions every hour."""
    config = configuration(create_app(store, settings), limiter, settings.connections)
    purge = partial(purge_sessions, limits=settings.sessions)
    return LimitedServer(config, limiter, hourly=lambda: store.submit(purge))
