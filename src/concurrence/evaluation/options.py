"""What an evaluation can be asked for, checked once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from concurrence.core.arrays import Integers
from concurrence.core.checks import check_level
from concurrence.core.designs import has_whole_lists, is_by_rank
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.evaluation.comparisons import CORRECTIONS
from concurrence.evaluation.results import Method
from concurrence.kernels.estimates import METHODS
from concurrence.kernels.exact_tests import ALTERNATIVES
from concurrence.kernels.ranking import Ranking
from concurrence.kernels.strata import SampledList

BANDS = ("pointwise", "simultaneous")
AXES = ("n", "recall")
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500, 5000, 10_000)
POINTS = 150
FIRST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateOptions:
    """The choices of one evaluation; ``None`` leaves a choice to the data."""

    n: Sequence[int] | None = None
    interval: str | None = None
    level: float = 0.95
    band: str = "pointwise"
    test: str = "minlike"
    correction: str | None = None
    above: Sequence[float] = ()
    thresholds: Mapping[str, float] = field(default_factory=dict)
    window: int = 400
    tie_draws: int = 1
    simulate: float | None = None
    proxy: str | None = None
    coder_uncertainty: str | None = None
    chart_by: str = "n"
    anytime: bool = False
    learn: bool = False
    seed: int = 0
    titles: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.tie_draws < 1 or self.window < 1:
            raise InvalidInputError("The number of tie draws and the window must be at least 1.")
        for kind, name, known in (
            ("interval method", self.interval, METHODS),
            ("band", self.band, BANDS),
            ("two-sided test", self.test, ALTERNATIVES),
            ("correction", self.correction, CORRECTIONS),
            ("axis of the chart", self.chart_by, AXES),
        ):
            if name is not None and name not in known:
                raise UnknownNameError(kind, name, known)
        if self.anytime and (self.band != "pointwise" or self.correction or self.coder_uncertainty):
            raise InvalidInputError(
                "Intervals for every look hold one list size at a time and do not carry coders' disagreement; leave "
                "out simultaneous bands, corrections and coder uncertainty."
            )
        if self.learn and (self.anytime or self.tie_draws > 1):
            raise InvalidInputError(
                "A learned ranking changes with every judgement and has hardly a tie; leave out intervals for every "
                "look and tie draws."
            )
        if self.simulate is not None and not 0 < self.simulate < 1:
            raise InvalidInputError(f"A simulated sample takes a share between 0 and 1, not {self.simulate:g}.")


def choose_method(options: EvaluateOptions, design: SampledList) -> Method:
    """The methods for a design; one that does not hold for it is refused."""
    only_sets = not has_whole_lists(design.kind)
    automatic = "design" if is_by_rank(design.kind) else "hypergeometric"
    if design.replacement:
        automatic = "design" if not design.exact else "clopper-pearson"
    chosen = options.interval or automatic
    if not design.exact and chosen != "design":
        raise InvalidInputError(
            f"The interval {chosen!r} assumes that every candidate had the same chance of being judged, "
            "which does not hold in a stratified sample; use 'design'."
        )
    if design.replacement and chosen == "hypergeometric":
        raise InvalidInputError("The hypergeometric interval is for draws without replacement; use 'clopper-pearson'.")
    if options.anytime and not only_sets and (not design.exact or design.replacement):
        raise InvalidInputError(
            "Intervals for every look need a simple, union or difference sample, drawn without replacement; "
            f"this one is {'drawn with replacement' if design.replacement else 'stratified'}."
        )
    test = f"Fisher's test, {options.test}" if design.exact or only_sets else "the design-based test"
    test = "the test for every look" if options.anytime else test
    correction = None if options.correction is None else (options.correction if design.exact else "holm")
    return Method(
        interval=chosen,
        band=options.band,
        level=options.level,
        test=test,
        alternative=options.test,
        correction=correction,
        window=options.window,
        anytime=options.anytime,
    )


def evaluated_sizes(
    options: EvaluateOptions, rankings: Mapping[str, Ranking], design: SampledList, extra: Sequence[int], limit: int
) -> Integers:
    """The list sizes to look at: those asked for, or a grid of about 150; sizes of filters and thresholds join."""
    if not has_whole_lists(design.kind):
        return np.array([limit], dtype=np.int64)
    largest = {name: min(limit, design.largest_list(one)) for name, one in rankings.items()}
    reach = min(largest.values())
    wanted = list(options.n) if options.n is not None else _grid(reach)
    sizes = np.unique(np.array([*wanted, *extra], dtype=np.int64))
    if not sizes.size or sizes[0] < 1:
        raise InvalidInputError("List sizes must be whole numbers from 1 on.")
    if sizes[-1] > len(design.stratum):
        raise InvalidInputError(f"n = {sizes[-1]} is beyond the list, which has {len(design.stratum)} candidates.")
    if sizes[-1] > reach:
        short = min(largest, key=lambda name: largest[name])
        raise InvalidInputError(
            f"n = {sizes[-1]} is beyond what the {design.kind} sample was drawn for: "
            f"the lists of {short} are covered up to n = {largest[short]}."
        )
    return sizes


def _grid(reach: int) -> list[int]:
    step = next((step for step in STEPS if reach / step <= POINTS), STEPS[-1])
    start = FIRST if reach >= 2 * FIRST else step
    sizes = [size for size in range(step, reach + 1, step) if size >= start]
    return sizes or [reach]
