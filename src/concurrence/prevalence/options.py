"""The options of a rate, checked once."""

from dataclasses import dataclass

from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.options import check_level, option
from concurrence.kernels.choices import CODER_ERRORS


@dataclass(frozen=True, slots=True, kw_only=True)
class RateOptions:
    """How a rate is estimated, and what to say about further judgements."""

    clusters: str | None = option(
        None, "Column of documents, which then vary instead of candidates.", flags=("--cluster",)
    )
    coder_uncertainty: str | None = None
    width: float | None = option(None, "Say how many judgements an interval this wide needs.", kind="share")
    next_items: int | None = option(
        None,
        "Draw the N candidates to judge next, by the judge's doubt; -o writes them.",
        kind="count",
        flags=("--next",),
        metavar="N",
    )
    anytime: bool = option(False, "An interval that holds however often you look.")
    level: float = option(0.95, "Confidence level.", kind="level")
    seed: int = 0

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.width is not None and not 0 < self.width < 1:
            raise InvalidInputError(f"The width of an interval lies between 0 and 1, such as 0.05, not {self.width:g}.")
        if self.next_items is not None and self.next_items < 1:
            raise InvalidInputError(f"At least one candidate is judged next, not {self.next_items}.")
        if self.next_items is not None and self.width is not None:
            raise InvalidInputError("Ask for a width or for a number of candidates to judge next, not for both.")
        if self.coder_uncertainty is not None and self.coder_uncertainty not in CODER_ERRORS:
            raise UnknownNameError("source of coder uncertainty", self.coder_uncertainty, CODER_ERRORS)

    @property
    def is_random(self) -> bool:
        """Whether anything is drawn: other coders, or what to judge next."""
        return self.coder_uncertainty is not None or self.next_items is not None
