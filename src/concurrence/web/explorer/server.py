"""Running the explorer until it is stopped."""

import logging
import socket
from collections.abc import Callable
from dataclasses import replace

from concurrence.web.explorer.app import create_explorer
from concurrence.web.explorer.sources import Explored
from concurrence.web.network.connections import ConnectionLimiter, CountingListener, allowed_connections
from concurrence.web.network.settings import ConnectionLimits
from concurrence.web.network.uvicorn_server import LimitedServer, configuration


def explore(explored: Explored, listener: socket.socket, *, ready: Callable[[], None]) -> None:
    """Show what was opened until stopped; ``ready`` is called before the first answer."""
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
    limits = ConnectionLimits(most=100)
    limiter = ConnectionLimiter(replace(limits, most=allowed_connections(limits.most)))
    config = configuration(create_explorer(explored), limiter, limits)
    ready()
    with CountingListener(listener, limiter) as accepting:
        LimitedServer(config, limiter).run(sockets=[accepting])
