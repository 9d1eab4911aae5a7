"""What was found a moment ago, so that another look at it costs nothing."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Recent:
    """The last answers by their questions; the one that was not asked for longest goes first.

    >>> recent = Recent(most=1)
    >>> recent.get("a", lambda: 1), recent.get("a", lambda: 2), recent.get("b", lambda: 3), recent.get("a", lambda: 4)
    (1, 1, 3, 4)
    """

    def __init__(self, *, most: int) -> None:
        self.most = most
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, question: Hashable, make: Callable[[], T]) -> T:
        """The answer to a question, made if it is not known."""
        with self._lock:
            if question in self._known:
                self._known.move_to_end(question)
                known: T = self._known[question]
                return known
        made = make()
        with self._lock:
            self._known[question] = made
            while len(self._known) > self.most:
                self._known.popitem(last=False)
        return made
