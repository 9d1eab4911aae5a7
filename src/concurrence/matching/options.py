"""The options of ``match``: each with its default and its help."""

from dataclasses import dataclass

from concurrence.core.errors import InvalidInputError
from concurrence.core.options import Progress, option


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOptions:
    """How similar two sentences must be to be proposed as a match."""

    similarity: float = option(0.75, "Share of the left sentence's words that must be found, in order.", kind="number")
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if not 0 < self.similarity <= 1:
            raise InvalidInputError(f"The similarity must be above 0 and at most 1, not {self.similarity}.")
