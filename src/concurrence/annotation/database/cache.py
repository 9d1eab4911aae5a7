"""What was computed from the store, kept until something changes."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")

MOST = 64


class VersionedCache:
    """The newest value of each key, with the mark it was made at; the least recently used ones are forgotten.

    >>> memory = Memory()
    >>> [memory.recall("sum", mark, lambda: made) for mark, made in ((1, "a"), (1, "b"), (2, "c"))]
    ['a', 'a', 'c']
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[Hashable, Any]] = OrderedDict()
        self._lock = threading.Lock()
        self._making: dict[Hashable, threading.Lock] = {}

    def recall(
        self, key: Hashable, mark: Hashable, make: Callable[[], T], renew: Callable[[Any, T], T] | None = None
    ) -> T:
        """The value of a key at a mark, made where it is not known; who asks while it is made waits for it.

        ``renew`` makes it from the one of an earlier mark, where there is one.
        """
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            known, value = self._kept.get(key, (None, None))
            if known != mark:
                value = make() if known is None or renew is None else renew(known, value)
            self._keep(key, mark, value)
        made: T = value
        return made

    def _keep(self, key: Hashable, mark: Hashable, value: Any) -> None:
        with self._lock:
            self._kept[key] = (mark, value)
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                oldest, _ = self._kept.popitem(last=False)
                self._making.pop(oldest, None)
