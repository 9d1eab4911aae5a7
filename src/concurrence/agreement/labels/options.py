"""How a study is to be analysed: the keywords of the verbs, gathered and checked once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from concurrence.core.checks import check_level
from concurrence.core.errors import InvalidInputError

Convention = Literal["items", "pairs"]
Progress = Callable[[int, int], None]

CUTS = (0.68, 0.60, 0.51)
"""Lower bounds of true agreement that reproduce the groups G1 to G4 of Krenn, Evert & Zinsmeister (2004)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreeOptions:
    """How labels are compared and what is reported.

    ``weights`` is a name of ``metrics.WEIGHTS`` or a square matrix of weights or distances in the order of
    the categories. ``period`` is once around a circular scale. ``cuts`` divide coders into groups by the lower
    bound of their true agreement with the expert. ``confusion`` adds the confusion table of every two coders even where
    these are many (more than 20 coders, or groups of items); ``coder_groups`` names the group of each coder, to compare
    them. ``bootstrap`` draws, where there are any, replace the analytic intervals; ``progress`` is told of them.
    """

    scale: str = "nominal"
    weights: Any = None
    convention: Convention = "items"
    period: float | None = None
    level: float = 0.95
    coefficients: Sequence[str] | None = None
    pairs: bool = True
    expert: str | None = None
    cuts: Sequence[float] = CUTS
    agreement_table: bool = False
    confusion: bool = False
    coder_groups: Mapping[str, str] | None = None
    bootstrap: int = 0
    seed: int = 0
    progress: Progress | None = None

    def __post_init__(self) -> None:
        check_level(self.level)
        if list(self.cuts) != sorted(self.cuts, reverse=True) or not all(0 <= cut <= 1 for cut in self.cuts):
            raise InvalidInputError("The cuts between groups are shares in falling order, such as 0.68,0.60,0.51.")
