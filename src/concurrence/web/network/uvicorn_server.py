"""Running an application on this machine, with its connections counted."""

import errno
import os
import socket
from typing import Any

import uvicorn

from concurrence.core.errors import InvalidInputError
from concurrence.web.network.connections import ACCEPTED_AT_ONCE, Crowd, counted_protocol
from concurrence.web.network.settings import ConnectionLimits

TICKS_A_SECOND = 10


def configuration(app: Any, crowd: Crowd, limits: ConnectionLimits) -> uvicorn.Config:
    """How uvicorn serves an application here: quietly, and telling the crowd of every connection."""
    return uvicorn.Config(
        app,
        http=counted_protocol(crowd),
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


class CountedServer(uvicorn.Server):
    """uvicorn's server, which also looks after connections."""

    def __init__(self, config: uvicorn.Config, crowd: Crowd) -> None:
        super().__init__(config)
        self.crowd = crowd

    async def on_tick(self, counter: int) -> bool:
        """What is to be done ten times a second, and every second."""
        if counter % TICKS_A_SECOND == 0:
            self.crowd.sweep()
        return await super().on_tick(counter)


def listen(host: str, port: int) -> socket.socket:
    """Take the port first, so that no work is wasted."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise InvalidInputError(_why_deaf(host, port, error)) from error


def _why_deaf(host: str, port: int, error: OSError) -> str:
    at = f"Cannot listen on {host}, port {port}"
    if error.errno == errno.EADDRINUSE:
        return f"{at}: it is already in use; choose another with --port."
    if error.errno == errno.EACCES:
        return f"{at}: this needs more rights than you have; choose a port above 1023 with --port."
    why = os.strerror(error.errno) if error.errno and error.errno > 0 else "that name has no address"
    return f"{at}: {why}."
