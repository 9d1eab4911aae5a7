"""Results of comparisons."""

from concurrence.agreement.preferences.between_coders import CoderAgreement
from concurrence.core import Interval, UnknownNameError
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence
from concurrence.core.values import value


@value
class ItemStrength:
    """One item: its strength on the scale of log odds (all sum to zero), and how its comparisons went.

    With three coders or more, ``standard_error`` and ``interval`` rest on leaving out each coder in turn
    (``interval_method`` is ``coders``), otherwise on independent comparisons (``information``); ``intervals`` has both.
    ``trusted`` is false where coders are too few to show how much they differ. ``bias_reduced`` is Firth's estimate.
    ``groups`` are numbers of groups that cannot be told apart.
    """

    rank: int
    strength: float
    standard_error: float
    interval: Interval
    interval_method: str
    trusted: bool
    intervals: dict[str, Interval]
    bias_reduced: float
    bias_reduced_error: float
    comparisons: int
    wins: int
    ties: int
    losses: int
    groups: tuple[int, ...]


@value
class TieRate:
    """How often neither was preferred; ``value`` is Davidson's parameter.

    ``standard_error`` is that of the value (delta method); the interval is that of its logarithm, carried back.
    """

    count: int
    share: float
    value: float
    standard_error: float
    interval: Interval | None
    interval_method: str | None
    trusted: bool | None


@value
class PositionBias:
    """The advantage of being shown first, in log odds; ``share`` is how often the first of two equals would win."""

    value: float
    standard_error: float
    interval: Interval | None
    interval_method: str | None
    trusted: bool | None
    p_value: float
    share: float
    in_model: bool
    note: str | None


@value
class StrengthDifference:
    """Two items: the difference of their strengths; ``p_corrected`` holds for all pairs together (Holm).

    ``apart`` rests on it. Where errors cannot be trusted, there are no p-values, and nothing is apart.
    """

    a: str
    b: str
    difference: float
    standard_error: float
    p_value: float
    p_corrected: float
    apart: bool


@value
class FurtherComparisons:
    """How many more comparisons of two neighbours would tell them apart with a chance of 80%.

    ``difference`` is the one that is to be found: the estimated one, or that of the ``win_rate`` that was asked for.
    """

    a: str
    b: str
    difference: float
    win_rate: float
    comparisons: int | None


@value
class ComparisonData:
    """The size of the study."""

    items: int
    comparisons: int
    pairs: int
    coders: tuple[str, ...]
    missing: int
    strongly_connected: bool


@value
class PreferenceReport(Result):
    """The report of ``preferences``: items by strength, best first. ``method`` says how strengths were estimated.

    ``deviance_p_value`` takes comparisons as independent, so there is none where several coders compared.
    """

    data: ComparisonData
    items: dict[str, ItemStrength]
    method: str
    ties: TieRate
    position_bias: PositionBias
    deviance: float
    degrees_of_freedom: int
    deviance_p_value: float
    differences: tuple[StrengthDifference, ...]
    groups: tuple[tuple[str, ...], ...]
    further: tuple[FurtherComparisons, ...]
    coder_agreement: CoderAgreement
    level: float
    sentences: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...]

    def __getitem__(self, name: str) -> ItemStrength:
        if name not in self.items:
            raise UnknownNameError("item", name, self.items)
        return self.items[name]

    def __str__(self) -> str:
        return "\n".join(
            f"{one.rank}. {name}: {one.strength:.3f} [{one.interval.low:.3f}, {one.interval.high:.3f}] "
            f"({self.level:.0%} CI)"
            for name, one in self.items.items()
        )
