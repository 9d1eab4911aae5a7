"""Connections: how many there are at once, and how long each may keep others waiting.

They are counted where they are accepted, so that those count too which never say a word or never finish their
TLS handshake. When all places are taken, the connection that has waited longest without a complete request makes
room, from the address that holds the most; so a new client gets in whatever the others do.
"""

import math
import socket
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from concurrence.web.network.settings import ConnectionLimits
from concurrence.web.network.throttle import address_prefix

ACCEPTED_AT_ONCE = 128
RESERVED_FILES = ACCEPTED_AT_ONCE + 220  # for the database (three files for each of 41 connections), pages and logs


class Phase(IntEnum):
    """What a connection is at; the smaller, the sooner it makes room for others."""

    IDLE = 0
    HEAD = 1
    BODY = 2
    SENDING = 3
    WORKING = 4


@dataclass(slots=True, eq=False)
class OpenConnection:
    """One connection, what it is at, since when, and until when."""

    key: int
    socket: Any  # a socket, or what asyncio shows of one
    address: str
    since: float
    until: float
    phase: Phase = Phase.HEAD
    unsent: Callable[[], int] = int  # how much of the answer waits for the client to take it
    unsent_before: int = 0
    unsent_until: float = math.inf


class ConnectionLimiter:
    """All connections of a server."""

    def __init__(self, limits: ConnectionLimits, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits, self.clock = limits, clock
        # By the number of the open file, which a closed one gives free.
        self._connections: dict[int, OpenConnection] = {}

    def __len__(self) -> int:
        return len(self._connections)

    def admit(self, client: Any, address: str) -> OpenConnection:
        """Count a new connection; the one that can best be spared is closed if there are too many."""
        now = self.clock()
        connection = OpenConnection(client.fileno(), client, address_prefix(address), now, now + self.limits.head)
        self._connections[connection.key] = connection
        if len(self._connections) > self.limits.most:
            self._close(self._least_needed())
        return connection

    def find(self, client: Any) -> OpenConnection:
        """The connection of a socket; where accepting was not seen, it is counted now."""
        connection = self._connections.get(client.fileno())
        return connection if connection is not None else self.admit(client, str(client.getpeername()[0]))

    def enter(self, connection: OpenConnection, phase: Phase, *, received: int = 0) -> None:
        """Note what a connection is at now; a head has one deadline, a body one that grows with what came."""
        if phase == connection.phase and phase in (Phase.HEAD, Phase.BODY):
            connection.until += received / self.limits.body_rate if phase is Phase.BODY else 0.0
            return
        allowed = {Phase.HEAD: self.limits.head, Phase.BODY: self.limits.body, Phase.IDLE: self.limits.idle}
        connection.phase, connection.since = phase, self.clock()
        connection.until = connection.since + allowed.get(phase, math.inf)

    def leave(self, connection: OpenConnection) -> None:
        if self._connections.get(connection.key) is connection:
            del self._connections[connection.key]

    def sweep(self) -> None:
        """Close what has run out of time; while an answer waits to be taken, it must grow smaller."""
        now = self.clock()
        for connection in list(self._connections.values()):
            waiting = connection.unsent()
            if waiting != connection.unsent_before:
                connection.unsent_before, connection.unsent_until = waiting, now + self.limits.answer
            if (connection.unsent_until if waiting else connection.until) < now:
                self._close(connection)

    def _least_needed(self) -> OpenConnection:
        by_address = Counter(connection.address for connection in self._connections.values())
        return min(
            self._connections.values(),
            key=lambda connection: (_rank(connection), -by_address[connection.address], connection.since),
        )

    def _close(self, connection: OpenConnection) -> None:
        self.leave(connection)
        with suppress(OSError):
            connection.socket.shutdown(socket.SHUT_RDWR)  # its owner sees the end and cleans up


def _rank(connection: OpenConnection) -> tuple[bool, Phase]:
    """Idle connections and those in a head wait alike; nobody in the middle of a request yields to them."""
    phase = Phase.SENDING if connection.unsent() else connection.phase
    return phase > Phase.HEAD, phase if phase > Phase.HEAD else Phase.IDLE


class CountingListener(socket.socket):
    """A listening socket whose connections are counted as they are accepted."""

    def __init__(self, listener: socket.socket, limiter: ConnectionLimiter) -> None:
        super().__init__(fileno=listener.detach())
        self.limiter = limiter

    def accept(self) -> tuple[socket.socket, Any]:
        client, address = super().accept()
        self.limiter.admit(client, str(address[0]))
        return client, address


def counted_protocol(limiter: ConnectionLimiter) -> type[H11Protocol]:
    """HTTP as uvicorn speaks it, telling the limiter what each connection is at."""

    class CountedProtocol(H11Protocol):
        own_connection: OpenConnection

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.own_connection = limiter.find(transport.get_extra_info("socket"))
            self.own_connection.unsent = transport.get_write_buffer_size

        def connection_lost(self, exc: Exception | None) -> None:
            limiter.leave(self.own_connection)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            limiter.enter(self.own_connection, self._phase(Phase.HEAD), received=len(data))

        def on_response_complete(self) -> None:
            super().on_response_complete()
            limiter.enter(self.own_connection, self._phase(Phase.IDLE))

        def _phase(self, between: Phase) -> Phase:
            if self.cycle is None or self.cycle.response_complete:
                return between
            return Phase.BODY if self.cycle.more_body else Phase.WORKING

    return CountedProtocol


def allowed_connections(most_wanted: int) -> int:
    """How many connections the limit on open files allows, raised as far as this process may."""
    try:
        import resource
    except ImportError:  # no such limit on Windows
        return most_wanted
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files < most_wanted + RESERVED_FILES:
        with suppress(ValueError, OSError):
            allowed = most_wanted + RESERVED_FILES
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed if most < 0 else min(allowed, most), most))
        files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(min(most_wanted, files - RESERVED_FILES), 16)
