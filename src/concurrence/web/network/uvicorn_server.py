"""Running an application on this machine, with its connections counted."""

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Callable
from typing import Any

import uvicorn

from concurrence.core.errors import InvalidInputError
from concurrence.web.network.connections import ACCEPTED_AT_ONCE, ConnectionLimiter, counted_protocol
from concurrence.web.network.settings import ConnectionLimits

LOG = logging.getLogger("concurrence.web")
HOUR = 3600  # seconds


def configuration(app: Any, limiter: ConnectionLimiter, limits: ConnectionLimits) -> uvicorn.Config:
    """How uvicorn serves an application here: quietly, and telling the limiter about every connection."""
    return uvicorn.Config(
        app,
        http=counted_protocol(limiter),
        loop="asyncio",
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the application does that, for the proxies it was told of
        backlog=ACCEPTED_AT_ONCE,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=int(limits.idle),
    )


class LimitedServer(uvicorn.Server):
    """uvicorn's server, with its connections swept every second and something done every hour."""

    def __init__(
        self, config: uvicorn.Config, limiter: ConnectionLimiter, *, hourly: Callable[[], object] = lambda: None
    ) -> None:
        super().__init__(config)
        self.limiter, self.hourly = limiter, hourly

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until stopped."""
        duties = [asyncio.create_task(_repeat(self.limiter.sweep, 1)), asyncio.create_task(_repeat(self.hourly, HOUR))]
        try:
            await super().serve(sockets)
        finally:
            for duty in duties:
                duty.cancel()


async def _repeat(work: Callable[[], object], seconds: float) -> None:
    while True:
        try:
            work()
        except Exception:
            LOG.exception("a recurring duty of the server failed")
        await asyncio.sleep(seconds)


def listen(host: str, port: int) -> socket.socket:
    """Take the port first, so that no work is wasted."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise InvalidInputError(_listen_problem(host, port, error)) from error


def _listen_problem(host: str, port: int, error: OSError) -> str:
    at = f"Cannot listen on {host}, port {port}"
    if error.errno == errno.EADDRINUSE:
        return f"{at}: it is already in use; choose another with --port."
    if error.errno == errno.EACCES:
        return f"{at}: this needs more rights than you have; choose a port above 1023 with --port."
    why = os.strerror(error.errno) if error.errno and error.errno > 0 else "that name has no address"
    return f"{at}: {why}."
