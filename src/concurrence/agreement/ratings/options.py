"""The options of ``ratings``: each with its default and its help."""

from dataclasses import dataclass

from concurrence.core.errors import InvalidInputError
from concurrence.core.options import Progress, check_level, option


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingOptions:
    """The confidence level, and the draws of the intervals that rest on resampled items."""

    level: float = option(0.95, "The confidence level.", kind="number")
    bootstrap: int = option(
        1000, "Resamplings of the items, for Kendall's W and the mean rank correlation.", kind="count", metavar="N"
    )
    seed: int = 0
    progress: Progress | None = None

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.bootstrap < 1:
            raise InvalidInputError(f"The number of bootstrap draws must be at least 1, not {self.bootstrap}.")
