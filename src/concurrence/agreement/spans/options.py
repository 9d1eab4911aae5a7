"""The options of ``spans``: each with its default, its help and the values it takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from concurrence.core.errors import InvalidInputError
from concurrence.core.options import Progress, check_choices, check_level, option


@dataclass(frozen=True, slots=True, kw_only=True)
class SpansOptions:
    """Which coefficients to compute, how intervals are drawn, and what chance and distance are for gamma.

    ``reference`` is a coder that all others are compared with in F1. ``bootstrap`` draws of documents give the
    intervals; with 0 there are none. For gamma, ``sampler`` says what chance is and ``samples`` how many random
    documents are drawn for each (default: as many as the expected disorder needs to be known within 2%); ``alpha`` and
    ``beta`` weigh position and category, ``empty`` is the cost of a unit without a partner.
    """

    coefficients: Sequence[str] | None = option(
        None, "These coefficients only, such as alpha_u.", kind="names", flags=("--only",), metavar="NAME,…"
    )
    reference: str | None = option(None, "Compare every coder with this one (F1, precision, recall).", metavar="CODER")
    level: float = option(0.95, "The confidence level.", kind="number")
    bootstrap: int = option(2000, "Resamplings of the documents for the intervals.", kind="draws")
    seed: int = 0
    sampler: str = option(
        "shuffle",
        "What chance is for gamma: shifted annotations (the authors') or drawn from normal distributions.",
        choices=("shuffle", "statistical"),
        what="sampler",
    )
    samples: int | None = option(
        None,
        "Random draws of each document for gamma. Default: until the expected disorder is known within 2%.",
        kind="count",
        metavar="N",
    )
    alpha: float = option(1.0, "Gamma: weight of positions.", kind="number")
    beta: float = option(1.0, "Gamma: weight of labels.", kind="number")
    empty: float = option(1.0, "Gamma: cost of an unaligned span.", kind="number")
    progress: Progress | None = None

    def __post_init__(self) -> None:
        check_level(self.level)
        check_choices(self)
        for name in ("alpha", "beta", "empty"):
            weight = getattr(self, name)
            if not isfinite(weight) or weight < 0 or (weight == 0 and name != "beta"):
                least = "0 or more" if name == "beta" else "above 0"
                raise InvalidInputError(f"Gamma's {name} must be a number {least}, not {weight:g}.")
