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
from concurrence.web.network.throttle import neighbourhood

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
class Guest:
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


class Crowd:
    """All connections of a server."""

    def __init__(self, limits: ConnectionLimits, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits, self.clock = limits, clock
        self._guests: dict[int, Guest] = {}  # by the number of the open file, which a closed one gives free

    def __len__(self) -> int:
        return len(self._guests)

    def admit(self, connection: Any, address: str) -> Guest:
        """Count a new connection; the one that can best be spared is closed if there are too many."""
        now = self.clock()
        guest = Guest(connection.fileno(), connection, neighbourhood(address), now, now + self.limits.head)
        self._guests[guest.key] = guest
        if len(self._guests) > self.limits.most:
            self._close(self._least_needed())
        return guest

    def find(self, connection: Any) -> Guest:
        """The guest of a connection; where accepting was not seen, it is counted now."""
        guest = self._guests.get(connection.fileno())
        return guest if guest is not None else self.admit(connection, str(connection.getpeername()[0]))

    def enter(self, guest: Guest, phase: Phase, *, received: int = 0) -> None:
        """Note what a connection is at now; a head has one deadline, a body one that grows with what came."""
        if phase == guest.phase and phase in (Phase.HEAD, Phase.BODY):
            guest.until += received / self.limits.body_rate if phase is Phase.BODY else 0.0
            return
        allowed = {Phase.HEAD: self.limits.head, Phase.BODY: self.limits.body, Phase.IDLE: self.limits.idle}
        guest.phase, guest.since = phase, self.clock()
        guest.until = guest.since + allowed.get(phase, math.inf)

    def leave(self, guest: Guest) -> None:
        if self._guests.get(guest.key) is guest:
            del self._guests[guest.key]

    def sweep(self) -> None:
        """Close what has run out of time; while an answer waits to be taken, it must grow smaller."""
        now = self.clock()
        for guest in list(self._guests.values()):
            waiting = guest.unsent()
            if waiting != guest.unsent_before:
                guest.unsent_before, guest.unsent_until = waiting, now + self.limits.answer
            if (guest.unsent_until if waiting else guest.until) < now:
                self._close(guest)

    def _least_needed(self) -> Guest:
        crowded = Counter(guest.address for guest in self._guests.values())
        return min(self._guests.values(), key=lambda guest: (_rank(guest), -crowded[guest.address], guest.since))

    def _close(self, guest: Guest) -> None:
        self.leave(guest)
        with suppress(OSError):
            guest.socket.shutdown(socket.SHUT_RDWR)  # its owner sees the end and cleans up


def _rank(guest: Guest) -> tuple[bool, Phase]:
    """Idle connections and those in a head wait alike; nobody in the middle of a request yields to them."""
    phase = Phase.SENDING if guest.unsent() else guest.phase
    return phase > Phase.HEAD, phase if phase > Phase.HEAD else Phase.IDLE


class CountingListener(socket.socket):
    """A listening socket whose connections are counted as they are accepted."""

    def __init__(self, listener: socket.socket, crowd: Crowd) -> None:
        super().__init__(fileno=listener.detach())
        self.crowd = crowd

    def accept(self) -> tuple[socket.socket, Any]:
        connection, address = super().accept()
        self.crowd.admit(connection, str(address[0]))
        return connection, address


def counted_protocol(crowd: Crowd) -> type[H11Protocol]:
    """HTTP as uvicorn speaks it, telling the crowd what each connection is at."""

    class CountedProtocol(H11Protocol):
        guest: Guest

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.guest = crowd.find(transport.get_extra_info("socket"))
            self.guest.unsent = transport.get_write_buffer_size

        def connection_lost(self, exc: Exception | None) -> None:
            crowd.leave(self.guest)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            crowd.enter(self.guest, self._phase(Phase.HEAD), received=len(data))

        def on_response_complete(self) -> None:
            super().on_response_complete()
            crowd.enter(self.guest, self._phase(Phase.IDLE))

        def _phase(self, between: Phase) -> Phase:
            if self.cycle is None or self.cycle.response_complete:
                return between
            return Phase.BODY if self.cycle.more_body else Phase.WORKING

    return CountedProtocol


def room_for(wanted: int) -> int:
    """How many connections the limit on open files allows, raised as far as this process may."""
    try:
        import resource
    except ImportError:  # no such limit on Windows
        return wanted
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files < wanted + RESERVED_FILES:
        with suppress(ValueError, OSError):
            allowed = wanted + RESERVED_FILES
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed if most < 0 else min(allowed, most), most))
        files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(min(wanted, files - RESERVED_FILES), 16)
