"""How labels are analysed and compared: the options, checked once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from concurrence.core.errors import InvalidInputError
from concurrence.core.options import Progress, check_choices, check_level, option
from concurrence.kernels.choices import CONVENTIONS, SCALES

Convention = Literal["items", "pairs"]

CODER_MODELS = ("dawid-skene", "dawid-skene-bayes", "mace")
"""Models of the errors of coders."""
CUTS = (0.68, 0.60, 0.51)
"""Lower bounds of true agreement that reproduce the groups G1 to G4 of Krenn, Evert & Zinsmeister (2004)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreeOptions:
    """How labels are compared and what is reported.

    ``weights`` is a name of ``kernels.choices.WEIGHTS`` or a square matrix of weights or distances in the order of the
    categories. ``period`` is once around a circular scale. ``cuts`` divide coders into groups by the lower bound of
    their true agreement with the expert. ``confusion`` adds the confusion table of every two coders even where these
    are many (more than 20 coders, or groups of items); ``coder_groups`` names the group of each coder, to compare
    them. ``bootstrap`` draws, if there are any, replace the analytic intervals; ``progress`` hears of them.
    """

    scale: str = option("nominal", "Scale of the categories.", choices=SCALES, what="scale")
    weights: Any = option(
        None,
        "Weights for partial agreement: linear, quadratic, ordinal (Gwet's), masi, jaccard, or a file with a square "
        "table of weights or distances.",
        metavar="NAME|FILE",
    )
    period: float | None = option(
        None, "Period of a circular scale. Default: from the labels.", kind="number", metavar="P"
    )
    convention: Convention = option(
        "items", "What gets equal weight if labels are missing.", choices=CONVENTIONS, what="convention"
    )
    coefficients: Sequence[str] | None = option(
        None,
        "Show only these coefficients, such as cohen_kappa.",
        kind="names",
        flags=("--only",),
        metavar="NAME,…",
    )
    expert: str | None = option(None, "Compare every coder with this one.", metavar="CODER")
    cuts: Sequence[float] = option(
        CUTS,
        "With --expert: lower bounds that divide the coders into groups. Default: 0.68,0.60,0.51.",
        kind="list of numbers",
        cli_default=None,
        metavar="A,B,…",
    )
    level: float = option(0.95, "Confidence level.", kind="number")
    bootstrap: int = option(0, "Bootstrap intervals (BCa) from N resamples.", kind="draws", metavar="N")
    seed: int = 0
    agreement_table: bool = option(False, "Add the items x categories table to the JSON.")
    coder_groups: Mapping[str, str] | None = option(
        None,
        "Compare agreement within and between groups of coders; FILE is a table with the columns coder,group.",
        metavar="FILE",
    )
    pairs: bool = option(True, "Compare every pair of coders.", flags=("--pairs/--no-pairs",))
    confusion: bool = option(
        False, "Add each pair's confusion table to the JSON with --by or more than 20 coders, too."
    )
    progress: Progress | None = None

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.convention not in CONVENTIONS:
            raise InvalidInputError(f"The convention is 'items' or 'pairs', not {self.convention!r}.")
        check_choices(self)
        if list(self.cuts) != sorted(self.cuts, reverse=True) or not all(0 <= cut <= 1 for cut in self.cuts):
            raise InvalidInputError("The cuts between groups are shares in falling order, such as 0.68,0.60,0.51.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareOptions:
    """Which sides are compared, and by what; ``weights`` are those of ``AgreeOptions``."""

    a: Sequence[str] | None = option(None, "The coders of one side.", kind="names")
    b: Sequence[str] | None = option(None, "The coders of the other side.", kind="names", metavar="C,D")
    reference: str | None = option(None, "Coder, such as gold, with whom both sides are compared.", metavar="R")
    coefficient: str | None = option(
        None, "Default: cohen_kappa, or fleiss_kappa for more than two coders.", kind="coefficient"
    )
    scale: str = option("nominal", "Scale of the categories.", choices=SCALES, what="scale")
    weights: Any = option(None, "Weights for partial agreement.")
    convention: Convention = "items"
    bootstrap: int = option(4000, "Number of bootstrap resamples.", kind="count")
    level: float = option(0.95, "Confidence level.", kind="number")
    seed: int = 0
    progress: Progress | None = None

    def agree_options(self) -> AgreeOptions:
        """How the labels of either side are compared."""
        return AgreeOptions(
            scale=self.scale, weights=self.weights, convention=self.convention, level=self.level, seed=self.seed
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CoderOptions:
    """Which model of coders is fitted; ``latent`` looks for ``classes`` of items from several random ``starts``."""

    model: str = option("dawid-skene", "Model of coder errors.", choices=(*CODER_MODELS, "latent"), what="model")
    classes: int | None = option(
        None,
        "Number of classes, with --model latent. Default: the number from 1 to 6 with the lowest BIC.",
        kind="count",
        metavar="N",
    )
    same: Sequence[Sequence[str]] = option((), "Columns that belong to the same coder.", kind="names", multiple=True)
    starts: int = 30
    max_iterations: int = 5000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.classes is not None and self.classes < 1:
            raise InvalidInputError(f"The number of classes must be at least 1, not {self.classes}.")
