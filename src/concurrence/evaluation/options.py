"""The options of an evaluation, checked once, and the methods that follow from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from concurrence.core.designs import has_whole_lists, is_by_rank
from concurrence.core.errors import InvalidInputError
from concurrence.core.options import check_choices, check_level, option
from concurrence.kernels.choices import ALTERNATIVES, INTERVALS

if TYPE_CHECKING:  # the command line reads the options and needs no arrays for that
    from concurrence.evaluation.results import Method
    from concurrence.kernels.strata import SampledList


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateOptions:
    """The choices of one evaluation; ``None`` leaves a choice to the data."""

    n: Sequence[int] | None = option(None, "List sizes: 100,500,1000 or 100:5000:50.", kind="sizes")
    interval: str | None = option(
        None, "Default: hypergeometric; design for union and strata.", choices=INTERVALS, what="interval method"
    )
    level: float = option(0.95, "Confidence level.", kind="level")
    band: str = option(
        "pointwise",
        "Intervals for each n, or for the whole curve at once.",
        choices=("pointwise", "simultaneous"),
        what="band",
    )
    test: str = option(
        "minlike", "Definition of two-sided in Fisher's test.", choices=ALTERNATIVES, what="two-sided test"
    )
    correction: str | None = option(
        None, "Method of --correct.", choices=("flips", "holm"), what="correction", cli_default="flips"
    )
    above: Sequence[float] = option((), "Report the largest n with at least this precision: 20%,10%.", kind="shares")
    thresholds: Mapping[str, float] = option(
        dict,
        "Add the list size of the candidates that score VALUE or more.",
        kind="numbers",
        flags=("--threshold",),
    )
    tie_draws: int = option(
        1, "Also break ties at random this many times, to see how much the order matters.", kind="count"
    )
    simulate: float | None = option(
        None, "Simulate a sample of a fully judged list: 10%.", kind="share", flags=("--simulate-sample",)
    )
    proxy: str | None = option(None, "Column of SCORED with a model's judgement of every candidate.")
    coder_uncertainty: str | None = None
    window: int = option(400, "Number of ranks in local precision.", kind="count")
    chart_by: str = option("n", "x-axis of the chart.", choices=("n", "recall"), what="axis of the chart")
    anytime: bool = option(False, "Intervals and tests that hold however often you look at growing judgements.")
    learn: bool = option(False, "Also rank by a combination of the measures, learned on other words.")
    seed: int = 0
    titles: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.tie_draws < 1 or self.window < 1:
            raise InvalidInputError("The number of tie draws and the window must be at least 1.")
        check_choices(self)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class KrennOptions:
    """The figures of Evert & Krenn (2005): what counts as true, the random sample, and the largest list."""

    kind: str = option("colloc", "What counts as true.", metavar="colloc|SVC|figur")
    rate: float = option(0.1, "Share of the list in the random sample.", kind="share")
    upto: int | None = option(None, "Largest list of Figures 2 to 4. Default: a third.", kind="count", metavar="N")
    level: float = option(0.95, "Confidence level.", kind="level")
    seed: int = 0


def choose_method(options: EvaluateOptions, design: "SampledList") -> "Method":
    """The methods for a design; one that does not hold for it is refused."""
    from concurrence.evaluation.results import Method

    only_sets, exact = not has_whole_lists(design.kind), design.n_strata == 1
    automatic = "design" if is_by_rank(design.kind) else "hypergeometric"
    if design.replacement:
        automatic = "design" if not exact else "clopper-pearson"
    interval = options.interval or automatic
    if not exact and interval != "design":
        raise InvalidInputError(
            f"The interval {interval!r} assumes that every candidate had the same chance of being judged, "
            "which does not hold in a stratified sample; use 'design'."
        )
    if design.replacement and interval == "hypergeometric":
        raise InvalidInputError("The hypergeometric interval is for draws without replacement; use 'clopper-pearson'.")
    if options.anytime and not only_sets and (not exact or design.replacement):
        raise InvalidInputError(
            "Intervals for every look need a simple, union or difference sample, drawn without replacement; "
            f"this one is {'drawn with replacement' if design.replacement else 'stratified'}."
        )
    test = f"Fisher's test, {options.test}" if exact or only_sets else "the design-based test"
    test = "the test for every look" if options.anytime else test
    correction = None if options.correction is None else (options.correction if exact else "holm")
    return Method(
        interval=interval,
        band=options.band,
        level=options.level,
        test=test,
        alternative=options.test,
        correction=correction,
        window=options.window,
        anytime=options.anytime,
    )
