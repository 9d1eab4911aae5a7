"""Running the explorer until it is stopped."""

import logging
import socket
from collections.abc import Callable
from dataclasses import replace

from concurrence.web.explorer.app import create_explorer
from concurrence.web.explorer.sources import Explored
from concurrence.web.network.connections import CountingListener, Crowd, room_for
from concurrence.web.network.settings import ConnectionLimits
from concurrence.web.network.uvicorn_server import CountedServer, configuration


def explore(explored: Explored, listener: socket.socket, *, ready: Callable[[], None]) -> None:
    """Show what was opened until stopped; ``ready`` is called before the first answer."""
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
    limits = ConnectionLimits(most=100)
    crowd = Crowd(replace(limits, most=room_for(limits.most)))
    config = configuration(create_explorer(explored), crowd, limits)
    ready()
    with CountingListener(listener, crowd) as door:
        CountedServer(config, crowd).run(sockets=[door])
