"""An interval that remembers its level and how it was made."""

from collections.abc import Iterator
from typing import ClassVar

from concurrence.core.results import Result
from concurrence.core.values import value

CERTAIN = "The value is exactly 1, so the standard error is estimated as 0; that is not certainty."
"""What is said of perfect agreement, whatever the judgements were."""


@value
class Interval(Result):
    """A confidence interval.

    >>> low, high = Interval(low=0.2, high=0.4, level=0.95, method="exact")
    >>> (low, high)
    (0.2, 0.4)
    """

    low: float
    high: float
    level: float
    method: str
    as_list: ClassVar = ("low", "high")
    """In JSON it is its two ends; level and method stand beside it."""

    def __iter__(self) -> Iterator[float]:
        """Unpack as ``low, high``."""
        yield self.low
        yield self.high

    @property
    def width(self) -> float:
        return self.high - self.low

    @classmethod
    def from_json(cls, ends: list[float | None]) -> "Interval":
        """An interval of which only the ends were kept."""
        low, high = (float("nan") if end is None else float(end) for end in ends)
        return cls(low=low, high=high, level=float("nan"), method="unknown")

    def __str__(self) -> str:
        return f"[{self.low:.3f}, {self.high:.3f}] ({self.level:.0%} CI, {self.method})"
