"""The options of ``preferences``: each with its default and its help."""

from dataclasses import dataclass

from concurrence.core.errors import InvalidInputError
from concurrence.core.options import check_level, option


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceOptions:
    """The terms of the model, the win rate to plan further comparisons for, and the confidence level."""

    position: bool = option(False, "Add a term for the item shown first (column a) to the model.")
    separation: float | None = option(
        None,
        "A win rate, such as 60%, that neighbours are to be told apart at. Default: the estimated one.",
        kind="share",
    )
    level: float = option(0.95, "The confidence level.", kind="number")

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.separation is not None and not 0.5 < self.separation < 1:
            raise InvalidInputError(
                f"The win rate to be told apart must lie between 0.5 and 1, such as 0.6, not {self.separation:g}."
            )
