"""What was computed from the store, kept until something changes."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")

MOST = 64


class VersionedCache:
    """The newest value of each key, with the version it was made at; the least recently used ones are forgotten.

    >>> cache = VersionedCache()
    >>> [cache.get("sum", version, lambda: value) for version, value in ((1, "a"), (1, "b"), (2, "c"))]
    ['a', 'a', 'c']
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._entries: OrderedDict[Hashable, tuple[Hashable, Any]] = OrderedDict()
        self._lock = threading.Lock()
        self._key_locks: dict[Hashable, threading.Lock] = {}

    def get(
        self, key: Hashable, version: Hashable, make: Callable[[], T], renew: Callable[[Any, T], T] | None = None
    ) -> T:
        """The value of a key at a version, made where it is not there; who asks while it is made waits for it.

        ``renew`` makes it from an earlier version and its value, where there is one.
        """
        with self._lock:
            key_lock = self._key_locks.setdefault(key, threading.Lock())
        with key_lock:
            earlier, value = self._entries.get(key, (None, None))
            if earlier != version:
                value = make() if earlier is None or renew is None else renew(earlier, value)
            self._store(key, version, value)
        newest: T = value
        return newest

    def _store(self, key: Hashable, version: Hashable, value: Any) -> None:
        with self._lock:
            self._entries[key] = (version, value)
            self._entries.move_to_end(key)
            while len(self._entries) > self._most:
                oldest, _ = self._entries.popitem(last=False)
                self._key_locks.pop(oldest, None)
