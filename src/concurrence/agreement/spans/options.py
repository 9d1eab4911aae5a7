"""How agreement on spans is to be analysed: the keywords of the verb, gathered and checked once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite

from concurrence.agreement.spans.samplers import SAMPLERS
from concurrence.core.checks import check_level
from concurrence.core.errors import InvalidInputError, UnknownNameError

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpansOptions:
    """What is measured and how.

    ``reference`` is a coder that all others are compared with in F1. ``bootstrap`` draws of documents give the
    intervals, none where it is 0. For gamma, ``sampler`` says what chance is and ``samples`` how many random
    documents are drawn for each (default: as many as the expected disorder needs to be known within 2%); ``alpha`` and
    ``beta`` weigh position and category, ``empty`` is the cost of a unit without a partner.
    """

    coefficients: Sequence[str] | None = None
    reference: str | None = None
    level: float = 0.95
    bootstrap: int = 2000
    seed: int = 0
    sampler: str = "shuffle"
    samples: int | None = None
    alpha: float = 1.0
    beta: float = 1.0
    empty: float = 1.0
    progress: Progress | None = None

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.sampler not in SAMPLERS:
            raise UnknownNameError("sampler", self.sampler, SAMPLERS)
        for name in ("alpha", "beta", "empty"):
            given = getattr(self, name)
            if not isfinite(given) or given < 0 or (given == 0 and name != "beta"):
                least = "0 or more" if name == "beta" else "above 0"
                raise InvalidInputError(f"Gamma's {name} must be a number {least}, not {given:g}.")
