"""How comparisons are to be analysed: the keywords of the verb, gathered and checked once."""

from dataclasses import dataclass

from concurrence.core.checks import check_level
from concurrence.core.errors import InvalidInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceOptions:
    """``position`` adds the term for the item shown first; ``separation`` is a win rate that is to be told from 1/2."""

    position: bool = False
    level: float = 0.95
    separation: float | None = None

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.separation is not None and not 0.5 < self.separation < 1:
            raise InvalidInputError(
                f"The win rate to be told apart must lie between 0.5 and 1, such as 0.6, not {self.separation:g}."
            )
