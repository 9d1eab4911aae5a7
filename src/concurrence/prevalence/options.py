"""How a rate is to be estimated: the keywords of the verb, gathered and checked once."""

from dataclasses import dataclass

from concurrence.core.checks import check_level
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.kernels.verdicts import SOURCES


@dataclass(frozen=True, slots=True, kw_only=True)
class RateOptions:
    """The confidence level, whether coders' errors are carried, documents, what to judge next, and many looks."""

    level: float = 0.95
    coder_uncertainty: str | None = None
    clusters: str | None = None
    width: float | None = None
    next_items: int | None = None
    anytime: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.width is not None and not 0 < self.width < 1:
            raise InvalidInputError(f"The width of an interval lies between 0 and 1, such as 0.05, not {self.width:g}.")
        if self.next_items is not None and self.next_items < 1:
            raise InvalidInputError(f"At least one candidate is judged next, not {self.next_items}.")
        if self.next_items is not None and self.width is not None:
            raise InvalidInputError("Ask for a width or for a number of candidates to judge next, not for both.")
        if self.coder_uncertainty is not None and self.coder_uncertainty not in SOURCES:
            raise UnknownNameError("source of coder uncertainty", self.coder_uncertainty, SOURCES)

    @property
    def is_random(self) -> bool:
        """Whether anything is drawn: other coders, or what to judge next."""
        return self.coder_uncertainty is not None or self.next_items is not None
