"""Running the server on this machine."""

import logging
import socket
import ssl
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import uvicorn

from concurrence.annotation.database.store import Store
from concurrence.annotation.people.access import SessionLimits, purge_sessions
from concurrence.annotation.people.installation import secret_of
from concurrence.core.errors import InvalidInputError
from concurrence.web.app import create_app
from concurrence.web.network.connections import CountingListener, Crowd, room_for
from concurrence.web.network.uvicorn_server import CountedServer, configuration, listen
from concurrence.web.settings import Settings

TICKS_AN_HOUR = 36_000

__all__ = ["Server", "listen", "serve"]


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
        crowd = Crowd(replace(limits, most=room_for(limits.most)))
        config = _config(store, settings, crowd)
        config.load()
        config.ssl = context
        ready()
        with CountingListener(listener, crowd) as door:
            Server(config, crowd, store, settings).run(sockets=[door])


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


def _config(store: Store, settings: Settings, crowd: Crowd) -> uvicorn.Config:
    return configuration(create_app(store, settings), crowd, settings.connections)


class Server(CountedServer):
    """The server of connections, which also looks after ended sessions."""

    def __init__(self, config: uvicorn.Config, crowd: Crowd, store: Store, settings: Settings) -> None:
        super().__init__(config, crowd)
        self.store, self.settings = store, settings

    async def on_tick(self, counter: int) -> bool:
        """What is to be done every hour, besides what connections need."""
        if counter % TICKS_AN_HOUR == 0:
            self.store.submit(lambda connection: purge_sessions(connection, self.settings.sessions))
        return await super().on_tick(counter)
