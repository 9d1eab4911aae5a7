"""Token buckets, so that nobody can guess links or flood the server."""

import threading
import time
from collections.abc import Callable


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
