"""The options of a draw and of each plan; without arrays, so that the command line loads fast."""

from collections.abc import Sequence
from dataclasses import MISSING, dataclass
from itertools import pairwise

from concurrence.core.designs import DESIGNS, STRATA
from concurrence.core.errors import InvalidInputError
from concurrence.core.options import check_choices, check_level, option
from concurrence.kernels.choices import BOUNDS

MOST_LOOKS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleOptions:
    """How candidates are drawn, how the sample is dealt out, and what its intervals are expected for.

    ``parts`` is None for one part, and in an extension for as many as before.
    """

    size: int | None = option(None, "Number of candidates to draw.", kind="count")
    rate: float | None = option(None, "Share of the whole list to draw: 10% or 0.1.", kind="share")
    design: str = option(
        "simple",
        "; ".join(f"{design.name}: {design.words}" for design in DESIGNS.values()) + ".",
        choices=tuple(DESIGNS),
        what="sampling design",
    )
    best: Sequence[int] | None = option(
        None, "List sizes of interest. Default: 500,1000,2000.", kind="counts", metavar="N,N"
    )
    measures: Sequence[str] = option(
        (), "Score columns, for union and strata.", kind="columns", flags=("-m", "--measures")
    )
    strata: str = option(
        "cells", "Cells of n-best membership, or bands of best rank.", choices=STRATA, what="kind of strata"
    )
    replacement: bool = option(False, "Draw with replacement (simple design only); repeated draws are counted.")
    parts: int | None = option(None, "Split the sample at random into equal parts, one per coder.", kind="count")
    overlap: float = option(0.0, "Share of the sample that all coders judge, such as 20%.", kind="share")
    expect: float = option(0.5, "Expected precision, for the interval widths.", kind="share")
    level: float = option(0.95, "Confidence level.", kind="level")
    seed: int = 0

    def __post_init__(self) -> None:
        check_choices(self)


def check_assurance(share: float) -> None:
    """Refuse a share of studies that no plan can promise."""
    if not 0 <= share < 1:
        raise InvalidInputError(f"The assurance must be a share from 0 on and below 1, not {share:g}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementPlanOptions:
    """The items that two coders label: for an interval of a width, and to rule out the kappa ``null``."""

    shares: Sequence[float] = option((0.5, 0.5), "Share of each category.", kind="list of numbers")
    kappa: Sequence[float] = option((0.6, 0.7, 0.8), "Expected kappa.", kind="list of numbers")
    width: Sequence[float] | None = option(None, "Width of the interval; several are allowed.", kind="list of numbers")
    null: float | None = option(None, "Kappa that the data should rule out.", kind="number")
    power: Sequence[float] = option((0.8,), "Probability of ruling it out.", kind="list of numbers")
    sided: int = option(1, "One- or two-sided test.", choices=(1, 2))
    assurance: float = option(
        0.8, "Share of studies whose interval is to be that narrow; 0 plans for the expected width.", kind="share"
    )
    level: float = option(0.95, "Confidence level; alpha is 1 - level.", kind="number")

    def __post_init__(self) -> None:
        check_assurance(self.assurance)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecisionPlanOptions:
    """The judgements for an interval of a width, for every list size and expected precision."""

    n: Sequence[int] = option((500, 1000, 2000), "List sizes.", kind="counts")
    precision: Sequence[float] = option((0.3,), "Expected precision.", kind="shares")
    width: Sequence[float] = option((0.1,), "Width of the interval.", kind="shares")
    assurance: float = option(
        0.8, "Share of studies whose interval is to be that narrow; 0 plans for the expected width.", kind="share"
    )
    population: int | None = option(None, "Number of candidates, without SCORED.", kind="count")
    union: int | None = option(None, "Size of the union of the n-best lists, without SCORED.", kind="count")
    budget: int | None = option(None, "Number of judgements you can afford.", kind="count")
    level: float = option(0.95, "Confidence level.", kind="level")

    def __post_init__(self) -> None:
        check_assurance(self.assurance)
        check_level(self.level)
        if not all(0 <= p <= 1 for p in self.precision):
            raise InvalidInputError("An expected precision must be a share between 0 and 1.")
        if not all(0 < w < 1 for w in self.width):
            raise InvalidInputError("A width must lie between 0 and 1, such as 0.1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerPlanOptions:
    """The judgements that tell two measures apart at each list size; ``union`` is the size of both lists together."""

    n: Sequence[int] = option((500,), "List sizes.", kind="counts")
    precision_a: float | None = option(None, "Expected n-best precision of the first measure.", kind="share")
    precision_b: float | None = option(None, "Expected n-best precision of the second measure.", kind="share")
    overlap: int | None = option(None, "How many candidates the lists share, without SCORED.", kind="count", least=0)
    population: int | None = option(None, "Number of candidates, without SCORED.", kind="count")
    union: int | None = None
    budget: int | None = option(None, "Number of judgements you can afford.", kind="count")
    power: float = option(0.8, "Desired power.", kind="share")
    alpha: float = option(0.05, "Significance level of the test.", kind="share")
    draws: int = option(2000, "Number of simulated samples.", kind="count", least=100)
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.power < 1 or not 0 < self.alpha < 1:
            raise InvalidInputError("Power and alpha must lie between 0 and 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LooksPlanOptions:
    """Looks after ``at`` judgements each, at a list of ``population`` candidates or an endless one."""

    at: Sequence[int] = option(
        MISSING, "Judgements at each look: 200,400,1000.", kind="counts", metavar="N,N", required=True
    )
    population: int | None = option(None, "Number of candidates. Default: endlessly many.", kind="count", least=2)
    bounds: str = option(
        "obrien-fleming",
        "Spend little of the error at first, or spend it evenly.",
        choices=BOUNDS,
        what="shape of bounds",
    )
    constant: bool = option(False, "The authors' constants, instead of spending the error over time.")
    share: float = option(0.5, "Expected share, for the widths.", kind="share")
    level: float = option(0.95, "Confidence level.", kind="level")

    def __post_init__(self) -> None:
        check_choices(self)
        check_level(self.level)
        if not 0 < self.share < 1:
            raise InvalidInputError(f"The expected share must lie between 0 and 1, not {self.share:g}.")
        if not 1 <= len(self.at) <= MOST_LOOKS:
            raise InvalidInputError(f"Plan 1 to {MOST_LOOKS} looks, not {len(self.at)}.")
        if self.at[0] < 1 or any(later <= before for before, later in pairwise(self.at)):
            raise InvalidInputError(
                "The judgements at each look must be whole numbers from 1 on, each more than before."
            )
        if self.population is not None and self.at[-1] >= self.population:
            raise InvalidInputError(
                f"The last look sees {self.at[-1]:,} judgements, but there are {self.population:,} candidates; once "
                "all are judged, nothing is uncertain, so plan the looks before that."
            )
