"""How ratings are to be analysed: the keywords of the verb, gathered and checked once."""

from collections.abc import Callable
from dataclasses import dataclass

from concurrence.core.checks import check_level
from concurrence.core.errors import InvalidInputError

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingOptions:
    """The confidence level, and the draws of the intervals that rest on resampled items."""

    level: float = 0.95
    bootstrap: int = 1000
    seed: int = 0
    progress: Progress | None = None

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.bootstrap < 1:
            raise InvalidInputError(f"The number of bootstrap draws must be at least 1, not {self.bootstrap}.")
