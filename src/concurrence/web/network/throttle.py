"""Token buckets, so that nobody can guess links or flood the server, nor lock out others who share an address."""

import hashlib
import threading
import time
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address


class Throttle:
    """A bucket for each key: ``burst`` requests at once, then ``rate`` per second."""

    MOST_KEYS = 20_000

    def __init__(self, *, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self._buckets: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def wait(self, key: str, *, cost: float = 1.0) -> float:
        """Take from the bucket; the answer is 0, or how many seconds until there is enough."""
        with self._lock:
            present = self._level(key)
            if present < cost:
                return (cost - present) / self.rate
            self._buckets[key] = (present - cost, self.clock())
            return 0.0

    def level(self, key: str) -> float:
        with self._lock:
            return self._level(key)

    def _level(self, key: str) -> float:
        if len(self._buckets) > self.MOST_KEYS:
            self._forget_full()
        level, since = self._buckets.get(key, (self.burst, self.clock()))
        return min(self.burst, level + (self.clock() - since) * self.rate)

    def _forget_full(self) -> None:
        now = self.clock()
        self._buckets = {
            key: (level, since)
            for key, (level, since) in self._buckets.items()
            if level + (now - since) * self.rate < self.burst
        }
        if len(self._buckets) > self.MOST_KEYS:
            self._buckets.clear()


class RecentSessions:
    """Sessions that were found valid a moment ago; a flood from their address does not shut them out.

    Kept as hashes, in memory alone. Whether a session is still valid is decided by the database at every request.
    """

    MOST = 10_000
    SECONDS = 600

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._until: dict[bytes, float] = {}

    def add(self, session: str) -> None:
        if len(self._until) >= self.MOST:
            now = self.clock()
            self._until = {key: until for key, until in self._until.items() if until > now}
            if len(self._until) >= self.MOST:
                self._until.clear()
        self._until[_digest(session)] = self.clock() + self.SECONDS

    def __contains__(self, session: str) -> bool:
        return self._until.get(_digest(session), 0.0) > self.clock()


def _digest(session: str) -> bytes:
    return hashlib.sha256(session.encode("utf-8", "surrogateescape")).digest()


def address_prefix(address: str) -> str:
    """What one visitor can change at will counts as one address: in IPv6, the last 64 bits.

    >>> address_prefix("2001:db8::1") == address_prefix("2001:db8::2:3")
    True
    >>> address_prefix("192.0.2.7"), address_prefix("::ffff:192.0.2.7")
    ('192.0.2.7', '192.0.2.7')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))
    return str(parsed)
